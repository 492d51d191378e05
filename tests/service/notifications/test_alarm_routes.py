"""Alarm routes: what the API accepts, which alarms are queued, and how few messages a storm makes."""

from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.fernet import Fernet
from django.db import transaction

from tests.factories.alarms import make_alarm
from tests.factories.elements import make_element, make_site
from tests.support.subscriber import Answer, NotifiedEndpoint
from tests.support.worker import serving
from vnfm.accounts.models import AuditEntry
from vnfm.faults.models import Alarm
from vnfm.faults.services.lifecycle import AlarmEvent, alarms_publish
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.kit.durable.outbox import deliver_pending
from vnfm.kit.seal import unseal
from vnfm.notifications.domain.routing import DAYS
from vnfm.notifications.models import AlarmRoute, Delivery, Subscription
from vnfm.notifications.reconcilers import delivery
from vnfm.notifications.services.route_queueing import ALARM_ROUTER

pytestmark = pytest.mark.django_db(transaction=True)
ROUTES = "/api/v1/alarm_routes"
MAIL = {"host": "127.0.0.1", "port": 25, "sender": "a@example.com", "recipients": ["b@example.com"]}
SECRET = "whsec_Y2FuYXJ5LXNlY3JldC1vZi1hLXJvdXRl"


@pytest.fixture
def create(api: Any, endpoint: NotifiedEndpoint) -> Callable[..., UUID]:
    """Makes a route to the endpoint; returns its id."""

    def post(**more: Any) -> UUID:
        body = {"name": "NOC", "channel": "WEBHOOK", "webhook": {"url": endpoint.url, "secret": SECRET}}
        answer = api.post(ROUTES, {**body, "groupSeconds": 0, "intervalSeconds": 0, **more}, format="json")
        assert answer.status_code == 201, answer.json()
        return UUID(answer.json()["id"])

    return post


def _publish(alarm: Alarm, event: AlarmEvent) -> None:
    with transaction.atomic():
        alarms_publish([(alarm, event)], now=clock.now())


def _relay() -> None:
    while deliver_pending([ALARM_ROUTER]) == outbox.BATCH:
        pass


def _clear(alarm: Alarm) -> None:
    alarm.perceived_severity, alarm.cleared_at = "CLEARED", clock.now()
    alarm.save()
    _publish(alarm, "cleared")
    _relay()


def _sent(endpoint: NotifiedEndpoint) -> list[dict[str, Any]]:
    return [each.body for each in endpoint.received if each.method == "POST"]


def test_an_alarm_and_its_end_arrive_signed(create: Callable[..., UUID], endpoint: NotifiedEndpoint) -> None:
    import base64
    import hashlib
    import hmac

    route_id = create()
    site = make_site(name="Bonn")
    element = make_element(name="pe-1", site=site)
    alarm = make_alarm(
        managed_object_type="NETWORK_ELEMENT", managed_object_id=element.id, managed_object_name="pe-1",
        perceived_severity="MAJOR",
    )  # fmt: skip
    _publish(alarm, "raised")
    _relay()
    delivery.deliver(route_id)
    (post,) = (each for each in endpoint.received if each.method == "POST")
    (listed,) = post.body["alarms"]
    assert (listed["event"], listed["managedObjectName"], listed["siteName"]) == ("raised", "pe-1", "Bonn")
    import json

    signed = f"{post.headers['webhook-id']}.{post.headers['webhook-timestamp']}.{json.dumps(post.body)}"
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    digest = base64.b64encode(hmac.digest(key, signed.encode(), hashlib.sha256)).decode()
    assert post.headers["webhook-signature"] == f"v1,{digest}"
    _clear(alarm)
    delivery.deliver(route_id)
    assert _sent(endpoint)[1]["alarms"][0]["event"] == "cleared"


def test_a_storm_of_alarms_is_two_messages(create: Callable[..., UUID], endpoint: NotifiedEndpoint) -> None:
    """One at its begin, one after the interval; and what is raised twice by the relay is sent once."""
    route_id = create(intervalSeconds=600)
    _publish(make_alarm(), "raised")
    _relay()
    delivery.deliver(route_id)
    for _ in range(120):
        _publish(make_alarm(), "raised")
    _relay()
    for _ in range(5):
        delivery.deliver(route_id)
        delivery.sweep(clock.now())
    assert len(_sent(endpoint)) == 1
    Subscription.objects.update(not_before=clock.now())
    delivery.deliver(route_id)
    first, second = _sent(endpoint)
    assert (len(first["alarms"]), len(second["alarms"]), second["unlisted"]) == (1, 50, 70)
    assert not Delivery.objects.exclude(state="DELIVERED").exists()


def test_the_first_alarm_waits_for_others(create: Callable[..., UUID], endpoint: NotifiedEndpoint) -> None:
    route_id = create(groupSeconds=30)
    _publish(make_alarm(), "raised")
    _relay()
    delivery.deliver(route_id)
    assert _sent(endpoint) == []
    Delivery.objects.update(created_at=clock.now() - timedelta(seconds=31))
    delivery.deliver(route_id)
    assert len(_sent(endpoint)) == 1


def test_only_alarms_that_match_are_queued(create: Callable[..., UUID]) -> None:
    element = make_element(name="pe-1")
    create(criteria={"minSeverity": "MAJOR", "managedObjectIds": [str(element.id)]})
    for severity, object_id in (("MAJOR", element.id), ("MINOR", element.id), ("CRITICAL", make_element().id)):
        _publish(make_alarm(perceived_severity=severity, managed_object_id=object_id), "raised")
    acknowledged = make_alarm(perceived_severity="MAJOR", managed_object_id=element.id)
    _publish(acknowledged, "acknowledged")
    _relay()
    assert [row.body["severity"] for row in Delivery.objects.all()] == ["MAJOR"]


def test_a_recipient_of_the_alarm_gets_its_clearing_outside_the_window(create: Callable[..., UUID], api: Any) -> None:
    always = {"begin": "00:00", "end": "00:00", "days": list(DAYS), "timeZone": "UTC"}
    route_id = create(criteria={"window": always})
    sent, unsent = make_alarm(), make_alarm()
    _publish(sent, "raised")
    _relay()
    later = {**always, "days": [DAYS[(clock.now().weekday() + 2) % 7]]}
    assert api.patch(f"{ROUTES}/{route_id}", {"criteria": {"window": later}}, format="json").status_code == 200
    _publish(unsent, "raised")
    _relay()
    Delivery.objects.update(state="DELIVERED", attempts=1, ended_at=clock.now() - timedelta(days=30))
    delivery.prune()
    _clear(sent)
    _clear(unsent)
    rows = Delivery.objects.filter(subscription=route_id).order_by("id")
    assert [(row.subject_id, row.notification_type) for row in rows] == [(sent.id, "raised"), (sent.id, "cleared")]
    Alarm.objects.update(cleared_at=clock.now() - timedelta(days=8))
    delivery.prune()
    assert [row.notification_type for row in rows.all()] == ["cleared"], "the log does not grow without end"


def test_a_receiver_that_fails_gets_it_later_and_the_route_says_why(
    create: Callable[..., UUID], endpoint: NotifiedEndpoint, api: Any
) -> None:
    route_id = create()
    endpoint.posts = Answer(503)
    alarm = make_alarm()
    _publish(alarm, "raised")
    _relay()
    delivery.deliver(route_id)
    shown = api.get(f"{ROUTES}/{route_id}").json()
    assert shown["waiting"] == 1
    assert shown["conditions"][0]["status"] == "False"
    assert "answers 503" in shown["conditions"][0]["message"]
    (row,) = api.get(f"{ROUTES}/{route_id}/deliveries").json()
    assert (row["state"], row["attempts"], row["event"]) == ("WAITING", 1, "raised")
    _clear(alarm)
    endpoint.posts = Answer(204)
    Subscription.objects.update(not_before=clock.now())
    delivery.deliver(route_id)
    assert api.get(f"{ROUTES}/{route_id}").json()["conditions"][0]["status"] == "True"
    ended = _sent(endpoint)[-1]
    assert [each["event"] for each in ended["alarms"]] == ["cleared"], "it may have taken what it answered 503"


def test_a_test_message_is_sent_at_once_or_its_failure_is_explained(
    create: Callable[..., UUID], endpoint: NotifiedEndpoint, api: Any
) -> None:
    from vnfm.notifications.tasks import test_route as send_test

    route_id = create(intervalSeconds=600)
    with serving(send_test):
        assert api.post(f"{ROUTES}/{route_id}/test").status_code == 204
        assert _sent(endpoint)[0]["alarms"][0]["faultType"] == "TestMessage"
        endpoint.posts = Answer(401)
        answer = api.post(f"{ROUTES}/{route_id}/test")
    assert answer.status_code == 422
    assert "answers 401" in answer.json()["detail"]


def _sealed_login() -> bytes:
    return bytes(Subscription.objects.values_list("sealed_login", flat=True).get() or b"")


def test_secrets_are_sealed_and_never_go_elsewhere(create: Callable[..., UUID], api: Any) -> None:
    route_id = create()
    shown = api.get(f"{ROUTES}/{route_id}")
    assert SECRET not in shown.content.decode()
    assert shown.json()["hasSecret"] is True
    assert SECRET not in str(AlarmRoute.objects.values())
    assert SECRET not in str(list(AuditEntry.objects.values()))
    elsewhere = {"webhook": {"url": "http://127.0.0.1:9/mine"}}
    answer = api.patch(f"{ROUTES}/{route_id}", elsewhere, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "PASSWORD_NEEDED")
    same = {"webhook": {"url": shown.json()["webhook"]["url"]}, "name": "renamed"}
    assert api.patch(f"{ROUTES}/{route_id}", same, format="json").json()["hasSecret"] is True


def test_a_route_whose_key_is_gone_can_be_changed_and_gets_its_secret_again(
    create: Callable[..., UUID], api: Any, settings: Any, tmp_path: Path
) -> None:
    path = f"{ROUTES}/{create()}"
    webhook, sealed = api.get(path).json()["webhook"], _sealed_login()
    keys, settings.SEAL_KEYS_FILE = settings.SEAL_KEYS_FILE, str(tmp_path / "others")
    Path(settings.SEAL_KEYS_FILE).write_bytes(Fernet.generate_key())
    assert api.patch(path, {"name": "renamed"}, format="json").status_code == 200
    assert api.patch(path, {"webhook": webhook}, format="json").status_code == 200
    assert _sealed_login() == sealed, "the key may be found again"
    assert api.patch(path, {"webhook": {**webhook, "secret": "new"}}, format="json").status_code == 200
    assert unseal(_sealed_login()) == {"secret": "new"}
    settings.SEAL_KEYS_FILE = keys
    elsewhere = {"webhook": {"url": f"{webhook['url']}/elsewhere"}}
    assert api.patch(path, elsewhere, format="json").json()["hasSecret"] is False, "never sent to another server"


def test_a_trap_receiver_whose_key_is_gone_needs_both_secrets_again(
    reachable: None, api: Any, settings: Any, tmp_path: Path
) -> None:
    snmp, secrets = {"host": "127.0.0.1", "userName": "noc"}, {"authPassword": "12345678", "privPassword": "12345678"}
    created = api.post(ROUTES, {"name": "NMS", "channel": "SNMP", "snmp": {**snmp, **secrets}}, format="json")
    path = f"{ROUTES}/{created.json()['id']}"
    settings.SEAL_KEYS_FILE = str(tmp_path / "others")
    Path(settings.SEAL_KEYS_FILE).write_bytes(Fernet.generate_key())
    assert api.patch(path, {"enabled": False}, format="json").status_code == 200
    refused = api.patch(path, {"snmp": {**snmp, "authPassword": "12345678"}}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "PASSWORD_NEEDED")
    assert api.patch(path, {"snmp": {**snmp, **secrets}}, format="json").status_code == 200
    assert unseal(_sealed_login()) == secrets


def test_addresses_are_those_that_subscribers_may_have(api: Any, settings: Any) -> None:
    """Checked at creation, and again before each call, as names and settings change."""
    from vnfm.notifications.tasks import test_route as send_test

    settings.SUBSCRIBERS_ALLOWED = []
    urls = [
        "http://example.com/x",
        "https://127.0.0.1/",
        "https://169.254.169.254/",
        "https://[::1]/",
        "https://2130706433/",
    ]
    for url in urls:
        body = {"name": "web", "channel": "WEBHOOK", "webhook": {"url": url}}
        assert api.post(ROUTES, body, format="json").json()["code"] == "ROUTE_REFUSED", url
    for channel, wanted in (("SYSLOG", {"host": "localhost", "port": 6514}), ("MAIL", MAIL)):
        body = {"name": channel, "channel": channel, channel.lower(): wanted}
        assert api.post(ROUTES, body, format="json").json()["code"] == "ROUTE_REFUSED", channel
    assert not AlarmRoute.objects.exists()
    settings.SUBSCRIBERS_ALLOWED = [ip_network("127.0.0.1/32")]
    created = api.post(ROUTES, {"name": "mail", "channel": "MAIL", "mail": MAIL}, format="json")
    settings.SUBSCRIBERS_ALLOWED = []
    with serving(send_test):
        answer = api.post(f"{ROUTES}/{created.json()['id']}/test")
    assert answer.json()["code"] == "ROUTE_REFUSED"
    assert "VNFM_SUBSCRIBERS_ALLOWED" in answer.json()["nextStep"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"channel": "MAIL"}, "/mail"),
        ({"syslog": {"host": "x"}}, "/syslog"),
        ({"criteria": {"window": {"days": ["MON"], "begin": "25:00", "end": "10:00", "timeZone": "UTC"}}}, "/criteria"),
        ({"criteria": {"window": {"days": ["MON"], "begin": "01:00", "end": "10:00", "timeZone": "X/Y"}}}, "/criteria"),
        ({"channel": "SNMP", "snmp": {"host": "x", "userName": "u"}, "webhook": None}, "/snmp"),
        ({"surprise": 1}, "/surprise"),
    ],
)
def test_a_wrong_route_is_refused(change: dict[str, Any], where: str, api: Any) -> None:
    body = {"name": "x", "channel": "WEBHOOK", "webhook": {"url": "https://example.com/"}, **change}
    answer = api.post(ROUTES, {name: value for name, value in body.items() if value is not None}, format="json")
    assert answer.status_code == 400
    assert any(error["field"].startswith(where) for error in answer.json()["errors"])


def test_administrators_write_operators_read_viewers_do_neither(
    create: Callable[..., UUID], operator_api: Any, viewer_api: Any
) -> None:
    route_id = create()
    (shown,) = operator_api.get(ROUTES).json()
    assert shown["webhook"]["url"] == f"{shown['place']}/…", "its path may be a secret"
    assert operator_api.get(f"{ROUTES}/{route_id}").json()["webhook"] == shown["webhook"]
    assert operator_api.patch(f"{ROUTES}/{route_id}", {"enabled": False}, format="json").status_code == 403
    assert operator_api.post(f"{ROUTES}/{route_id}/test").status_code == 403
    assert viewer_api.get(ROUTES).status_code == 403
    assert [row["id"] for row in operator_api.get("/api/v1/subscriptions").json()] == []


def test_a_route_that_is_switched_off_or_deleted_sends_nothing(
    create: Callable[..., UUID], endpoint: NotifiedEndpoint, api: Any
) -> None:
    route_id = create()
    _publish(make_alarm(), "raised")
    _relay()
    version = api.get(f"{ROUTES}/{route_id}").headers["ETag"]
    off = api.patch(f"{ROUTES}/{route_id}", {"enabled": False}, format="json", headers={"If-Match": version})
    assert off.status_code == 200
    _publish(make_alarm(), "raised")
    _relay()
    delivery.deliver(route_id)
    assert _sent(endpoint) == []
    assert api.delete(f"{ROUTES}/{route_id}", headers={"If-Match": version}).status_code == 412
    assert api.delete(f"{ROUTES}/{route_id}").status_code == 204
    assert not Subscription.objects.exists()

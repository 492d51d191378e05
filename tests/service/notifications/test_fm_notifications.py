"""SOL003 fault notifications: filters, order, failures and retries."""

import signal
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db.models.functions import Now
from rest_framework.test import APIClient

from tests.factories.deployed import make_deployed, make_vnfc
from tests.service.notifications.conftest import SUBSCRIPTIONS, Tls, run_endpoint_tests
from tests.service.notifications.fm_relay import relay, send
from tests.support.etsi_schema import errors
from tests.support.product import PATIENCE, running
from tests.support.subscriber import Answer, NotifiedEndpoint, problem, token
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_all
from vnfm.faults.services.alarms import alarm_acknowledge
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.kit.durable import lease
from vnfm.kit.models import Lease, OutboxEvent
from vnfm.notifications.domain.retry import GIVE_UP_AFTER
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.reconcilers import delivery as reconciler
from vnfm.notifications.reconcilers.endpoint_test import MAX_TESTS

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
BASIC = {"authType": ["BASIC"], "paramsBasic": {"userName": "nfvo", "password": "pässword:1"}}
OURS = {
    "managedObjectName", "vnfcIds", "faultyResourceName", "acknowledgedBy", "rootCauseAlarmId",
    "remedialAction", "version",
}  # fmt: skip
"""Our attributes in addition to those of ETSI's Alarm."""

Subscribe = Callable[..., Any]


@pytest.fixture
def instance() -> VnfInstance:
    made = make_deployed()
    make_vnfc(made, "iom-1")
    return made


def turn(instance: VnfInstance, status: str, later: int = 0) -> None:
    """Sets the status of its only server, and evaluates the alarms."""
    Vnfc.objects.filter(instance=instance).update(status=status, status_since=NOW)
    evaluate_all(now=NOW + timedelta(seconds=later))


def delivering(api: APIClient) -> dict[str, Any]:
    (shown,) = api.get("/api/v1/subscriptions").json()
    (condition,) = shown["conditions"]
    assert condition["type"] == "Delivering"
    return condition | {"waiting": shown["waiting"]}


def delivery_log(api: APIClient) -> list[dict[str, Any]]:
    """The oldest first."""
    rows = api.get(f"/api/v1/subscriptions/{Subscription.objects.get().id}/deliveries").json()
    return rows[::-1]


def test_raised_changed_and_cleared(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance
) -> None:
    made = subscribe(endpoint.url).json()
    other = subscribe(f"{endpoint.base}/notify-too").json()
    turn(instance, "SHUTOFF")
    send()
    alarm = Alarm.objects.get()
    alarm_acknowledge(alarm=alarm, ack_state="ACKNOWLEDGED", by="jane", now=NOW)
    send()
    turn(instance, "ACTIVE", later=5)
    send()

    raised, acknowledged, cleared = (each for each in endpoint.notifications() if each["subscriptionId"] == made["id"])
    assert raised["alarm"]["_links"]["self"]["href"] == f"http://testserver/vnffm/v1/alarms/{alarm.id}"
    assert raised["_links"] == {"subscription": made["_links"]["self"]}
    assert raised["alarm"]["perceivedSeverity"] == "CRITICAL"
    assert (raised["alarm"]["ackState"], acknowledged["alarm"]["ackState"]) == ("UNACKNOWLEDGED", "ACKNOWLEDGED")
    assert cleared["alarmId"] == raised["alarm"]["id"] == str(alarm.id)
    assert cleared["alarmClearedTime"] == "2016-02-09T14:05:05Z"
    assert cleared["_links"]["alarm"] == {"href": f"http://testserver/vnffm/v1/alarms/{alarm.id}"}
    for notice in (raised, acknowledged):
        pure = notice | {"alarm": {name: value for name, value in notice["alarm"].items() if name not in OURS}}
        assert errors("AlarmNotification", pure) == []
    assert errors("AlarmClearedNotification", cleared) == []
    shown = operator_api.get(f"/vnffm/v1/alarms/{alarm.id}").json()
    assert shown.keys() - {"alarmClearedTime"} == acknowledged["alarm"].keys()
    theirs = [each for each in endpoint.notifications() if each["subscriptionId"] == other["id"]]
    assert [each["id"] for each in theirs] == [raised["id"], acknowledged["id"], cleared["id"]]
    assert delivering_of(operator_api, made["id"]) == "True"


def delivering_of(api: APIClient, subscription_id: str) -> str:
    shown = api.get(f"/api/v1/subscriptions/{subscription_id}").json()
    status: str = shown["conditions"][0]["status"]
    return status


def test_filters(subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance) -> None:
    package = instance.package
    product = {"vnfProductName": package.product_name}
    of_vnf = {
        "id": {"vnfInstanceIds": [str(instance.id)]},
        "name": {"vnfInstanceNames": ["other", instance.name]},
        "vnfd": {"vnfdIds": [str(package.vnfd_id)]},
        "product": {"vnfProductsFromProviders": [{"vnfProvider": package.provider, "vnfProducts": [product]}]},
        "no-name": {"vnfInstanceNames": ["other"]},
        "no-provider": {"vnfProductsFromProviders": [{"vnfProvider": "unknown"}]},
    }
    wanted: dict[str, dict[str, Any]] = {
        **{name: {"vnfInstanceSubscriptionFilter": each} for name, each in of_vnf.items()},
        "severity": {"perceivedSeverities": ["CRITICAL"]},
        "no-severity": {"perceivedSeverities": ["MINOR"]},
        "cleared": {"notificationTypes": ["AlarmClearedNotification"]},
        "resource": {"faultyResourceTypes": ["COMPUTE"], "eventTypes": ["EQUIPMENT_ALARM"]},
        "no-both": {"faultyResourceTypes": ["COMPUTE"], "probableCauses": ["rain"]},
    }
    ids = {subscribe(f"{endpoint.base}/notify-{name}", each).json()["id"]: name for name, each in wanted.items()}
    turn(instance, "SHUTOFF")
    turn(instance, "ACTIVE", later=5)
    send()
    received = sorted((ids[each["subscriptionId"]], each["notificationType"]) for each in endpoint.notifications())
    both = ("AlarmClearedNotification", "AlarmNotification")
    matching = sorted({"id", "name", "vnfd", "product", "severity", "resource"})
    assert received == sorted([*((name, kind) for name in matching for kind in both), ("cleared", both[0])])


def test_an_endpoint_that_recovers_gets_all_notifications_in_order(
    operator_api: APIClient, subscribe: Subscribe, reachable: None, instance: VnfInstance
) -> None:
    with NotifiedEndpoint() as first:
        assert subscribe(first.url).status_code == 201
        port = first.port
    turn(instance, "SHUTOFF")
    turn(instance, "ACTIVE", later=5)
    send()
    condition = delivering(operator_api)
    assert (condition["status"], condition["waiting"]) == ("False", 2)
    assert "127.0.0.1 cannot be read from: Connection refused" in condition["message"]
    since = condition["lastTransitionTime"]
    send()
    condition = delivering(operator_api)
    assert condition["lastTransitionTime"] == since, "false since then, however often it is tried"
    assert "Failures in a row: 2" in condition["message"]
    assert [(row["state"], row["attempts"]) for row in delivery_log(operator_api)] == [("WAITING", 2), ("WAITING", 0)]

    with NotifiedEndpoint(port=port) as back:
        send(whenever=False)
        assert back.received == [], "not before its time"
        send()
        send()
        assert back.notification_types() == ["AlarmNotification", "AlarmClearedNotification"]
    condition = delivering(operator_api)
    assert (condition["status"], condition["waiting"]) == ("True", 0)
    assert condition["lastTransitionTime"] > since
    log = delivery_log(operator_api)
    assert [(row["state"], row["attempts"]) for row in log] == [("DELIVERED", 3), ("DELIVERED", 1)]
    assert "Connection refused" in log[0]["lastError"]


def test_an_error_is_retried_and_a_rejection_is_not(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance
) -> None:
    subscribe(endpoint.url)
    turn(instance, "SHUTOFF")
    endpoint.posts = problem(503, "The NFVO is being upgraded.")
    send()
    assert "The endpoint answers 503: The NFVO is being upgraded." in delivering(operator_api)["message"]
    endpoint.posts = problem(400, "We know no such alarm.")
    send()
    turn(instance, "ACTIVE", later=5)
    send()
    log = delivery_log(operator_api)
    assert [row["state"] for row in log] == ["GIVEN_UP", "GIVEN_UP"]
    assert log[0]["lastError"] == "The endpoint answers 400: We know no such alarm."
    assert delivering(operator_api)["status"] == "False"


def test_a_notification_expires_after_a_day(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance
) -> None:
    subscribe(endpoint.url)
    turn(instance, "SHUTOFF")
    endpoint.posts = Answer(500)
    send()
    reconciler.sweep(clock.now())
    assert delivery_log(operator_api)[0]["state"] == "WAITING"
    Delivery.objects.update(created_at=clock.now() - GIVE_UP_AFTER - timedelta(minutes=1))
    reconciler.sweep(clock.now())
    (row,) = delivery_log(operator_api)
    assert (row["state"], row["lastError"]) == ("GIVEN_UP", "The endpoint answers 500.")
    reconciler.prune()
    assert len(delivery_log(operator_api)) == 1
    Delivery.objects.update(ended_at=clock.now() - reconciler.KEEP - timedelta(minutes=1))
    reconciler.prune()
    assert delivery_log(operator_api) == []


def test_an_event_relayed_twice_is_delivered_once(
    subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance
) -> None:
    subscribe(endpoint.url)
    turn(instance, "SHUTOFF")
    send()
    OutboxEvent.objects.update(delivered_at=None, delivered_to=[])
    send()
    assert endpoint.notification_types() == ["AlarmNotification"]


def test_a_deleted_subscription_gets_nothing(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance
) -> None:
    made = subscribe(endpoint.url)
    turn(instance, "SHUTOFF")
    relay()
    assert Delivery.objects.count() == 1
    assert operator_api.delete(made.headers["Location"]).status_code == 204
    reconciler.deliver(made.json()["id"])
    assert endpoint.notifications() == []
    assert not Delivery.objects.exists()


def test_only_one_worker_delivers_to_a_subscriber(
    subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance
) -> None:
    made = subscribe(endpoint.url).json()
    turn(instance, "SHUTOFF")
    with lease.hold(f"notify:{made['id']}"):
        send()
        assert endpoint.notifications() == []
    send()
    assert len(endpoint.notifications()) == 1


def test_certificates_and_passwords(
    subscribe: Subscribe, operator_api: APIClient, instance: VnfInstance, tls: Tls, capfd: pytest.CaptureFixture[str]
) -> None:
    with NotifiedEndpoint(tls=tls.context) as server:
        made = subscribe(server.url, authentication=BASIC)
        assert made.status_code == 201, made.json()
        assert "The certificate of 127.0.0.1 is not accepted" in delivering(operator_api)["message"]
        tls.trust()
        elsewhere = subscribe(server.url.replace("127.0.0.1", "localhost"), authentication=BASIC).headers["Location"]
        assert delivering_of(operator_api, elsewhere.rpartition("/")[2]) == "False"
        assert operator_api.delete(elsewhere).status_code == 204
        assert [each.path for each in server.received] == ["/notify?key=query-secret"], "of the first, trusted now"

        turn(instance, "SHUTOFF")
        server.posts = problem(500, "I did not like Basic bmZ2bzpww6Rzc3dvcmQ6MQ== of pässword:1.")
        send()
        assert {each.headers["Authorization"] for each in server.received} == {"Basic bmZ2bzpww6Rzc3dvcmQ6MQ=="}
        assert "I did not like Basic *** of ***." in delivering(operator_api)["message"]
    shown = [operator_api.get(path).content.decode() for path in (SUBSCRIPTIONS, "/api/v1/subscriptions")]
    stored = bytes(Subscription.objects.get().sealed_login or b"").decode()
    for secret in ("pässword", "ssword:1", "bmZ2bzpw"):
        assert secret not in "".join((*shown, stored, made.content.decode(), str(capfd.readouterr())))
    assert operator_api.get("/api/v1/subscriptions").json()[0]["authType"] == "BASIC"


def test_a_token_is_fetched_for_each_batch(
    subscribe: Subscribe, operator_api: APIClient, instance: VnfInstance, tls: Tls
) -> None:
    tls.trust()
    with NotifiedEndpoint(tls=tls.context) as server:
        server.at["/token"] = token("first")
        secret = {"clientId": "vnfm", "clientPassword": "s3cret", "tokenEndpoint": f"{server.base}/token"}
        login = {"authType": ["OAUTH2_CLIENT_CREDENTIALS"], "paramsOauth2ClientCredentials": secret}
        assert subscribe(server.url, authentication=login).status_code == 201
        asked = server.received[0]
        assert (asked.path, asked.body) == ("/token", "grant_type=client_credentials")
        assert asked.headers["Authorization"] == "Basic dm5mbTpzM2NyZXQ="
        assert server.received[1].headers["Authorization"] == "Bearer first"
        turn(instance, "SHUTOFF")
        turn(instance, "ACTIVE", later=5)
        server.at["/token"] = token("second")
        send()
        assert [each.headers["Authorization"] for each in server.received[3:]] == ["Bearer second"] * 2
        assert len(server.notification_types()) == 2, "one token serves a whole batch"
        server.at["/token"] = Answer(401)
        turn(instance, "SHUTOFF", later=9)
        send()
        assert "The token endpoint gives no bearer token: it answers 401." in delivering(operator_api)["message"]


def test_a_worker_killed_after_sending_leads_to_a_duplicate(
    subscribe: Subscribe, endpoint: NotifiedEndpoint, instance: VnfInstance, product_env: dict[str, str]
) -> None:
    """At least once: whether the first worker's notification was accepted is unknown."""
    made = subscribe(endpoint.url).json()
    turn(instance, "SHUTOFF")
    relay()
    env = product_env | {"VNFM_SUBSCRIBERS_ALLOWED": "127.0.0.1/32", "VNFM_SUBSCRIBERS_HTTP": "1"}
    task = f"from vnfm.notifications import tasks; tasks.deliver('{made['id']}')"
    endpoint.hang = True
    with running("manage.py", "shell", "-v", "0", "-c", task, env=env) as killed:
        assert endpoint.requested.wait(PATIENCE)
        killed.end(signal.SIGKILL)
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.last_error) == ("WAITING", 1, "")
    endpoint.hang = False
    send()
    assert len(endpoint.notifications()) == 1, "the dead one's lease still holds"
    Lease.objects.update(expires_at=Now() - timedelta(seconds=1))
    send()
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("DELIVERED", 2)
    one, two = endpoint.notifications()
    assert one == two
    assert "query-secret" not in "".join(killed.output)


def test_a_login_that_cannot_be_decrypted_is_reported_and_retried_slowly(
    operator_api: APIClient, subscribe: Subscribe, instance: VnfInstance, tls: Tls, settings: Any
) -> None:
    tls.trust()
    with NotifiedEndpoint(tls=tls.context) as server, NamedTemporaryFile() as other_keys:
        assert subscribe(server.url, authentication=BASIC).status_code == 201
        turn(instance, "SHUTOFF")
        relay()
        other_keys.write(Fernet.generate_key())
        other_keys.flush()
        key_files, settings.SEAL_KEYS_FILE = settings.SEAL_KEYS_FILE, other_keys.name
        send()
        condition = delivering(operator_api)
        assert (condition["status"], condition["waiting"]) == ("False", 1)
        assert "cannot be decrypted by any available key" in condition["message"]
        assert Subscription.objects.get().not_before > clock.now() - timedelta(minutes=1)
        settings.SEAL_KEYS_FILE = key_files
        send()
        assert (delivering(operator_api)["status"], len(server.notifications())) == ("True", 1)


def test_the_number_of_concurrent_endpoint_tests_is_limited(subscribe: Subscribe, endpoint: NotifiedEndpoint) -> None:
    with ExitStack() as others:
        for number in range(MAX_TESTS):
            others.enter_context(lease.hold(f"notify test {number}"))
        assert subscribe(endpoint.url).status_code == 201
        assert endpoint.received == []
    run_endpoint_tests()
    assert [each.method for each in endpoint.received] == ["GET"]

"""SOL003 LCM notifications of a VNF instance's lifecycle, on a simulated cloud."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.service.lcm.lifecycle import Lifecycle, Saboteur
from tests.service.notifications.conftest import endpoint, reachable
from tests.support.etsi_schema import errors
from tests.support.subscriber import Answer, NotifiedEndpoint
from vnfm.clouds.errors import Rejected
from vnfm.kit.durable import outbox
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.services.instances import vnf_instance_delete
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers import delivery
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER

__all__ = ["endpoint", "reachable"]
pytestmark = pytest.mark.django_db(transaction=True)

OCCURRENCE = "VnfLcmOperationOccurrenceNotification"
CREATED, DELETED = "VnfIdentifierCreationNotification", "VnfIdentifierDeletionNotification"
FORCEFUL = {"terminationType": "FORCEFUL"}

Subscribe = Callable[..., str]


@pytest.fixture
def subscribe(operator_api: APIClient) -> Subscribe:
    """Its id."""

    def post(url: str, wanted: dict[str, Any] | None = None, verbosity: str = "FULL") -> str:
        body = {"callbackUri": url, "filter": wanted or {}, "verbosity": verbosity}
        made = operator_api.post("/vnflcm/v2/subscriptions", body, format="json")
        assert made.status_code == 201, made.json()
        return str(made.json()["id"])

    return post


def send() -> None:
    """Do what the relay and the workers do, as late as can be: every state is notified, though all of them are over."""
    while outbox.deliver_pending([NOTIFICATION_QUEUER]):
        pass
    Subscription.objects.update(not_before=None)
    for subscription in Subscription.objects.all():
        delivery.deliver(subscription.id)


def notifications_to(endpoint: NotifiedEndpoint, subscription: str) -> list[dict[str, Any]]:
    return [each for each in endpoint.notifications() if each["subscriptionId"] == subscription]


def _same_in_261(notified: list[dict[str, Any]], older: list[dict[str, Any]]) -> None:
    """The older edition has the same notifications, in its own words."""
    assert [each["notificationType"] for each in older] == [each["notificationType"] for each in notified]
    for each in older:
        assert errors(each["notificationType"], each, "v1") == []
        assert "/vnflcm/v1/" in each["_links"]["vnfInstance"]["href"]
        assert each["_links"]["subscription"]["href"].startswith("http://testserver/vnflcm/v1/subscriptions/")
    (link,) = older[3]["affectedVirtualLinks"]
    assert link["virtualLinkDescId"] == notified[3]["affectedVirtualLinks"][0]["vnfVirtualLinkDescId"]
    assert older[3]["affectedVnfcs"] == notified[3]["affectedVnfcs"]


def test_a_lifecycle_is_notified_state_by_state(
    lifecycle: Lifecycle, endpoint: NotifiedEndpoint, subscribe: Subscribe, operator_api: APIClient
) -> None:
    whole, short = subscribe(endpoint.url), subscribe(f"{endpoint.base}/notify-short", verbosity="SHORT")
    made = operator_api.post("/vnflcm/v1/subscriptions", {"callbackUri": f"{endpoint.base}/notify-261"}, format="json")
    assert made.status_code == 201, made.json()
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    vnf_instance_delete(instance_id=instance.id)
    send()
    notified = notifications_to(endpoint, whole)
    assert [(each["notificationType"], each.get("operation"), each.get("operationState")) for each in notified] == [
        (CREATED, None, None),
        *((OCCURRENCE, "INSTANTIATE", state) for state in ("STARTING", "PROCESSING", "COMPLETED")),
        *((OCCURRENCE, "TERMINATE", state) for state in ("STARTING", "PROCESSING", "COMPLETED")),
        (DELETED, None, None),
    ]
    for each in notified:
        assert errors(each["notificationType"], each) == []
        assert each["vnfInstanceId"] == str(instance.id)
        assert each["_links"]["vnfInstance"]["href"].endswith(f"/vnflcm/v2/vnf_instances/{instance.id}")
    assert [each["notificationStatus"] for each in notified[1:4]] == ["START", "START", "RESULT"]
    assert notified[3]["_links"]["vnfLcmOpOcc"]["href"].endswith(notified[3]["vnfLcmOpOccId"])
    assert {row["changeType"] for row in notified[3]["affectedVnfcs"]} == {"ADDED"}
    assert {row["changeType"] for row in notified[6]["affectedVnfcs"]} == {"REMOVED"}
    assert not any("affectedVnfcs" in each for each in (notified[1], notified[2], notified[4], notified[5]))
    assert notified[3]["changedExtConnectivity"]
    _same_in_261(notified, notifications_to(endpoint, made.json()["id"]))
    brief = notifications_to(endpoint, short)
    assert [each["id"] for each in brief] == [each["id"] for each in notified], "one notification for all who get it"
    assert {each.get("verbosity") for each in brief} == {None, "SHORT"}
    assert not any("affectedVnfcs" in each for each in brief)
    assert [each for each in brief if errors(each["notificationType"], each)] == []


def test_an_error_is_notified_even_after_its_repair(
    lifecycle: Lifecycle,
    endpoint: NotifiedEndpoint,
    subscribe: Subscribe,
    break_cloud: Callable[..., Saboteur],
) -> None:
    subscribed = subscribe(endpoint.url, {"notificationTypes": [OCCURRENCE]})
    break_cloud("stacks.create", Rejected("sabotage", service="heat", http_status=400), after=False)
    op = lifecycle.run(lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert op.state == "FAILED_TEMP"
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    send()
    notified = notifications_to(endpoint, subscribed)
    states = [(each["operationState"], each["notificationStatus"], "error" in each) for each in notified]
    assert states == [
        ("STARTING", "START", False),
        ("PROCESSING", "START", False),
        ("FAILED_TEMP", "RESULT", True),
        ("ROLLING_BACK", "START", False),
        ("ROLLED_BACK", "RESULT", True),
    ]
    assert "sabotage" in str(notified[2]["error"])
    assert notified[4]["error"] == notified[2]["error"]
    assert [each for each in notified if errors(OCCURRENCE, each)] == []


def test_filters(lifecycle: Lifecycle, endpoint: NotifiedEndpoint, subscribe: Subscribe) -> None:
    name = "filtered"
    of_vnf = {
        "name": {"vnfInstanceNames": [name]},
        "vnfd": {"vnfdIds": [str(lifecycle.package.vnfd_id)]},
        "no-name": {"vnfInstanceNames": ["other"]},
    }
    wanted: dict[str, dict[str, Any]] = {
        **{key: {"vnfInstanceSubscriptionFilter": each} for key, each in of_vnf.items()},
        "deleted": {"notificationTypes": [DELETED]},
        "states": {"notificationTypes": [OCCURRENCE], "operationStates": ["COMPLETED"]},
        "types": {"notificationTypes": [OCCURRENCE, CREATED], "operationTypes": ["TERMINATE"]},
    }
    ids = {subscribe(f"{endpoint.base}/notify-{key}", each): key for key, each in wanted.items()}
    instance = lifecycle.create(name)
    lifecycle.done(instance, Operation.INSTANTIATE, lifecycle.instantiate_request())
    lifecycle.done(instance, Operation.TERMINATE, FORCEFUL)
    vnf_instance_delete(instance_id=instance.id)
    send()
    heard = {key: notifications_to(endpoint, subscription) for subscription, key in ids.items()}
    assert {key: len(notified) for key, notified in heard.items()} == {
        "name": 8,
        "vnfd": 8,
        "no-name": 0,
        "deleted": 1,
        "states": 2,
        "types": 4,
    }
    assert [each["operation"] for each in heard["states"]] == ["INSTANTIATE", "TERMINATE"]
    assert [each["notificationType"] for each in heard["types"]] == [CREATED, *[OCCURRENCE] * 3]


def test_a_failed_delivery_delays_those_after_it(
    lifecycle: Lifecycle, endpoint: NotifiedEndpoint, subscribe: Subscribe
) -> None:
    subscribed = subscribe(endpoint.url, {"notificationTypes": [CREATED, DELETED]})
    instance = lifecycle.create()
    vnf_instance_delete(instance_id=instance.id)
    endpoint.posts = Answer(503)
    send()
    assert [each["notificationType"] for each in notifications_to(endpoint, subscribed)] == [CREATED]
    endpoint.posts = Answer(204)
    send()
    assert [each["notificationType"] for each in notifications_to(endpoint, subscribed)] == [CREATED, CREATED, DELETED]

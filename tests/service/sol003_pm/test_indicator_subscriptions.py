"""/vnfind/v1/subscriptions (SOL003 8.4.5) and their notifications: of changes alone, and each once."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.catalog import onboarded
from tests.factories.deployed import make_vnfc
from tests.factories.packages import vsr_next
from tests.service.sol003_pm.indicator_poll import polled
from tests.service.sol003_pm.scenario import Router, send
from tests.support.etsi_schema import errors
from tests.support.subscriber import NotifiedEndpoint
from vnfm.kit.durable import lease
from vnfm.notifications.models import Subscription
from vnfm.sol003_pm.indicators.models import IndicatorState
from vnfm.sol003_pm.reconcilers.indicators import LEASE, publish_changes

pytestmark = pytest.mark.django_db(transaction=True)
SUBSCRIPTIONS = "/vnfind/v1/subscriptions"
CHANGED, SUPPORTED = "VnfIndicatorValueChangeNotification", "SupportedIndicatorsChangeNotification"
Subscribe = Callable[..., dict[str, Any]]


@pytest.fixture
def subscribe(operator_api: APIClient) -> Subscribe:
    def post(url: str, **criteria: Any) -> dict[str, Any]:
        made = operator_api.post(SUBSCRIPTIONS, {"callbackUri": url, "filter": criteria}, format="json")
        assert made.status_code == 201, made.json()
        subscription: dict[str, Any] = made.json()
        assert errors("VnfIndicatorSubscription", subscription) == []
        assert operator_api.get(subscription["_links"]["self"]["href"]).json() == subscription
        return subscription

    return post


def notified(endpoint: NotifiedEndpoint) -> list[dict[str, Any]]:
    publish_changes()
    send()
    found = endpoint.notifications()
    for each in found:
        assert errors(each["notificationType"], each) == []
    return found


def test_changes_are_notified_once(subscribe: Subscribe, endpoint: NotifiedEndpoint, router: Router) -> None:
    polled(router.instance)
    wanted = subscribe(endpoint.url, indicatorIds=["vnfcs", "alarms"])
    assert notified(endpoint) == []  # values of before are read, not notified
    make_vnfc(router.instance, "vsr-2")
    make_alarm(managed_object_id=router.instance.id, perceived_severity="CRITICAL")
    found = notified(endpoint)
    assert {each["vnfIndicatorId"]: each["value"]["value"] for each in found} == {"vnfcs": 2, "alarms": "CRITICAL"}
    assert {each["name"] for each in found} == {"VNFCs at work", "Worst severity of its alarms"}
    assert {(each["subscriptionId"], each["vnfInstanceId"]) for each in found} == {
        (wanted["id"], str(router.instance.id))
    }
    polled(router.instance)
    assert len(notified(endpoint)) == 2
    assert endpoint.received[-1].headers["Version"] == "1.4.0"


def test_another_package_supports_others(subscribe: Subscribe, endpoint: NotifiedEndpoint, router: Router) -> None:
    subscribe(endpoint.url, notificationTypes=[SUPPORTED])
    notified(endpoint)
    declared = [{"id": "sessions"}, {"id": "vnfcs"}]
    router.instance.package = onboarded(vsr_next(lambda vnfd: vnfd.update(indicators=declared)))
    router.instance.save()
    (notice,) = notified(endpoint)
    assert notice["supportedIndicators"] == [{"vnfIndicatorId": "sessions"}, {"vnfIndicatorId": "vnfcs"}]
    assert len(notified(endpoint)) == 1
    assert set(IndicatorState.objects.values_list("indicator_id", flat=True)) == {"sessions", "vnfcs"}


def test_one_run_at_a_time(subscribe: Subscribe, endpoint: NotifiedEndpoint, router: Router) -> None:
    subscribe(endpoint.url, indicatorIds=["alarms"])
    notified(endpoint)
    make_alarm(managed_object_id=router.instance.id, perceived_severity="CRITICAL")
    with lease.hold(LEASE):  # a run that takes long
        assert notified(endpoint) == []
    assert len(notified(endpoint)) == 1


def test_filtered_deleted_and_forgotten(
    operator_api: APIClient, subscribe: Subscribe, endpoint: NotifiedEndpoint, router: Router
) -> None:
    named = {"vnfInstanceIds": ["00000000-0000-0000-0000-000000000007"]}
    made = subscribe(endpoint.url, vnfInstanceSubscriptionFilter=named)
    subscribe(f"{endpoint.base}/all")
    notified(endpoint)
    make_alarm(managed_object_id=router.instance.id, perceived_severity="CRITICAL")
    notified(endpoint)
    assert [each.path for each in endpoint.received if each.method == "POST"] == ["/all"]
    listed = operator_api.get(SUBSCRIPTIONS, {"filter": f"(eq,id,{made['id']})"}).json()
    assert listed == [made]
    by_openapi = f"/vnfind/v1/indicators/subscriptions/{made['id']}"
    assert operator_api.get(by_openapi).json() == made
    assert operator_api.delete(by_openapi).status_code == 204
    for each in operator_api.get(SUBSCRIPTIONS).json():
        assert operator_api.delete(each["_links"]["self"]["href"]).status_code == 204
    publish_changes()
    assert not IndicatorState.objects.exists()
    assert not Subscription.objects.exists()

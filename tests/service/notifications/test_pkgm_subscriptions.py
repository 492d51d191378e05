"""/vnfpkgm/v1/subscriptions (SOL005 9.4.8): who is notified of packages, and how."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.factories.catalog import onboarded
from tests.factories.packages import vsr_zip
from tests.support.etsi_schema import errors
from tests.support.subscriber import NotifiedEndpoint
from vnfm.catalog.models import VnfPackage
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers import delivery
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER

pytestmark = pytest.mark.django_db(transaction=True)
SUBSCRIPTIONS = "/vnfpkgm/v1/subscriptions"
ONBOARDED, CHANGED = "VnfPackageOnboardingNotification", "VnfPackageChangeNotification"


@pytest.fixture
def subscribe(operator_api: APIClient) -> Callable[..., dict[str, Any]]:
    def post(url: str, path: str = SUBSCRIPTIONS, **criteria: Any) -> dict[str, Any]:
        made = operator_api.post(path, {"callbackUri": url, "filter": criteria}, format="json")
        assert made.status_code == 201, made.json()
        subscription: dict[str, Any] = made.json()
        assert operator_api.get(subscription["_links"]["self"]["href"]).json() == subscription
        return subscription

    return post


def send() -> None:
    while outbox.deliver_pending([NOTIFICATION_QUEUER]):
        pass
    for subscription in Subscription.objects.all():
        delivery.deliver(subscription.id)


def test_a_package_is_notified_from_onboarding_to_its_end(
    operator_api: APIClient, subscribe: Callable[..., dict[str, Any]], endpoint: NotifiedEndpoint
) -> None:
    wanted = subscribe(endpoint.url, vnfProductsFromProviders=[{"vnfProvider": "Nokia"}])
    subscribe(f"{endpoint.base}/other", vnfProductsFromProviders=[{"vnfProvider": "Cisco"}])
    subscribe(f"{endpoint.base}/ended", notificationTypes=[CHANGED], operationalState=["DISABLED"])
    package: VnfPackage = onboarded(vsr_zip(str(uuid4())))
    path = f"/vnfpkgm/v1/vnf_packages/{package.id}"
    assert operator_api.patch(path, {"userDefinedData": {"a": 1}}, format="json").status_code == 200
    assert operator_api.patch(path, {"operationalState": "DISABLED"}, format="json").status_code == 200
    assert operator_api.delete(path).status_code == 204
    send()
    notified = [each for each in endpoint.notifications() if each["subscriptionId"] == wanted["id"]]
    assert [(each["notificationType"], each.get("changeType")) for each in notified] == [
        (ONBOARDED, None),
        (CHANGED, "OP_STATE_CHANGE"),
        (CHANGED, "PKG_DELETE"),
    ]
    for each in notified:
        assert errors(each["notificationType"], each) == []
        assert (each["vnfPkgId"], each["vnfdId"]) == (str(package.id), str(package.vnfd_id))
        assert each["_links"]["vnfPackage"]["href"] == f"http://testserver{path}"
        assert each["_links"]["subscription"] == wanted["_links"]["self"]
    assert (notified[1]["operationalState"], "operationalState" in notified[2]) == ("DISABLED", False)
    received = [request.path for request in endpoint.received if request.method == "POST"]
    assert (received.count("/other"), received.count("/ended")) == (0, 2)
    assert endpoint.received[-1].headers["Version"] == "1.2.0"


def test_the_second_major_version_has_links_of_its_own(
    operator_api: APIClient, subscribe: Callable[..., dict[str, Any]], endpoint: NotifiedEndpoint
) -> None:
    wanted = subscribe(endpoint.url, "/vnfpkgm/v2/subscriptions")
    assert operator_api.get(SUBSCRIPTIONS).json() == []
    package: VnfPackage = onboarded(vsr_zip(str(uuid4())))
    send()
    (notice,) = endpoint.notifications()
    assert errors(notice["notificationType"], notice) == []
    assert notice["_links"]["subscription"] == wanted["_links"]["self"]
    shown = operator_api.get(notice["_links"]["vnfPackage"]["href"])
    assert (shown.status_code, shown.headers["Version"]) == (200, "2.4.0")
    assert errors("VnfPkgInfo", shown.json(), extended=True) == []
    links = [each["href"] for each in shown.json()["_links"].values()]
    assert all(f"/vnfpkgm/v2/vnf_packages/{package.id}" in each for each in links)
    assert endpoint.received[-1].headers["Version"] == "2.4.0"


def test_an_unknown_criterion_is_refused(operator_api: APIClient) -> None:
    body = {"callbackUri": "https://192.0.2.1/x", "filter": {"vnfdIds": ["a"]}}
    answer = operator_api.post(SUBSCRIPTIONS, body, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "/filter/vnfdIds")


def test_subscriptions_are_filtered_by_their_filters(api: APIClient) -> None:
    def subscription(name: str, criteria: dict[str, Any]) -> None:
        Subscription.objects.create(
            interface=Subscription.Interface.VNFFM,
            callback_uri=f"https://nfvo.example/{name}",
            filter=criteria,
            filter_digest=name,
            created_by="test",
            settled_at=clock.now(),
        )

    alarms, names = "AlarmNotification", {"vnfInstanceNames": ["pe-1", "pe-2"]}
    subscription("types", {"notificationTypes": [alarms, "AlarmClearedNotification"]})
    subscription("names", {"vnfInstanceSubscriptionFilter": names, "perceivedSeverities": ["CRITICAL"]})
    subscription("all", {})

    def found(expression: str) -> set[str]:
        rows = api.get("/vnffm/v1/subscriptions", {"filter": expression}).json()
        return {row["callbackUri"].rpartition("/")[2] for row in rows}

    assert found(f"(eq,filter/notificationTypes,{alarms})") == {"types"}
    assert found("(in,filter/perceivedSeverities,MAJOR,CRITICAL)") == {"names"}
    assert found("(cont,filter/vnfInstanceSubscriptionFilter/vnfInstanceNames,PE-2)") == {"names"}
    assert found("(neq,filter/vnfInstanceSubscriptionFilter/vnfInstanceNames,pe-1)") == {"names"}, "pe-2 is another"
    assert found("(eq,filter/notificationTypes,x)") == set()
    assert api.get("/vnffm/v1/subscriptions?filter=(eq,filter/operationTypes,HEAL)").status_code == 400

"""/vnfpm/v2/thresholds (SOL003 6.4.5, 6.4.6): crossings are notified once, with hysteresis."""

import pytest
from rest_framework.test import APIClient

from tests.service.sol003_pm.scenario import MINUTE, THRESHOLDS, Create, Router, send, threshold
from tests.support.etsi_schema import errors
from tests.support.subscriber import NotifiedEndpoint
from vnfm.notifications.models import Subscription
from vnfm.sol003_pm.models import PmThreshold
from vnfm.sol003_pm.reconcilers.thresholds import evaluate_due

pytestmark = pytest.mark.django_db(transaction=True)


def test_crossings_are_notified_once(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    made = create(THRESHOLDS, threshold(router, endpoint.url))
    assert made.status_code == 201, made.json()
    shown = made.json()
    assert errors("Threshold", shown) == []
    assert operator_api.get(made.headers["Location"]).json() == shown
    begin = PmThreshold.objects.get().created_at
    router.load(begin, 50, 84, 85, 99, 76, None, 75, 20)
    for minutes in range(2, 11):  # each time as another process
        evaluate_due(begin + minutes * MINUTE)
    assert evaluate_due(begin + 10 * MINUTE) == 0
    send()
    up, down = endpoint.notifications()
    for notice in (up, down):
        assert errors("ThresholdCrossedNotification", notice) == []
        assert (notice["thresholdId"], notice["objectType"]) == (shown["id"], "Vnf")
        assert notice["_links"]["threshold"] == shown["_links"]["self"]
    assert (up["crossingDirection"], up["performanceValue"]) == ("UP", pytest.approx(85))
    assert (down["crossingDirection"], down["performanceValue"]) == ("DOWN", pytest.approx(75))


def test_each_sub_object_has_its_own_side(create: Create, endpoint: NotifiedEndpoint, router: Router) -> None:
    body = threshold(router, endpoint.url, value=1000, hysteresis=0)
    body["criteria"]["performanceMetric"] = "octetsIn"
    ports = {"objectType": "NetworkElementInterface", "objectInstanceId": str(router.element.id)}
    assert create(THRESHOLDS, body | ports).status_code == 201
    begin = PmThreshold.objects.get().created_at
    router.count(begin, {"octets_in": 2000.0}, {"octets_in": 2000.0}, name="1/1/1")
    router.count(begin, {"octets_in": 10.0}, {"octets_in": 1000.0}, name="1/1/2")
    evaluate_due(begin + 4 * MINUTE)
    send()
    found = [(each["subObjectInstanceId"], each["performanceValue"]) for each in endpoint.notifications()]
    assert found == [("1/1/1", pytest.approx(2000)), ("1/1/2", pytest.approx(1000))]


def test_changed_filtered_and_deleted(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    path = create(THRESHOLDS, threshold(router, endpoint.url)).headers["Location"]
    changed = operator_api.patch(path, {"callbackUri": f"{endpoint.base}/other"}, format="json")
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    expression = "(gt,criteria/simpleThresholdDetails/thresholdValue,79);(eq,objectType,Vnf)"
    assert len(operator_api.get(THRESHOLDS, {"filter": expression}).json()) == 1
    assert operator_api.delete(path, headers={"If-Match": '"1"'}).status_code == 412
    assert operator_api.delete(path, headers={"If-Match": '"2"'}).status_code == 204
    assert not PmThreshold.objects.exists()
    assert not Subscription.objects.exists()


def test_an_unmeasured_counter_is_refused(create: Create, endpoint: NotifiedEndpoint, router: Router) -> None:
    body = threshold(router, endpoint.url)
    body["criteria"]["performanceMetric"] = "VDiskUsagePeakVnf"
    answer = create(THRESHOLDS, body)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/criteria/performanceMetric")
    body = threshold(router, endpoint.url, hysteresis=-1)
    assert create(THRESHOLDS, body).status_code == 400

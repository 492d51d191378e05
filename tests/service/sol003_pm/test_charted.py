"""/api/v1/elements/{id}/thresholds: what charts of counters draw beside their values."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.service.sol003_pm.scenario import THRESHOLDS, Create, Router, threshold
from tests.support.subscriber import NotifiedEndpoint
from vnfm.automation.models import AutomationPolicy
from vnfm.counters.domain.counters import SYSTEM
from vnfm.kit import clock
from vnfm.sol003_pm.selectors.measured import shortest_period

pytestmark = pytest.mark.django_db(transaction=True)


def charted(api: APIClient, router: Router, name: str = SYSTEM) -> list[tuple[Any, ...]]:
    answer = api.get(f"/api/v1/elements/{router.element.id}/thresholds", {"object": name})
    assert answer.status_code == 200, answer.json()
    fields = ("counter", "value", "hysteresis", "origin", "name")
    return [tuple(each[field] for field in fields) for each in answer.json()["thresholds"]]


def test_thresholds_of_a_vnf_stand_at_the_counters_of_its_router(
    viewer_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    assert create(THRESHOLDS, threshold(router, endpoint.url)).status_code == 201
    counted = threshold(router, endpoint.url, value=6000, hysteresis=600) | {"objectType": "VnfExtCp"}
    counted["criteria"]["performanceMetric"] = "ByteIncomingVnfExtCp"
    assert create(THRESHOLDS, counted).status_code == 201
    assert charted(viewer_api, router) == [("cpu", 80, 5, "PM_THRESHOLD", "VCpuUsageMeanVnf")]
    seconds = shortest_period().total_seconds()
    rate = ("octetsIn", 6000 / seconds, 600 / seconds, "PM_THRESHOLD", "ByteIncomingVnfExtCp")
    assert charted(viewer_api, router, "1/1/1") == [rate], "a count of a period is drawn as a rate"
    assert charted(viewer_api, router, "1/1/2") == []


def test_policies_that_scale_by_a_counter_stand_there_unless_they_are_paused(
    viewer_api: APIClient, router: Router
) -> None:
    shared: dict[str, Any] = {"instance": router.instance, "kind": "SCALE", "source": "ELEMENT_COUNTER"}
    shared |= {"cool_down_seconds": 60, "actions_per_hour": 6, "changed_at": clock.now()}
    for name, metric in (("busy", "cpu"), ("full", "utilisationOut 1/1/1")):
        limits = {"out_above": 80.0, "out_after_seconds": 60, "in_below": 20.0, "in_after_seconds": 60}
        AutomationPolicy.objects.create(name=name, aspect_id=name, metric=metric, **shared, **limits)
    assert charted(viewer_api, router) == [("cpu", 20, 0, "SCALE_IN", "busy"), ("cpu", 80, 0, "SCALE_OUT", "busy")]
    assert [each[4] for each in charted(viewer_api, router, "1/1/1")] == ["full", "full"]
    AutomationPolicy.objects.update(paused=True)
    assert charted(viewer_api, router) == []

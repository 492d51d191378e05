"""/vnfpm/v1 with the shapes of SOL003 2.6.1: VNFs as a whole, and subscriptions instead of callbacks."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.service.sol003_pm.scenario import MINUTE, Create, Router, send
from tests.support.etsi_schema import errors
from tests.support.subscriber import NotifiedEndpoint
from vnfm.sol003_pm.models import PmJob, PmThreshold
from vnfm.sol003_pm.reconcilers.reports import report_due
from vnfm.sol003_pm.reconcilers.thresholds import evaluate_due

pytestmark = pytest.mark.django_db(transaction=True)
V1 = "/vnfpm/v1"


def job(router: Router, *metrics: str) -> dict[str, Any]:
    criteria = {"performanceMetric": list(metrics), "collectionPeriod": 60, "reportingPeriod": 120}
    return {"objectInstanceIds": [str(router.instance.id)], "criteria": criteria}


def test_reports_and_crossings_reach_subscribers(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    instances = {"vnfInstanceSubscriptionFilter": {"vnfInstanceIds": [str(router.instance.id)]}}
    wanted = create(f"{V1}/subscriptions", {"callbackUri": endpoint.url, "filter": instances}).json()
    others = {"vnfInstanceSubscriptionFilter": {"vnfInstanceNames": ["another"]}}
    create(f"{V1}/subscriptions", {"callbackUri": f"{endpoint.base}/notify-no", "filter": others})
    made = create(f"{V1}/pm_jobs", job(router, "VCpuUsageMeanVnf", "ByteOutgoingVnfExtCp"))
    assert made.status_code == 201, made.json()
    assert errors("PmJob", made.json(), "v1") == []
    assert made.headers["Version"] == "1.3.0"
    details = {"thresholdValue": 80, "hysteresis": 0}
    criteria = {"performanceMetric": "VCpuUsageMeanVnf", "thresholdType": "SIMPLE", "simpleThresholdDetails": details}
    limit = create(f"{V1}/thresholds", {"objectInstanceId": str(router.instance.id), "criteria": criteria})
    assert limit.status_code == 201, limit.json()
    assert errors("Threshold", limit.json(), "v1") == []

    begin = PmJob.objects.get().created_at
    router.load(begin, 10, 20, 90)
    router.count(begin, {"octets_out": 7.0}, {"octets_out": 8.0}, name="1/1/1")
    assert report_due(begin + 4 * MINUTE) == 1
    evaluate_due(begin + 5 * MINUTE)
    send()
    reported, crossed = endpoint.notifications()
    for notice in (reported, crossed):
        assert errors(notice["notificationType"], notice, "v1") == []
        assert notice["subscriptionId"] == wanted["id"]
    assert crossed["crossingDirection"] == "UP"
    found = operator_api.get(reported["_links"]["performanceReport"]["href"]).json()
    values = {
        entry["performanceMetric"]: [value["value"] for value in entry["performanceValues"]]
        for entry in found["entries"]
    }
    assert values == {
        "VCpuUsageMeanVnf": [pytest.approx(10), pytest.approx(20)],
        "ByteOutgoingVnfExtCp": [420, 480],
    }
    types = {entry["objectType"] for entry in found["entries"]}
    assert types == {str(router.instance.package.vnfd_id)}, "2.6.1 names the VNFD"
    assert all("subObjectInstanceId" not in entry for entry in found["entries"])


def test_editions_do_not_show_each_others(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    path = create(f"{V1}/pm_jobs", job(router, "VCpuUsageMeanVnf")).headers["Location"]
    assert operator_api.get("/vnfpm/v2/pm_jobs").json() == []
    assert operator_api.get(path.replace("/v1/", "/v2/")).status_code == 404
    assert operator_api.patch(path, {}, format="json").status_code == 405
    assert operator_api.delete(path).status_code == 204
    with_type = job(router, "VCpuUsageMeanVnf") | {"objectType": "Vnf"}
    assert create(f"{V1}/pm_jobs", with_type).status_code == 400
    assert not PmThreshold.objects.exists()


def test_api_versions(operator_api: APIClient) -> None:
    shown = operator_api.get("/vnfpm/api_versions").json()
    assert [each["version"] for each in shown["apiVersions"]] == ["1.3.0", "2.2.0"]


def test_the_other_edition_says_where_a_job_is(operator_api: APIClient, create: Create, router: Router) -> None:
    path = create(f"{V1}/pm_jobs", job(router, "VCpuUsageMeanVnf")).headers["Location"]
    missing = operator_api.get(path.replace("/v1/", "/v2/"))
    assert missing.status_code == 404
    assert "was created by /vnfpm/v1" in missing.json()["detail"]
    assert operator_api.get("/vnfpm/v2/pm_jobs?filter=(eq,criteria/performanceMetric,VCpuUsageMeanVnf)").json() == []

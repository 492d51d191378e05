"""/vnfpm/v2/pm_jobs (SOL003 6.4.2 to 6.4.4): what they collect, report and refuse."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.service.notifications.conftest import run_endpoint_tests
from tests.service.sol003_pm.scenario import JOBS, MINUTE, THRESHOLDS, Create, Router, job, send, threshold
from tests.support.etsi_schema import errors
from tests.support.subscriber import NotifiedEndpoint
from vnfm.accounts.models import AuditEntry
from vnfm.elements.models import NetworkElement
from vnfm.kit import clock
from vnfm.notifications.models import Subscription
from vnfm.sol003_pm.models import PmJob, PmReport
from vnfm.sol003_pm.reconcilers.reports import AT_ONCE, KEEP_REPORTS, prune, report_due

pytestmark = pytest.mark.django_db(transaction=True)
BASIC = {"authType": ["BASIC"], "paramsBasic": {"userName": "nfvo", "password": "pässword:1"}}


def started(job_id: str) -> datetime:
    return PmJob.objects.get(id=job_id).created_at


def report(api: APIClient, job_id: str, at: datetime) -> Any:
    """The only report that is due then."""
    assert report_due(at) == 1
    (info,) = api.get(f"{JOBS}/{job_id}").json()["reports"][-1:]
    return api.get(info["href"]).json()


def test_a_job_reports_every_period_to_its_callback(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    made = create(JOBS, job(router, endpoint.url))
    assert made.status_code == 201, made.json()
    shown = made.json()
    assert errors("PmJob", shown) == []
    assert (made.headers["ETag"], made.headers["Version"]) == ('"1"', "2.2.0")
    assert operator_api.get(made.headers["Location"]).json() == shown
    begin = started(shown["id"])
    router.load(begin - MINUTE, 90, 10, 20, 30, 40)
    assert report_due(begin + 3 * MINUTE) == 0, "the last reading of the period may not be stored yet"

    assert report_due(begin + 5 * MINUTE) == 1
    send()
    (notice,) = endpoint.notifications()
    assert errors("PerformanceInformationAvailableNotification", notice) == []
    assert (notice["pmJobId"], notice["objectInstanceId"]) == (shown["id"], str(router.instance.id))
    assert endpoint.received[-1].headers["Version"] == "2.2.0"
    found = operator_api.get(notice["_links"]["performanceReport"]["href"]).json()
    assert found.pop("gaps") == []
    assert errors("PerformanceReport", found) == []
    (entry,) = found["entries"]
    assert (entry["objectType"], entry["performanceMetric"]) == ("Vnf", "VCpuUsageMeanVnf")
    assert [value["value"] for value in entry["performanceValues"]] == [
        pytest.approx(10), pytest.approx(20), pytest.approx(30),
    ]  # fmt: skip
    stamps = [datetime.fromisoformat(value["timeStamp"]) for value in entry["performanceValues"]]
    assert stamps == [begin + n * MINUTE for n in (1, 2, 3)]
    assert errors("PmJob", operator_api.get(f"{JOBS}/{shown['id']}").json()) == []
    assert report_due(begin + 5 * MINUTE) == 0, "it is made once"


def test_periods_without_counters_are_gaps(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    shown = create(JOBS, job(router, endpoint.url)).json()
    begin = started(shown["id"])
    router.load(begin, 10)
    router.load(begin + 2 * MINUTE, 30)
    found = report(operator_api, shown["id"], begin + 5 * MINUTE)
    assert [value["value"] for value in found["entries"][0]["performanceValues"]] == [10, 30]
    (gap,) = found["gaps"]
    assert [datetime.fromisoformat(each) for each in gap["timeStamps"]] == [begin + 2 * MINUTE]
    NetworkElement.objects.update(vnf_instance=None)
    found = report(operator_api, shown["id"], begin + 8 * MINUTE)
    assert found["entries"] == [], "no value is made up for what nothing reports on any more"
    assert len(found["gaps"][0]["timeStamps"]) == 3


def test_after_a_standstill_all_periods_are_reported(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    shown = create(JOBS, job(router, endpoint.url)).json()
    begin = started(shown["id"])
    router.load(begin, *range(10, 100, 10))
    assert report_due(begin + 11 * MINUTE) == 3
    values = [
        value["value"]
        for each in PmReport.objects.order_by("ready_at", "id")
        for value in each.entries[0]["performanceValues"]
    ]
    assert sorted(values) == [10, 20, 30, 40, 50, 60, 70, 80, 90]
    PmReport.objects.all().delete()
    assert report_due(begin + timedelta(days=9)) == AT_ONCE
    oldest = min(stamp for each in PmReport.objects.all() for gap in each.gaps for stamp in gap["timeStamps"])
    assert datetime.fromisoformat(oldest) > begin + timedelta(days=6), "what is older than samples is passed over"


def test_it_ends_at_the_boundary(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    boundary = clock.now() + 5 * MINUTE
    body = job(router, endpoint.url)
    body["criteria"]["reportingBoundary"] = boundary.isoformat()
    shown = create(JOBS, body).json()
    router.load(started(shown["id"]), 1, 2, 3, 4, 5, 6, 7)
    assert report_due(boundary + 5 * MINUTE) == 2
    lengths = [len(each.entries[0]["performanceValues"]) for each in PmReport.objects.all()]
    assert sorted(lengths) == [1, 3], "the fifth minute was not over at the boundary"
    assert PmJob.objects.get().report_at is None
    assert report_due(boundary + timedelta(hours=1)) == 0


def test_vnfcs_connection_points_and_elements(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    def job_of(kind: str, *metrics: str, of: object = None, **more: Any) -> str:
        criteria = {"performanceMetric": metrics, "collectionPeriod": 60, "reportingPeriod": 60}
        body = job(router, endpoint.url, objectType=kind, criteria=criteria, **more)
        answer = create(JOBS, body | ({"objectInstanceIds": [str(of)]} if of else {}))
        assert answer.status_code == 201, answer.json()
        return str(answer.json()["id"])

    vnfc = job_of("Vnfc", "VMemoryUsagePeakVnf", subObjectInstanceIds=[str(router.vnfc.id)])
    cp = job_of("VnfExtCp", "ByteIncomingVnfExtCp", "PacketOutgoingVnfExtCp")
    element = job_of("NetworkElement", "cpu", of=router.element.id)
    ports = job_of("NetworkElementInterface", "octetsIn", of=router.element.id, subObjectInstanceIds=["1/1/1"])
    begin = min(started(each) for each in (vnfc, cp, element, ports)) - MINUTE
    router.load(begin, *[40] * 6)
    router.count(begin, *[{"octets_in": 100.0, "packets_out": 2.0}] * 6, name="1/1/1")
    assert report_due(clock.now() + 3 * MINUTE) == 4
    values = {
        (entry["objectType"], entry["performanceMetric"]): (
            entry.get("subObjectInstanceId"),
            entry["performanceValues"][0]["value"],
        )
        for each in PmReport.objects.all()
        for entry in each.entries
    }
    assert values == {
        ("Vnfc", "VMemoryUsagePeakVnf"): (str(router.vnfc.id), pytest.approx(50)),
        ("VnfExtCp", "ByteIncomingVnfExtCp"): (router.external, 6000),
        ("VnfExtCp", "PacketOutgoingVnfExtCp"): (router.external, 120),
        ("NetworkElement", "cpu"): (None, pytest.approx(40)),
        ("NetworkElementInterface", "octetsIn"): ("1/1/1", pytest.approx(100)),
    }
    links = operator_api.get(f"{JOBS}/{element}").json()["_links"]["objects"]
    assert links == [{"href": f"http://testserver/api/v1/elements/{router.element.id}"}]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"criteria": {"performanceMetric": ["VDiskUsageMeanVnf"], "collectionPeriod": 60, "reportingPeriod": 60}},
         (422, "METRIC_NOT_AVAILABLE", "/criteria")),
        ({"criteria": {"performanceMetricGroup": ["VnfInternalCp"], "collectionPeriod": 60, "reportingPeriod": 60}},
         (422, "METRIC_NOT_AVAILABLE", "/criteria")),
        ({"objectType": "VnfIntCp",
          "criteria": {"performanceMetricGroup": ["VnfInternalCp"], "collectionPeriod": 60, "reportingPeriod": 60}},
         (422, "METRIC_NOT_AVAILABLE", "/objectInstanceIds")),
        ({"objectInstanceIds": [str(uuid4())]}, (422, "NOTHING_TO_MEASURE", "/objectInstanceIds")),
        ({"objectType": "Vnfc", "subObjectInstanceIds": ["x"]}, (422, "NOTHING_TO_MEASURE", "/subObjectInstanceIds")),
        ({"subObjectInstanceIds": ["x"]}, (422, "NO_SUB_OBJECTS", "/subObjectInstanceIds")),
        ({"objectType": "Container"}, (400, "INVALID_REQUEST", "/objectType")),
        ({"colour": "red"}, (400, "INVALID_REQUEST", "/colour")),
        ({"criteria": {"collectionPeriod": 60, "reportingPeriod": 60}},
         (400, "INVALID_REQUEST", "/criteria/performanceMetric")),
        ({"criteria": {"performanceMetric": ["VCpuUsageMeanVnf"], "collectionPeriod": 5, "reportingPeriod": 60}},
         (422, "PERIOD_TOO_SHORT", "/criteria/collectionPeriod")),
        ({"criteria": {"performanceMetric": ["VCpuUsageMeanVnf"], "collectionPeriod": 120, "reportingPeriod": 60}},
         (422, "PERIOD_TOO_SHORT", "/criteria/reportingPeriod")),
        ({"criteria": {"performanceMetric": ["VCpuUsageMeanVnf"], "collectionPeriod": 60, "reportingPeriod": 60,
                       "reportingBoundary": "2016-01-01T00:00:00Z"}},
         (422, "BOUNDARY_OVER", "/criteria/reportingBoundary")),
    ],
)  # fmt: skip
def test_an_uncollectable_measurement_is_refused(
    create: Create, endpoint: NotifiedEndpoint, router: Router, change: dict[str, Any], refusal: tuple[int, str, str]
) -> None:
    answer = create(JOBS, job(router, endpoint.url, **change))
    (error,) = answer.json()["errors"]
    assert (answer.status_code, answer.json()["code"], error["field"]) == refusal, answer.json()
    assert endpoint.received == []
    assert not Subscription.objects.exists()


def test_a_vnf_without_a_managed_router_has_no_metrics(
    create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    NetworkElement.objects.update(state=NetworkElement.State.UNMANAGED)
    answer = create(JOBS, job(router, endpoint.url))
    assert (answer.status_code, answer.json()["code"]) == (422, "METRIC_NOT_AVAILABLE")
    assert "no managed network element reports on it" in answer.json()["detail"]


def test_the_callback_is_tested_changed_and_audited(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    refused = create(JOBS, job(router, "http://127.0.0.2/none"))
    assert (refused.status_code, PmJob.objects.count()) == (422, 0)
    path = create(JOBS, job(router, endpoint.url)).headers["Location"]
    run_endpoint_tests()
    assert [each.method for each in endpoint.received] == ["GET"]
    stale = operator_api.patch(path, {"callbackUri": endpoint.url}, format="json", headers={"If-Match": '"7"'})
    assert stale.status_code == 412
    changed = operator_api.patch(path, {"callbackUri": f"{endpoint.base}/other"}, format="json")
    assert (changed.status_code, changed.json()) == (200, {"callbackUri": f"{endpoint.base}/other"})
    run_endpoint_tests()
    assert [each.path for each in endpoint.received][1:] == ["/other"]
    assert (changed.headers["ETag"], operator_api.get(path).headers["ETag"][:3]) == ('"2"', '"2.')
    assert errors("PmJobModifications", changed.json()) == []
    assert operator_api.patch(path, {}, format="json").status_code == 400
    assert operator_api.patch(path, {"criteria": {}}, format="json").status_code == 400
    assert operator_api.get("/api/v1/subscriptions").json()[0]["href"] == path.removeprefix("http://testserver")
    assert operator_api.delete(path).status_code == 204
    assert operator_api.get(path).status_code == 404
    assert not Subscription.objects.exists()
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"pm_job.create", "pm_job.update", "pm_job.delete"} <= actions


def test_a_login_is_not_sent_to_another_address(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    path = create(JOBS, job(router, endpoint.url)).headers["Location"]
    Subscription.objects.update(sealed_login=b"sealed", auth_type="BASIC")
    answer = operator_api.patch(path, {"callbackUri": f"{endpoint.base}/other"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "LOGIN_NEEDED")
    both = operator_api.patch(path, {"callbackUri": f"{endpoint.base}/other", "authentication": None}, format="json")
    assert both.status_code == 200, both.json()
    assert Subscription.objects.get().auth_type == ""


def test_other_operators_get_only_the_server_of_a_callback(
    operator_api: APIClient,
    api_as: Callable[[str], APIClient],
    create: Create,
    endpoint: NotifiedEndpoint,
    router: Router,
) -> None:
    other, server = api_as("operator"), endpoint.base
    for resources, body in ((JOBS, job(router, endpoint.url)), (THRESHOLDS, threshold(router, endpoint.url))):
        path = create(resources, body).headers["Location"]
        assert other.get(path).json()["callbackUri"] == f"{server}/…"
        assert other.get(resources, {"filter": "(cont,callbackUri,notify)"}).json() == []
        assert other.patch(path, {"authentication": None}, format="json").json() == {}
        assert operator_api.get(path).json()["callbackUri"] == endpoint.url
        theirs = f"{endpoint.base}/theirs"
        assert other.patch(path, {"callbackUri": theirs}, format="json").json() == {"callbackUri": theirs}
        assert other.get(path).json()["callbackUri"] == theirs
        assert operator_api.get(path).json()["callbackUri"] == f"{server}/…"


def test_lists_leave_out_reports_by_default(
    operator_api: APIClient, create: Create, endpoint: NotifiedEndpoint, router: Router
) -> None:
    shown = create(JOBS, job(router, endpoint.url)).json()
    router.load(started(shown["id"]), 1, 2, 3)
    assert report_due(started(shown["id"]) + 5 * MINUTE) == 1
    assert "reports" not in operator_api.get(JOBS).json()[0]
    for query in ({"all_fields": ""}, {"fields": "reports"}):
        (full,) = operator_api.get(JOBS, query).json()
        assert errors("PmJob", full) == []
        assert len(full["reports"]) == 1
    assert operator_api.get(JOBS, {"nonsense": "1"}).status_code == 400
    found = [
        "(eq,objectInstanceIds," + str(router.instance.id) + ")",
        "(eq,criteria/performanceMetric,VCpuUsageMeanVnf);(gte,criteria/collectionPeriod,60)",
        "(eq,objectType,Vnf);(cont,callbackUri,notify)",
        "(gt,reports/readyTime,2020-01-01T00:00:00Z)",
    ]
    for expression in found:
        assert len(operator_api.get(JOBS, {"filter": expression}).json()) == 1, expression
    assert operator_api.get(JOBS, {"filter": "(eq,criteria/performanceMetric,x)"}).json() == []


def test_reports_expire(create: Create, endpoint: NotifiedEndpoint, router: Router) -> None:
    shown = create(JOBS, job(router, endpoint.url)).json()
    router.load(started(shown["id"]), 1, 2, 3)
    at = started(shown["id"]) + 5 * MINUTE
    report_due(at)
    assert prune(at + KEEP_REPORTS - MINUTE) == 0
    assert prune(at + KEEP_REPORTS + MINUTE) == 1


def test_viewers_see_no_callbacks(viewer_api: APIClient, anonymous_api: APIClient) -> None:
    assert viewer_api.get(JOBS).status_code == 403
    assert anonymous_api.get(JOBS).status_code == 401

"""/vnfind/v1/indicators (SOL003 8.4.2 to 8.4.4): what VNFDs declare, with what we observe of it."""

import base64
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.deployed import make_deployed, make_vnfc
from tests.service.sol003_pm.indicator_poll import polled
from tests.service.sol003_pm.scenario import Router
from tests.support.etsi_schema import errors
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.sol003_pm.api.indicators import OBSERVED_AT_ONCE
from vnfm.sol003_pm.selectors.indicators import counted_until

pytestmark = pytest.mark.django_db(transaction=True)
INDICATORS = "/vnfind/v1/indicators"


def values(api: APIClient, instance: VnfInstance) -> dict[str, dict[str, Any]]:
    """By indicator; each is valid, and the same by itself."""
    answer = api.get(f"{INDICATORS}/{instance.id}")
    assert answer.status_code == 200
    found = {}
    for each in answer.json():
        assert errors("VnfIndicator", each) == []
        assert each["vnfInstanceId"] == str(instance.id)
        one = api.get(each["_links"]["self"]["href"])
        assert one.json() == each
        found[each["id"]] = each["value"]
    return found


def test_what_is_observed(operator_api: APIClient, router: Router) -> None:
    polled(router.instance)
    router.load(counted_until(clock.now()) - timedelta(minutes=1), 42.25)
    found = values(operator_api, router.instance)
    assert {name: each["value"] for name, each in found.items()} == {
        "state": "RUNNING",
        "vnfcs": 1,
        "alarms": "CLEARED",
        "VCpuUsageMeanVnf": pytest.approx(42.2),
        "VMemoryUsageMeanVnf": pytest.approx(50),
    }
    assert (found["VCpuUsageMeanVnf"]["unit"], found["VCpuUsageMeanVnf"]["periodSeconds"]) == ("%", 60)
    make_vnfc(router.instance, "vsr-2", status="ERROR")
    make_alarm(managed_object_id=router.instance.id, perceived_severity="MAJOR")
    make_alarm(managed_object_id=router.instance.id, perceived_severity="MINOR", fault_type="VmDown")
    found = values(operator_api, router.instance)
    assert [found[name]["value"] for name in ("state", "vnfcs", "alarms")] == ["DEGRADED", 1, "MAJOR"]


def test_what_is_unknown_has_a_reason(operator_api: APIClient, router: Router) -> None:
    polled(router.instance, timedelta(hours=1))
    found = values(operator_api, router.instance)
    assert {name for name, each in found.items() if each["value"] is None} == set(found) - {"alarms"}
    assert "has not been seen since" in found["state"]["reason"]
    assert "has not been seen since" in found["vnfcs"]["reason"]
    assert "No network element has counted" in found["VCpuUsageMeanVnf"]["reason"]


def test_not_instantiated(operator_api: APIClient, router: Router) -> None:
    instance = make_deployed(package=router.instance.package, instantiation_state="NOT_INSTANTIATED", vim=None)
    found = values(operator_api, instance)
    assert (found["state"]["value"], found["vnfcs"]) == ("NOT_INSTANTIATED", {"value": 0, "planned": 0})


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("(eq,id,state)", 1),
        ("(in,id,state,alarms)", 2),
        ("(cont,name,load)", 1),
        ("(eq,value/value,1)", 1),
        ("(gte,value/value,1);(eq,id,vnfcs)", 1),
        ("(gt,value/value,1);(eq,id,vnfcs)", 0),
        ("(gt,value/value,0);(in,id,state,vnfcs,alarms)", 1),  # a word is not above a number
        ("(gte,value/value,RUNNING);(eq,id,state)", 1),
        ("(gt,value/value,1);(eq,id,nope)", 0),
        ("(neq,value/value,RUNNING)", 4),
        ("(eq,vnfInstanceId,00000000-0000-0000-0000-000000000007)", 0),
    ],
)
def test_filters(operator_api: APIClient, router: Router, expression: str, found: int) -> None:
    polled(router.instance)
    for path in (INDICATORS, f"{INDICATORS}/{router.instance.id}"):
        assert len(operator_api.get(path, {"filter": expression}).json()) == found


def test_times_are_compared_as_times(operator_api: APIClient, router: Router) -> None:
    polled(router.instance)
    at = datetime.fromisoformat(values(operator_api, router.instance)["state"]["observedAt"])
    elsewhere = timezone(timedelta(hours=14))
    for op, limit, found in (
        ("gte", at.astimezone(elsewhere), 1),
        ("lte", at.astimezone(elsewhere), 1),
        ("lt", at.astimezone(elsewhere), 0),
        ("gte", at.replace(microsecond=0), 1),
    ):
        query = {"filter": f"({op},value/observedAt,{limit.isoformat()});(eq,id,state)"}
        assert len(operator_api.get(INDICATORS, query).json()) == found, query


def marker(*values: str | int) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


@pytest.mark.parametrize(
    "query",
    [
        {"filter": "(eq,nope,1)"},
        {"filter": "(gt,value/value,1,2);(eq,id,nope)"},
        {"nextpage_opaque_marker": "bm9wZQ"},
        {"nextpage_opaque_marker": marker("2026-01-01T00:00:00", "00000000-0000-0000-0000-000000000007/0")},
        {"nextpage_opaque_marker": marker("2026-01-01T00:00:00+00:00", 7)},
        {"field": "id"},
    ],
)
def test_what_is_no_query_is_400(operator_api: APIClient, router: Router, query: dict[str, str]) -> None:
    assert operator_api.get(INDICATORS, query).status_code == 400


def test_pages_and_what_does_not_exist(operator_api: APIClient, router: Router) -> None:
    for number in range(44):
        make_deployed(
            package=router.instance.package,
            vim=router.instance.vim,
            created_at=datetime(2016, 1, 1, tzinfo=UTC) + timedelta(days=number % 7),
        )
    first = operator_api.get(INDICATORS)
    second = operator_api.get(first.headers["Link"].partition(">")[0][1:])
    third = operator_api.get(second.headers["Link"].partition(">")[0][1:])
    pages = [first.json(), second.json(), third.json()]
    assert [len(each) for each in pages] == [100, 100, 25]
    assert "Link" not in third.headers
    assert len({each["_links"]["self"]["href"] for page in pages for each in page}) == 225
    for wrong in (f"{INDICATORS}/{router.instance.id}/nope", f"{INDICATORS}/00000000-0000-0000-0000-000000000007"):
        assert operator_api.get(wrong).status_code == 404


def test_a_page_that_takes_too_much_is_short(operator_api: APIClient, router: Router) -> None:
    others = OBSERVED_AT_ONCE // 5
    old = {"vim": router.instance.vim, "created_at": datetime(2016, 1, 1, tzinfo=UTC)}
    for _ in range(others):
        make_deployed(package=router.instance.package, **old)
    make_alarm(managed_object_id=router.instance.id, perceived_severity="CRITICAL")
    first = operator_api.get(INDICATORS, {"filter": "(eq,value/value,CRITICAL)"})
    assert first.json() == []
    second = operator_api.get(first.headers["Link"].partition(">")[0][1:])
    assert [each["vnfInstanceId"] for each in second.json()] == [str(router.instance.id)]
    assert "Link" not in second.headers

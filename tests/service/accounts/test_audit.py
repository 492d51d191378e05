"""/api/v1/audit: who may read it, in which order, what it is searched by, and as CSV."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support.csv_rows import csv_rows
from vnfm.accounts.models import AuditEntry
from vnfm.accounts.services import audit

pytestmark = pytest.mark.django_db
AUDIT = "/api/v1/audit"
NOON = datetime(2016, 2, 9, 12, tzinfo=UTC)


def entry(minutes: int, **fields: Any) -> AuditEntry:
    given = {"actor": "ann", "action": "alarm.clear", "object": "a1", "at": NOON + timedelta(minutes=minutes)}
    return AuditEntry.objects.create(**(given | fields))


@pytest.fixture
def four() -> None:
    entry(0, object="/vnflcm/v2/vnf_instances/f00-1/scale", action="POST 202", address="192.0.2.7")
    entry(1, actor="bob", action="POST 403", object="/api/v1/users")
    entry(2, action="alarm.assign", detail={"assignedTo": "bob"})
    entry(3, actor="command line", action="token.issue")


def actions(client: APIClient, **query: str) -> list[str]:
    answer = client.get(AUDIT, query)
    assert answer.status_code == 200, answer.json()
    return [row["action"] for row in answer.json()]


@pytest.mark.parametrize("role", ["viewer", "operator"])
def test_others_than_administrators_may_not_read_it(api_as: Callable[[str], APIClient], role: str) -> None:
    client = api_as(role)
    for path in (AUDIT, f"{AUDIT}.csv"):
        assert client.get(path).json()["code"] == "PERMISSION_DENIED"


def test_the_latest_comes_first_with_all_that_is_known(api: APIClient, four: None) -> None:
    assert actions(api) == ["token.issue", "alarm.assign", "POST 403", "POST 202"]
    row = api.get(AUDIT).json()[1]
    assert row == row | {
        "at": "2016-02-09T12:02:00Z",
        "actor": "ann",
        "action": "alarm.assign",
        "object": "a1",
        "address": None,
        "requestId": "",
        "detail": {"assignedTo": "bob"},
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("(eq,actor,bob)", ["POST 403"]),
        ("(cont,actor,LINE)", ["token.issue"]),
        ("(cont,action,alarm)", ["alarm.assign"]),
        ("(cont,object,f00-1,users)", ["POST 403", "POST 202"]),
        ("(gte,at,2016-02-09T12:01:00Z);(lt,at,2016-02-09T12:03:00Z)", ["alarm.assign", "POST 403"]),
        ("(cont,object,%)", []),
        ("(eq,address,192.0.2.7)", ["POST 202"]),
        ("(cont,address,192.0.2)", ["POST 202"]),
        ("(eq,address,nowhere)", []),
    ],
)
def test_filters(api: APIClient, four: None, query: str, found: list[str]) -> None:
    assert actions(api, filter=query) == found


def test_unknown_filter_attributes_are_refused(api: APIClient) -> None:
    for query in ("(eq,detail,x)", "(eq,at,noon)"):
        answer = api.get(AUDIT, {"filter": query})
        assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_FILTER")


def test_pages_hold_everything_once_also_within_one_moment(api: APIClient) -> None:
    AuditEntry.objects.bulk_create(AuditEntry(actor="ann", action=f"a{n}", at=NOON) for n in range(230))
    seen, url = [], AUDIT
    while url:
        answer = api.get(url)
        seen += [row["action"] for row in answer.json()]
        url = answer.get("Link", "").split(">")[0].lstrip("<")
    assert seen == [f"a{n}" for n in reversed(range(230))]


def test_reading_leaves_no_entry(api: APIClient) -> None:
    audit(actor="ann", action="x")
    for _ in range(2):
        assert actions(api) == ["x"]


@pytest.mark.django_db(transaction=True)
def test_csv_has_the_rows_of_the_list_and_no_formula(api_as: Callable[[str], APIClient]) -> None:
    AuditEntry.objects.bulk_create(AuditEntry(actor="ann", action="x", at=NOON) for _ in range(2100))
    entry(5, actor="=1+1", detail={"assignedTo": "bob"})
    client = api_as("admin")
    answer = client.get(f"{AUDIT}.csv")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv")
    rows = csv_rows(answer)
    assert len({row["id"] for row in rows}) == len(rows) == 2101
    assert (rows[0]["actor"], rows[0]["detail"]) == ("'=1+1", '{"assignedTo": "bob"}')
    assert len(csv_rows(client.get(f"{AUDIT}.csv", {"filter": "(eq,action,alarm.clear)"}))) == 1
    assert client.get(f"{AUDIT}.csv", {"filter": "(eq,colour,red)"}).status_code == 400


def test_a_refused_request_is_recorded_with_what_it_meant_and_why(api: APIClient) -> None:
    given = {"name": "core-9", "managementAddress": "no address", "snmpPolicyId": None, "kind": "PHYSICAL"}
    answer = api.post("/api/v1/elements", given, format="json")
    assert answer.status_code in (400, 422)
    recorded = AuditEntry.objects.latest("id")
    assert recorded.action == f"POST {answer.status_code}"
    assert recorded.detail == recorded.detail | {"name": "core-9", "managementAddress": "no address"}
    assert recorded.detail["reason"] == " ".join(dict.fromkeys(each["message"] for each in answer.json()["errors"]))


def test_nothing_but_names_of_a_refused_request_is_recorded(api: APIClient) -> None:
    secret = {"username": "zoe", "password": "tiger", "role": "nobody", "displayName": ["x"]}
    assert api.post("/api/v1/users", secret, format="json").status_code == 400
    detail = AuditEntry.objects.latest("id").detail
    assert set(detail) == {"username", "reason", "token", "tokenName"} | (set(detail) & {"session", "login"})
    assert "tiger" not in str(detail)


def test_a_name_of_a_refused_request_is_cut(api: APIClient) -> None:
    api.post("/api/v1/sites", {"name": "s" * 5000, "latitude": "x"}, format="json")
    detail = AuditEntry.objects.latest("id").detail
    assert len(detail["name"]) <= 300
    assert len(detail["reason"]) <= 300


def test_what_changes_nothing_is_filtered_out(api: APIClient, four: None) -> None:
    entry(4, action="POST 202", object="/api/v1/elements/1/configuration/push", detail={"dryRun": True})
    entry(5, action="POST 202", object="/api/v1/plans")
    entry(6, action="PATCH 200", object="/api/v1/first_steps")
    assert actions(api, filter="(eq,dryRun,false)") == ["token.issue", "alarm.assign", "POST 403", "POST 202"]
    assert actions(api, filter="(eq,dryRun,true)") == ["PATCH 200", "POST 202", "POST 202"]

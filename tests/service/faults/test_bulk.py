"""PATCH /api/v1/alarms: actions on all alarms that a query selects; bulk assignment."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from rest_framework.test import APIClient

from tests.factories.alarms import RAISED_AT, alarm_row, make_alarm
from vnfm.accounts.models import AuditEntry
from vnfm.faults.models import Alarm
from vnfm.faults.services.bulk import BULK_BATCH, MATCH_LIMIT
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent

pytestmark = [pytest.mark.django_db, pytest.mark.urls("vnfm.faults.api.urls")]
ALARMS = "/api/v1/alarms"
MAJOR = "?filter=(eq,perceivedSeverity,MAJOR)"


def counted(client: APIClient, query: str = "") -> dict[str, Any]:
    answer = client.get(f"{ALARMS}/count{query}")
    assert answer.status_code == 200, answer.json()
    counts: dict[str, Any] = answer.json()
    return counts


def change(client: APIClient, query: str = "", **body: Any) -> Any:
    counts = counted(client, query)
    defaults = {"action": "ACKNOWLEDGE", "asOf": counts["asOf"], "confirmed": counts["count"]}
    return client.patch(ALARMS + query, defaults | body, format="json")


def rows(number: int, **fields: object) -> list[Alarm]:
    return Alarm.objects.bulk_create(alarm_row(**fields) for _ in range(number))


def test_exactly_the_matching_alarms_are_acknowledged(operator_api: APIClient) -> None:
    matching = rows(3, perceived_severity="MAJOR")
    acked_before = make_alarm(perceived_severity="MAJOR", ack_state="ACKNOWLEDGED", acked_by="bob")
    others = [make_alarm(perceived_severity="MINOR"), make_alarm(perceived_severity="MAJOR", suppression="OPERATION")]
    others.append(make_alarm(perceived_severity="MAJOR", cleared_at=RAISED_AT))
    answer = change(operator_api, MAJOR)
    assert (answer.status_code, answer.json()) == (200, {"done": 3, "matched": 4})
    acknowledged = Alarm.objects.filter(ack_state="ACKNOWLEDGED")
    assert {alarm.id for alarm in acknowledged} == {alarm.id for alarm in (*matching, acked_before)}
    acked_before.refresh_from_db()
    assert acked_before.acked_by == "bob"
    assert not any(Alarm.objects.get(id=each.id).acked_by for each in others)


def test_each_alarm_is_published_and_the_action_audited_once(operator_api: APIClient) -> None:
    down, moved = make_alarm(), make_alarm(fault_type="VmEvacuated")
    assert change(operator_api).json()["done"] == 2
    events = OutboxEvent.objects.filter(topic="alarm.changed").order_by("id")
    in_turn = {down.id: ["acknowledged"], moved.id: ["acknowledged", "cleared"]}
    expected = [(one, event) for one in sorted(in_turn) for event in in_turn[one]]
    assert [(each.aggregate_id, each.payload["event"]) for each in events] == expected
    assert {each.version for each in events} == {2}
    entry = AuditEntry.objects.get(action="alarms.acknowledge")
    assert entry.object == "2 alarms"
    assert (entry.detail["matched"], entry.detail["asked"]) == (2, {})


def test_more_alarms_than_one_transaction_holds(operator_api: APIClient) -> None:
    count = BULK_BATCH + 7
    rows(count)
    assert change(operator_api).json() == {"done": count, "matched": count}
    assert not Alarm.objects.filter(ack_state="UNACKNOWLEDGED").exists()
    assert AuditEntry.objects.get(action="alarms.acknowledge").object == f"{count} alarms"


def test_alarms_raised_after_the_count_stay_unchanged(operator_api: APIClient) -> None:
    make_alarm()
    counts = counted(operator_api)
    late = make_alarm()
    answer = operator_api.patch(
        ALARMS, {"action": "ACKNOWLEDGE", "asOf": counts["asOf"], "confirmed": counts["count"]}, format="json"
    )
    assert answer.json() == {"done": 1, "matched": 1}
    late.refresh_from_db()
    assert late.ack_state == "UNACKNOWLEDGED"


def test_more_alarms_than_confirmed_stay_unchanged(operator_api: APIClient) -> None:
    rows(3)
    answer = change(operator_api, confirmed=2)
    assert (answer.status_code, answer.json()["code"], answer.json()["count"]) == (409, "MORE_ALARMS_MATCH", 3)
    assert not Alarm.objects.filter(ack_state="ACKNOWLEDGED").exists()
    assert not AuditEntry.objects.filter(action="alarms.acknowledge").exists()


def test_too_many_alarms_are_rejected_and_not_counted(operator_api: APIClient) -> None:
    rows(MATCH_LIMIT + 1)
    counts = counted(operator_api)
    assert (counts["count"], counts["isMore"], counts["limit"]) == (MATCH_LIMIT, True, MATCH_LIMIT)
    answer = change(operator_api, confirmed=1_000_000)
    assert (answer.status_code, answer.json()["code"]) == (422, "TOO_MANY_ALARMS")
    assert "Narrow the filters" in answer.json()["nextStep"]
    assert not Alarm.objects.filter(ack_state="ACKNOWLEDGED").exists()


def test_the_query_is_the_same_as_that_of_the_list(operator_api: APIClient) -> None:
    root = make_alarm(managed_object_name="lab-west", managed_object_type="VIM", fault_type="HypervisorDown")
    caused = make_alarm(root_cause=root)
    over = make_alarm(cleared_at=RAISED_AT, managed_object_name="edge-7")
    assert change(operator_api, "?topLevel=true").json()["done"] == 1
    caused.refresh_from_db()
    assert caused.ack_state == "UNACKNOWLEDGED"
    assert change(operator_api, "?list=historical&text=edge").json()["done"] == 1
    over.refresh_from_db()
    assert over.ack_state == "ACKNOWLEDGED"


@pytest.mark.parametrize(
    "query", ["?lits=historical", "?filter=(eq,colour,red)", "?suppressed=perhaps", "?sort=faultType"]
)
def test_an_invalid_query_changes_no_alarm(operator_api: APIClient, query: str) -> None:
    make_alarm()
    body = {"action": "ACKNOWLEDGE", "asOf": clock.now().isoformat(), "confirmed": 9}
    assert operator_api.patch(ALARMS + query, body, format="json").status_code == 400
    assert not Alarm.objects.filter(ack_state="ACKNOWLEDGED").exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"action": "CLEAR"}, "/action"),
        ({"action": "ASSIGN"}, "/assignedTo"),
        ({"assignedTo": "ann"}, "/assignedTo"),
        ({"confirmed": 0}, "/confirmed"),
        ({"asOf": "now"}, "/asOf"),
        ({"colour": "red"}, "/colour"),
    ],
    ids=str,
)
def test_errors_name_their_field(operator_api: APIClient, change: dict[str, Any], field: str) -> None:
    body = {"action": "ACKNOWLEDGE", "asOf": clock.now().isoformat(), "confirmed": 1}
    answer = operator_api.patch(ALARMS, body | change, format="json")
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_viewer_may_count_and_not_change(viewer_api: APIClient) -> None:
    make_alarm()
    assert counted(viewer_api)["count"] == 1
    assert change(viewer_api).status_code == 403


def test_alarms_are_assigned_by_ids_and_by_query(operator_api: APIClient) -> None:
    mine, other = make_alarm(assigned_to="ann"), make_alarm()
    ids = [str(mine.id), str(other.id)]
    bulk = {"action": "ASSIGN", "assignedTo": "ann", "ids": ids}
    answer = operator_api.post(f"{ALARMS}/bulk", bulk, format="json").json()
    assert answer["done"] == [str(other.id)]
    assert [(each["id"], each["code"]) for each in answer["refused"]] == [(str(mine.id), "ALARM_STATE_CONFLICT")]
    assert AuditEntry.objects.get(action="alarms.assign").detail == {"assignedTo": "ann", "alarms": [str(other.id)]}
    assert operator_api.post(f"{ALARMS}/bulk", {"action": "ASSIGN", "ids": ids}, format="json").status_code == 400
    named = "?filter=(eq,assignedTo,ann)"
    assert change(operator_api, named, action="ASSIGN", assignedTo="").json() == {"done": 2, "matched": 2}
    assert not Alarm.objects.exclude(assigned_to="").exists()
    events = OutboxEvent.objects.filter(aggregate_id=other.id).order_by("id")
    assert [each.payload["event"] for each in events] == ["changed", "changed"]


@pytest.mark.django_db(transaction=True)
def test_an_alarm_cleared_meanwhile_stays_unchanged(api_as: Callable[[str], APIClient]) -> None:
    """The action waits for the transaction that clears, then finds that the alarm no longer matches."""
    client = api_as("operator")
    stays, goes = make_alarm(), make_alarm(faulty_resource=f"server-{uuid4()}")
    counts = counted(client)

    def acknowledge() -> Any:
        body = {"action": "ACKNOWLEDGE", "asOf": counts["asOf"], "confirmed": 2}
        try:
            return client.patch(ALARMS, body, format="json")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as meanwhile:
        with transaction.atomic():
            cleared = Alarm.objects.select_for_update().get(id=goes.id)
            cleared.cleared_at = RAISED_AT + timedelta(hours=1)
            cleared.perceived_severity = "CLEARED"
            cleared.save()
            answer = meanwhile.submit(acknowledge)
            wait_for_a_blocked_connection()
        assert answer.result().json() == {"done": 1, "matched": 2}
    goes.refresh_from_db()
    stays.refresh_from_db()
    assert (goes.ack_state, goes.perceived_severity) == ("UNACKNOWLEDGED", "CLEARED")
    assert stays.ack_state == "ACKNOWLEDGED"


def wait_for_a_blocked_connection() -> None:
    """Wait until another connection waits for a row that this one has locked."""
    deadline = time.monotonic() + 30
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute("SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
            if cursor.fetchone():
                return
    pytest.fail("No connection waits.")

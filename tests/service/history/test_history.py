"""From an event to a row of history, through partitions that come and go."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from vnfm.history import partitions
from vnfm.history.names import PARTITIONED
from vnfm.history.partitions import AHEAD, Month, maintain, months_left, partition_name
from vnfm.history.projection import TELEMETRY_PROJECTOR, project
from vnfm.history.writers import release
from vnfm.kit import clock
from vnfm.kit.durable import outbox
from vnfm.kit.durable.outbox import Event, deliver_pending

pytestmark = pytest.mark.django_db(transaction=True)
NOW = clock.now()


def event(topic: str = "vim.changed", at: datetime = NOW, number: int = 1, **payload: Any) -> Event:
    if topic == "vim.changed" and not payload:
        payload = {"reachable": "False", "reason": "ConnectFailure"}
    return Event(number, topic, uuid4(), 1, payload | {"at": at.isoformat()}, NOW)


def rows(telemetry: ConnectionPool, table: str) -> list[Any]:
    with telemetry.connection() as connection:
        return connection.cursor(row_factory=dict_row).execute(f"TABLE telemetry.{table}").fetchall()


def names(telemetry: ConnectionPool, table: str) -> set[str]:
    with telemetry.connection() as connection:
        return {p.name for p in partitions.partitions(connection, table)}


def test_an_operations_move_becomes_a_row(telemetry: ConnectionPool) -> None:
    instance = uuid4()
    moved = event(
        "op_occ.changed", state="PROCESSING", previous="STARTING", operation="INSTANTIATE", instanceId=str(instance)
    )
    project(moved)
    (row,) = rows(telemetry, "op_transition_history")
    assert (row["op_occ_id"], row["vnf_instance_id"]) == (moved.aggregate_id, instance)
    assert (row["previous"], row["state"], row["operation"]) == ("STARTING", "PROCESSING", "INSTANTIATE")
    assert row["occurred_at"] == NOW


def test_an_alarms_event_becomes_a_row(telemetry: ConnectionPool) -> None:
    of = {"managedObjectType": "NETWORK_ELEMENT", "managedObjectId": str(uuid4()), "faultyResource": "card-1"}
    raised = event("alarm.changed", severity="MAJOR", faultType="CardDown", event="raised", **of)
    project(raised)
    (row,) = rows(telemetry, "alarm_event")
    assert (row["alarm_id"], row["severity"], row["event"]) == (raised.aggregate_id, "MAJOR", "raised")
    assert (row["managed_object_type"], row["faulty_resource"]) == ("NETWORK_ELEMENT", "card-1")


def test_an_alarm_that_left_the_list_is_stored_whole(telemetry: ConnectionPool) -> None:
    of = {"managedObjectType": "VIM", "managedObjectId": str(uuid4()), "faultType": "HypervisorDown"}
    project(
        event("alarm.archived", severity="CRITICAL", raisedAt=NOW.isoformat(), record={"faulty_resource": "c-1"}, **of)
    )
    (row,) = rows(telemetry, "alarm_archive")
    assert (row["fault_type"], row["record"], row["raised_at"]) == ("HypervisorDown", {"faulty_resource": "c-1"}, NOW)


def test_the_same_event_twice_is_one_row(telemetry: ConnectionPool) -> None:
    same = event()
    project(same)
    project(same)
    assert len(rows(telemetry, "vim_probe")) == 1


def test_an_event_without_payload_leaves_no_trace(telemetry: ConnectionPool) -> None:
    project(Event(1, "op_occ.changed", uuid4(), 9, {}, NOW))
    assert rows(telemetry, "op_transition_history") == []


def test_the_relays_subscriber_writes_history_of_commits_alone(telemetry: ConnectionPool) -> None:
    payload = {"reachable": "True", "reason": "Probed", "at": NOW.isoformat()}
    with transaction.atomic():
        outbox.publish("vim.changed", uuid4(), 1, payload)
        transaction.set_rollback(True)
    with transaction.atomic():
        outbox.publish("vim.changed", uuid4(), 2, payload)
    deliver_pending([TELEMETRY_PROJECTOR])
    assert len(rows(telemetry, "vim_probe")) == 1


@pytest.mark.parametrize("at", [datetime(1999, 12, 31, tzinfo=UTC), NOW + timedelta(days=400)], ids=["late", "future"])
def test_a_row_without_a_partition_goes_to_quarantine(telemetry: ConnectionPool, at: datetime) -> None:
    stray = event(at=at)
    project(stray)
    project(stray)
    assert rows(telemetry, "vim_probe") == []
    (held,) = rows(telemetry, "quarantine")
    assert (held["table_name"], held["occurred_at"]) == ("vim_probe", at)


def test_quarantine_is_left_when_the_month_has_come(telemetry: ConnectionPool) -> None:
    future, never = event(at=NOW + timedelta(days=400), number=1), event(at=datetime(1999, 1, 1, tzinfo=UTC), number=2)
    project(future)
    project(never)
    try:
        maintain(NOW + timedelta(days=390))
        (row,) = rows(telemetry, "vim_probe")
        assert (row["event_id"], row["vim_id"], row["reason"]) == (1, future.aggregate_id, "ConnectFailure")
        assert [held["event_id"] for held in rows(telemetry, "quarantine")] == [2]
    finally:
        drop_after(telemetry, Month.of(NOW).plus(AHEAD))
        maintain(NOW)


def test_a_record_comes_out_of_the_quarantine_as_it_went_in(telemetry: ConnectionPool) -> None:
    month, record = Month(2001, 12), {"faulty_resource": "c-1", "notes": [{"by": "ann", "text": "50% of “it”"}]}
    of = {"managedObjectType": "VIM", "managedObjectId": str(uuid4()), "faultType": "HypervisorDown"}
    raised = month.begin - timedelta(seconds=0.000_001)
    project(event("alarm.archived", month.begin, severity="MAJOR", raisedAt=raised.isoformat(), record=record, **of))
    assert rows(telemetry, "alarm_archive") == []
    old_partition(telemetry, "alarm_archive")
    assert release() == 1
    (row,) = rows(telemetry, "alarm_archive")
    assert (row["occurred_at"], row["raised_at"], row["record"]) == (month.begin, raised, record)
    assert str(row["managed_object_id"]) == of["managedObjectId"]
    assert rows(telemetry, "quarantine") == []
    maintain(NOW)


def drop_after(telemetry: ConnectionPool, month: Month) -> None:
    with telemetry.connection() as connection:
        for table in PARTITIONED:
            for partition in partitions.partitions(connection, table):
                if partition.month > month:
                    connection.execute(f"DROP TABLE telemetry.{partition.name}")


def test_partitions_are_created_ahead(telemetry: ConnectionPool) -> None:
    maintain(NOW)
    with telemetry.connection() as connection:
        for table in PARTITIONED:
            assert months_left(connection, table, Month.of(NOW)) == AHEAD


def old_partition(telemetry: ConnectionPool, table: str = "vim_probe", *, attached: bool = True) -> str:
    """A partition far beyond any policy."""
    month = Month(2001, 12)
    name = partition_name(table, month)
    with telemetry.connection() as connection:
        connection.execute(f"CREATE TABLE telemetry.{name} (LIKE telemetry.{table} INCLUDING DEFAULTS)")
        if attached:
            connection.execute(
                f"ALTER TABLE telemetry.{table} ATTACH PARTITION telemetry.{name}"
                f" FOR VALUES FROM ('{month.begin}') TO ('{month.plus(1).begin}')"
            )
    return name


@pytest.mark.parametrize("attached", [True, False], ids=["whole", "detached before a crash"])
def test_partitions_older_than_their_policy_are_dropped(telemetry: ConnectionPool, attached: bool) -> None:
    name = old_partition(telemetry, attached=attached)
    assert name in names(telemetry, "vim_probe")
    maintain(NOW)
    assert name not in names(telemetry, "vim_probe")


def test_without_a_retention_policy_nothing_is_deleted(telemetry: ConnectionPool) -> None:
    name = old_partition(telemetry)
    policy = "UPDATE telemetry.retention_policy SET table_name = {} WHERE table_name = {}"
    with telemetry.connection() as connection:
        connection.execute(policy.format("'elsewhere'", "'vim_probe'"))
    try:
        maintain(NOW)
        assert name in names(telemetry, "vim_probe")
    finally:
        with telemetry.connection() as connection:
            connection.execute(policy.format("'vim_probe'", "'elsewhere'"))
    maintain(NOW)
    assert name not in names(telemetry, "vim_probe")


def test_a_partition_that_a_crash_left_unattached_is_attached(telemetry: ConnectionPool) -> None:
    name = partition_name("vim_probe", Month.of(NOW).plus(AHEAD))
    with telemetry.connection() as connection:
        connection.execute(f"ALTER TABLE telemetry.vim_probe DETACH PARTITION telemetry.{name}")
    maintain(NOW)
    with telemetry.connection() as connection:
        assert months_left(connection, "vim_probe", Month.of(NOW)) == AHEAD


def test_the_reporting_views(telemetry: ConnectionPool) -> None:
    op, instance = uuid4(), str(uuid4())
    story = [("STARTING", "PROCESSING"), ("PROCESSING", "FAILED_TEMP"), ("FAILED_TEMP", "PROCESSING")]
    for number, (previous, state) in enumerate([*story, ("PROCESSING", "COMPLETED")]):
        payload = {"previous": previous, "state": state, "operation": "SCALE", "instanceId": instance}
        at = NOW + timedelta(seconds=number)
        project(Event(number, "op_occ.changed", op, number, payload | {"at": at.isoformat()}, at))
    (row,) = rows(telemetry, "v_operations")
    assert (row["op_occ_id"], row["last_state"], row["interruptions"]) == (op, "COMPLETED", 1)
    assert row["ended_at"] - row["began_at"] == timedelta(seconds=3)


@pytest.mark.parametrize(
    ("month", "plus", "result"),
    [((2026, 11), 1, (2026, 12)), ((2026, 12), 1, (2027, 1)), ((2026, 1), -1, (2025, 12)), ((2026, 5), -24, (2024, 5))],
)
def test_counting_months(month: tuple[int, int], plus: int, result: tuple[int, int]) -> None:
    assert Month(*month).plus(plus) == Month(*result)

"""History understands what the contexts publish: from each producer, by the relay's delivery, to a table."""

import pytest
from django.db import transaction
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from tests.factories.alarms import make_alarm
from tests.factories.inventory import make_instance
from tests.factories.vims import make_vim
from vnfm.faults.services.alarms import alarm_acknowledge
from vnfm.history.projection import TELEMETRY_PROJECTOR
from vnfm.kit import clock
from vnfm.kit.durable.outbox import deliver_pending
from vnfm.kit.models import OutboxEvent
from vnfm.lcm.domain.states import OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.services.transitions import bump_progress, op_transition
from vnfm.vims.services import vim_reachability_record

pytestmark = pytest.mark.django_db(transaction=True)


def recorded(telemetry: ConnectionPool, table: str) -> list:
    deliver_pending([TELEMETRY_PROJECTOR])
    assert set(OutboxEvent.objects.values_list("last_error", flat=True)) == {""}
    with telemetry.connection() as connection:
        cursor = connection.cursor(row_factory=dict_row)
        return cursor.execute(f"SELECT * FROM telemetry.{table} ORDER BY event_id").fetchall()


def test_a_vim_becomes_reachable_and_is_lost(telemetry: ConnectionPool) -> None:
    vim = make_vim()
    for reachable, reason in (("True", "Answers"), ("True", "Answers"), ("False", "ConnectFailure")):
        vim_reachability_record(vim=vim, reachable=reachable, reason=reason, message="…", now=clock.now())
    rows = recorded(telemetry, "vim_probe")
    assert [(row["vim_id"], row["reachable"], row["reason"]) for row in rows] == [
        (vim.id, "True", "Answers"),
        (vim.id, "False", "ConnectFailure"),
    ]


def test_an_operation_moves(telemetry: ConnectionPool) -> None:
    instance = make_instance()
    op = LcmOpOcc.objects.create(
        instance=instance,
        instance_uuid=instance.id,
        operation="INSTANTIATE",
        state="STARTING",
        params={},
        deadline=clock.now(),
    )
    op_transition(op, OperationState.PROCESSING)
    with transaction.atomic():
        bump_progress(op)
    op_transition(op, OperationState.COMPLETED)
    rows = recorded(telemetry, "op_transition_history")
    assert [(row["previous"], row["state"]) for row in rows] == [
        ("STARTING", "PROCESSING"),
        ("PROCESSING", "COMPLETED"),
    ]
    assert {(row["op_occ_id"], row["vnf_instance_id"]) for row in rows} == {(op.id, instance.id)}


def test_an_alarm_is_acknowledged(telemetry: ConnectionPool) -> None:
    now = clock.now()
    alarm = make_alarm(perceived_severity="MAJOR", raised_at=now)
    with transaction.atomic():
        alarm_acknowledge(alarm=alarm, ack_state="ACKNOWLEDGED", by="ann", now=now)
    (row,) = recorded(telemetry, "alarm_event")
    assert (row["alarm_id"], row["event"], row["severity"]) == (alarm.id, "acknowledged", "MAJOR")

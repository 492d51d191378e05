"""The manager raises and clears alarms about itself."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now

from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers import manager_input
from vnfm.faults.reconcilers.evaluation import evaluate_manager
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat
from vnfm.kit.models import ProcessHeartbeat

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def running_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manager_input, "_first_evaluated_at", lambda: time.monotonic() - 3600)


def _evaluate() -> list[Alarm]:
    evaluate_manager(now=clock.now())
    return list(Alarm.objects.filter(cleared_at=None).order_by("faulty_resource"))


def _silent_for(seconds: float) -> None:
    ProcessHeartbeat.objects.update(at=Now() - timedelta(seconds=seconds))


def test_a_silent_process_has_an_alarm_until_it_beats_again() -> None:
    worker = heartbeat.Heartbeat("worker")
    worker.beat("")
    assert _evaluate() == []
    _silent_for(31)
    (alarm,) = _evaluate()
    assert (alarm.fault_type, alarm.faulty_resource) == ("ManagerProcessSilent", "worker")
    assert (alarm.managed_object_type, alarm.managed_object_name) == ("MANAGER", "VNF manager")
    _silent_for(3600)
    assert [each.version for each in _evaluate()] != []
    worker.beat("broker")
    assert _evaluate() == []


def test_another_machine_with_such_a_process_is_enough() -> None:
    heartbeat.Heartbeat("worker").beat("")
    _silent_for(3600)
    ProcessHeartbeat.objects.create(name="worker", host="another", pid=1, started_at=clock.now())
    assert _evaluate() == []


def test_no_process_alarm_right_after_a_common_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a night of standstill every row is old."""
    heartbeat.Heartbeat("worker").beat("")
    _silent_for(8 * 3600)
    monkeypatch.setattr(manager_input, "_first_evaluated_at", time.monotonic)
    assert _evaluate() == []


def test_a_machine_whose_clock_is_wrong_has_an_alarm_until_it_keeps_time() -> None:
    heartbeat.Heartbeat("worker").beat("")
    assert abs(heartbeat.machine_clocks(30.0)[0].ahead_seconds) < 5.0
    other = ProcessHeartbeat.objects.create(
        name="worker", host="nms-2", pid=1, started_at=clock.now(), clock_ahead=timedelta(seconds=-90)
    )
    (alarm,) = _evaluate()
    assert (alarm.fault_type, alarm.faulty_resource) == ("ManagerClockDiffers", "clock of nms-2")
    ProcessHeartbeat.objects.filter(id=other.id).update(clock_ahead=timedelta(milliseconds=3))
    assert _evaluate() == []


def test_the_clock_of_a_machine_that_is_gone_does_not_count() -> None:
    ProcessHeartbeat.objects.create(
        name="worker", host="nms-2", pid=1, started_at=clock.now(), clock_ahead=timedelta(seconds=-90)
    )
    _silent_for(3600)
    assert {alarm.fault_type for alarm in _evaluate()} == {"ManagerProcessSilent"}


def test_a_disk_that_fills_up_has_an_alarm_of_two_levels(tmp_path: Path, settings) -> None:
    settings.WATCHED_DISKS = {"artifacts": tmp_path, "logs": tmp_path}
    for low, critical, severities in ((101.0, 0.0, ["MAJOR"]), (101.0, 101.0, ["CRITICAL"]), (0.0, 0.0, [])):
        settings.DISK_LOW_PERCENT, settings.DISK_CRITICAL_PERCENT = low, critical
        alarms = _evaluate()
        assert [alarm.perceived_severity for alarm in alarms] == severities, "one alarm for one file system"
        assert {alarm.faulty_resource for alarm in alarms} <= {"artifacts"}

"""Beat sends no message for a sweep that has nothing to do, and one as soon as it has."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import DatabaseError, connection

from tests.factories.inventory import make_instance
from vnfm.config.due import TASKS, idle_tasks
from vnfm.faults.models import AlarmPolicy
from vnfm.kit import clock
from vnfm.kit.ids import new_id
from vnfm.lcm.models import LcmOpOcc
from vnfm.notifications.models import Subscription
from vnfm.sol003_pm.indicators.models import IndicatorState
from vnfm.sol003_pm.models import PmJob, PmThreshold

pytestmark = pytest.mark.django_db


def test_an_idle_installation_sweeps_nothing() -> None:
    assert set(idle_tasks()) == set(TASKS)


def test_all_are_sent_periodically() -> None:
    assert {*TASKS} <= {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}


def test_an_operation_without_a_lease_is_swept() -> None:
    now, instance = clock.now(), make_instance()
    op = LcmOpOcc.objects.create(
        instance=instance,
        instance_uuid=instance.id,
        operation="INSTANTIATE",
        state="STARTING",
        params={},
        deadline=now,
        wake_at=now + timedelta(minutes=1),
    )
    assert "lcm.sweep" in idle_tasks()
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=now - timedelta(seconds=1))
    assert "lcm.sweep" not in idle_tasks()


def test_a_changed_alarm_policy_is_applied() -> None:
    AlarmPolicy.objects.create(fault_type="CardDown", initial_severity="MINOR", pending=True, changed_at=clock.now())
    assert set(TASKS) - set(idle_tasks()) == {"faults.apply_policies"}


def test_a_report_is_due_when_its_period_is_over() -> None:
    now = clock.now()
    period = {"object_ids": [], "collection_seconds": 60, "reporting_seconds": 60}
    job = PmJob.objects.create(
        edition="v2", collected_until=now, reported_until=now, report_at=now + timedelta(minutes=1), **period
    )
    assert "pm.sweep" in idle_tasks()
    PmJob.objects.filter(id=job.id).update(report_at=now - timedelta(seconds=1))
    assert "pm.sweep" not in idle_tasks()


def test_a_threshold_is_evaluated() -> None:
    PmThreshold.objects.create(
        edition="v2", collected_until=clock.now(), object_id=new_id(), metric="rx", value=1.0, hysteresis=0.0
    )
    assert set(TASKS) - set(idle_tasks()) == {"pm.sweep"}


def test_indicators_are_compared_while_there_are_subscribers() -> None:
    subscription = Subscription.objects.create(interface="vnfind", callback_uri="", settled_at=clock.now())
    assert set(TASKS) - set(idle_tasks()) == {"indicators.sweep"}
    IndicatorState.objects.create(instance=make_instance(), indicator_id="state", value={})
    subscription.delete()
    assert set(TASKS) - set(idle_tasks()) == {"indicators.sweep"}
    IndicatorState.objects.all().delete()
    assert set(idle_tasks()) == set(TASKS)


def test_without_a_database_all_are_sent() -> None:
    def fail(*_: object) -> None:
        raise DatabaseError("gone")

    with connection.execute_wrapper(fail):
        assert idle_tasks() == ()

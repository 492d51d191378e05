"""Periodic work by the monotonic clock."""

from datetime import timedelta

import pytest
from celery import Celery

from vnfm.config.beat_scheduler import FIRST_SECONDS, MonotonicScheduler

NOW = 1000.0


@pytest.fixture
def beat() -> MonotonicScheduler:
    app = Celery("steady", set_as_current=False)
    app.conf.beat_schedule = {
        "sweep": {"task": "sweep", "schedule": 2.0},
        "prune": {"task": "prune", "schedule": timedelta(hours=1)},
    }
    made = MonotonicScheduler(app=app, lazy=True)
    made.setup_schedule()
    made.plan(NOW)
    return made


def due(beat: MonotonicScheduler, at: float) -> list[str]:
    return [entry.task for entry in beat.take_due(NOW + at)]


def test_each_task_runs_once_a_period(beat: MonotonicScheduler) -> None:
    assert [due(beat, at) for at in (0, 1.9, 2, 3.9, 4)] == [[], [], ["sweep"], [], ["sweep"]]


def test_after_a_long_pause_each_runs_once(beat: MonotonicScheduler) -> None:
    assert due(beat, 7200) == ["sweep", "prune"]
    assert due(beat, 7200) == []


def test_an_hourly_task_first_runs_soon_after_the_start(beat: MonotonicScheduler) -> None:
    assert "prune" in due(beat, FIRST_SECONDS)
    assert "prune" not in due(beat, FIRST_SECONDS + 3599)
    assert "prune" in due(beat, FIRST_SECONDS + 3600)

"""Periodic work and a clock that is set back."""

from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery

from vnfm.config.beat_scheduler import MonotonicScheduler

EVERY = 2.0


@pytest.fixture
def app(tmp_path: Path) -> Celery:
    app = Celery("steady", set_as_current=False)
    app.conf.update(beat_schedule_filename=str(tmp_path / "schedule"), beat_schedule={})
    app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": EVERY}}
    return app


def scheduler(app: Celery) -> MonotonicScheduler:
    made = MonotonicScheduler(app=app, schedule_filename=app.conf.beat_schedule_filename, lazy=True)
    made.setup_schedule()
    return made


def test_a_run_in_the_future_is_not_waited_for(app: Celery) -> None:
    beat = scheduler(app)
    beat.schedule["sweep"].last_run_at = beat.schedule["sweep"].default_now() + timedelta(hours=1)
    assert beat.tick() <= EVERY
    beat.close()


def test_a_clock_that_is_set_back_while_it_runs_makes_it_plan_again(app: Celery) -> None:
    beat = scheduler(app)
    assert beat.tick() <= EVERY
    beat._last_tick += 3600
    beat.schedule["sweep"].last_run_at += timedelta(hours=1)
    beat._heap = [beat._heap[0]._replace(time=beat._heap[0].time + 3600)]
    assert beat.tick() <= EVERY
    beat.close()

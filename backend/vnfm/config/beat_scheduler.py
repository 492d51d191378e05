"""Celery's beat by the monotonic clock, and without messages for sweeps that have nothing to do."""

import heapq
import time
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from django.db import connections

from vnfm.config import due
from vnfm.kit.durable import heartbeat

FIRST_SECONDS = 60.0
"""After its start, beat waits no longer for the first run of anything: it may never run for an hour."""


class MonotonicScheduler(Scheduler):
    """Celery's own would run nothing after the clock was set back until it is again where it was at the last run.

    It keeps no file: all that it sends may be sent twice or late.
    """

    max_interval = 5
    """Seconds: the longest pause between two heartbeats."""

    def setup_schedule(self) -> None:
        self.update_from_dict(self.app.conf.beat_schedule)
        self.plan(time.monotonic())

    def plan(self, now: float) -> None:
        """The first runs of all."""
        runs = [(now + min(_period(entry), FIRST_SECONDS), name) for name, entry in self.schedule.items()]
        heapq.heapify(runs)
        self._runs = runs

    def tick(self, *_args: Any, **_kwargs: Any) -> float:
        """Send what is due; returns the seconds until there is more to do."""
        due_entries = self.take_due(time.monotonic())
        try:
            if due_entries:
                idle = due.idle_tasks() if any(entry.task in due.TASKS for entry in due_entries) else ()
                for entry in due_entries:
                    if entry.task not in idle:
                        self.apply_entry(entry, producer=self.producer)
            heartbeat.beat()
        finally:
            connections.close_all()
        return max(
            0.0, min(self._runs[0][0] - time.monotonic(), self.max_interval) if self._runs else self.max_interval
        )

    def take_due(self, now: float) -> list[ScheduleEntry]:
        """Return the tasks that are due, each once however late it is; it is due again a period from `now`."""
        entries = []
        while self._runs and self._runs[0][0] <= now:
            _, name = self._runs[0]
            entries.append(self.schedule[name])
            heapq.heapreplace(self._runs, (now + _period(self.schedule[name]), name))
        return entries


def _period(entry: ScheduleEntry) -> float:
    schedule: Any = entry.schedule
    seconds: float = schedule.run_every.total_seconds()
    return seconds

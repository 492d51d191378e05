"""Periodic work that goes on when the clock is set back."""

from typing import Any

from celery.beat import PersistentScheduler

from vnfm.kit import clock


class SteadyScheduler(PersistentScheduler):
    """Celery's own would run nothing until the clock is again where it was at the last run."""

    max_interval = 5
    """Seconds; at the longest pause the clock is looked at so often."""
    _seen = 0.0

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = clock.now().timestamp()
        if now < self._seen:
            self._heap = None
        self._seen = now
        seconds: float = super().tick(*args, **kwargs)
        return seconds

    def populate_heap(self, *args: Any, **kwargs: Any) -> None:
        """Plan all runs anew; none of them was later than now."""
        for entry in self.schedule.values():
            now = entry.default_now()
            entry.last_run_at = min(entry.last_run_at or now, now)
        super().populate_heap(*args, **kwargs)

"""Periodic work that goes on when the clock is set back."""

from typing import Any

from celery.beat import PersistentScheduler

from vnfm.kit import clock, heartbeat


class MonotonicScheduler(PersistentScheduler):
    """Celery's own would run nothing until the clock is again where it was at the last run."""

    max_interval = 5
    """Seconds: the longest pause between two checks of the clock."""
    _last_tick = 0.0

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = clock.now().timestamp()
        if now < self._last_tick:
            self._heap = None
        self._last_tick = now
        seconds: float = super().tick(*args, **kwargs)
        heartbeat.beat()
        return seconds

    def populate_heap(self, *args: Any, **kwargs: Any) -> None:
        """Plan all runs again; none may have its last run in the future."""
        for entry in self.schedule.values():
            now = entry.default_now()
            entry.last_run_at = min(entry.last_run_at or now, now)
        super().populate_heap(*args, **kwargs)

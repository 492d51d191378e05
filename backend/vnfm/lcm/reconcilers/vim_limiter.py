"""Limits each cloud's share of this worker: a cloud that hangs, or asks us to slow down, must not delay the others.

In memory, per worker process: it protects this process's threads and limits its calls.
"""

import math
import random
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings

NFVO = UUID("9d6a7f0e-6f4b-4c55-9a57-5a3f0c1d7b21")
"""Key for the NFVO, which has a share of this worker as each cloud has."""
MIN_DELAY, MAX_DELAY = 0.05, 30.0
"""Bounds of the delay, in seconds, when a cloud's share of this worker is in use."""
AWAY_SECONDS = 5.0
"""The delay for a cloud that did not answer last time: one thread tries, the others wait. Work that began before, such
as an upload of gigabytes, is not counted as that try.
"""
LONGEST_STAY = 5.0
"""Bound of a duration in the average: a longer one, such as an upload of gigabytes, says nothing of the others."""
SMOOTHING = 0.1
"""Weight of the last duration in the moving average."""


@dataclass(slots=True)
class _Limiter:
    """When it is full, each caller gets a turn of its own at the rate at which others leave: the first caller is first
    again, so that no caller tries too early.
    """

    inside: list[float] = field(default_factory=list)
    """When each of them entered, by the monotonic clock."""
    away_since: float | None = None
    closed_until: float = -math.inf
    stay: float = 0.1
    """Moving average of the seconds that one is inside."""
    last_turn: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, now: float) -> float:
        """0.0 when admitted; otherwise seconds to stay away."""
        with self.lock:
            if (closed := self.closed_until - now) > 0:
                return closed + random.uniform(0, 0.5)  # noqa: S311 - no secret
            if self.away_since is not None and any(entered_at >= self.away_since for entered_at in self.inside):
                return AWAY_SECONDS * random.uniform(0.5, 1.5)  # noqa: S311
            if len(self.inside) >= settings.VIM_CONCURRENCY:
                return self._turn(now)
            self.inside.append(now)
            return 0.0

    def leave(self, entered_at: float) -> None:
        with self.lock:
            self.inside.remove(entered_at)
            self.stay += SMOOTHING * (min(time.monotonic() - entered_at, LONGEST_STAY) - self.stay)

    def _turn(self, now: float) -> float:
        interval = self.stay / settings.VIM_CONCURRENCY
        self.last_turn = min(max(self.last_turn, now) + interval, now + MAX_DELAY)
        return max(self.last_turn - now, MIN_DELAY)


_limiters: defaultdict[UUID, _Limiter] = defaultdict(_Limiter)


@contextmanager
def acquire(vim_id: UUID | None) -> Iterator[float]:
    """Yields 0.0 when work on the cloud may begin now, else the seconds after which to try again."""
    limiter = _limiters[vim_id] if vim_id is not None else _Limiter()
    entered_at = time.monotonic()
    wait = limiter.enter(entered_at)
    try:
        yield wait
    finally:
        if not wait:
            limiter.leave(entered_at)


def record_failure(vim_id: UUID | None, retry_after: float | None, *, away: bool) -> None:
    """The cloud is out of reach (`away`), or asks for a pause of `retry_after` seconds."""
    if vim_id is None:
        return
    limiter = _limiters[vim_id]
    if retry_after is not None:
        limiter.closed_until = time.monotonic() + min(retry_after, 60.0)
    elif away and limiter.away_since is None:
        limiter.away_since = time.monotonic()


def record_success(vim_id: UUID | None) -> None:
    """The cloud answered."""
    if vim_id is not None:
        _limiters[vim_id].away_since = None

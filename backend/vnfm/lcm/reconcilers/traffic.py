"""Each cloud's share of this worker: a cloud that hangs, or asks us to slow down, must not hold up the others.

In memory, a worker process for itself: what it protects are this process's threads and this process's calls.
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
"""Stands for the NFVO, which has a share of this worker as each cloud has."""
SHORTEST_TURN, LONGEST_TURN = 0.05, 30.0
"""How many seconds to stay away from a cloud that has its share of this worker at work already."""
AWAY_SECONDS = 5.0
"""The same for a cloud that did not answer last time: one thread asks, the others stay away. Who was inside before, as
with an image of gigabytes, does not ask for them.
"""
LONGEST_STAY = 5.0
"""Who is inside longer, as with an image of gigabytes, tells nothing of the pace at which the others leave."""
SMOOTHING = 0.1
"""Weight of the last stay among all before it."""


@dataclass(slots=True)
class _Gate:
    """Who finds it full gets a turn, one after the other at the pace at which the others leave: whoever came first is
    first again, and nobody knocks in vain while there is much to do.
    """

    inside: list[float] = field(default_factory=list)
    """When each of them came, by the monotonic clock."""
    away_since: float | None = None
    closed_until: float = -math.inf
    stay: float = 0.1
    """Seconds that one is inside, on average."""
    last_turn: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, now: float) -> float:
        """0.0 when admitted; otherwise seconds to stay away."""
        with self.lock:
            if (closed := self.closed_until - now) > 0:
                return closed + random.uniform(0, 0.5)  # noqa: S311 - no secret
            if self.away_since is not None and any(came >= self.away_since for came in self.inside):
                return AWAY_SECONDS * random.uniform(0.5, 1.5)  # noqa: S311
            if len(self.inside) >= settings.VIM_CONCURRENCY:
                return self._turn(now)
            self.inside.append(now)
            return 0.0

    def leave(self, came: float) -> None:
        with self.lock:
            self.inside.remove(came)
            self.stay += SMOOTHING * (min(time.monotonic() - came, LONGEST_STAY) - self.stay)

    def _turn(self, now: float) -> float:
        pace = self.stay / settings.VIM_CONCURRENCY
        self.last_turn = min(max(self.last_turn, now) + pace, now + LONGEST_TURN)
        return max(self.last_turn - now, SHORTEST_TURN)


_gates: defaultdict[UUID, _Gate] = defaultdict(_Gate)


@contextmanager
def admitted(vim_id: UUID | None) -> Iterator[float]:
    """Gives 0.0 when work on the cloud may begin now, else the seconds after which to ask again."""
    gate = _gates[vim_id] if vim_id is not None else _Gate()
    came = time.monotonic()
    wait = gate.enter(came)
    try:
        yield wait
    finally:
        if not wait:
            gate.leave(came)


def troubled(vim_id: UUID | None, retry_after: float | None, *, away: bool) -> None:
    """The cloud failed us: out of reach (`away`), or asking for a pause of that many seconds."""
    if vim_id is None:
        return
    gate = _gates[vim_id]
    if retry_after is not None:
        gate.closed_until = time.monotonic() + min(retry_after, 60.0)
    elif away and gate.away_since is None:
        gate.away_since = time.monotonic()


def well(vim_id: UUID | None) -> None:
    """The cloud answered."""
    if vim_id is not None:
        _gates[vim_id].away_since = None

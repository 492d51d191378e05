"""Each cloud's share of this worker: a cloud that hangs, or asks us to slow down, must not hold up the others.

In memory, a worker process for itself: what it protects are this process's threads and this process's calls.
"""

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
BUSY_SECONDS = 0.5
"""How long to stay away from a cloud that has its share of this worker at work already."""
AWAY_SECONDS = 5.0
"""The same for a cloud that did not answer last time: one thread asks, the others stay away."""


@dataclass(slots=True)
class _Gate:
    inside: int = 0
    away: bool = False
    closed_until: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self) -> float:
        """0.0 when admitted; otherwise seconds to stay away."""
        with self.lock:
            if (closed := self.closed_until - time.monotonic()) > 0:
                return closed + random.uniform(0, BUSY_SECONDS)  # noqa: S311 - no secret
            if self.inside >= (1 if self.away else settings.VIM_CONCURRENCY):
                return (AWAY_SECONDS if self.away else BUSY_SECONDS) * random.uniform(0.5, 1.5)  # noqa: S311
            self.inside += 1
            return 0.0

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1


_gates: defaultdict[UUID, _Gate] = defaultdict(_Gate)


@contextmanager
def admitted(vim_id: UUID | None) -> Iterator[float]:
    """Gives 0.0 when work on the cloud may begin now, else the seconds after which to ask again."""
    gate = _gates[vim_id] if vim_id is not None else _Gate()
    wait = gate.enter()
    try:
        yield wait
    finally:
        if not wait:
            gate.leave()


def troubled(vim_id: UUID | None, retry_after: float | None, *, away: bool) -> None:
    """The cloud failed us: out of reach (`away`), or asking for a pause of that many seconds."""
    if vim_id is None:
        return
    gate = _gates[vim_id]
    if retry_after is not None:
        gate.closed_until = time.monotonic() + min(retry_after, 60.0)
    elif away:
        gate.away = True


def well(vim_id: UUID | None) -> None:
    """The cloud answered."""
    if vim_id is not None:
        _gates[vim_id].away = False

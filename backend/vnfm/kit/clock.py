import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

_steady: ContextVar[tuple[datetime, float] | None] = ContextVar("steady", default=None)
"""The time, and the monotonic clock, at the beginning of the `steady` block."""
FAR_AHEAD = timedelta(minutes=10)
"""No poll lasts longer: a time that is farther ahead was written before the clock was set back."""


def now() -> datetime:
    """The current time, aware, in UTC. Read once at the edge and passed down; domain code gets it as an argument."""
    began = _steady.get()
    if began is None:
        return datetime.now(UTC)
    at, monotonic = began
    return at + timedelta(seconds=time.monotonic() - monotonic)


@contextmanager
def steady() -> Iterator[None]:
    """Within the block `now` follows the monotonic clock, so that no step of the machine's clock changes a duration."""
    token = _steady.set((now(), time.monotonic()))
    try:
        yield
    finally:
        _steady.reset(token)


def is_newer(at: datetime | None, than: datetime) -> bool:
    """Whether `at` is after `than`, and not of a clock that has been set back since."""
    return at is not None and than < at <= than + FAR_AHEAD

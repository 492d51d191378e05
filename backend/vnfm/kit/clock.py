import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

_Reading = tuple[datetime, float]
"""A time, and what the monotonic clock showed then."""
_database: _Reading | None = None
"""The last reading; None where no process has `follow`ed: the machine's clock counts then."""
_steady: ContextVar[_Reading | None] = ContextVar("steady", default=None)
"""The reading at the beginning of the `steady` block."""
FAR_AHEAD = timedelta(minutes=10)
"""No poll lasts longer: a time that is farther ahead was written before the clock was set back."""


def now() -> datetime:
    """The current time, aware, in UTC. Read once at the edge and passed down; domain code gets it as an argument.

    It is the database's, once a process has `follow`ed it: hosts whose clocks differ agree on what is due and what is
    over. Between two readings it goes by the monotonic clock.
    """
    return _at(_steady.get() or _database, time.monotonic())


def _at(reading: _Reading | None, monotonic: float) -> datetime:
    if reading is None:
        return machine()
    at, then = reading
    return at + timedelta(seconds=monotonic - then)


def machine() -> datetime:
    """Return the time of the machine's clock."""
    return datetime.now(UTC)


def follow(database: datetime, began: float) -> None:
    """Go by the database's clock, which showed `database` between `began`, by the monotonic clock, and now.

    `now` changes by no more than it was wrong for certain: a slow answer does not move it.
    """
    global _database  # noqa: PLW0603 - one clock in a process
    ended = time.monotonic()
    latest = database + timedelta(seconds=ended - began)
    _database = min(max(_at(_database, ended), database), latest), ended


@contextmanager
def steady() -> Iterator[None]:
    """Within the block `now` follows the monotonic clock, so that no step of the machine's clock changes a duration."""
    token = _steady.set((now(), time.monotonic()))
    try:
        yield
    finally:
        _steady.reset(token)


def is_newer(at: datetime | None, than: datetime) -> bool:
    """True if `at` is after `than`, and not of a clock that has been set back since."""
    return at is not None and than < at <= than + FAR_AHEAD

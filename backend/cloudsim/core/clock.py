"""Time, replaceable in tests."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """The wall clock. All times of the cloud are UTC."""

    def time(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), tz=UTC)

    def stamp(self) -> str:
        """``2016-02-09T14:02:11Z``: the form of Nova, Glance and Heat."""
        return stamp_of(self.time())

    def micro_stamp(self) -> str:
        """``2016-02-09T14:02:11.123456Z``: the form of Keystone."""
        return self.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class ManualClock(Clock):
    """A clock that stands until it is moved; for tests."""

    def __init__(self, start: float = 1_455_000_000.0) -> None:
        self.value = start

    def time(self) -> float:
        return self.value

    def advance(self, seconds: float) -> None:
        self.value += seconds


def stamp_of(moment: float) -> str:
    """``2016-02-09T14:02:11Z`` of seconds since the epoch."""
    return datetime.fromtimestamp(moment, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_stamp(text: str) -> float:
    """Seconds since the epoch of an ISO 8601 time; a time without zone is UTC. Raises ValueError."""
    moment = datetime.fromisoformat(text.strip())
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

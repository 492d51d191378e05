"""The clock, which tests can replace."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """The wall clock. All times of the cloud are UTC."""

    def time(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), tz=UTC)

    def stamp(self) -> str:
        """Return the time in the form of Nova, Glance and Heat: ``2016-02-09T14:02:11Z``."""
        return stamp_of(self.time())

    def micro_stamp(self) -> str:
        """Return the time in the form of Keystone: ``2016-02-09T14:02:11.123456Z``."""
        return self.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class ManualClock(Clock):
    """A clock that tests advance."""

    def __init__(self, start: float = 1_455_000_000.0) -> None:
        self.value = start

    def time(self) -> float:
        return self.value

    def advance(self, seconds: float) -> None:
        self.value += seconds


def stamp_of(moment: float) -> str:
    """Format seconds since 1970 as ``2016-02-09T14:02:11Z``."""
    return datetime.fromtimestamp(moment, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_stamp(text: str) -> float:
    """Return the seconds since 1970 of an ISO 8601 time, which is UTC without a zone. Raises ValueError."""
    moment = datetime.fromisoformat(text.strip())
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()

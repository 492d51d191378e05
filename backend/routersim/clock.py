"""The clock, which tests can replace."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """The wall clock. All times of the elements are UTC."""

    def time(self) -> float:
        """Return the seconds since 1970."""
        return time.time()


class ManualClock(Clock):
    """A clock that tests advance."""

    def __init__(self, start: float = 1_455_000_000.0) -> None:
        self.value = start

    def time(self) -> float:
        return self.value

    def advance(self, seconds: float) -> None:
        self.value += seconds


def date_and_time(seconds: float) -> bytes:
    """Return a DateAndTime with zone (RFC 2579): eleven octets, in UTC."""
    moment = datetime.fromtimestamp(seconds, tz=UTC)
    head = moment.year.to_bytes(2, "big")
    day = bytes((moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond // 100_000))
    return head + day + b"+\x00\x00"

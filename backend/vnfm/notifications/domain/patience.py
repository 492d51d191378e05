"""How long a subscriber is tried, and how its state reads."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

MOST_BACKOFF = timedelta(minutes=1)
"""Between attempts: who comes back hears of what it missed within that time."""
GIVE_UP_AFTER = timedelta(hours=24)
"""A notification that nobody took for so long is given up; by then the alarm list tells more than it."""


def backoff(failures: int) -> timedelta:
    """How long to wait after that many failures in a row: a second, then twice as long each time."""
    return min(timedelta(seconds=2 ** min(failures - 1, 10)), MOST_BACKOFF)


@dataclass(frozen=True, slots=True)
class Condition:
    """`reason` is one stable word for programs, `message` a sentence for people."""

    status: Literal["True", "False"]
    reason: str
    message: str
    last_transition_time: datetime


def delivering(
    *, failures: int, since: datetime, last_error: str, again_at: datetime | None, waiting: int
) -> Condition:
    """Whether notifications reach the subscriber; `since` is when that last changed."""
    if not failures:
        return Condition("True", "EndpointAnswers", "The endpoint took what it was last sent.", since)
    again = f" Tried again at {again_at:%Y-%m-%d %H:%M:%S} UTC." if again_at is not None else ""
    message = f"{last_error} Failures in a row: {failures}; notifications that wait: {waiting}.{again}"
    return Condition("False", "EndpointFails", message, since)

"""When deliveries to a subscriber are retried and given up, and the condition Delivering."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

MAX_BACKOFF = timedelta(minutes=1)
"""Between attempts: an endpoint that recovers gets what it missed within this time."""
GIVE_UP_AFTER = timedelta(hours=24)
"""A notification that could not be delivered for so long is given up; by then the alarm list is more useful."""
_NEVER = datetime.min.replace(tzinfo=UTC)


def backoff(failures: int) -> timedelta:
    """The wait after this number of failures in a row: a second, doubled each time."""
    return min(timedelta(seconds=2 ** min(failures - 1, 10)), MAX_BACKOFF)


def expired_before(now: datetime, released_at: datetime | None) -> datetime:
    """Notifications that were created before are given up. Those that waited for the end of a hold after a restore, at
    `released_at`, have their time from then on.
    """
    limit = now - GIVE_UP_AFTER
    return limit if released_at is None or released_at < limit else _NEVER


@dataclass(frozen=True, slots=True)
class DeliveryCondition:
    """The condition Delivering: whether notifications reach the subscriber."""

    status: Literal["True", "False", "Unknown"]
    reason: str
    """A stable word for programs."""
    message: str
    """A sentence for users, with the endpoint's own message."""
    last_transition_time: datetime
    """When the status last changed."""
    type: Literal["Delivering"] = "Delivering"


def delivery_condition(
    *, never_answered: bool, failures: int, since: datetime, last_error: str, retry_at: datetime | None, waiting: int
) -> DeliveryCondition:
    """Whether notifications reach the subscriber; `since` is when that last changed."""
    if never_answered and not failures:
        return DeliveryCondition("Unknown", "EndpointNotTested", "The endpoint has not been tested yet.", since)
    if not failures:
        return DeliveryCondition("True", "EndpointAnswers", "The endpoint accepted the last notification.", since)
    retry = f" Next attempt at {retry_at:%Y-%m-%d %H:%M:%S} UTC." if retry_at is not None else ""
    message = f"{last_error} Failures in a row: {failures}; notifications that wait: {waiting}.{retry}"
    if never_answered:
        return DeliveryCondition("False", "EndpointNeverAnswered", f"It has never answered. {message}", since)
    return DeliveryCondition("False", "EndpointFails", message, since)

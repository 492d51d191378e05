"""When jobs are retried and fail for good, and when backups are due."""

from datetime import datetime, timedelta
from uuid import UUID

MAX_ATTEMPTS = 4
"""Attempts before a job fails: elements reboot after some changes, and workers die."""

BUSY_RETRY = timedelta(seconds=2)
WORKER_GRACE = timedelta(seconds=20)
"""The sweep checks so long after the begin of an attempt that its worker lives: a lease outlives a worker by 15 s."""

SETTLE_TIME = timedelta(seconds=10)
"""The time from the first signal of a change to the backup: elements report a change of many lines line by line."""

JITTER = 0.1


def retry_delay(attempts: int) -> timedelta:
    """The pause after the given number of failed attempts: 5, 20, 80 s."""
    return timedelta(seconds=5 * 4 ** (attempts - 1))


def next_due(now: datetime, interval_seconds: int, element_id: UUID) -> datetime:
    """When the next scheduled backup is due: spread by element, so that a thousand do not start at once."""
    share = (element_id.int % 1000) / 1000
    return now + timedelta(seconds=interval_seconds * (1 - JITTER + 2 * JITTER * share))

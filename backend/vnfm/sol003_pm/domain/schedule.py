"""When a PM job reports (SOL003 6.5.3.2)."""

from datetime import datetime, timedelta


def next_report(last: datetime, period: timedelta, boundary: datetime | None) -> datetime | None:
    """The end of the reporting period after `last`; the last one ends at the boundary. None: there are no more."""
    if boundary is None:
        return last + period
    return None if last >= boundary else min(last + period, boundary)


def oldest_collected(cursor: datetime, now: datetime, keep: timedelta, period: timedelta) -> datetime:
    """`cursor`, moved by whole periods to where samples still exist: after a standstill of days, history begins
    there.
    """
    if now - cursor <= keep:
        return cursor
    return cursor + period * ((now - keep - cursor) // period)

"""When to poll an element again. Times in seconds."""

POLLS_PER_SECOND = 50.0
"""Polls of unchanged elements that one process has time for, with a reserve (ADR-0019)."""

RECENT_CHANGE_SECONDS = 60.0
"""For so long after a change an element is polled at the shortest interval: more changes are likely."""

MAX_BACKOFF = 60.0
"""A silent element that comes back is noticed after this long at most, without a trap."""

DUTY_CYCLE = 0.25
"""Share of the time for which a slow element is occupied with our requests, at most."""

SLOW_MAX_SECONDS = 45.0
"""The longest pause of a slow element: in a longer one its states would become unknown (`STALE_AFTER`)."""

MISSED_ANSWERS_TO_LOSE = 2
"""Answers missing in a row before an element counts as lost: a single one may be a lost packet."""

FULL_POLL_SECONDS = 600.0
"""All columns are read after this long, for changes that no state column shows."""

UNREAD_POLL_SECONDS = 60.0
"""As FULL_POLL_SECONDS, while some table cannot be read: such faults of agents mostly go away by themselves.

Not for a table that is longer, or takes longer, than our bounds.
"""

GAUGE_SECONDS, CHANGING_GAUGE_SECONDS = 30.0, 5.0
"""Between two reads of gauges; of an element that has just changed, whose sessions exchange their prefixes."""


def gauge_period(since_change: float | None, *, many: bool = False) -> float:
    """Return the seconds between two reads of gauges.

    `many` gauges are too many columns to be read soon except after a change; else they are read with all columns.
    """
    changing = since_change is not None and since_change < RECENT_CHANGE_SECONDS
    if many:
        return GAUGE_SECONDS if changing else FULL_POLL_SECONDS
    return CHANGING_GAUGE_SECONDS if changing else GAUGE_SECONDS


def next_poll(*, period: float, elements: int, failures: int, since_change: float | None, duration: float) -> float:
    """Seconds until the next poll. `elements`: of this process; `duration`: of the element's last poll."""
    if failures:
        return float(min(period * 2 ** min(failures - 1, 10), max(MAX_BACKOFF, period)))
    changing = since_change is not None and since_change < RECENT_CHANGE_SECONDS
    base = period if changing else max(period, elements / POLLS_PER_SECOND)
    return max(base, min(duration * (1 / DUTY_CYCLE - 1), SLOW_MAX_SECONDS))


def is_lost(*, failures: int, retries: int) -> bool:
    """Whether `failures` failed polls in a row, of a request repeated `retries` times each, mean that it is lost."""
    return failures * (retries + 1) >= MISSED_ANSWERS_TO_LOSE

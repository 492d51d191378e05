"""How long to leave an element alone. Times in seconds."""

POLLS_PER_SECOND = 50.0
"""Looks at quiet elements that one process has time for, with room to spare (ADR-0019)."""

RECENT_CHANGE_SECONDS = 60.0
"""An element in which something changed so lately is looked at as often as allowed: more is likely to follow."""

MAX_BACKOFF = 60.0
"""A silent element that comes back is seen after this long at the latest, without any trap of it."""

DUTY_CYCLE = 3.0
"""A slow element rests this many times as long as its answers took: we are never more than a quarter of its work."""

MISSED_ANSWERS_TO_LOSE = 2
"""So many answers in a row must be missing before an element counts as lost: one may be a lost packet."""

FULL_POLL_SECONDS = 600.0
"""Everything is read again after this long, for what has changed without a state that shows it."""


def next_poll(*, period: float, elements: int, failures: int, since_moved: float | None, took: float) -> float:
    """Until the next look: `elements` are all that this process looks at, `took` is what the last look did."""
    if failures:
        return float(min(period * 2 ** min(failures - 1, 10), max(MAX_BACKOFF, period)))
    moving = since_moved is not None and since_moved < RECENT_CHANGE_SECONDS
    base = period if moving else max(period, elements / POLLS_PER_SECOND)
    return max(base, took * DUTY_CYCLE)


def is_lost(*, failures: int, retries: int) -> bool:
    """Whether so many failed looks in a row, each of one request repeated `retries` times, mean that it is lost."""
    return failures * (retries + 1) >= MISSED_ANSWERS_TO_LOSE

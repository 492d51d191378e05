"""The time and the steps that a request for values asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from vnfm.counters.domain.series import MAX_STEPS
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, ProblemError, unprocessable

EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""Whatever is computed from times between them is a time, too."""
DEFAULT_SPAN = timedelta(hours=1)
DEFAULT_STEPS = 60


@dataclass(frozen=True, slots=True)
class TimeRange:
    """The time from `begin` to `end`, in steps of `step` seconds."""

    begin: datetime
    end: datetime
    step: float


def time_range(asked: Mapping[str, Any]) -> TimeRange:
    """Return the time that `from`, `to` and `step` name, each of them optional. Raises 422 INVALID_TIME."""
    for name in ("from", "to"):
        if name in asked and not EARLIEST <= asked[name] <= LATEST:
            raise _invalid(name, f"`{name}` is not between {EARLIEST.year} and {LATEST.year}.")
    end = asked.get("to") or clock.now()
    begin = asked.get("from") or end - DEFAULT_SPAN
    span = (end - begin).total_seconds()
    step = asked.get("step") or max(1.0, span / DEFAULT_STEPS)
    if span <= 0:
        raise _invalid("from", "`to` must be later than `from`.")
    if span / step > MAX_STEPS:
        raise _invalid("from", f"That are more than {MAX_STEPS} steps.")
    return TimeRange(begin, end, step)


def _invalid(name: str, words: str) -> ProblemError:
    return unprocessable("INVALID_TIME", words, [FieldError(f"/{name}", words)], "Ask for less, or for longer steps.")

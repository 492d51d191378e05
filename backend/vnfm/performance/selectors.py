"""Reading what was counted."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from vnfm.kit import clock
from vnfm.performance.domain.counters import COUNTERS
from vnfm.performance.domain.series import Span, Step, steps
from vnfm.telemetry import counters


def objects(*, element_id: UUID) -> list[str]:
    """What anything was counted of lately: interfaces by name, and `system`."""
    return counters.objects(element_id, clock.now())


def series(
    *, element_id: UUID, name: str, counter_names: Sequence[str], begin: datetime, end: datetime, step: float
) -> list[Step]:
    """Step by step from `begin` to `end`; each value by its counter's name on the wire."""
    columns = [COUNTERS[counter].column for counter in counter_names]
    rows = counters.read(
        element_id, name, columns, begin=begin, end=end, coarse=step >= counters.ROLLUP.total_seconds()
    )
    spans = [Span(row.at.timestamp(), row.seconds, row.values, row.length) for row in rows]
    found = steps(spans, columns, begin=begin.timestamp(), end=end.timestamp(), step=step)
    for one in found:
        one.values = {counter: one.values[COUNTERS[counter].column] for counter in counter_names}
    return found


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)

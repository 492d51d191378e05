"""Traffic over time: samples of probes in equal steps."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from vnfm.history.samples import TrafficSample


@dataclass(slots=True)
class TrafficStep:
    at: datetime
    """Begin of the step."""
    seconds: float = 0.0
    """The part of the step that was measured; 0: nothing is known of it."""
    sent: float = 0.0
    lost: float = 0.0
    gap: float = 0.0
    """Longest time without a packet, in seconds."""


def traffic_by_step(
    samples: Iterable[TrafficSample], *, begin: datetime, end: datetime, step: float
) -> Iterator[tuple[str, list[TrafficStep]]]:
    """Yield each path with its steps, those without samples too; `samples` by path.

    The counts of a sample that only touches a step are shared by time.
    """
    count = max(1, round((end - begin).total_seconds() / step))
    for path, rows in groupby(samples, key=lambda sample: sample.path):
        steps = [TrafficStep(begin + timedelta(seconds=place * step)) for place in range(count)]
        for sample in rows:
            _share(sample, steps, begin, step)
        yield path, steps


def _share(sample: TrafficSample, steps: list[TrafficStep], begin: datetime, step: float) -> None:
    start = (sample.at - begin).total_seconds()
    stop = start + sample.seconds
    for place in range(max(0, int(start // step)), min(len(steps), int(stop // step) + 1)):
        covered = min(stop, (place + 1) * step) - max(start, place * step)
        if covered <= 0:
            continue
        part, found = covered / sample.seconds, steps[place]
        found.seconds += covered
        found.sent += sample.sent * part
        found.lost += sample.lost * part
        found.gap = max(found.gap, sample.gap)

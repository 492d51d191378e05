"""Stores what traffic probes measured and report."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from vnfm.history import traffic
from vnfm.history.samples import TrafficSample
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, unprocessable

OLDEST, AHEAD = timedelta(days=1), timedelta(minutes=1)
"""A sample may be as old when it is reported, and the clock of a probe as far ahead."""


def traffic_record(*, instance_id: UUID, samples: Sequence[TrafficSample]) -> None:
    """Store what a probe counted; reporting it again changes nothing. Raises 422 for other times than of late."""
    now = clock.now()
    for place, sample in enumerate(samples):
        if not now - OLDEST < sample.at < now + AHEAD:
            words = f"{sample.at.isoformat()} is no time of the last day."
            raise unprocessable(
                "INVALID_TIME", words, [FieldError(f"/samples/{place}/at", words)], "Check the clock of the probe."
            )
    traffic.write(instance_id, samples)

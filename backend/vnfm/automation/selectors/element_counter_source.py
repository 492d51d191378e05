"""Counters of an instance's network elements as a source of loads: of several elements their mean."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from django.conf import settings

from vnfm.automation.domain.load import Load, Sample, mean
from vnfm.counters.domain.counters import COUNTERS, MAX_GAP_INTERVALS, SYSTEM
from vnfm.counters.domain.series import CounterMean
from vnfm.counters.selectors.series import counter_means
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance

SYSTEM_COUNTERS = ("cpu", "memory")


class ElementCounterSource:
    """The metric is `cpu` or `memory`, or a counter and an interface: `utilisationOut 1/1/1`."""

    def load(self, *, instance: VnfInstance, metric: str, since: datetime, now: datetime) -> Load:
        counter, _, interface = metric.partition(" ")
        if counter not in COUNTERS or (counter in SYSTEM_COUNTERS) == bool(interface):
            known = ", ".join(name for name in COUNTERS if name not in SYSTEM_COUNTERS)
            return Load(
                (), f"There is no metric {metric!r}: name cpu, memory, or a counter ({known}) and an interface."
            )
        elements = NetworkElement.objects.filter(vnf_instance=instance, state=NetworkElement.State.MANAGED)
        ids = list(elements.values_list("id", flat=True))
        if not ids:
            return Load((), "No managed network element belongs to the instance.")
        periods = [
            counter_means(element_id=each, name=interface or SYSTEM, counter=counter, begin=since, end=now)
            for each in ids
        ]
        words = f"No network element has delivered {metric} within {_late().total_seconds():g} seconds."
        return Load(mean([list(_samples(each, now)) for each in periods]), words)


def _late() -> timedelta:
    return timedelta(seconds=MAX_GAP_INTERVALS * settings.COUNTER_SECONDS)


def _samples(periods: list[CounterMean], now: datetime) -> Iterator[Sample]:
    """The value of each period, unknown in longer gaps and after the last one."""
    for period, following in pairwise([*periods, None]):
        assert period is not None
        yield Sample(period.begin, period.value)
        expires = period.end + _late()
        if expires < (following.begin if following is not None else now):
            yield Sample(expires, None)

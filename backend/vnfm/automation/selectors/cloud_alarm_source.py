"""Alarms of a cloud's telemetry as a source of loads: 1 while one is raised, 0 while it is not."""

from datetime import datetime, timedelta

from django.db.models import Q

from vnfm.automation.domain.load import Load, Sample
from vnfm.inventory.models import CloudAlarm, VnfInstance

VALID_FOR = timedelta(minutes=10)
"""A webhook call counts so long: Aodh with `repeat_actions` repeats it once a minute."""

INSTANCE = "{vnfInstance}"
"""Placeholder in an alarm's name for the instance's name, so that a package's policy has an alarm for each instance."""

_VALUES = {CloudAlarm.State.ALARM: 1.0, CloudAlarm.State.OK: 0.0}


class CloudAlarmSource:
    """The metric is the name of an alarm, or part of the name of one of the instance's own: Heat adds the stack's name
    before and random characters after the name in the template.
    """

    def load(self, *, instance: VnfInstance, metric: str, since: datetime, now: datetime) -> Load:
        row = _row(instance, metric)
        if row is None:
            return Load((), f"No alarm {_name(instance, metric)!r} has called the webhook of its VIM yet.")
        sample = Sample(row.since, _VALUES.get(CloudAlarm.State(row.state)))
        stale_at = row.received_at + VALID_FOR
        if stale_at > now:
            return Load((sample,), row.reason)
        last = f"{row.received_at:%Y-%m-%d %H:%M:%S} UTC"
        words = f"The alarm {row.name!r} was last received at {last}; have Aodh repeat its actions."
        return Load((sample, Sample(stale_at, None)), words)


def _name(instance: VnfInstance, metric: str) -> str:
    return metric.replace(INSTANCE, instance.name)


def _row(instance: VnfInstance, metric: str) -> CloudAlarm | None:
    """The alarm of exactly that name, else one of the instance's own; of several the one received last."""
    name = _name(instance, metric)
    matches = Q(name=name) | Q(instance=instance, name__contains=name)
    rows = CloudAlarm.objects.filter(matches, vim=instance.vim_id)
    return max(rows, key=lambda row: (row.name == name, row.received_at), default=None)

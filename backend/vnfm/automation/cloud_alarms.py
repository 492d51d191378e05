"""Alarms of a cloud's telemetry as a source of loads: 1 while one is raised, 0 while it is not."""

from datetime import datetime, timedelta

from django.db.models import Q

from vnfm.automation.domain.load import Load, Sample
from vnfm.inventory.models import CloudAlarm, VnfInstance

BELIEVED = timedelta(minutes=10)
"""How long what a webhook told is believed: Aodh with `repeat_actions` tells it again once a minute."""

INSTANCE = "{vnfInstance}"
"""In the name of an alarm it stands for the instance's name, so that a policy of a package means an alarm of each."""

_VALUES = {CloudAlarm.State.ALARM: 1.0, CloudAlarm.State.OK: 0.0}


class CloudAlarms:
    """The metric is the name of an alarm, or a part of the name of one that speaks of the instance: Heat puts the
    stack's name before, and letters of chance behind, what the template calls it.
    """

    def load(self, *, instance: VnfInstance, metric: str, since: datetime, now: datetime) -> Load:
        row = _row(instance, metric)
        if row is None:
            return Load((), f"No alarm {_name(instance, metric)!r} has called the webhook of its VIM yet.")
        told = Sample(row.since, _VALUES.get(CloudAlarm.State(row.state)))
        stale_at = row.received_at + BELIEVED
        if stale_at > now:
            return Load((told,), row.reason)
        last = f"{row.received_at:%Y-%m-%d %H:%M:%S} UTC"
        words = f"The alarm {row.name!r} was last told at {last}; have Aodh repeat its actions."
        return Load((told, Sample(stale_at, None)), words)


def _name(instance: VnfInstance, metric: str) -> str:
    return metric.replace(INSTANCE, instance.name)


def _row(instance: VnfInstance, metric: str) -> CloudAlarm | None:
    """The one of that very name, else one of the instance's own; of several the one that was told last."""
    name = _name(instance, metric)
    wanted = Q(name=name) | Q(instance=instance, name__contains=name)
    rows = CloudAlarm.objects.filter(wanted, vim=instance.vim_id)
    return max(rows, key=lambda row: (row.name == name, row.received_at), default=None)

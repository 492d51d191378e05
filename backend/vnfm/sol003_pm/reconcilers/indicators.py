"""Compares indicators with what subscribers know, and publishes what differs. Input-less: every run looks again."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from vnfm.catalog.domain.indicators import METRICS
from vnfm.installation.selectors import on_hold
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.durable import lease, outbox
from vnfm.lcm.services.transitions import vnf_identity
from vnfm.notifications.models import Subscription
from vnfm.notifications.selectors.indicator_notifications import SUPPORTED_TOPIC, VALUE_TOPIC
from vnfm.sol003_pm.domain.indicator_values import differ, stamp
from vnfm.sol003_pm.indicators.models import IndicatorState
from vnfm.sol003_pm.selectors.indicators import SupportedIndicator, counted_until, indicator_values, supported

AT_ONCE = 50
"""Instances in one transaction."""
LEASE = "indicators"

Event = tuple[str, UUID, int, dict[str, Any]]
Known = dict[UUID, dict[str, IndicatorState]]
"""The known values by instance and indicator."""


def publish_changes() -> int:
    """Publish what changed since the last run; returns how many events. One run at a time.

    None without subscribers, and while on hold. The first run after the first subscription, and that after an instance
    was created, only notes the values.
    """
    if on_hold():
        return 0
    with lease.hold(LEASE) as held:
        if held is None:
            return 0
        if not Subscription.objects.filter(interface=Subscription.Interface.VNFIND).exists():
            IndicatorState.objects.all().delete()
            return 0
        ids = list(VnfInstance.objects.order_by("id").values_list("id", flat=True))
        return sum(_compare(ids[start : start + AT_ONCE], clock.now()) for start in range(0, len(ids), AT_ONCE))


@transaction.atomic
def _compare(ids: Sequence[UUID], now: datetime) -> int:
    """Rows are locked: a run whose lease expired may not know it yet."""
    rows = IndicatorState.objects.select_for_update().filter(instance__in=ids).order_by("id")
    known: Known = {}
    for row in rows:
        known.setdefault(row.instance_id, {})[row.indicator_id] = row
    instances = VnfInstance.objects.filter(id__in=ids).select_related("package")
    vnfs = {each.id: vnf_identity(each) for each in instances}
    declared: dict[UUID, list[SupportedIndicator]] = {}
    for each in supported(instances):
        declared.setdefault(each.instance_id, []).append(each)
    events = [*_changed_sets(declared, known, vnfs), *_changed_values(declared, known, vnfs, now)]
    outbox.publish_all(events)
    return len(events)


def _changed_sets(
    declared: Mapping[UUID, list[SupportedIndicator]], known: Known, vnfs: Mapping[UUID, dict[str, str]]
) -> Iterator[Event]:
    """Publish the indicators of instances whose VNFD is another one now."""
    for instance_id, indicators in declared.items():
        before, after = known.get(instance_id, {}), {each.indicator.id for each in indicators}
        if not before or set(before) == after:
            continue
        IndicatorState.objects.filter(id__in=[row.id for name, row in before.items() if name not in after]).delete()
        payload = {"vnf": vnfs[instance_id], "indicators": [_named(each) for each in indicators]}
        yield SUPPORTED_TOPIC, instance_id, max(row.version for row in before.values()) + 1, payload


def _changed_values(
    declared: Mapping[UUID, list[SupportedIndicator]], known: Known, vnfs: Mapping[UUID, dict[str, str]], now: datetime
) -> Iterator[Event]:
    due = [
        each
        for indicators in declared.values()
        for each in indicators
        if not _counted_already(each, known.get(each.instance_id, {}).get(each.indicator.id), now)
    ]
    values = indicator_values(due, now)
    new, seen = [], []
    for each in due:
        if each.key not in values:
            continue  # its instance has been deleted
        value, row = values[each.key].as_json(), known.get(each.instance_id, {}).get(each.indicator.id)
        if row is None:
            new.append(IndicatorState(instance_id=each.instance_id, indicator_id=each.indicator.id, value=value))
            continue
        if differ(row.value, value):
            row.version += 1
            payload = {"vnf": vnfs[each.instance_id], "indicator": _named(each), "value": value}
            yield VALUE_TOPIC, each.instance_id, row.version, payload
        if row.value != value:
            row.value = value
            seen.append(row)
    IndicatorState.objects.bulk_create(new, ignore_conflicts=True)
    IndicatorState.objects.bulk_update(seen, ["value", "version"])


def _counted_already(each: SupportedIndicator, row: IndicatorState | None, now: datetime) -> bool:
    """Return whether its counter of the last period is known: counting takes queries of its own."""
    if each.indicator.source not in METRICS or row is None:
        return False
    return bool(row.value.get("observedAt") == stamp(counted_until(now)))


def _named(each: SupportedIndicator) -> dict[str, str]:
    name = {"name": each.indicator.name} if each.indicator.name else {}
    return {"vnfIndicatorId": each.indicator.id, **name}

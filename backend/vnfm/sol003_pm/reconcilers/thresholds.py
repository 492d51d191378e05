"""Evaluates thresholds by the counters that are stored already.

On which side of a threshold the last value was is in its row: a crossing is notified once, also after a restart.
"""

from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction

from vnfm.installation.selectors import on_hold
from vnfm.kit.durable import outbox
from vnfm.notifications.selectors.pm_notifications import THRESHOLD_TOPIC
from vnfm.sol003_pm.domain.crossing import Direction, crossed, notified
from vnfm.sol003_pm.domain.metrics import MeasuredType, PmMetric, selected
from vnfm.sol003_pm.domain.schedule import oldest_collected
from vnfm.sol003_pm.domain.values import periods
from vnfm.sol003_pm.models import PmThreshold
from vnfm.sol003_pm.reconcilers.reports import notification_payload
from vnfm.sol003_pm.selectors.jobs import threshold_path
from vnfm.sol003_pm.selectors.measured import (
    Measured,
    Period,
    as_one,
    measure,
    measured_objects,
    settled_after,
    shortest_period,
)

LATEST = timedelta(hours=1)
"""After a standstill older values are passed over: a crossing of yesterday says nothing about now."""
AT_ONCE = 200

log = structlog.get_logger(__name__)


def evaluate_due(now: datetime) -> int:
    """Evaluate the thresholds that have new values; returns how many. None while on hold after a restore."""
    done = 0
    while not on_hold() and done < AT_ONCE and _evaluate_one(now):
        done += 1
    return done


@transaction.atomic
def _evaluate_one(now: datetime) -> bool:
    settled, length = now - settled_after(), shortest_period()
    due = PmThreshold.objects.select_for_update(skip_locked=True).filter(collected_until__lte=settled - length)
    threshold = due.order_by("collected_until").first()
    if threshold is None:
        return False
    begin = oldest_collected(threshold.collected_until, now, LATEST, length)
    windows = list(periods(begin, settled, length))
    for object_type, metrics in selected([threshold.metric], (), threshold.object_type).items():
        measured = measured_objects(object_type, [threshold.object_id], threshold.sub_object_ids)
        for each in as_one(measured) if threshold.edition == PmThreshold.Edition.V1 else measured:
            _evaluate(threshold, object_type, each, metrics[threshold.metric], windows)
    threshold.collected_until = windows[-1][1] if windows else begin
    threshold.save(update_fields=["collected_until", "sides"])
    return True


def _evaluate(
    threshold: PmThreshold, object_type: MeasuredType, measured: Measured, metric: PmMetric, windows: list[Period]
) -> None:
    for value in measure(measured, metric, windows) if measured.sources else ():
        before: Direction | None = threshold.sides.get(measured.sub_id)
        after = crossed(before, value, threshold.value, threshold.hysteresis)
        if value is None or after is None:
            continue
        threshold.sides[measured.sub_id] = after
        if notified(before, after):
            _publish(threshold, object_type, measured, after, value)


def _publish(
    threshold: PmThreshold, object_type: MeasuredType, measured: Measured, side: Direction, value: float
) -> None:
    body: dict[str, Any] = {
        "thresholdId": str(threshold.id),
        "crossingDirection": side,
        "objectInstanceId": str(threshold.object_id),
        "performanceMetric": threshold.metric,
        "performanceValue": value,
    }
    if threshold.edition == PmThreshold.Edition.V2:
        sub_object = {"subObjectInstanceId": measured.sub_id} if measured.sub_id else {}
        body |= {"objectType": object_type, **sub_object}
    payload = notification_payload(threshold, threshold.object_id, body, {"threshold": threshold_path(threshold)})
    outbox.publish(THRESHOLD_TOPIC, threshold.id, threshold.version, payload)
    log.info("pm.threshold_crossed", threshold=str(threshold.id), direction=side, value=value)

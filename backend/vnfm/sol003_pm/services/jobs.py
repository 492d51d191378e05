"""Creating PM jobs and thresholds (SOL003 6.4.2.3.1 and 6.4.5.3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from vnfm.kit import clock
from vnfm.kit.problem import FieldError, unprocessable
from vnfm.notifications.models import Subscription
from vnfm.notifications.services.subscriptions import Login
from vnfm.sol003_pm.domain.schedule import next_report
from vnfm.sol003_pm.models import PmJob, PmThreshold
from vnfm.sol003_pm.selectors.measured import shortest_period
from vnfm.sol003_pm.services.measurements import measurement_create, metrics_of, require_measured

Callback = tuple[str, Login | None] | None
"""URI and login; None in edition v1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """`object_type` is "" in edition v1."""

    object_type: str
    object_ids: Sequence[UUID]
    sub_object_ids: Sequence[str] | None
    metrics: Sequence[str]
    groups: Sequence[str]
    collection_period: timedelta
    reporting_period: timedelta
    reporting_boundary: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRequest:
    """`object_type` is "" in edition v1."""

    object_type: str
    object_id: UUID
    sub_object_ids: Sequence[str] | None
    metric: str
    value: float
    hysteresis: float


def job_create(*, request: JobRequest, edition: str, callback: Callback, by: str) -> PmJob:
    """Raises 422 for what cannot be measured, and for periods that are too short or already over."""
    metrics = metrics_of(request.object_type, request.metrics, request.groups, at="/criteria")
    _require_periods(request)
    require_measured(metrics, request.object_ids, request.sub_object_ids, at="/objectInstanceIds", edition=edition)
    identity = uuid4()

    def build(subscription: Subscription | None, now: datetime) -> PmJob:
        return PmJob(
            id=identity,
            edition=edition,
            subscription=subscription,
            object_type=request.object_type,
            object_ids=[str(each) for each in request.object_ids],
            sub_object_ids=None if request.sub_object_ids is None else list(request.sub_object_ids),
            metrics=list(request.metrics),
            groups=list(request.groups),
            collection_seconds=int(request.collection_period.total_seconds()),
            reporting_seconds=int(request.reporting_period.total_seconds()),
            reporting_boundary=request.reporting_boundary,
            created_at=now,
            created_by=by,
            collected_until=now,
            reported_until=now,
            report_at=next_report(now, request.reporting_period, request.reporting_boundary),
        )

    return measurement_create(
        build, identity=identity, interface=Subscription.Interface.VNFPM_JOB, callback=callback, by=by
    )


def _require_periods(request: JobRequest) -> None:
    shortest = shortest_period()
    if request.collection_period < shortest:
        words = f"Counters are read every {shortest.total_seconds():g} s; a shorter period would have no values."
        raise unprocessable("PERIOD_TOO_SHORT", words, [FieldError("/criteria/collectionPeriod", words)])
    if request.reporting_period < request.collection_period:
        words = "The reporting period must not be shorter than the collection period."
        raise unprocessable("PERIOD_TOO_SHORT", words, [FieldError("/criteria/reportingPeriod", words)])
    if request.reporting_boundary is not None and request.reporting_boundary <= clock.now():
        words = "The reporting boundary is over already."
        raise unprocessable("BOUNDARY_OVER", words, [FieldError("/criteria/reportingBoundary", words)])


def threshold_create(*, request: ThresholdRequest, edition: str, callback: Callback, by: str) -> PmThreshold:
    """Raises 422 for what cannot be measured."""
    metrics = metrics_of(request.object_type, [request.metric], (), at="/criteria/performanceMetric")
    require_measured(metrics, [request.object_id], request.sub_object_ids, at="/objectInstanceId", edition=edition)
    identity = uuid4()

    def build(subscription: Subscription | None, now: datetime) -> PmThreshold:
        return PmThreshold(
            id=identity,
            edition=edition,
            subscription=subscription,
            object_type=request.object_type,
            object_id=request.object_id,
            sub_object_ids=None if request.sub_object_ids is None else list(request.sub_object_ids),
            metric=request.metric,
            value=request.value,
            hysteresis=request.hysteresis,
            created_at=now,
            created_by=by,
            collected_until=now,
        )

    return measurement_create(
        build, identity=identity, interface=Subscription.Interface.VNFPM_THRESHOLD, callback=callback, by=by
    )

"""Reports of PM jobs, from the counters that are stored already.

Where a job stands is in its row: after a standstill its reports are made late, of what was counted during it.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from vnfm.installation.selectors import on_hold
from vnfm.inventory.models import VnfInstance
from vnfm.kit.durable import outbox
from vnfm.lcm.services.transitions import vnf_identity
from vnfm.notifications.selectors.pm_notifications import JOB_TOPIC
from vnfm.sol003_pm.domain.metrics import MeasuredType, PmMetric, selected
from vnfm.sol003_pm.domain.schedule import next_report, oldest_collected
from vnfm.sol003_pm.domain.values import periods
from vnfm.sol003_pm.models import PmJob, PmReport
from vnfm.sol003_pm.selectors.jobs import job_path, object_path, report_path
from vnfm.sol003_pm.selectors.measured import Measured, Period, as_one, measure, measured_objects, settled_after

KEEP_REPORTS = timedelta(days=7)
KEEP_SAMPLES = timedelta(days=2)
"""The same as in `history.days`: what is older is summed up by quarters of an hour."""
AT_ONCE = 50
"""Reports of one sweep: the worker's thread is for others, too."""

log = structlog.get_logger(__name__)


def report_due(now: datetime) -> int:
    """Make the reports whose period is over; returns how many. None while on hold after a restore."""
    made = 0
    while not on_hold() and made < AT_ONCE and _report_one(now):
        made += 1
    return made


@transaction.atomic
def _report_one(now: datetime) -> bool:
    """The report that is due the longest; False when none is. Jobs that another process works on are left to it."""
    due = PmJob.objects.select_for_update(skip_locked=True).filter(report_at__lte=now - settled_after())
    job = due.order_by("report_at").first()
    if job is None:
        return False
    assert job.report_at is not None
    begin = oldest_collected(job.collected_until, now, KEEP_SAMPLES, job.collection_period)
    windows = list(periods(begin, job.report_at, job.collection_period))
    if windows:
        _publish(job, _store(job, windows, now))
    job.collected_until = windows[-1][1] if windows else begin
    job.reported_until = max(job.report_at, oldest_collected(job.report_at, now, KEEP_SAMPLES, job.reporting_period))
    job.report_at = next_report(job.reported_until, job.reporting_period, job.reporting_boundary)
    job.save(update_fields=["collected_until", "reported_until", "report_at"])
    return True


def _store(job: PmJob, windows: Sequence[Period], now: datetime) -> PmReport:
    entries: list[dict[str, Any]] = []
    gaps: list[dict[str, Any]] = []
    for place, values in _collected(job, windows):
        known = [
            {"timeStamp": _stamp(end), "value": value}
            for (_, end), value in zip(windows, values, strict=True)
            if value is not None
        ]
        missing = [_stamp(end) for (_, end), value in zip(windows, values, strict=True) if value is None]
        if known:
            entries.append({**place, "performanceValues": known})
        if missing:
            gaps.append({**place, "timeStamps": missing})
    report = PmReport.objects.create(job=job, ready_at=now, expires_at=now + KEEP_REPORTS, entries=entries, gaps=gaps)
    log.info("pm.reported", job=str(job.id), report=str(report.id), entries=len(entries), gaps=len(gaps))
    return report


def _collected(job: PmJob, windows: Sequence[Period]) -> Iterator[tuple[dict[str, str], list[float | None]]]:
    """Yield what an entry says of its object and metric, with a value for each window."""
    ids = [UUID(each) for each in job.object_ids]
    vnfds = _vnfd_ids(ids) if job.edition == PmJob.Edition.V1 else {}
    for object_type, metrics in selected(job.metrics, job.groups, job.object_type).items():
        for measured in _measured(job, object_type, ids):
            for name, metric in metrics.items():
                place = {
                    "objectType": vnfds.get(measured.object_id, "") if job.edition == PmJob.Edition.V1 else object_type,
                    "objectInstanceId": str(measured.object_id),
                    **({"subObjectInstanceId": measured.sub_id} if measured.sub_id else {}),
                    "performanceMetric": name,
                }
                yield place, _values(measured, metric, windows)


def _measured(job: PmJob, object_type: MeasuredType, ids: Sequence[UUID]) -> list[Measured]:
    """Return also what is gone, without sources: it is a gap like any other."""
    found = measured_objects(object_type, ids, job.sub_object_ids)
    found = as_one(found) if job.edition == PmJob.Edition.V1 else found
    if job.sub_object_ids is None:
        known = {each.object_id for each in found}
        return found + [Measured(each, "", ()) for each in ids if each not in known]
    subs = {each.sub_id for each in found}
    return found + [Measured(ids[0], each, ()) for each in job.sub_object_ids if each not in subs]


def _values(measured: Measured, metric: PmMetric, windows: Sequence[Period]) -> list[float | None]:
    return measure(measured, metric, windows) if measured.sources else [None] * len(windows)


def _vnfd_ids(ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """SOL003 2.6.1, 6.5.2.10: the type of a VNF is its vnfdId."""
    rows = VnfInstance.objects.filter(id__in=ids).values_list("id", "package__vnfd_id")
    return {instance: str(vnfd) for instance, vnfd in rows}


def _publish(job: PmJob, report: PmReport) -> None:
    """A notification for each measured object (SOL003 6.5.2.5)."""
    links = {"pmJob": job_path(job), "performanceReport": report_path(report)}
    payloads = [notification_payload(job, UUID(each), _body(job, each), links) for each in job.object_ids]
    outbox.publish_all([(JOB_TOPIC, job.id, job.version, payload) for payload in payloads])


def _body(job: PmJob, object_id: str) -> dict[str, Any]:
    if job.edition == PmJob.Edition.V1:
        return {"objectInstanceId": object_id}
    subs = {} if job.sub_object_ids is None else {"subObjectInstanceIds": job.sub_object_ids}
    return {"pmJobId": str(job.id), "objectType": job.object_type, "objectInstanceId": object_id, **subs}


def notification_payload(
    measurement: Any, object_id: UUID, body: dict[str, Any], links: dict[str, str]
) -> dict[str, Any]:
    """As `notifications.selectors.pm_notifications` reads it, of a job or threshold."""
    instance = VnfInstance.objects.select_related("package").filter(id=object_id).first()
    path = object_path(measurement.edition, measurement.object_type, object_id)
    return {
        "edition": measurement.edition,
        "body": body,
        "links": {"objectInstance": path, **links},
        "vnf": vnf_identity(instance) if instance is not None else {},
    }


def _stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def prune(now: datetime) -> int:
    """Delete expired reports; returns how many."""
    deleted, _ = PmReport.objects.filter(expires_at__lt=now).delete()
    return deleted

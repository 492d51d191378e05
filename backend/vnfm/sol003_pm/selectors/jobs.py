"""PM jobs, their reports and thresholds, and the paths under which they are served."""

from uuid import UUID

from django.db.models import QuerySet

from vnfm.accounts.models import User
from vnfm.notifications.selectors.subscriptions import visible_uri
from vnfm.sol003_pm.domain.metrics import MeasuredType
from vnfm.sol003_pm.models import PmJob, PmReport, PmThreshold


def job_list(*, user: User, edition: str) -> QuerySet[PmJob]:
    """Each with `visible_uri`, its callback as `user` sees it."""
    rows = PmJob.objects.filter(edition=edition).select_related("subscription")
    return rows.annotate(visible_uri=visible_uri(user, "subscription__"))


def threshold_list(*, user: User, edition: str) -> QuerySet[PmThreshold]:
    """Each with `visible_uri`, its callback as `user` sees it."""
    rows = PmThreshold.objects.filter(edition=edition).select_related("subscription")
    return rows.annotate(visible_uri=visible_uri(user, "subscription__"))


def report_list(*, job: PmJob) -> QuerySet[PmReport]:
    """Read them without their entries."""
    return job.reports.order_by("ready_at").defer("entries", "gaps")


def job_path(job: PmJob) -> str:
    return f"/vnfpm/{job.edition}/pm_jobs/{job.pk}"


def report_path(report: PmReport) -> str:
    return f"{job_path(report.job)}/reports/{report.pk}"


def threshold_path(threshold: PmThreshold) -> str:
    return f"/vnfpm/{threshold.edition}/thresholds/{threshold.pk}"


def object_path(edition: str, object_type: str, object_id: UUID) -> str:
    """Return the path of a measured VNF instance or network element."""
    if object_type in (MeasuredType.ELEMENT, MeasuredType.INTERFACE):
        return f"/api/v1/elements/{object_id}"
    return f"/vnflcm/{edition}/vnf_instances/{object_id}"

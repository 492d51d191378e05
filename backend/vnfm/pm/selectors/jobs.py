"""PM jobs, their reports and thresholds, and the paths under which they are served."""

from uuid import UUID

from django.db.models import QuerySet

from vnfm.pm.domain.metrics import MeasuredType
from vnfm.pm.models import PmJob, PmReport, PmThreshold


def job_list(*, edition: str) -> QuerySet[PmJob]:
    return PmJob.objects.filter(edition=edition).select_related("subscription")


def threshold_list(*, edition: str) -> QuerySet[PmThreshold]:
    return PmThreshold.objects.filter(edition=edition).select_related("subscription")


def report_list(*, job: PmJob) -> QuerySet[PmReport]:
    """Without what is in them."""
    return job.reports.order_by("ready_at").defer("entries", "gaps")


def job_path(job: PmJob) -> str:
    return f"/vnfpm/{job.edition}/pm_jobs/{job.pk}"


def report_path(report: PmReport) -> str:
    return f"{job_path(report.job)}/reports/{report.pk}"


def threshold_path(threshold: PmThreshold) -> str:
    return f"/vnfpm/{threshold.edition}/thresholds/{threshold.pk}"


def object_path(edition: str, object_type: str, object_id: UUID) -> str:
    """Of a measured VNF instance or network element."""
    if object_type in (MeasuredType.ELEMENT, MeasuredType.INTERFACE):
        return f"/api/v1/elements/{object_id}"
    return f"/vnflcm/{edition}/vnf_instances/{object_id}"

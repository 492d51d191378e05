"""/vnfpm/v2/pm_jobs (SOL003 6.4.2, 6.4.3) and the reports (6.4.4); /vnfpm/v1 with the shapes of 2.6.1.

Reading needs the role operator, too: callback URIs often contain a secret.
"""

from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import OuterRef
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.kit.etsi.json_filters import Texts
from vnfm.kit.etsi.query import Attributes, Member, filtered, one, page
from vnfm.kit.etsi.query_guard import SELECTED
from vnfm.kit.etsi.selection import selection, selection_parameters
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import StrictSerializer, list_parameters
from vnfm.notifications.wire import login_of
from vnfm.sol003_pm.api.shapes import (
    CreatePmJobRequest,
    CreatePmJobRequestV1,
    PerformanceReport,
    PmJobModifications,
    PmJobOut,
    PmJobV1,
)
from vnfm.sol003_pm.models import PmJob, PmReport, PmThreshold
from vnfm.sol003_pm.selectors.jobs import job_list
from vnfm.sol003_pm.services.jobs import JobRequest, job_create
from vnfm.sol003_pm.services.measurements import callback_update, measurement_delete

FILTERS_V1: Attributes = {
    "id": "id",
    "objectInstanceIds": Texts("object_ids", ()),
    "criteria/performanceMetric": Texts("metrics", ()),
    "criteria/performanceMetricGroup": Texts("groups", ()),
    "criteria/collectionPeriod": "collection_seconds",
    "criteria/reportingPeriod": "reporting_seconds",
    "criteria/reportingBoundary": "reporting_boundary",
    "reports/readyTime": Member(PmReport.objects.filter(job=OuterRef("pk")), "ready_at"),
    "reports/expiryTime": Member(PmReport.objects.filter(job=OuterRef("pk")), "expires_at"),
}
FILTERS: Attributes = {
    **FILTERS_V1,
    "objectType": "object_type",
    "subObjectInstanceIds": Texts("sub_object_ids", ()),
    "callbackUri": "visible_uri",
}
REPORTS = "reports"


class PmOperators(APIView):
    """All resources of /vnfpm derive from it."""

    read_role = write_role = Role.OPERATOR
    edition: ClassVar[str] = PmJob.Edition.V2

    def require_edition(self, model: type[PmJob | PmThreshold], key: UUID, what: str) -> None:
        """Raises a 404 problem that says where it is when it was created by the other edition.

        One of 2.6.1 has no callback and no object type, which later editions require; one of these has no subscription.
        """
        other = model.objects.filter(pk=key).exclude(edition=self.edition).values_list("edition", flat=True).first()
        if other is not None:
            words = f"The {what} {key} was created by /vnfpm/{other}, which alone shows it."
            raise ProblemError(Problem(404, "NOT_FOUND", "Not found", words, f"Ask for it at /vnfpm/{other}."))


class _Jobs(PmOperators):
    shape: ClassVar[type[PmJobV1]] = PmJobOut
    filters: ClassVar[Attributes] = FILTERS

    def _list(self, request: Request) -> Response:
        chosen = selection(request, optional=(REPORTS,), default=(REPORTS,))
        jobs = job_list(user=caller(request), edition=self.edition).prefetch_related(REPORTS)
        rows = filtered(jobs, request, self.filters)
        found, headers = page(rows, request)
        context = {"reports": chosen.wants(REPORTS)}
        return Response(self.shape(found, many=True, context=context).data, headers=headers)

    def _create(self, request: Request, body: StrictSerializer) -> Response:
        body.is_valid(raise_exception=True)
        values: dict[str, Any] = body.validated_data
        login = login_of(values.get("authentication"))
        job = job_create(
            request=_job_request(values),
            edition=self.edition,
            callback=(values["callbackUri"], login) if "callbackUri" in values else None,
            by=caller(request).username,
        )
        headers = {"Location": request.build_absolute_uri(f"{request.path}/{job.id}"), "ETag": etag(job.version)}
        return Response(self.shape(self._job(request, job.pk)).data, status=201, headers=headers)

    def _view(self, request: Request, job_id: UUID) -> Response:
        job = self._job(request, job_id)
        return Response(self.shape(job).data, headers={"ETag": etag(job.version)})

    def _delete(self, request: Request, job_id: UUID) -> Response:
        job = self._job(request, job_id)
        require_match(request, job.version)
        measurement_delete(measurement=job, by=caller(request).username)
        return Response(status=204)

    def _report(self, request: Request, job_id: UUID, report_id: UUID) -> Response:
        report = one(PmReport.objects.filter(job=self._job(request, job_id)), "report", report_id)
        return Response(PerformanceReport(report).data)

    def _job(self, request: Request, job_id: UUID) -> PmJob:
        self.require_edition(PmJob, job_id, "PM job")
        return one(job_list(user=caller(request), edition=self.edition), "PM job", job_id)


def _job_request(values: dict[str, Any]) -> JobRequest:
    criteria = values["criteria"]
    return JobRequest(
        object_type=values.get("objectType", ""),
        object_ids=values["objectInstanceIds"],
        sub_object_ids=values.get("subObjectInstanceIds"),
        metrics=criteria.get("performanceMetric", []),
        groups=criteria.get("performanceMetricGroup", []),
        collection_period=timedelta(seconds=criteria["collectionPeriod"]),
        reporting_period=timedelta(seconds=criteria["reportingPeriod"]),
        reporting_boundary=criteria.get("reportingBoundary"),
    )


class PmJobListApi(_Jobs):
    query = SELECTED

    @extend_schema(
        operation_id="pm_job_list",
        parameters=[*list_parameters(FILTERS), *selection_parameters((REPORTS,), (REPORTS,))],
        responses=PmJobOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """All PM jobs, of all users."""
        return self._list(request)

    @extend_schema(operation_id="pm_job_create", request=CreatePmJobRequest, responses={201: PmJobOut})
    def post(self, request: Request) -> Response:
        """Collect metrics of VNF instances or network elements, and report them to a callback.

        A metric that is not measured is refused with 422. The callback is tested afterwards, as subscribers' are.
        """
        return self._create(request, CreatePmJobRequest(data=request.data))


class PmJobApi(_Jobs):
    @extend_schema(operation_id="pm_job_view", responses=PmJobOut)
    def get(self, request: Request, job_id: UUID) -> Response:
        """One PM job, with the reports that have not expired."""
        return self._view(request, job_id)

    @extend_schema(operation_id="pm_job_update", request=PmJobModifications, responses=PmJobModifications)
    def patch(self, request: Request, job_id: UUID) -> Response:
        """Report to another callback, or with another login. The callback is tested afterwards."""
        body = PmJobModifications(data=request.data)
        return update_callback(request, self._job(request, job_id), body)

    @extend_schema(operation_id="pm_job_delete", responses={204: None})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """End the PM job, and delete its reports."""
        return self._delete(request, job_id)


def update_callback(request: Request, measurement: Any, body: StrictSerializer) -> Response:
    """Return what was changed of a PM job or threshold (SOL003 6.4.3.3.4)."""
    body.is_valid(raise_exception=True)
    values: dict[str, Any] = body.validated_data
    require_match(request, measurement.version)
    changed = callback_update(
        measurement=measurement,
        callback_uri=values.get("callbackUri"),
        login=login_of(values.get("authentication")),
        keep_login="authentication" not in values,
        by=caller(request).username,
    )
    shown = {"callbackUri": values["callbackUri"]} if "callbackUri" in values else {}
    return Response(shown, headers={"ETag": etag(changed.version)})


class PmReportApi(_Jobs):
    @extend_schema(operation_id="pm_report_view", responses=PerformanceReport)
    def get(self, request: Request, job_id: UUID, report_id: UUID) -> Response:
        """Read what was collected in one reporting period. Periods without counters are in `gaps`."""
        return self._report(request, job_id, report_id)


class _JobsV1(_Jobs):
    """The edition of SOL003 2.6.1."""

    edition, shape, filters = PmJob.Edition.V1, PmJobV1, FILTERS_V1


class PmJobListV1Api(_JobsV1):
    query = SELECTED

    @extend_schema(
        operation_id="pm_job_list_v1",
        parameters=[*list_parameters(FILTERS_V1), *selection_parameters((REPORTS,), (REPORTS,))],
        responses=PmJobV1(many=True),
    )
    def get(self, request: Request) -> Response:
        """All PM jobs of this version, of all users."""
        return self._list(request)

    @extend_schema(operation_id="pm_job_create_v1", request=CreatePmJobRequestV1, responses={201: PmJobV1})
    def post(self, request: Request) -> Response:
        """Collect metrics of VNF instances; subscribers are notified of reports. Other metrics are refused (422)."""
        return self._create(request, CreatePmJobRequestV1(data=request.data))


class PmJobV1Api(_JobsV1):
    @extend_schema(operation_id="pm_job_view_v1", responses=PmJobV1)
    def get(self, request: Request, job_id: UUID) -> Response:
        """One PM job, with the reports that have not expired."""
        return self._view(request, job_id)

    @extend_schema(operation_id="pm_job_delete_v1", responses={204: None})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """End the PM job, and delete its reports."""
        return self._delete(request, job_id)


class PmReportV1Api(_JobsV1):
    @extend_schema(operation_id="pm_report_view_v1", responses=PerformanceReport)
    def get(self, request: Request, job_id: UUID, report_id: UUID) -> Response:
        """Read what was collected in one reporting period."""
        return self._report(request, job_id, report_id)

"""/api/v1/overview, /api/v1/operations and /api/v1/first_steps: the start page, and the operations under way."""

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.installation.selectors import restoration_on_hold
from vnfm.kit import clock
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.lcm.domain.operation_lines import OperationLines
from vnfm.lcm.selectors.operation_lines import operation_lines
from vnfm.overview.api.shapes import FirstStepsChange
from vnfm.overview.domain.first_steps import FirstSteps, is_visible
from vnfm.overview.domain.overview import Overview
from vnfm.overview.models import FirstStepsProgress
from vnfm.overview.selectors.first_steps import first_steps, progress_of
from vnfm.overview.selectors.overview import overview
from vnfm.overview.selectors.readiness import InstallationReadiness, readiness
from vnfm.overview.services import first_steps_update


class OverviewApi(APIView):
    @extend_schema(operation_id="overview", responses=answer(Overview))
    def get(self, request: Request) -> Response:
        """Clouds, VNF instances, network elements, alarms, problems and operations as they are now."""
        return Response(as_answer(overview()))


class ReadinessApi(APIView):
    @extend_schema(operation_id="readiness", responses=answer(InstallationReadiness))
    def get(self, request: Request) -> Response:
        """Return the states of database, schema, broker, processes and disks; the version; the restore on hold."""
        found, held = readiness(), restoration_on_hold()
        whole = InstallationReadiness(
            ready=found.ready,
            checks=found.checks,
            version=settings.VERSION,
            on_hold_from=held.taken_at if held else None,
        )
        return Response(as_answer(whole))


def readyz(request: HttpRequest) -> JsonResponse:
    """The checks without a login, for monitoring: 200 when all are ok, else 503."""
    found = readiness()
    return JsonResponse(as_answer(found), status=200 if found.ready else 503)


class OperationLinesApi(APIView):
    @extend_schema(operation_id="operation_lines", tags=["Operations"], responses=answer(OperationLines))
    def get(self, request: Request) -> Response:
        """Operations of all VNF instances in one line each: under way, and ended last."""
        return Response(as_answer(operation_lines()))


class FirstStepsApi(APIView):
    """Looking at a router and dismissing are the caller's own; the rest is done as soon as any user has done it."""

    write_role = Role.VIEWER

    @extend_schema(operation_id="first_steps", responses=answer(FirstSteps))
    def get(self, request: Request) -> Response:
        """Return the first steps, and which have been done: by the caller (VIEW_ELEMENT), by anyone (the rest)."""
        return _first_steps(progress_of(user_id=caller(request).id))

    @extend_schema(operation_id="first_steps_update", request=FirstStepsChange, responses=answer(FirstSteps))
    def patch(self, request: Request) -> Response:
        """Dismiss the steps, or record that the caller viewed a network element."""
        body = FirstStepsChange(data=request.data)
        body.is_valid(raise_exception=True)
        return _first_steps(first_steps_update(user_id=caller(request).id, **body.validated_data))


def _first_steps(progress: FirstStepsProgress) -> Response:
    steps = first_steps(progress)
    shown = is_visible(steps, dismissed=progress.dismissed_at is not None, now=clock.now())
    return Response(as_answer(FirstSteps(shown, steps)))

"""/api/v1/restoration: what a restore of a backup left to decide, and the end of the hold."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.installation.services import hold_release
from vnfm.kit.problem import not_found
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.overview.selectors.restoration import RestorationComparison, comparison

TAGS = ["Overview"]


class RestorationApi(APIView):
    @extend_schema(operation_id="restoration", tags=TAGS, responses=answer(RestorationComparison))
    def get(self, request: Request) -> Response:
        """The last restore of a backup, and what differs between its records and the clouds and routers now."""
        return _answer(comparison())


class RestorationReleaseApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="restoration_release", tags=TAGS, request=None, responses=answer(RestorationComparison))
    def post(self, request: Request) -> Response:
        """End the hold: automation acts again, and what waits for subscribers is sent."""
        hold_release(by=caller(request).username)
        return _answer(comparison())


def _answer(found: RestorationComparison | None) -> Response:
    if found is None:
        raise not_found("restoration", "latest")
    return Response(as_answer(found))

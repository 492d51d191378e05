"""/api/v1/maintenance_windows."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.faults.api.shapes import MaintenanceWindowOut, MaintenanceWindowUpdate, MaintenanceWindowWrite
from vnfm.faults.models import MaintenanceWindow
from vnfm.faults.selectors import window_get, window_list
from vnfm.faults.services.maintenance import window_create, window_end, window_update
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import list_parameters

FILTERABLE = {
    "managedObjectType": "managed_object_type",
    "managedObjectId": "managed_object_id",
    "startsAt": "starts_at",
    "endsAt": "ends_at",
    "createdBy": "created_by",
}


def _window(window: MaintenanceWindow, status: int = 200) -> Response:
    return Response(as_answer(window, MaintenanceWindowOut), status=status, headers={"ETag": etag(window.version)})


class MaintenanceWindowListApi(APIView):
    @extend_schema(
        operation_id="maintenance_window_list",
        parameters=list_parameters(FILTERABLE),
        responses=answer(MaintenanceWindowOut)(many=True),
    )
    def get(self, request: Request) -> Response:
        """Maintenance windows, the latest first, ended ones included."""
        rows, headers = page(filtered(window_list(), request, FILTERABLE), request, order=("-starts_at", "id"))
        return Response(answer(MaintenanceWindowOut)(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="maintenance_window_create",
        request=MaintenanceWindowWrite,
        responses={201: answer(MaintenanceWindowOut)},
    )
    def post(self, request: Request) -> Response:
        """Open a window in which faults of the object are recorded, and published only if they outlast it."""
        body = MaintenanceWindowWrite(data=request.data)
        body.is_valid(raise_exception=True)
        return _window(window_create(**body.validated_data, by=caller(request).username, now=clock.now()), 201)


class MaintenanceWindowApi(APIView):
    @extend_schema(operation_id="maintenance_window_view", responses=answer(MaintenanceWindowOut))
    def get(self, request: Request, window_id: UUID) -> Response:
        """One maintenance window."""
        return _window(window_get(window_id=window_id))

    @extend_schema(
        operation_id="maintenance_window_update",
        request=MaintenanceWindowUpdate,
        responses=answer(MaintenanceWindowOut),
    )
    def patch(self, request: Request, window_id: UUID) -> Response:
        """Change its end or reason; 409 when it is over. Honours If-Match."""
        window = window_get(window_id=window_id)
        require_match(request, window.version)
        body = MaintenanceWindowUpdate(data=request.data)
        body.is_valid(raise_exception=True)
        by = caller(request).username
        return _window(window_update(window=window, values=body.validated_data, by=by, now=clock.now()))

    @extend_schema(operation_id="maintenance_window_delete", responses={204: None})
    def delete(self, request: Request, window_id: UUID) -> Response:
        """End it now, or delete it if it has not begun. Honours If-Match."""
        window = window_get(window_id=window_id)
        require_match(request, window.version)
        window_end(window=window, by=caller(request).username, now=clock.now())
        return Response(status=204)

"""/api/v1/alarm_policies and /api/v1/maintenance_windows."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.accounts.models import Role
from vnfm.faults.api.shapes import (
    AlarmPolicyOut,
    AlarmPolicyWrite,
    MaintenanceWindowOut,
    MaintenanceWindowUpdate,
    MaintenanceWindowWrite,
)
from vnfm.faults.arrangements import (
    policy_create,
    policy_delete,
    policy_update,
    window_create,
    window_end,
    window_update,
)
from vnfm.faults.models import AlarmPolicy, MaintenanceWindow
from vnfm.faults.selectors import policy_get, policy_list, window_get, window_list
from vnfm.kit import clock
from vnfm.kit.http import etag, require_match
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters

WINDOWS_BY = {
    "managedObjectType": "managed_object_type",
    "managedObjectId": "managed_object_id",
    "startsAt": "starts_at",
    "endsAt": "ends_at",
    "createdBy": "created_by",
}


def _policy(policy: AlarmPolicy, status: int = 200) -> Response:
    return Response(AlarmPolicyOut(policy).data, status=status, headers={"ETag": etag(policy.version)})


def _window(window: MaintenanceWindow, status: int = 200) -> Response:
    return Response(MaintenanceWindowOut(window).data, status=status, headers={"ETag": etag(window.version)})


class AlarmPolicyListApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="alarm_policy_list", responses=AlarmPolicyOut(many=True))
    def get(self, request: Request) -> Response:
        """The global policy, which has no fault type, and those of single fault types."""
        return Response(AlarmPolicyOut(policy_list(), many=True).data)

    @extend_schema(operation_id="alarm_policy_create", request=AlarmPolicyWrite, responses={201: AlarmPolicyOut})
    def post(self, request: Request) -> Response:
        """Add a policy."""
        body = AlarmPolicyWrite(data=request.data)
        body.is_valid(raise_exception=True)
        by = caller(request).username
        return _policy(policy_create(values=body.validated_data, by=by, now=clock.now()), 201)


class AlarmPolicyApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="alarm_policy_view", responses=AlarmPolicyOut)
    def get(self, request: Request, policy_id: UUID) -> Response:
        """One policy."""
        return _policy(policy_get(policy_id=policy_id))

    @extend_schema(operation_id="alarm_policy_update", request=AlarmPolicyWrite(partial=True), responses=AlarmPolicyOut)
    def patch(self, request: Request, policy_id: UUID) -> Response:
        """Change what it says, not of what; honours If-Match."""
        policy = policy_get(policy_id=policy_id)
        require_match(request, policy.version)
        body = AlarmPolicyWrite(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        values = {name: value for name, value in body.validated_data.items() if name != "fault_type"}
        return _policy(policy_update(policy=policy, values=values, by=caller(request).username, now=clock.now()))

    @extend_schema(operation_id="alarm_policy_delete", responses={204: None})
    def delete(self, request: Request, policy_id: UUID) -> Response:
        """Have the global policy apply instead; honours If-Match."""
        policy = policy_get(policy_id=policy_id)
        require_match(request, policy.version)
        policy_delete(policy=policy, by=caller(request).username, now=clock.now())
        return Response(status=204)


class MaintenanceWindowListApi(APIView):
    @extend_schema(
        operation_id="maintenance_window_list",
        parameters=list_parameters(WINDOWS_BY),
        responses=MaintenanceWindowOut(many=True),
    )
    def get(self, request: Request) -> Response:
        """Maintenance windows, the latest first, those that are over included."""
        rows, headers = page(filtered(window_list(), request, WINDOWS_BY), request, order=("-starts_at", "id"))
        return Response(MaintenanceWindowOut(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="maintenance_window_create",
        request=MaintenanceWindowWrite,
        responses={201: MaintenanceWindowOut},
    )
    def post(self, request: Request) -> Response:
        """From then to then, faults of the object are recorded, and told only if they outlast it."""
        body = MaintenanceWindowWrite(data=request.data)
        body.is_valid(raise_exception=True)
        return _window(window_create(**body.validated_data, by=caller(request).username, now=clock.now()), 201)


class MaintenanceWindowApi(APIView):
    @extend_schema(operation_id="maintenance_window_view", responses=MaintenanceWindowOut)
    def get(self, request: Request, window_id: UUID) -> Response:
        """One maintenance window."""
        return _window(window_get(window_id=window_id))

    @extend_schema(
        operation_id="maintenance_window_update", request=MaintenanceWindowUpdate, responses=MaintenanceWindowOut
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
        """End it now; one that has not begun disappears. Honours If-Match."""
        window = window_get(window_id=window_id)
        require_match(request, window.version)
        window_end(window=window, by=caller(request).username, now=clock.now())
        return Response(status=204)

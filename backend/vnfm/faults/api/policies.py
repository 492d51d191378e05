"""/api/v1/alarm_policies."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.faults.api.shapes import AlarmPolicyOut, AlarmPolicyWrite
from vnfm.faults.models import AlarmPolicy
from vnfm.faults.selectors import policy_get, policy_list
from vnfm.faults.services.policies import policy_create, policy_delete, policy_update
from vnfm.kit import clock
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.shapes import answer, as_answer


def _policy(policy: AlarmPolicy, status: int = 200) -> Response:
    return Response(as_answer(policy, AlarmPolicyOut), status=status, headers={"ETag": etag(policy.version)})


class AlarmPolicyListApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="alarm_policy_list", responses=answer(AlarmPolicyOut)(many=True))
    def get(self, request: Request) -> Response:
        """The global policy, which has no fault type, and the policies of single fault types."""
        return Response(answer(AlarmPolicyOut)(policy_list(), many=True).data)

    @extend_schema(
        operation_id="alarm_policy_create", request=AlarmPolicyWrite, responses={201: answer(AlarmPolicyOut)}
    )
    def post(self, request: Request) -> Response:
        """Add a policy."""
        body = AlarmPolicyWrite(data=request.data)
        body.is_valid(raise_exception=True)
        by = caller(request).username
        return _policy(policy_create(values=body.validated_data, by=by, now=clock.now()), 201)


class AlarmPolicyApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="alarm_policy_view", responses=answer(AlarmPolicyOut))
    def get(self, request: Request, policy_id: UUID) -> Response:
        """One policy."""
        return _policy(policy_get(policy_id=policy_id))

    @extend_schema(
        operation_id="alarm_policy_update", request=AlarmPolicyWrite(partial=True), responses=answer(AlarmPolicyOut)
    )
    def patch(self, request: Request, policy_id: UUID) -> Response:
        """Change its settings, not its fault type; honours If-Match."""
        policy = policy_get(policy_id=policy_id)
        require_match(request, policy.version)
        body = AlarmPolicyWrite(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        values = {name: value for name, value in body.validated_data.items() if name != "fault_type"}
        return _policy(policy_update(policy=policy, values=values, by=caller(request).username, now=clock.now()))

    @extend_schema(operation_id="alarm_policy_delete", responses={204: None})
    def delete(self, request: Request, policy_id: UUID) -> Response:
        """Delete it: the global policy applies instead. Honours If-Match."""
        policy = policy_get(policy_id=policy_id)
        require_match(request, policy.version)
        policy_delete(policy=policy, by=caller(request).username, now=clock.now())
        return Response(status=204)

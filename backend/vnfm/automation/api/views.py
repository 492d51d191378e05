"""/api/v1/automation_policies: healing and scaling by policy, and the decisions with their reasons."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.automation.api.shapes import AutomationDecisionOut, AutomationPolicyOut, AutomationPolicyWrite, values_of
from vnfm.automation.selectors.policies import decision_list, policy_list
from vnfm.automation.services.policies import policy_create, policy_delete, policy_resume, policy_update
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page, requested_size
from vnfm.kit.web.resource import Resource, Sentences
from vnfm.kit.web.wire import list_parameters, size_parameter

DECISION_FILTERS = {
    "vnfInstanceId": "instance_id",
    "outcome": "outcome",
    "reason": "reason",
    "actionType": "action",
    "vnfLcmOpOccId": "op_id",
    "at": "at",
}


POLICIES = Resource(
    name="automation_policy",
    noun="automation policy",
    key="policy_id",
    rows=policy_list,
    filters={
        "id": "id",
        "name": "name",
        "kind": "kind",
        "vnfInstanceId": "instance_id",
        "vnfPkgId": "package_id",
        "dryRun": "dry_run",
    },
    shape=AutomationPolicyOut,
    creates=AutomationPolicyWrite,
    changes=AutomationPolicyWrite,
    create=lambda values, user: policy_create(values=values_of(values), by=user.username, now=clock.now()),
    change=lambda policy, values, _by: policy_update(policy=policy, changes=values_of(values), now=clock.now()),
    delete=lambda policy, _by: policy_delete(policy=policy),
    sentences=Sentences(
        list="All policies, oldest first.",
        create="Create a policy. 422 names the field that the VNFD does not allow.",
        view="One policy.",
        change="Change a policy; `heal` and `scale` are given whole. Honours If-Match.",
        delete="Delete a policy, with its decisions. Honours If-Match.",
    ),
)


class AutomationPolicyResumeApi(APIView):
    @extend_schema(
        operation_id="automation_policy_resume",
        request=serializers.Serializer[None],
        responses=AutomationPolicyOut,
    )
    def post(self, _request: Request, **place: UUID) -> Response:
        """Act again where the policy has stopped because it had reached its limit; 409 when it has not."""
        return POLICIES.answer(policy_resume(policy=POLICIES.one(place), now=clock.now()))


class AutomationDecisionListApi(APIView):
    @extend_schema(
        operation_id="automation_decision_list",
        parameters=[*list_parameters(DECISION_FILTERS), size_parameter()],
        responses=AutomationDecisionOut(many=True),
    )
    def get(self, request: Request, policy_id: UUID) -> Response:
        """Each action, and each change of why there was none, of the last 90 days; the latest first."""
        query = filtered(decision_list(policy_id=policy_id), request, DECISION_FILTERS)
        rows, headers = page(query, request, ("-at", "id"), requested_size(request))
        return Response(AutomationDecisionOut(rows, many=True).data, headers=headers)

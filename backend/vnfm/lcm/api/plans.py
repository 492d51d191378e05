"""/api/v1/plans: what a request would do, before it is started."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.lcm.api import inputs, outputs
from vnfm.lcm.selectors.operations import plan_get
from vnfm.lcm.services.plans import plan_request


def _requested(request: Request, given: Mapping[str, Any]) -> Response:
    preview = plan_request(
        request=given["request"],
        vnfd_id=given.get("vnfdId"),
        instance_id=given.get("vnfInstanceId"),
        actor=caller(request).username,
    )
    location = request.build_absolute_uri(reverse("plan", args=[preview.id]))
    return Response(outputs.PlanOut(preview).data, status=202, headers={"Location": location})


class PlanListApi(APIView):
    @extend_schema(
        operation_id="plan_create", tags=["Plans"], request=inputs.PlanRequest, responses={202: outputs.PlanOut}
    )
    def post(self, request: Request) -> Response:
        body = inputs.PlanRequest(data=request.data)
        body.is_valid(raise_exception=True)
        return _requested(request, body.validated_data)


class InstancePlanApi(APIView):
    """The same for an instance."""

    @extend_schema(
        operation_id="vnf_instance_plan",
        tags=["Plans"],
        request=inputs.InstancePlanRequest,
        responses={202: outputs.PlanOut},
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        outer = inputs.InstancePlanRequest(data=request.data)
        outer.is_valid(raise_exception=True)
        body = inputs.PlanRequest(data={**outer.validated_data, "vnfInstanceId": str(instance_id)})
        body.is_valid(raise_exception=True)
        return _requested(request, body.validated_data)


class PlanApi(APIView):
    @extend_schema(operation_id="plan_get", tags=["Plans"], responses=outputs.PlanOut)
    def get(self, request: Request, plan_id: UUID) -> Response:
        return Response(outputs.PlanOut(plan_get(plan_id=plan_id)).data)

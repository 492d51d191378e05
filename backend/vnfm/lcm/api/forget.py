"""/api/v1/vnf_instances/{id}/forget: delete the record, keep the cloud, and export what is needed to go on by hand."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.wire import caller
from vnfm.kit.web.wire import StrictSerializer
from vnfm.lcm.reconcilers.forget import forget_exported


class ForgetRequest(StrictSerializer):
    confirm = serializers.CharField(max_length=100, help_text="The instance's name, repeated.")


class ExportedResourceOut(serializers.Serializer[Any]):
    type = serializers.CharField()
    id = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="VDU and slot, connection point or virtual link that it is of.")


class StackExportOut(serializers.Serializer[Any]):
    """The stack as Heat last got it, and its resources. Hidden parameters read ******: fill them in."""

    stackId = serializers.CharField(source="stack_id")
    stackName = serializers.CharField(source="stack_name")
    template = serializers.CharField()
    environment = serializers.DictField(help_text="resource_registry and parameters, as the OpenStack client takes it.")
    files = serializers.DictField(child=serializers.CharField())
    resources = ExportedResourceOut(many=True)


class ForgetApi(APIView):
    @extend_schema(
        operation_id="vnf_instance_forget",
        tags=["Unclaimed resources"],
        request=ForgetRequest,
        responses=StackExportOut,
    )
    def post(self, request: Request, instance_id: UUID) -> Response:
        """Let go of an instance: its stack stays in the cloud, unclaimed, until it is adopted again."""
        body = ForgetRequest(data=request.data)
        body.is_valid(raise_exception=True)
        exported = forget_exported(
            instance_id=instance_id, confirm=body.validated_data["confirm"], actor=caller(request).username
        )
        return Response(StackExportOut(exported).data)

"""/api/v1/vnf_instances/{id}/vnfcs/{id}/console and /console_log: what a VM shows and writes, asked of Nova now."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.accounts.models import Role
from vnfm.accounts.services import audit
from vnfm.inventory.consoles import LINES, console_log, console_url
from vnfm.inventory.selectors import vnfc_get
from vnfm.kit import clock

TAG = ["VNF instances"]
MOST_LINES = 2000
NOT_KEPT = {"Cache-Control": "no-store"}


class ConsoleSerializer(serializers.Serializer[Any]):
    url = serializers.CharField(help_text="noVNC for a browser. It holds a token: whoever has it is at the console.")


class ConsoleLogQuerySerializer(serializers.Serializer[Any]):
    lines = serializers.IntegerField(min_value=1, max_value=MOST_LINES, default=LINES)


class ConsoleLogSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True, help_text="As the guest wrote it, control characters included.")
    lines = serializers.IntegerField(help_text="How many were asked for, at most.")
    readAt = serializers.DateTimeField()


class VnfcConsoleApi(APIView):
    write_role = Role.OPERATOR

    @extend_schema(operation_id="vnfc_console", tags=TAG, request=None, responses=ConsoleSerializer)
    def post(self, request: Request, instance_id: UUID, vnfc_id: UUID) -> Response:
        """A new way to the VM's console. The URL is good for a while (Nova's token_ttl), and is kept nowhere.

        A refusal of Nova's is told in its words: 409 while the VM has no console, as when it is stopped.
        """
        url = console_url(vnfc=vnfc_get(instance_id=instance_id, vnfc_id=vnfc_id))
        return Response(ConsoleSerializer({"url": url}).data, headers=NOT_KEPT)


class VnfcConsoleLogApi(APIView):
    read_role = Role.OPERATOR

    @extend_schema(
        operation_id="vnfc_console_log",
        tags=TAG,
        parameters=[OpenApiParameter("lines", int, description=f"{LINES} where not given; {MOST_LINES} at most.")],
        responses=ConsoleLogSerializer,
    )
    def get(self, request: Request, instance_id: UUID, vnfc_id: UUID) -> Response:
        """The last lines that the VM's guest wrote to its serial console. Audited, as a guest may write secrets."""
        query = ConsoleLogQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        lines: int = query.validated_data["lines"]
        vnfc = vnfc_get(instance_id=instance_id, vnfc_id=vnfc_id)
        address = request.META.get("REMOTE_ADDR")
        audit(actor=caller(request).username, action="GET console log", target=request.path, address=address)
        text = console_log(vnfc=vnfc, lines=lines)
        shown = {"text": text, "lines": lines, "readAt": clock.now()}
        return Response(ConsoleLogSerializer(shown).data, headers=NOT_KEPT)

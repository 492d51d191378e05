"""/api/v1/vnf_instances/{id}/vnfcs/{id}/console and /console_log: what a VM shows and writes, asked of Nova now.

Each question holds a request and a worker until Nova has answered, 15 s at most: what one user may ask is limited.
"""

from typing import Any, NoReturn
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from vnfm.accounts.api.permissions import caller
from vnfm.accounts.models import Role
from vnfm.accounts.services import audit
from vnfm.inventory.consoles import LINES, console_log, console_url
from vnfm.inventory.selectors import vnfc_get
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError, too_many_requests

TAG = ["VNF instances"]
MOST_LINES = 2000
NOT_KEPT = {"Cache-Control": "no-store"}
MOST_CONSOLES = "10/min"
MOST_LOGS = "30/min"
"""Of one user: somebody who follows a log asks twelve times. Counted in the process, as calls of webhooks are."""


class ConsoleSerializer(serializers.Serializer[Any]):
    url = serializers.CharField(help_text="noVNC for a browser. It holds a token: whoever has it is at the console.")


class ConsoleLogQuerySerializer(serializers.Serializer[Any]):
    lines = serializers.IntegerField(min_value=1, max_value=MOST_LINES, default=LINES)


class ConsoleLogSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True, help_text="As the guest wrote it, control characters included.")
    lines = serializers.IntegerField(help_text="How many were asked for, at most.")
    readAt = serializers.DateTimeField()


class ConsolesOfAUser(UserRateThrottle):
    scope, rate = "consoles", MOST_CONSOLES


class LogsOfAUser(UserRateThrottle):
    scope, rate = "console-logs", MOST_LOGS


class VnfcConsoleApi(APIView):
    write_role = Role.OPERATOR
    throttle_classes = (ConsolesOfAUser,)

    def throttled(self, _request: Request, wait: float) -> NoReturn:
        raise _too_often("addresses of consoles", wait)

    @extend_schema(operation_id="vnfc_console", tags=TAG, request=None, responses=ConsoleSerializer)
    def post(self, request: Request, instance_id: UUID, vnfc_id: UUID) -> Response:
        """A new way to the VM's console. The URL is good for a while (Nova's token_ttl), and is kept nowhere.

        A refusal of Nova's is told in its words: 409 while the VM has no console, as when it is stopped. 429 where the
        user has asked for many within a minute.
        """
        url = console_url(vnfc=vnfc_get(instance_id=instance_id, vnfc_id=vnfc_id))
        return Response(ConsoleSerializer({"url": url}).data, headers=NOT_KEPT)


class VnfcConsoleLogApi(APIView):
    read_role = Role.OPERATOR
    throttle_classes = (LogsOfAUser,)

    def throttled(self, _request: Request, wait: float) -> NoReturn:
        raise _too_often("logs of VMs", wait)

    @extend_schema(
        operation_id="vnfc_console_log",
        tags=TAG,
        parameters=[OpenApiParameter("lines", int, description=f"{LINES} where not given; {MOST_LINES} at most.")],
        responses=ConsoleLogSerializer,
    )
    def get(self, request: Request, instance_id: UUID, vnfc_id: UUID) -> Response:
        """The last lines that the VM's guest wrote to its serial console. Audited, as a guest may write secrets.

        429 where the user has asked for many within a minute.
        """
        query = ConsoleLogQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        lines: int = query.validated_data["lines"]
        vnfc = vnfc_get(instance_id=instance_id, vnfc_id=vnfc_id)
        address = request.META.get("REMOTE_ADDR")
        audit(actor=caller(request).username, action="GET console log", target=request.path, address=address)
        text = console_log(vnfc=vnfc, lines=lines)
        shown = {"text": text, "lines": lines, "readAt": clock.now()}
        return Response(ConsoleLogSerializer(shown).data, headers=NOT_KEPT)


def _too_often(what: str, wait: float) -> ProblemError:
    words = f"You have asked for too many {what} within a minute; each keeps the cloud and a worker busy."
    return too_many_requests("TOO_MANY_CONSOLES", words, wait)

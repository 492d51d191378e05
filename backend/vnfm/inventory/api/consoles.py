"""/api/v1/vnf_instances/{id}/vnfcs/{id}/console and /console_log: a VM's console and log, fetched from Nova.

Each call occupies a web request and a worker until Nova answers, 15 s at most: calls are limited by user.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.services import audit
from vnfm.accounts.wire import caller
from vnfm.inventory.selectors import vnfc_get
from vnfm.inventory.services.consoles import LINES, console_log, console_url
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError, too_many_requests
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.throttle import SharedThrottle

TAG = ["VNF instances"]
MOST_LINES = 2000
NO_STORE = {"Cache-Control": "no-store"}
MOST_CONSOLES = "10/min"
MOST_LOGS = "30/min"
"""The limit of a user: following a log takes twelve."""


LINES_PARAMETER = OpenApiParameter(
    "lines", {"type": "integer", "minimum": 1, "maximum": MOST_LINES}, description=f"{LINES} where not given."
)


@dataclass(frozen=True, slots=True)
class Console:
    url: str
    """noVNC for a browser. It holds a token that opens the console."""


class ConsoleLogQuerySerializer(serializers.Serializer[Any]):
    lines = serializers.IntegerField(min_value=1, max_value=MOST_LINES, default=LINES)


@dataclass(frozen=True, slots=True)
class ConsoleLog:
    text: str
    """As the guest wrote it, control characters included."""
    lines: int
    """The limit of the request."""
    read_at: datetime


class ConsoleThrottle(SharedThrottle):
    rate = MOST_CONSOLES

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"consoles-{caller(request).id}"


class ConsoleLogThrottle(SharedThrottle):
    rate = MOST_LOGS

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"console-logs-{caller(request).id}"


class VnfcConsoleApi(APIView):
    write_role = Role.OPERATOR
    throttle_classes = (ConsoleThrottle,)

    def throttled(self, _request: Request, wait: float) -> NoReturn:
        raise _too_often("addresses of consoles", wait)

    @extend_schema(operation_id="vnfc_console", tags=TAG, request=None, responses=answer(Console))
    def post(self, request: Request, instance_id: UUID, vnfc_id: UUID) -> Response:
        """Open the VM's console. The URL is valid for a while (Nova's token_ttl) and is not stored.

        Nova's refusal is passed on: 409 while the VM has no console, as when it is stopped. 429 when the user has
        opened many within a minute.
        """
        url = console_url(vnfc=vnfc_get(instance_id=instance_id, vnfc_id=vnfc_id))
        return Response(as_answer(Console(url)), headers=NO_STORE)


class VnfcConsoleLogApi(APIView):
    read_role = Role.OPERATOR
    throttle_classes = (ConsoleLogThrottle,)

    def throttled(self, _request: Request, wait: float) -> NoReturn:
        raise _too_often("logs of VMs", wait)

    @extend_schema(
        operation_id="vnfc_console_log",
        tags=TAG,
        parameters=[LINES_PARAMETER],
        responses=answer(ConsoleLog),
    )
    def get(self, request: Request, instance_id: UUID, vnfc_id: UUID) -> Response:
        """The last lines that the VM's guest wrote to its serial console. Audited, as a guest may write secrets.

        429 when the user has fetched many within a minute.
        """
        query = ConsoleLogQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        lines: int = query.validated_data["lines"]
        vnfc = vnfc_get(instance_id=instance_id, vnfc_id=vnfc_id)
        address = request.META.get("REMOTE_ADDR")
        audit(actor=caller(request).username, action="GET console log", target=request.path, address=address)
        text = console_log(vnfc=vnfc, lines=lines)
        return Response(as_answer(ConsoleLog(text, lines, clock.now())), headers=NO_STORE)


def _too_often(what: str, wait: float) -> ProblemError:
    words = f"You have asked for too many {what} within a minute; each keeps the cloud and a worker busy."
    return too_many_requests("TOO_MANY_CONSOLES", words, wait)

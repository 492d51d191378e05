"""/api/v1/vims/{id}/watch and /hosts: how a VIM is polled, and the state of its compute hosts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.inventory.domain.observation import UNKNOWN
from vnfm.inventory.models import Host, VimPollState
from vnfm.inventory.selectors import host_list, hosts_known, vim_poll_state_get
from vnfm.kit import clock
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import AnswerSerializer, list_parameters

TAG = ["Watching"]
HOST_FILTERS = {"name": "name", "state": "state", "service": "service", "status": "status", "forcedDown": "forced_down"}

REQUESTS: Mapping[str, str] = {
    "full": "full_at",
    "servers": "servers_at",
    "ports": "ports_at",
    "hosts": "hosts_at",
    "stacks": "stacks_at",
}
"""Key in `VimPollState.durations` to the column with the time of the last answer."""


@dataclass(frozen=True, slots=True)
class PollIntervalShape:
    seconds: float
    """From poll to poll; up to a tenth less at random."""
    reason: str
    """One stable word, for programs."""
    message: str
    """A sentence, for people."""


@dataclass(frozen=True, slots=True)
class VimPollRequest:
    name: str
    """full (everything), servers, ports, hosts or stacks."""
    answered_at: datetime | None
    seconds: float | None
    """The time that the last answer took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VimWatch:
    interval: PollIntervalShape | None
    """null before the first poll."""
    looked_at: datetime | None
    """When servers were last listed."""
    changed_at: datetime | None
    """When a poll last found a change."""
    failures: int
    """Polls that failed since the last good one."""
    questions: tuple[VimPollRequest, ...]
    may_list_hosts: bool | None
    """Whether our rights let us see compute hosts, as the last probe found; null: unknown."""


def watch_of(state: VimPollState) -> VimWatch:
    seconds = state.interval_seconds
    return VimWatch(
        interval=None if seconds is None else PollIntervalShape(seconds, state.interval_reason, state.interval_message),
        looked_at=state.servers_at,
        changed_at=state.changed_at,
        failures=state.failures,
        questions=tuple(
            VimPollRequest(name, getattr(state, column), state.durations.get(name)) for name, column in REQUESTS.items()
        ),
        may_list_hosts=state.vim.capabilities.get("hosts"),
    )


class VimHostSerializer(AnswerSerializer):
    """As last observed; `UNKNOWN` (`forcedDown`: null) when that is stale."""

    name = serializers.CharField()
    state = serializers.CharField(help_text="Of its hypervisor: up, down or UNKNOWN.")
    service = serializers.CharField(help_text="Of its nova-compute: up, down or UNKNOWN.")
    status = serializers.CharField(help_text="enabled, disabled or UNKNOWN: whether new servers may be placed there.")
    forcedDown = serializers.BooleanField(
        source="forced_down", allow_null=True, help_text="null: unknown before Nova's 2.11."
    )
    reason = serializers.CharField(help_text="Why it is disabled.")
    since = serializers.DateTimeField(help_text="When this state was first observed.")
    observedAt = serializers.DateTimeField(allow_null=True)

    def get_observedAt(self, host: Host) -> datetime | None:
        state: VimPollState = self.context["poll"]
        return state.hosts_at


class VimWatchApi(APIView):
    @extend_schema(operation_id="vim_watch", tags=TAG, responses=answer(VimWatch))
    def get(self, request: Request, vim_id: UUID) -> Response:
        """The interval between polls of the VIM and why, when it last answered each request, and how long that took."""
        return Response(as_answer(watch_of(vim_poll_state_get(vim_id=vim_id))))


class VimHostListApi(APIView):
    @extend_schema(
        operation_id="vim_host_list",
        tags=TAG,
        parameters=list_parameters(HOST_FILTERS),
        responses=VimHostSerializer(many=True),
    )
    def get(self, request: Request, vim_id: UUID) -> Response:
        """The compute hosts of the VIM by name; none without the rights to list them (`mayListHosts`)."""
        state = vim_poll_state_get(vim_id=vim_id)
        query = filtered(host_list(vim_id=vim_id), request, HOST_FILTERS)
        rows, headers = page(query, request, order=("name", "id"))
        if not hosts_known(state, clock.now()):
            rows = [_unknown(row, state) for row in rows]
        return Response(VimHostSerializer(rows, many=True, context={"poll": state}).data, headers=headers)


def _unknown(host: Host, state: VimPollState) -> Host:
    return Host(name=host.name, state=UNKNOWN, service=UNKNOWN, status=UNKNOWN, since=state.hosts_at or host.since)

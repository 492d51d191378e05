"""/api/v1/vims/{id}/watch and /hosts: how a VIM is polled, and the state of its compute hosts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
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
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import AnswerSerializer, JsonSerializer, list_parameters

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


class PollIntervalSerializer(AnswerSerializer):
    seconds = serializers.FloatField(
        source="interval_seconds", help_text="From poll to poll; up to a tenth less at random."
    )
    reason = serializers.CharField(source="interval_reason", help_text="One stable word, for programs.")
    message = serializers.CharField(source="interval_message", help_text="A sentence, for people.")


class PollRequestSerializer(JsonSerializer):
    name = serializers.CharField(help_text="full (everything), servers, ports, hosts or stacks.")
    answeredAt = serializers.DateTimeField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True, help_text="How long the last answer took.")


class VimWatchSerializer(AnswerSerializer):
    interval = PollIntervalSerializer(allow_null=True, help_text="null before the first poll.")
    lookedAt = serializers.DateTimeField(
        source="servers_at", allow_null=True, help_text="When servers were last listed."
    )
    changedAt = serializers.DateTimeField(
        source="changed_at", allow_null=True, help_text="When a poll last found a change."
    )
    failures = serializers.IntegerField(help_text="Polls that failed since the last good one.")
    questions = PollRequestSerializer(many=True)
    mayListHosts = serializers.BooleanField(
        allow_null=True,
        help_text="Whether our rights let us see compute hosts, as the last probe found; null: unknown.",
    )

    def get_interval(self, state: VimPollState) -> VimPollState | None:
        return state if state.interval_seconds is not None else None

    def get_questions(self, state: VimPollState) -> list[dict[str, Any]]:
        return [
            {"name": name, "answeredAt": getattr(state, column), "seconds": state.durations.get(name)}
            for name, column in REQUESTS.items()
        ]

    def get_mayListHosts(self, state: VimPollState) -> bool | None:
        listed: bool | None = state.vim.capabilities.get("hosts")
        return listed


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
    @extend_schema(operation_id="vim_watch", tags=TAG, responses=VimWatchSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """How often the VIM is polled and why, when it last answered each request, and how long that took."""
        return Response(VimWatchSerializer(vim_poll_state_get(vim_id=vim_id)).data)


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

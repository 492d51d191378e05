"""/api/v1/vims/{id}/watch and /hosts: how a VIM is looked at, and what its compute hosts are in."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.inventory.domain.observation import UNKNOWN
from vnfm.inventory.models import Host, VimLook
from vnfm.inventory.selectors import host_list, hosts_known, vim_look_get
from vnfm.kit import clock
from vnfm.kit.query import filtered, page
from vnfm.kit.wire import list_parameters

TAG = ["Watching"]
HOST_FILTERS = {"name": "name", "state": "state", "service": "service", "status": "status", "forcedDown": "forced_down"}

QUESTIONS: Mapping[str, str] = {
    "full": "full_at",
    "servers": "servers_at",
    "ports": "ports_at",
    "hosts": "hosts_at",
    "stacks": "stacks_at",
}
"""By what `VimLook.took` calls them: the column of when it was last answered."""


class LookIntervalSerializer(serializers.Serializer[VimLook]):
    seconds = serializers.FloatField(
        source="pace_seconds", help_text="From look to look; up to a tenth less by chance."
    )
    reason = serializers.CharField(source="pace_reason", help_text="One stable word, for programs.")
    message = serializers.CharField(source="pace_message", help_text="A sentence, for people.")


class LookQuestionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="full (everything), servers, ports, hosts or stacks.")
    answeredAt = serializers.DateTimeField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True, help_text="How long the last answer took.")


class VimWatchSerializer(serializers.Serializer[Any]):
    interval = LookIntervalSerializer(allow_null=True, help_text="null before the first look.")
    lookedAt = serializers.DateTimeField(allow_null=True, help_text="When servers were last listed.")
    changedAt = serializers.DateTimeField(allow_null=True, help_text="When a look last found something new.")
    failures = serializers.IntegerField(help_text="Looks that failed since the last good one.")
    questions = LookQuestionSerializer(many=True)
    mayListHosts = serializers.BooleanField(
        allow_null=True,
        help_text="Whether our rights let us see compute hosts, as the last probe found; null: unknown.",
    )


class VimHostSerializer(serializers.Serializer[Any]):
    """What was last seen; `UNKNOWN` where that is too old to be believed, and null for `forcedDown`."""

    name = serializers.CharField()
    state = serializers.CharField(help_text="Of its hypervisor: up, down or UNKNOWN.")
    service = serializers.CharField(help_text="Of its nova-compute: up, down or UNKNOWN.")
    status = serializers.CharField(help_text="enabled, disabled or UNKNOWN: whether new servers may be placed there.")
    forcedDown = serializers.BooleanField(allow_null=True, help_text="null: not known; Nova tells since its 2.11.")
    reason = serializers.CharField(help_text="Why it is disabled.")
    since = serializers.DateTimeField(help_text="When it was first seen so.")
    observedAt = serializers.DateTimeField(allow_null=True)


class VimWatchApi(APIView):
    @extend_schema(operation_id="vim_watch", tags=TAG, responses=VimWatchSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """How often the VIM is looked at and why, when it last answered which question, and how long that took."""
        return Response(VimWatchSerializer(_watch(vim_look_get(vim_id=vim_id))).data)


class VimHostListApi(APIView):
    @extend_schema(
        operation_id="vim_host_list",
        tags=TAG,
        parameters=list_parameters(HOST_FILTERS),
        responses=VimHostSerializer(many=True),
    )
    def get(self, request: Request, vim_id: UUID) -> Response:
        """The compute hosts of the VIM by name; none where our rights do not let us see them (`mayListHosts`)."""
        look = vim_look_get(vim_id=vim_id)
        known = hosts_known(look, clock.now())
        query = filtered(host_list(vim_id=vim_id), request, HOST_FILTERS)
        rows, headers = page(query, request, order=("name", "id"))
        return Response(
            VimHostSerializer([_host(row, look, known=known) for row in rows], many=True).data, headers=headers
        )


def _watch(look: VimLook) -> dict[str, Any]:
    return {
        "interval": look if look.pace_seconds is not None else None,
        "lookedAt": look.servers_at,
        "changedAt": look.changed_at,
        "failures": look.failures,
        "questions": [
            {"name": name, "answeredAt": getattr(look, column), "seconds": look.took.get(name)}
            for name, column in QUESTIONS.items()
        ],
        "mayListHosts": look.vim.capabilities.get("hosts"),
    }


def _host(row: Host, look: VimLook, *, known: bool) -> dict[str, Any]:
    return {
        "name": row.name,
        "state": row.state if known else UNKNOWN,
        "service": row.service if known else UNKNOWN,
        "status": row.status if known else UNKNOWN,
        "forcedDown": row.forced_down if known else None,
        "reason": row.reason if known else "",
        "since": row.since if known else look.hosts_at or row.since,
        "observedAt": look.hosts_at,
    }

"""/api/v1/vims/{id}/notifications: the message bus of a cloud, on which its services tell of news."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.models import Role
from vnfm.inventory.domain.bus import EXCHANGES
from vnfm.inventory.models import VimPush
from vnfm.inventory.push_services import bus_drop, bus_set
from vnfm.inventory.selectors import vim_push_get
from vnfm.kit.http import etag, require_match
from vnfm.kit.wire import StrictSerializer

TAG = ["Watching"]
_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$"
"""What exchanges and queues of OpenStack's services are called."""


class BusListeningSerializer(serializers.Serializer[VimPush]):
    status = serializers.ChoiceField(choices=("True", "False", "Unknown"), source="listening")
    reason = serializers.CharField(source="listening_reason", help_text="One stable word, for programs.")
    message = serializers.CharField(source="listening_message", help_text="A sentence, for people.")
    lastTransitionTime = serializers.DateTimeField(source="listening_since", allow_null=True)


class VimBusSerializer(serializers.Serializer[VimPush]):
    hasTransportUrl = serializers.SerializerMethodField()
    exchanges = serializers.ListField(child=serializers.CharField())
    topic = serializers.CharField()
    queue = serializers.CharField()
    listening = BusListeningSerializer(source="*", help_text="Whether notifications are heard, and if not, why.")
    heardAt = serializers.DateTimeField(
        source="heard_at", allow_null=True, help_text="When one was last taken for news, to ten seconds."
    )
    version = serializers.IntegerField()

    def get_hasTransportUrl(self, push: VimPush) -> bool:  # noqa: N802  (the name on the wire)
        return push.sealed_bus is not None


class VimBusWriteSerializer(StrictSerializer):
    transportUrl = serializers.CharField(
        max_length=2000,
        required=False,
        write_only=True,
        trim_whitespace=False,
        help_text="As in the services' own configuration: rabbit://user:password@host:5672/vhost; several hosts with "
        "commas between, ?ssl=1 for TLS, which trusts what the VIM's services are trusted by. Left out: as before.",
    )
    exchanges = serializers.ListField(
        child=serializers.RegexField(_NAME, max_length=100),
        min_length=1,
        max_length=20,
        required=False,
        default=list(EXCHANGES),
        help_text="The control_exchange of each service to hear.",
    )
    topic = serializers.RegexField(_NAME, max_length=100, required=False, default="notifications")
    queue = serializers.RegexField(
        _NAME,
        max_length=255,
        required=False,
        default="",
        allow_blank=True,
        help_text="Only where we may not make a queue of our own: one that was made and bound for us alone.",
    )


class VimBusApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="vim_notifications_view", tags=TAG, responses=VimBusSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """Where notifications are listened to, and whether they are heard."""
        return _answer(vim_push_get(vim_id=vim_id))

    @extend_schema(
        operation_id="vim_notifications_set", tags=TAG, request=VimBusWriteSerializer, responses=VimBusSerializer
    )
    def put(self, request: Request, vim_id: UUID) -> Response:
        """Listen to the cloud's message bus; the URL is sealed and never shown. Honours If-Match."""
        push = vim_push_get(vim_id=vim_id)
        require_match(request, push.version)
        body = VimBusWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given: dict[str, Any] = body.validated_data
        return _answer(
            bus_set(
                push=push,
                url=given.get("transportUrl"),
                exchanges=given["exchanges"],
                topic=given["topic"],
                queue=given["queue"],
            )
        )

    @extend_schema(operation_id="vim_notifications_drop", tags=TAG, responses={204: None})
    def delete(self, request: Request, vim_id: UUID) -> Response:
        """Listen no longer; the VIM is watched by polling as before."""
        push = vim_push_get(vim_id=vim_id)
        require_match(request, push.version)
        bus_drop(push=push)
        return Response(status=204)


def _answer(push: VimPush) -> Response:
    return Response(VimBusSerializer(push).data, headers={"ETag": etag(push.version)})

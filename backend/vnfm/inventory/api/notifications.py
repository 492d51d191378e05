"""/api/v1/vims/{id}/notifications: the message bus of a cloud, to which its services send notifications."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.inventory.domain.message_bus import EXCHANGES
from vnfm.inventory.models import VimNotifications
from vnfm.inventory.selectors import vim_notifications_get
from vnfm.inventory.services.notifications import bus_delete, bus_set
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import StrictSerializer

TAG = ["Watching"]
_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$"
"""Names of exchanges and queues of OpenStack's services."""


class BusListeningSerializer(serializers.Serializer[VimNotifications]):
    status = serializers.ChoiceField(choices=("True", "False", "Unknown"), source="listening")
    reason = serializers.CharField(source="listening_reason", help_text="One stable word, for programs.")
    message = serializers.CharField(source="listening_message", help_text="A sentence, for people.")
    lastTransitionTime = serializers.DateTimeField(source="listening_since", allow_null=True)


class VimBusSerializer(serializers.Serializer[VimNotifications]):
    hasTransportUrl = serializers.SerializerMethodField()
    exchanges = serializers.ListField(child=serializers.CharField())
    topic = serializers.CharField()
    queue = serializers.CharField()
    listening = BusListeningSerializer(source="*", help_text="Whether notifications are received, and if not, why.")
    heardAt = serializers.DateTimeField(
        source="received_at", allow_null=True, help_text="When one last requested a poll, to ten seconds."
    )
    version = serializers.IntegerField()

    def get_hasTransportUrl(self, settings: VimNotifications) -> bool:
        return settings.sealed_bus is not None


class VimBusWriteSerializer(StrictSerializer):
    transportUrl = serializers.CharField(
        max_length=2000,
        required=False,
        write_only=True,
        trim_whitespace=False,
        help_text="As in the services' own configuration: rabbit://user:password@host:5672/vhost; several hosts with "
        "commas between, ?ssl=1 for TLS, with the CA of the VIM. Omitted: unchanged.",
    )
    exchanges = serializers.ListField(
        child=serializers.RegexField(_NAME, max_length=100),
        min_length=1,
        max_length=20,
        required=False,
        default=list(EXCHANGES),
        help_text="The control_exchange of each service.",
    )
    topic = serializers.RegexField(_NAME, max_length=100, required=False, default="notifications")
    queue = serializers.RegexField(
        _NAME,
        max_length=255,
        required=False,
        default="",
        allow_blank=True,
        help_text="Only where we may not declare a queue of our own: one that was declared and bound for us alone.",
    )


class VimBusApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="vim_notifications_view", tags=TAG, responses=VimBusSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """Where we listen for notifications, and whether they are received."""
        return _response(vim_notifications_get(vim_id=vim_id))

    @extend_schema(
        operation_id="vim_notifications_set", tags=TAG, request=VimBusWriteSerializer, responses=VimBusSerializer
    )
    def put(self, request: Request, vim_id: UUID) -> Response:
        """Listen to the cloud's message bus; the URL is sealed and never shown. Honours If-Match."""
        settings = vim_notifications_get(vim_id=vim_id)
        require_match(request, settings.version)
        body = VimBusWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        values: dict[str, Any] = body.validated_data
        return _response(
            bus_set(
                settings=settings,
                url=values.get("transportUrl"),
                exchanges=values["exchanges"],
                topic=values["topic"],
                queue=values["queue"],
            )
        )

    @extend_schema(operation_id="vim_notifications_drop", tags=TAG, responses={204: None})
    def delete(self, request: Request, vim_id: UUID) -> Response:
        """Stop listening; the VIM is still polled."""
        settings = vim_notifications_get(vim_id=vim_id)
        require_match(request, settings.version)
        bus_delete(settings=settings)
        return Response(status=204)


def _response(settings: VimNotifications) -> Response:
    return Response(VimBusSerializer(settings).data, headers={"ETag": etag(settings.version)})

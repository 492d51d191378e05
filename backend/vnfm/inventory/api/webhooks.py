"""/api/v1/vims/{id}/webhooks: the URL that Aodh or Ceilometer calls when an alarm changes, and that call."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.inventory.domain.aodh_webhook import parse_webhook
from vnfm.inventory.models import VimNotifications
from vnfm.inventory.selectors import vim_notifications_get
from vnfm.inventory.services.notifications import (
    cloud_alarm_record,
    webhook_authenticate,
    webhook_create,
    webhook_delete,
    webhook_token,
)
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError, bad_request, not_found
from vnfm.kit.web.throttle import SharedThrottle
from vnfm.vims.selectors import vim_get

TAG = ["Watching"]
MOST_CALLS = "1200/min"
"""By address, and by VIM: below it are ten thousand VMs of which a tenth go down at once, with an alarm each."""


class VimWebhookSerializer(serializers.Serializer[Any]):
    aodhUrl = serializers.CharField(
        allow_null=True, help_text="For `alarm_actions`, `ok_actions` and `insufficient_data_actions`; null: none."
    )
    madeAt = serializers.DateTimeField(allow_null=True)
    calledAt = serializers.DateTimeField(allow_null=True, help_text="When it was last called, to ten seconds.")


class AodhCallSerializer(serializers.Serializer[Any]):
    """The call of Aodh; older Ceilometers leave out name and severity. Read by `domain.cloud_alarms`."""

    alarm_id = serializers.CharField()
    alarm_name = serializers.CharField(required=False)
    severity = serializers.CharField(required=False)
    previous = serializers.CharField(required=False)
    current = serializers.ChoiceField(choices=("ok", "alarm", "insufficient data"))
    reason = serializers.CharField(required=False)
    reason_data = serializers.DictField(required=False)


class VimThrottle(SharedThrottle):
    """Counts calls with the right token only: no other caller can exhaust a VIM's limit."""

    rate = MOST_CALLS

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"webhook-vim-{view.kwargs['vim_id']}"


class AddressThrottle(SharedThrottle):
    """Limits the load of guessed tokens."""

    rate = MOST_CALLS

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"webhook-address-{request.META.get('REMOTE_ADDR', '')}"


class VimWebhookApi(APIView):
    """The URL is a secret: only roles that may change the VIM see it."""

    read_role = Role.ADMIN
    write_role = Role.ADMIN

    @extend_schema(operation_id="vim_webhook_view", tags=TAG, responses=VimWebhookSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """The URL for the alarms of this VIM's telemetry."""
        return Response(_response(vim_notifications_get(vim_id=vim_id)))

    @extend_schema(
        operation_id="vim_webhook_make",
        tags=TAG,
        request=serializers.Serializer[None],
        responses={201: VimWebhookSerializer},
    )
    def post(self, request: Request, vim_id: UUID) -> Response:
        """Create a URL; the previous one stops working at once."""
        return Response(_response(webhook_create(vim=vim_get(vim_id=vim_id), now=clock.now())), status=201)

    @extend_schema(operation_id="vim_webhook_drop", tags=TAG, responses={204: None})
    def delete(self, request: Request, vim_id: UUID) -> Response:
        """Revoke the URL, and forget the alarms received by it."""
        webhook_delete(vim=vim_get(vim_id=vim_id))
        return Response(status=204)


class AodhWebhookApi(APIView):
    """Called by the cloud, which sends no header of ours: the token in the path authenticates it."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (AddressThrottle,)

    @extend_schema(
        operation_id="vim_webhook_aodh", tags=TAG, auth=[], request=AodhCallSerializer, responses={204: None}
    )
    def post(self, request: Request, vim_id: UUID, token: str) -> Response:
        """An alarm has changed: record it, and poll the VIM."""
        row = webhook_authenticate(vim_id=vim_id, token=token)
        if row is None:
            raise _no_webhook()
        allowed = VimThrottle()
        if not allowed.allow_request(request, self):
            self.throttled(request, allowed.wait() or 0.0)
        notification = parse_webhook(request.data) if isinstance(request.data, Mapping) else None
        if notification is None:
            raise bad_request("INVALID_REQUEST", "This is not a call of an alarm's webhook.")
        cloud_alarm_record(settings=row, notification=notification, now=clock.now())
        return Response(status=204)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Django logs the path of refused requests, and ours holds a secret."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        setattr(answer, "_has_been_logged", True)  # noqa: B010 - what django.utils.log asks, and no type knows
        return answer


def _no_webhook() -> ProblemError:
    """The same answer for a VIM that does not exist, has no webhook, or has another token."""
    return not_found("webhook", "this")


def _response(row: VimNotifications) -> Any:  # DRF's representation
    path = reverse("vim_webhook_aodh", args=[row.vim_id, webhook_token(row)]) if row.webhook_salt else ""
    values = {
        "aodhUrl": f"{settings.PUBLIC_URL}{path}" if path else None,
        "madeAt": row.webhook_created_at,
        "calledAt": row.webhook_called_at,
    }
    return VimWebhookSerializer(values).data

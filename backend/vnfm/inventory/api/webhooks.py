"""/api/v1/vims/{id}/webhooks: the URL that Aodh or Ceilometer calls when an alarm of theirs changes, and that call."""

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
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from vnfm.accounts.models import Role
from vnfm.inventory.domain.cloud_alarms import read_webhook
from vnfm.inventory.models import VimPush
from vnfm.inventory.push_services import (
    cloud_alarm_record,
    webhook_drop,
    webhook_make,
    webhook_push,
    webhook_token,
)
from vnfm.inventory.selectors import vim_push_get
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError, bad_request, not_found
from vnfm.vims.selectors import vim_get

TAG = ["Watching"]
MOST_CALLS = "1200/min"
"""From one address, and for one VIM: ten thousand VMs of which a tenth go down at once, with an alarm each, stay below.

Counted in the process, which is enough against a flood: a few web processes let a few times as many through."""


class VimWebhookSerializer(serializers.Serializer[Any]):
    aodhUrl = serializers.CharField(
        allow_null=True, help_text="For `alarm_actions`, `ok_actions` and `insufficient_data_actions`; null: none yet."
    )
    madeAt = serializers.DateTimeField(allow_null=True)
    calledAt = serializers.DateTimeField(allow_null=True, help_text="When it was last called, to ten seconds.")


class AodhCallSerializer(serializers.Serializer[Any]):
    """What Aodh sends; older Ceilometers leave out name and severity. Read by `domain.cloud_alarms`."""

    alarm_id = serializers.CharField()
    alarm_name = serializers.CharField(required=False)
    severity = serializers.CharField(required=False)
    previous = serializers.CharField(required=False)
    current = serializers.ChoiceField(choices=("ok", "alarm", "insufficient data"))
    reason = serializers.CharField(required=False)
    reason_data = serializers.DictField(required=False)


class CallsOfAVim(SimpleRateThrottle):
    """Counts calls with the right token alone: nobody else may use up what a VIM has."""

    rate = MOST_CALLS

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"webhook-vim-{view.kwargs['vim_id']}"


class CallsFromAnAddress(SimpleRateThrottle):
    """Against the load of guessing; to guess a token would take for ever anyway."""

    rate = MOST_CALLS

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"webhook-address-{request.META.get('REMOTE_ADDR', '')}"


class VimWebhookApi(APIView):
    """Whoever has the URL may ring, so that only those who may change the VIM are shown it."""

    read_role = Role.ADMIN
    write_role = Role.ADMIN

    @extend_schema(operation_id="vim_webhook_view", tags=TAG, responses=VimWebhookSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """The URL for the alarms of this VIM's telemetry."""
        return Response(_shown(vim_push_get(vim_id=vim_id)))

    @extend_schema(
        operation_id="vim_webhook_make",
        tags=TAG,
        request=serializers.Serializer[None],
        responses={201: VimWebhookSerializer},
    )
    def post(self, request: Request, vim_id: UUID) -> Response:
        """Make a URL, or another one: the one before stops working at once."""
        return Response(_shown(webhook_make(vim=vim_get(vim_id=vim_id), now=clock.now())), status=201)

    @extend_schema(operation_id="vim_webhook_drop", tags=TAG, responses={204: None})
    def delete(self, request: Request, vim_id: UUID) -> Response:
        """Have no URL any more, and forget what was told by it."""
        webhook_drop(vim=vim_get(vim_id=vim_id))
        return Response(status=204)


class AodhWebhookApi(APIView):
    """Called by the cloud, which can send no header of ours: the token in the path is all it has."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (CallsFromAnAddress,)

    @extend_schema(
        operation_id="vim_webhook_aodh", tags=TAG, auth=[], request=AodhCallSerializer, responses={204: None}
    )
    def post(self, request: Request, vim_id: UUID, token: str) -> Response:
        """An alarm has changed: it is kept as a fact, and the VIM is looked at."""
        push = webhook_push(vim_id=vim_id, token=token)
        if push is None:
            raise _nothing_here()
        allowed = CallsOfAVim()
        if not allowed.allow_request(request, self):
            self.throttled(request, allowed.wait() or 0.0)
        told = read_webhook(request.data) if isinstance(request.data, Mapping) else None
        if told is None:
            raise bad_request("INVALID_REQUEST", "This is no call of an alarm's webhook.")
        cloud_alarm_record(push=push, told=told, now=clock.now())
        return Response(status=204)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Django logs the path of what is refused, and in ours there is a secret."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        setattr(answer, "_has_been_logged", True)  # noqa: B010 - what django.utils.log asks, and no type knows
        return answer


def _nothing_here() -> ProblemError:
    """The same for a VIM that does not exist, has no webhook, or has another token."""
    return not_found("webhook", "this")


def _shown(push: VimPush) -> Any:  # DRF's representation
    path = reverse("vim_webhook_aodh", args=[push.vim_id, webhook_token(push)]) if push.webhook_salt else ""
    shown = {
        "aodhUrl": f"{settings.PUBLIC_URL}{path}" if path else None,
        "madeAt": push.webhook_made_at,
        "calledAt": push.webhook_called_at,
    }
    return VimWebhookSerializer(shown).data

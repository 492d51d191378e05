"""The channels of alarm routes; for workers, never in a web request. All raise DeliveryError or ProblemError."""

import base64
import hashlib
import hmac
import json
import ssl
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings

from vnfm.kit import clock
from vnfm.kit.outgoing.outbound import Deadline, open_socket, resolve, translate_errors
from vnfm.notifications.domain.error_text import error_text
from vnfm.notifications.domain.route_text import syslog_message, webhook_json
from vnfm.notifications.domain.routing import RoutedAlarm, group_of
from vnfm.notifications.models import AlarmRoute
from vnfm.notifications.reconcilers.mail_channel import MailChannel
from vnfm.notifications.reconcilers.outcomes import DeliveryError
from vnfm.notifications.reconcilers.snmp_channel import SnmpChannel
from vnfm.notifications.reconcilers.webhook import REFUSALS, exchange
from vnfm.notifications.services.alarm_routes import ROUTES, route_policy

SECONDS = 15.0
"""For one whole connection."""
_CLOSE_SECONDS = 2.0


class RouteChannel(Protocol):
    def send(self, events: Sequence[RoutedAlarm], message_id: str) -> None:
        """Returns when the other side has them, as far as its protocol tells."""
        ...


def channel_of(route: AlarmRoute, secrets: Mapping[str, str]) -> RouteChannel:
    """The channel of the route, with its secrets in clear: for the moment of sending."""
    channels: Mapping[str, type[Any]] = {
        AlarmRoute.Channel.MAIL: MailChannel,
        AlarmRoute.Channel.WEBHOOK: WebhookChannel,
        AlarmRoute.Channel.SYSLOG: SyslogChannel,
        AlarmRoute.Channel.SNMP: SnmpChannel,
    }
    made: RouteChannel = channels[route.channel](route.settings, secrets)
    return made


class WebhookChannel:
    """A POST with JSON; with a secret it is signed as Standard Webhooks defines: HMAC-SHA-256 in webhook-signature."""

    def __init__(self, stored: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
        self._url, self._secret = stored["url"], secrets.get("secret", "")

    def send(self, events: Sequence[RoutedAlarm], message_id: str) -> None:
        group = group_of(events)
        if not group.total:
            return
        body = json.dumps(webhook_json(group)).encode()
        policy = route_policy(AlarmRoute.Channel.WEBHOOK)
        headers = {"Content-Type": "application/json", **self._signed(message_id, body)}
        answer = exchange(policy.parse_url(self._url), "POST", headers, body, policy)
        if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
            words = error_text(answer.status, answer.content_type, answer.content, [self._secret])
            raise DeliveryError(words, permanent=answer.status in REFUSALS)

    def _signed(self, message_id: str, body: bytes) -> dict[str, str]:
        at = str(int(clock.now().timestamp()))
        headers = {"webhook-id": message_id, "webhook-timestamp": at}
        if not self._secret:
            return headers
        signature = hmac.digest(_key(self._secret), f"{message_id}.{at}.".encode() + body, hashlib.sha256)
        return headers | {"webhook-signature": f"v1,{base64.b64encode(signature).decode()}"}


def _key(secret: str) -> bytes:
    """Standard Webhooks writes keys as whsec_ and base64; any other text is taken as it is."""
    if secret.startswith("whsec_"):
        with suppress(ValueError):
            return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    return secret.encode()


class SyslogChannel:
    """RFC 5424 over TLS (RFC 5425): every event is one message, all of a group in one connection."""

    def __init__(self, stored: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
        self._settings = stored

    def send(self, events: Sequence[RoutedAlarm], message_id: str) -> None:
        policy = route_policy(AlarmRoute.Channel.SYSLOG)
        url = policy.parse_host("syslog", self._settings["host"], self._settings["port"])
        host, cef = urlsplit(settings.PUBLIC_URL).hostname or "", self._settings["messageFormat"] == "CEF"
        release = str(settings.SPECTACULAR_SETTINGS["VERSION"])
        messages = [syslog_message(event, host=host, cef=cef, release=release) for event in events]
        with Deadline(SECONDS) as deadline:
            addresses = resolve(url, policy, deadline)
            with translate_errors(url, ROUTES, deadline):
                line = open_socket(url, addresses, deadline, tls=True)
                with closing(line):
                    line.sendall(b"".join(b"%d %s" % (len(message), message) for message in messages))
                    _close(line)


def _close(line: Any) -> None:
    """Waits a moment for the other side's end: a receiver that refuses the stream resets it."""
    line.settimeout(_CLOSE_SECONDS)
    with suppress(TimeoutError, ssl.SSLError):
        line.unwrap()

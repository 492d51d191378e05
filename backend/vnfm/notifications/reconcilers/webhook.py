"""Calling a subscriber's endpoint (SOL003 7.4.6, SOL013 8.3.4), for workers: never in a web request."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote_plus, urlencode

from django.conf import settings

from vnfm.kit.etsi.versions import HEADER as VERSION
from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundUrl
from vnfm.kit.outgoing.outbound import Certificate, Deadline, basic, send, translate_errors
from vnfm.kit.problem import ProblemError
from vnfm.kit.seal import unseal
from vnfm.notifications.domain.error_text import error_text
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers.outcomes import DeliveryError
from vnfm.notifications.selectors.sources import version_of
from vnfm.notifications.services.subscriptions import NOTIFICATIONS, Login, policy

SECONDS = 10.0
"""For one whole request."""
MAX_BYTES = 64 * 1024
"""The part of an answer that is read."""
REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_ACCEPTABLE,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""Rejections of this notification: sent again it would be rejected again."""


_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""RFC 6750 b64token; other characters could start another header line."""


def webhook_of(subscription: Subscription) -> "Webhook":
    """Raises InvalidToken when no available key opens its login."""
    login = unseal(subscription.sealed_login) if subscription.sealed_login is not None else {}
    return Webhook(subscription.callback_uri, login, version_of(subscription.interface))


@dataclass(frozen=True, slots=True)
class WebhookResponse:
    status: int
    content_type: str
    content: bytes


class Webhook:
    """One subscriber's endpoint; an OAuth 2.0 token lasts as long as this object."""

    def __init__(self, callback_uri: str, login: Login, version: str) -> None:
        self._url, self._login, self._version = callback_uri, login, version
        self._authorization = ""

    def test(self) -> None:
        """Raises ProblemError unless the endpoint answers 204 to a GET."""
        try:
            answer = self._call("GET")
        except DeliveryError as error:
            raise NOTIFICATIONS.problem("ANSWERS", str(error)) from error
        if answer.status != HTTPStatus.NO_CONTENT:
            words = f"{self._words(answer)} To a GET it must answer 204."
            raise NOTIFICATIONS.problem("ANSWERS", words, "Check callbackUri and authentication.")

    def send(self, body: Mapping[str, object]) -> None:
        """Returns when the endpoint has it, and else raises DeliveryError."""
        try:
            answer = self._call("POST", json.dumps(body).encode())
        except ProblemError as error:
            raise DeliveryError(error.problem.detail) from error
        if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
            raise DeliveryError(self._words(answer), permanent=answer.status in REFUSALS)

    def _call(self, method: str, body: bytes | None = None) -> WebhookResponse:
        headers = {"Accept": "application/json, application/problem+json", VERSION: self._version}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._login.get("type") == "TLS_CERT":
            return exchange(policy().parse_login_url(self._url), method, headers, body, certificate=_certificate())
        if self._login:
            url = policy().parse_login_url(self._url)
            headers["Authorization"] = self._authorization = self._authorization or self._log_in()
        else:
            url = policy().parse_url(self._url)
        return exchange(url, method, headers, body)

    def _log_in(self) -> str:
        """The value of the Authorization header."""
        if self._login["type"] == "BASIC":
            return basic(self._login["user_name"], self._login["password"])
        url = policy().parse_login_url(self._login["token_endpoint"])
        # RFC 6749 2.3.1: form-encoded first.
        client = basic(quote_plus(self._login["client_id"]), quote_plus(self._login["client_password"]))
        form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        body = urlencode({"grant_type": "client_credentials"}).encode()
        answer = exchange(url, "POST", {**form, "Authorization": client}, body)
        token = _token(answer.content)
        if answer.status != HTTPStatus.OK or not token:
            raise DeliveryError(f"The token endpoint gives no bearer token: it answers {answer.status}.")
        return f"Bearer {token}"

    def _words(self, answer: WebhookResponse) -> str:
        token = self._authorization.partition(" ")[2]
        secrets = (token, self._login.get("password", ""), self._login.get("client_password", ""))
        return error_text(answer.status, answer.content_type, answer.content, secrets)


def exchange(
    url: OutboundUrl,
    method: str,
    headers: Mapping[str, str],
    body: bytes | None,
    allowed: OutboundPolicy | None = None,
    *,
    certificate: Certificate | None = None,
) -> WebhookResponse:
    """One request and its answer, under the policy of subscribers if no other is given. Raises ProblemError."""
    rules = allowed or policy()
    with (
        Deadline(SECONDS) as deadline,
        send(url, rules, deadline, method=method, headers=headers, body=body, certificate=certificate) as answer,
    ):
        with translate_errors(url, rules.purpose, deadline):
            content = answer.read(MAX_BYTES)
        return WebhookResponse(answer.status, answer.headers.get("Content-Type", ""), content)


def _certificate() -> Certificate:
    """Ours; raises DeliveryError when it was taken away since the subscription was made."""
    if not settings.CLIENT_CERT:
        raise DeliveryError("It wants our client certificate, and VNFM_CLIENT_CERT names none any more.")
    return settings.CLIENT_CERT, settings.CLIENT_KEY


def _token(content: bytes) -> str:
    """The bearer token of RFC 6749 5.1; "" when there is none that can be sent."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(document, dict) or str(document.get("token_type", "")).lower() != "bearer":
        return ""
    token = document.get("access_token")
    return token if isinstance(token, str) and _TOKEN.fullmatch(token) else ""

"""Calling a subscriber's endpoint (SOL003 7.4.6, SOL013 8.3.4), for workers: never in a web request."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote_plus, urlencode

from django.conf import settings

from vnfm.kit.addresses import OutboundUrl
from vnfm.kit.outbound import Deadline, basic, send, translate_errors
from vnfm.kit.problem import ProblemError
from vnfm.kit.versions import HEADER as VERSION
from vnfm.notifications.domain.words import in_its_words
from vnfm.notifications.subscription_services import NOTIFICATIONS, Login, policy

SECONDS = 10.0
"""For one request, from the first byte to the last."""
MOST_BYTES = 64 * 1024
"""Of an answer that are read; more says nothing more."""
_REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_ACCEPTABLE,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""Of this one notification: sent again it would be refused again."""


_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""RFC 6750 b64token; anything else could end the header line and begin another."""


class NotTakenError(Exception):
    """The endpoint did not take it; the message says why. `for_good`: it never will take this one."""

    def __init__(self, message: str, *, for_good: bool = False) -> None:
        super().__init__(message)
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class _Answer:
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
        except NotTakenError as error:
            raise NOTIFICATIONS.problem("ANSWERS", str(error)) from error
        if answer.status != HTTPStatus.NO_CONTENT:
            words = f"{self._words(answer)} To a GET it must answer 204."
            raise NOTIFICATIONS.problem("ANSWERS", words, "Check callbackUri and authentication.")

    def send(self, body: Mapping[str, object]) -> None:
        """Returns when the endpoint has it, and else raises NotTakenError."""
        try:
            answer = self._call("POST", json.dumps(body).encode())
        except ProblemError as error:
            raise NotTakenError(error.problem.detail) from error
        if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
            raise NotTakenError(self._words(answer), for_good=answer.status in _REFUSALS)

    def _call(self, method: str, body: bytes | None = None) -> _Answer:
        headers = {"Accept": "application/json, application/problem+json", VERSION: self._version}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._login:
            place = policy().parse_login_url(self._url)
            headers["Authorization"] = self._authorization = self._authorization or self._log_in()
        else:
            place = policy().parse_url(self._url)
        return _exchanged(place, method, headers, body)

    def _log_in(self) -> str:
        """The value of the Authorization header."""
        if self._login["type"] == "BASIC":
            return basic(self._login["user_name"], self._login["password"])
        place = policy().parse_login_url(self._login["token_endpoint"])
        # RFC 6749 2.3.1: form-encoded first.
        client = basic(quote_plus(self._login["client_id"]), quote_plus(self._login["client_password"]))
        form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        body = urlencode({"grant_type": "client_credentials"}).encode()
        answer = _exchanged(place, "POST", {**form, "Authorization": client}, body)
        token = _token(answer.content)
        if answer.status != HTTPStatus.OK or not token:
            raise NotTakenError(f"The token endpoint gives no bearer token: it answers {answer.status}.")
        return f"Bearer {token}"

    def _words(self, answer: _Answer) -> str:
        shown = self._authorization.partition(" ")[2]
        secrets = (shown, self._login.get("password", ""), self._login.get("client_password", ""))
        return in_its_words(answer.status, answer.content_type, answer.content, secrets)


def newest_version(interface: str) -> str:
    """Of the interface, as the Version header of notifications has it (SOL013 9.1.3)."""
    majors: dict[str, list[str]] = settings.ETSI_APIS[interface]
    return [versions[-1] for versions in majors.values()][-1]


def _exchanged(place: OutboundUrl, method: str, headers: Mapping[str, str], body: bytes | None) -> _Answer:
    with (
        Deadline(SECONDS) as deadline,
        send(place, policy(), deadline, method=method, headers=headers, body=body) as answer,
    ):
        with translate_errors(place, NOTIFICATIONS, deadline):
            content = answer.read(MOST_BYTES)
        return _Answer(answer.status, answer.headers.get("Content-Type", ""), content)


def _token(content: bytes) -> str:
    """RFC 6749 5.1; "" when there is none that we can send."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(document, dict) or str(document.get("token_type", "")).lower() != "bearer":
        return ""
    token = document.get("access_token")
    return token if isinstance(token, str) and _TOKEN.fullmatch(token) else ""

"""The NFVO over HTTP (SOL003 9.4, SOL013).

The one host that is ever called is that of the configured URL: redirects are not followed, and of a `Location` only the
grant's identifier is taken, since the token goes wherever we call. Answers are bounded in size and time.
"""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import requests
from urllib3.exceptions import HTTPError

from vnfm.nfvo.errors import GrantDenied, GrantRejected, NfvoError, NfvoUnreachable, Unusable
from vnfm.nfvo.login import NfvoCredentials, NfvoLogin
from vnfm.nfvo.ports import Answer, Granted, Pending

VERSION = "1.7.0"
"""Of the grant interface in SOL003 3.7.1, whose data types we use."""
CONNECT_SECONDS = 5.0
READ_SECONDS = 15.0
"""Seconds from one byte of an answer to the next, and for all of its body."""
MAX_BYTES = 1024 * 1024
MAX_MESSAGE = 1000
CHUNK = 16 * 1024

_LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
_SECONDS = re.compile(r"[0-9]{1,6}")
_GRANT_ID = re.compile(r"[A-Za-z0-9_.:~@-]{1,255}")


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """None when it is no JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return None


class HttpNfvo:
    """`url` is the interface's root, such as https://nfvo.example/grant/v1.

    `certificate`: files with our client certificate and its key, for TLS.
    """

    def __init__(
        self,
        url: str,
        *,
        credentials: NfvoCredentials | None = None,
        certificate: tuple[str, str] | None = None,
        cacert: str = "",
        patience: float = READ_SECONDS,
    ) -> None:
        self._url = url
        self._login = NfvoLogin(credentials or NfvoCredentials(), self._post_form)
        self._certificate = certificate
        self._cacert = cacert
        self._patience = patience

    def request_grant(self, request: Mapping[str, Any]) -> Answer:
        reply = self._send("POST", "/grants", request)
        if reply.status == HTTPStatus.CREATED:
            grant = _grant(reply)
            return Granted(_identifier(reply) or str(grant.get("id", "")), grant)
        if reply.status == HTTPStatus.ACCEPTED:
            grant_id = _identifier(reply)
            if not grant_id:
                raise Unusable("It answers 202 without a Location that names the grant to come.")
            return Pending(grant_id, _retry_after(reply))
        raise _failure(reply)

    def get_grant(self, grant_id: str) -> Answer:
        reply = self._send("GET", f"/grants/{quote(grant_id, safe='')}")
        if reply.status == HTTPStatus.OK:
            return Granted(grant_id, _grant(reply))
        if reply.status == HTTPStatus.ACCEPTED:
            return Pending(grant_id, _retry_after(reply))
        raise _failure(reply)

    def find_grant(self, op_id: str) -> Granted | None:
        reply = self._send("GET", f"/grants?filter=(eq,vnfLcmOpOccId,{quote(op_id, safe='')})")
        if reply.status != HTTPStatus.OK:
            failure = _failure(reply)
            if isinstance(failure, NfvoUnreachable) and reply.status != HTTPStatus.NOT_IMPLEMENTED:
                raise failure
            return None
        found = reply.json if isinstance(reply.json, list) else []
        grants = [grant for grant in found if isinstance(grant, dict) and grant.get("vnfLcmOpOccId") == op_id]
        return Granted(str(grants[0].get("id", "")), grants[0]) if grants else None

    def grant_uri(self, grant_id: str) -> str:
        return f"{self._url}/grants/{quote(grant_id, safe='')}"

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> _Reply:
        reply = self._request(method, self._url + path, {"Version": VERSION, **self._login.headers()}, json=body)
        if reply.status == HTTPStatus.UNAUTHORIZED and self._login.forget():  # the token may have been revoked
            reply = self._request(method, self._url + path, {"Version": VERSION, **self._login.headers()}, json=body)
        return reply

    def _post_form(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> tuple[int, Any]:
        reply = self._request("POST", url, headers, data=form)
        return reply.status, reply.json

    def _request(self, method: str, url: str, headers: Mapping[str, str], **body: Any) -> _Reply:
        common = {"Accept": "application/json", "Accept-Encoding": "identity"}
        try:
            with requests.Session() as session:
                session.trust_env = False  # no proxy and no .netrc of this machine may read or set the token
                with session.request(
                    method,
                    url,
                    headers={**common, **headers},
                    timeout=(CONNECT_SECONDS, self._patience),
                    verify=self._cacert or True,
                    cert=self._certificate,
                    allow_redirects=False,
                    stream=True,
                    **body,
                ) as response:
                    return _Reply(response.status_code, response.headers, _content(response, self._patience))
        except (requests.RequestException, HTTPError, OSError) as error:
            raise NfvoUnreachable(_bounded(f"{type(error).__name__}: {error}")) from error


def _content(response: requests.Response, patience: float) -> bytes:
    content = bytearray()
    until = time.monotonic() + patience
    while chunk := response.raw.read1(CHUNK):
        content += chunk
        if len(content) > MAX_BYTES:
            raise Unusable(f"Its answer is longer than {MAX_BYTES} bytes.")
        if time.monotonic() > until:
            raise NfvoUnreachable(f"Its answer is not complete after {patience:.0f} s.")
    return bytes(content)


def _grant(reply: _Reply) -> Mapping[str, Any]:
    grant = reply.json
    if not isinstance(grant, dict):
        raise Unusable(f"Its answer {reply.status} is no Grant: {_kind(reply)}.")
    return grant


def _identifier(reply: _Reply) -> str:
    """The grant's id, by the structure of its URI: {apiRoot}/grant/v1/grants/{grantId}; "" when there is none."""
    folder, _, last = urlsplit(reply.headers.get("Location", "")).path.rstrip("/").rpartition("/")
    grant_id = unquote(last)
    if not folder.endswith("/grants") or not _GRANT_ID.fullmatch(grant_id) or grant_id in (".", ".."):
        return ""
    return grant_id


def _failure(reply: _Reply) -> NfvoError:
    status = reply.status
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _LATER:
        return NfvoUnreachable(_message(reply), _retry_after(reply))
    if status == HTTPStatus.FORBIDDEN:
        return GrantDenied(_message(reply))
    if status >= HTTPStatus.BAD_REQUEST:
        return GrantRejected(_message(reply))
    if status >= HTTPStatus.MULTIPLE_CHOICES:
        return Unusable(f"It answers {status}; redirects are not followed.")
    return Unusable(f"It answers {status}, which is not expected here.")


def _message(reply: _Reply) -> str:
    """The text of its ProblemDetails (SOL013 6.3); of any other body only its type and size."""
    problem = reply.json if isinstance(reply.json, dict) else {}
    parts = [problem[name] for name in ("title", "detail") if isinstance(problem.get(name), str) and problem[name]]
    return _bounded(
        f"{': '.join(parts)} ({reply.status})" if parts else f"It answers {reply.status} with {_kind(reply)}."
    )


def _kind(reply: _Reply) -> str:
    kind = reply.headers.get("Content-Type", "").partition(";")[0].strip()
    return f"{len(reply.content)} bytes of {kind or 'no content type'}"


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"


def _retry_after(reply: _Reply) -> float | None:
    seconds = reply.headers.get("Retry-After", "")
    return float(seconds) if _SECONDS.fullmatch(seconds) else None

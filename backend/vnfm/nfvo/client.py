"""HTTP towards an NFVO or a foreign EM (SOL013): how we log in, where we go, and how much of an answer we take.

The one host that is ever called is that of the configured URL: redirects are not followed, and of a `Location` only the
resource's identifier is taken, since the token goes wherever we call. Answers are bounded in size and time.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

import requests
from urllib3.exceptions import HTTPError

from vnfm.kit import clock
from vnfm.kit.patterns import pattern
from vnfm.nfvo.errors import NfvoUnreachable, Unusable
from vnfm.nfvo.login import NfvoCredentials, NfvoLogin

CONNECT_SECONDS = 5.0
READ_SECONDS = 15.0
"""Seconds from one byte of an answer to the next, and for all of its body."""
MAX_BYTES = 1024 * 1024
MAX_MESSAGE = 1000
CHUNK = 16 * 1024
MIN_DELAY, MAX_DELAY = 1.0, 999_999.0
"""Bounds of the seconds until a date in Retry-After: clocks differ, and one in the past must not make us hurry."""

_LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
_SECONDS = pattern(r"[0-9]{1,6}")
_IDENTIFIER = pattern(r"[A-Za-z0-9_.:~@-]{1,255}")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """Return the parsed body; None when it is not JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return None

    @property
    def message(self) -> str:
        """The text of its ProblemDetails (SOL013 6.3); of any other body only its type and size."""
        words = problem_words(self.json)
        return bounded(f"{words} ({self.status})" if words else f"It answers {self.status} with {self.kind}.")

    @property
    def kind(self) -> str:
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
        return f"{len(self.content)} bytes of {kind or 'no content type'}"

    @property
    def retry_after(self) -> float | None:
        """Seconds of Retry-After, which may be a date; None without it."""
        text = self.headers.get("Retry-After", "")
        if _SECONDS.fullmatch(text):
            return float(text)
        try:
            at = parsedate_to_datetime(text)
        except (TypeError, ValueError):
            return None
        return min(MAX_DELAY, max(MIN_DELAY, (at - clock.now()).total_seconds())) if at.tzinfo else None

    def identifier(self, collection: str) -> str:
        """The resource's id, by the structure of its URI: …/{collection}/{id}; "" when there is none."""
        folder, _, last = urlsplit(self.headers.get("Location", "")).path.rstrip("/").rpartition("/")
        found = unquote(last)
        return found if folder.endswith(f"/{collection}") and is_identifier(found) else ""

    def require_answer(self) -> None:
        """Raise unless it is a success or a 4xx about the request."""
        if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status in _LATER:
            raise NfvoUnreachable(self.message, self.retry_after)
        if self.status >= HTTPStatus.BAD_REQUEST:
            return
        if self.status >= HTTPStatus.MULTIPLE_CHOICES:
            raise Unusable(f"It answers {self.status}; redirects are not followed.")


class SolClient:
    """Base of a client of one interface; `url` is its root, such as https://nfvo.example/grant/v1.

    `certificate`: files with our client certificate and its key, for TLS.
    """

    VERSION: ClassVar[str]
    """The version of the interface (SOL013 9.1)."""

    def __init__(
        self,
        url: str,
        *,
        credentials: NfvoCredentials | None = None,
        certificate: tuple[str, str] | None = None,
        cacert: str = "",
        patience: float = READ_SECONDS,
    ) -> None:
        self.url = url
        self._login = NfvoLogin(credentials or NfvoCredentials(), self._post_form)
        self._certificate = certificate
        self._cacert = cacert
        self._patience = patience

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Reply:
        """Raises NfvoUnreachable without an answer, Unusable for one without an end."""
        reply = self._request(method, self.url + path, self._headers(), json=body)
        if reply.status == HTTPStatus.UNAUTHORIZED and self._login.forget():  # the token may have been revoked
            reply = self._request(method, self.url + path, self._headers(), json=body)
        return reply

    def _headers(self) -> dict[str, str]:
        return {"Version": self.VERSION, **self._login.headers()}

    def _post_form(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> tuple[int, Any]:
        reply = self._request("POST", url, headers, data=form)
        return reply.status, reply.json

    def _request(self, method: str, url: str, headers: Mapping[str, str], **body: Any) -> Reply:
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
                    return Reply(response.status_code, response.headers, _content(response, self._patience))
        except (requests.RequestException, HTTPError, OSError) as error:
            raise NfvoUnreachable(bounded(f"{type(error).__name__}: {error}")) from error


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


def is_identifier(text: object) -> bool:
    """True if it may be part of a path of ours."""
    return isinstance(text, str) and bool(_IDENTIFIER.fullmatch(text)) and text not in (".", "..")


def problem_words(problem: object) -> str:
    """Title and detail of ProblemDetails; "" where there are none."""
    known = problem if isinstance(problem, dict) else {}
    parts = [known[name] for name in ("title", "detail") if isinstance(known.get(name), str) and known[name]]
    return bounded(": ".join(parts))


def bounded(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"

"""Log in at the NFVO (SOL013 8.3.5): a bearer token, HTTP Basic, or OAuth 2.0 client credentials."""

import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from vnfm.kit.patterns import pattern
from vnfm.nfvo.errors import GrantRejected, NfvoUnreachable, Unusable

_TOKEN = pattern(r"[A-Za-z0-9._~+/-]+=*")
"""RFC 6750 b64token; anything else could end the header line and begin another."""
EARLY_SECONDS = 30.0
"""A token is not used when it expires within this time."""
USUAL_SECONDS = 300.0
"""A token that does not say when it expires is used for this time."""

Post = Callable[[str, Mapping[str, str], Mapping[str, str]], tuple[int, Any]]
"""Posts a form: URL, headers, fields; returns the status and the parsed JSON (None: no JSON)."""


@dataclass(frozen=True, slots=True)
class NfvoCredentials:
    """Files are read at each use. With `token_url` the client gets a token there; without it, it sends HTTP Basic."""

    token_file: str = ""
    client_id: str = ""
    secret_file: str = ""
    token_url: str = ""
    settings: str = "VNFM_NFVO"
    """The names of the settings begin with it in messages."""


class NfvoLogin:
    """The Authorization header; an OAuth 2.0 token is kept until it expires."""

    def __init__(self, credentials: NfvoCredentials, post: Post) -> None:
        self._credentials, self._post = credentials, post
        self._token, self._expires = "", 0.0

    def headers(self) -> dict[str, str]:
        """Raises NfvoError."""
        known = self._credentials
        if known.client_id:
            return {"Authorization": f"Bearer {self._granted()}" if known.token_url else self._basic(known.client_id)}
        if not known.token_file:
            return {}
        token = _content(known.token_file, f"{known.settings}_TOKEN_FILE")
        if not _TOKEN.fullmatch(token):
            raise Unusable(f"{known.settings}_TOKEN_FILE does not hold a bearer token (RFC 6750).")
        return {"Authorization": f"Bearer {token}"}

    def forget(self) -> bool:
        """True if another token may help after a 401."""
        had, self._token = bool(self._token), ""
        return had

    def _basic(self, name: str) -> str:
        secret = _content(self._credentials.secret_file, f"{self._credentials.settings}_SECRET_FILE")
        return f"Basic {b64encode(f'{name}:{secret}'.encode()).decode()}"

    def _granted(self) -> str:
        if self._token and time.monotonic() < self._expires:
            return self._token
        secret = _content(self._credentials.secret_file, f"{self._credentials.settings}_SECRET_FILE")
        # RFC 6749 2.3.1: form-encoded first.
        client = b64encode(f"{quote_plus(self._credentials.client_id)}:{quote_plus(secret)}".encode()).decode()
        status, answer = self._post(
            self._credentials.token_url, {"Authorization": f"Basic {client}"}, {"grant_type": "client_credentials"}
        )
        self._token = _bearer(status, answer)
        seconds = answer.get("expires_in")
        lifetime = float(seconds) if isinstance(seconds, int | float) else USUAL_SECONDS
        self._expires = time.monotonic() + max(0.0, lifetime - EARLY_SECONDS)
        return self._token


def _bearer(status: int, answer: Any) -> str:
    """The token of an answer (RFC 6749 5.1)."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise NfvoUnreachable(f"The token endpoint answers {status}.")
    token = answer.get("access_token") if isinstance(answer, dict) else None
    kind = str(answer.get("token_type", "")).lower() if isinstance(answer, dict) else ""
    if status == HTTPStatus.OK and kind == "bearer" and isinstance(token, str) and _TOKEN.fullmatch(token):
        return token
    error = answer.get("error") if isinstance(answer, dict) else None
    words = f": {error}" if isinstance(error, str) and error.isascii() and error.isprintable() else ""
    raise GrantRejected(f"The token endpoint gives no bearer token: it answers {status}{words[:100]}.")


def _content(path: str, setting: str) -> str:
    try:
        return Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"{setting} cannot be read: {type(error).__name__}.") from error

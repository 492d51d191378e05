"""Ways in which requests prove whose they are (SOL013 clause 8.3); each can be switched off."""

import re
from base64 import b64decode
from binascii import Error as NoBase64
from enum import StrEnum


class Login(StrEnum):
    """`settings.API_LOGINS` has those that are accepted."""

    SESSION = "session"
    TOKEN = "token"  # noqa: S105 - a word, and no secret
    """A bearer token that a user made."""
    OAUTH2 = "oauth2"
    """A bearer token by OAuth 2.0 client credentials (RFC 6749 4.4)."""
    BASIC = "basic"
    """Name and secret of an API client in each request (RFC 7617)."""
    X_AUTH_TOKEN = "x-auth-token"  # noqa: S105 - as above
    """A token in OpenStack's header instead of Authorization."""
    CERTIFICATE = "certificate"
    """A TLS certificate, as a trusted proxy says by the header Client-Cert (RFC 9440)."""


_ITEM = re.compile(r"\s*:([A-Za-z0-9+/]+={0,2}):\s*")


def basic_credentials(text: str) -> tuple[str, str]:
    """Name and secret of `Authorization: Basic text`. Raises ValueError when there are none."""
    try:
        name, colon, secret = b64decode(text.strip(), validate=True).decode().partition(":")
    except NoBase64 as error:
        raise ValueError(text) from error
    if not (name and colon) or "\0" in name + secret:
        raise ValueError(text)
    return name, secret


def client_cert(text: str) -> bytes:
    """The certificate (DER) of the header Client-Cert. Raises ValueError when there is none."""
    item = _ITEM.fullmatch(text)
    if item is None:
        raise ValueError(text)
    try:
        return b64decode(item[1], validate=True)
    except NoBase64 as error:
        raise ValueError(text) from error

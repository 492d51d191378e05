"""Parts of a request that any context reads: its user, and what the user logged in with."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from vnfm.accounts.domain.logins import Login, basic_credentials, client_cert
from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import client_by_certificate, token_by_secret
from vnfm.accounts.services import client_authenticate
from vnfm.accounts.tokens import token_used
from vnfm.kit import clock
from vnfm.kit.problem import bad_request

CLIENT_CERT = "Client-Cert"
X_AUTH_TOKEN = "X-Auth-Token"  # noqa: S105 - a name, and no secret
_SCHEMES = ("bearer", "basic")


def caller(request: Request) -> User:
    """The user of the request, in views that `ByRole` guards."""
    assert isinstance(request.user, User)
    return request.user


def program_login(request: HttpRequest | Request) -> tuple[User, ApiToken | Login] | None:
    """The user of a request by a program, and its token or else its way to log in; None without any of these.

    Raises AuthenticationFailed when credentials are wrong, a 400 problem for what are none, 429 after too many guesses.
    """
    scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _by_token(credentials.strip())
    if scheme.lower() == Login.BASIC and accepts(Login.BASIC):
        return client_of(request, *_basic(credentials)), Login.BASIC
    if not scheme and X_AUTH_TOKEN in request.headers and accepts(Login.X_AUTH_TOKEN):
        return _by_token(request.headers[X_AUTH_TOKEN].strip())
    if not scheme and CLIENT_CERT in request.headers and accepts(Login.CERTIFICATE):
        return _by_certificate(request.headers[CLIENT_CERT]), Login.CERTIFICATE
    return None


def accepts(login: Login) -> bool:
    """Return whether this way to log in is switched on."""
    return login in settings.API_LOGINS


def unused_credentials(request: HttpRequest | Request) -> None:
    """Refuse an Authorization header that no way to log in takes: 400 for a scheme that is none of ours (SOL013 8.3.3),
    401 for one that is switched off.
    """
    scheme = request.headers.get("Authorization", "").partition(" ")[0]
    if scheme.lower() in _SCHEMES:
        raise AuthenticationFailed(f"{scheme} is switched off here: VNFM_API_LOGINS does not name it.")
    if scheme:
        words = f"The Authorization header has the scheme {scheme[:20]!r}; accepted are Bearer and Basic."
        raise bad_request("INVALID_AUTHORIZATION", words, next_step="Send a token or an API client's credentials.")


def client_of(request: HttpRequest | Request, client_id: str, secret: str) -> User:
    """The active API client with this secret. Raises AuthenticationFailed, or 429 after too many guesses."""
    address = request.META.get("REMOTE_ADDR", "")
    client = client_authenticate(client_id=client_id, secret=secret, address=address)
    if client is None:
        raise AuthenticationFailed("Client id or secret is wrong, or the API client is inactive.")
    return client


def _by_token(secret: str) -> tuple[User, ApiToken]:
    now = clock.now()
    token = token_by_secret(secret=secret, now=now)
    if token is None:
        raise AuthenticationFailed("The bearer token is not valid: unknown, revoked, expired, or of an inactive user.")
    kind = Login.OAUTH2 if token.scope else Login.TOKEN
    if not accepts(kind):
        raise AuthenticationFailed(f"Tokens of this kind are switched off here: VNFM_API_LOGINS does not name {kind}.")
    token_used(token=token, now=now)
    token.user.ceiling = Role(token.scope) if token.scope else None
    return token.user, token


def _basic(credentials: str) -> tuple[str, str]:
    try:
        return basic_credentials(credentials)
    except ValueError as error:
        words = "The Authorization header holds no name and secret in base64 (RFC 7617)."
        raise bad_request("INVALID_AUTHORIZATION", words, next_step="Send Basic base64(name:secret).") from error


def _by_certificate(header: str) -> User:
    try:
        client = client_by_certificate(der=client_cert(header))
    except ValueError as error:
        raise bad_request("INVALID_AUTHORIZATION", f"{CLIENT_CERT} holds no certificate as in RFC 9440.") from error
    if client is None:
        raise AuthenticationFailed("No active API client has this TLS certificate.")
    return client

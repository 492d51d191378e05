"""Who is asking: a bearer token for programs, a session with CSRF for the browser."""

from django.http import HttpRequest
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.selectors import token_by_secret
from vnfm.accounts.services import token_used
from vnfm.kit import clock
from vnfm.kit.problem import Problem, ProblemError


def bearer_token(request: HttpRequest | Request) -> ApiToken | None:
    """The token in the Authorization header, None without one. Raises AuthenticationFailed when it is not valid."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    now = clock.now()
    token = token_by_secret(secret=secret.strip(), now=now)
    if token is None:
        raise AuthenticationFailed("The bearer token is not valid: unknown, revoked, expired, or of an inactive user.")
    token_used(token=token, now=now)
    return token


class BearerAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        token = bearer_token(request)
        return None if token is None else (token.user, token)

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="vnfm"'


class SessionAuthentication(authentication.SessionAuthentication):
    """DRF's, with a CSRF failure that says what to do."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise ProblemError(
                Problem(
                    403,
                    "CSRF_FAILED",
                    "Forbidden",
                    f"{error.detail}",
                    "Read /api/v1/session/csrf, and send its csrfToken as X-CSRFToken together with the cookie.",
                )
            ) from error

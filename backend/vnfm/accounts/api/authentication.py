"""Authentication: tokens, API clients and certificates for programs, a session with CSRF for the browser (ADR-0056)."""

from rest_framework import authentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from vnfm.accounts.domain.logins import Login
from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.wire import X_AUTH_TOKEN, accepts, program_login, unused_credentials
from vnfm.kit.problem import Problem, ProblemError


class ProgramAuthentication(authentication.BaseAuthentication):
    """The first of all, whose challenge a 401 has: see `authenticate_header`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken | Login] | None:
        return program_login(request)

    def authenticate_header(self, request: Request) -> str:
        """The challenge, with the reason (RFC 6750 3.1) when a token was sent.

        Basic only where Basic was sent: a browser would ask its user for a password otherwise.
        """
        scheme = request.headers.get("Authorization", "").partition(" ")[0].lower()
        if scheme == Login.BASIC:
            return 'Basic realm="vnfm", charset="UTF-8"'
        sent = scheme == "bearer" or X_AUTH_TOKEN in request.headers
        return 'Bearer realm="vnfm"' + (', error="invalid_token"' if sent else "")


class SessionAuthentication(authentication.SessionAuthentication):
    """DRF's, with a CSRF failure that says what to do."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        return super().authenticate(request) if accepts(Login.SESSION) else None

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


class UnusedCredentials(authentication.BaseAuthentication):
    """The last of all: an Authorization header that none has taken is refused, not ignored."""

    def authenticate(self, request: Request) -> None:
        unused_credentials(request)

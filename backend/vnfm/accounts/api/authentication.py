"""Authentication: a bearer token for programs, a session with CSRF for the browser."""

from rest_framework import authentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.wire import bearer_token
from vnfm.kit.problem import Problem, ProblemError


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

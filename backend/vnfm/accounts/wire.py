"""What any context reads of a request: its user, its bearer token."""

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.selectors import token_by_secret
from vnfm.accounts.services import token_used
from vnfm.kit import clock


def caller(request: Request) -> User:
    """The user of the request, in views that `ByRole` guards."""
    assert isinstance(request.user, User)
    return request.user


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

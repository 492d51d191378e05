"""Reads of accounts."""

import hashlib
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from vnfm.accounts.models import ApiToken, AuditEntry, User
from vnfm.kit.problem import not_found

OAUTH_TOKEN = "OAuth 2.0"  # noqa: S105 - how such tokens are listed
TOKEN_PREFIX = "vnfm_"  # noqa: S105 - lets secret scanners recognise a leaked one


def token_digest(secret: str) -> bytes:
    """The digest that is stored of a token. A plain hash is enough: no secret of 256 random bits can be guessed."""
    return hashlib.sha256(secret.encode()).digest()


def token_by_secret(*, secret: str, now: datetime) -> ApiToken | None:
    """The token, with its user, if it is valid now and its user is active.

    One condition in SQL: with each call of the API, Django takes longer to write the others than to check them here.
    """
    try:
        token = ApiToken.objects.select_related("user").get(digest=token_digest(secret))
    except ApiToken.DoesNotExist:
        return None
    return token if token.user.is_active and (token.expires_at is None or token.expires_at > now) else None


def audit_request(*, actor: str, created: UUID, since: datetime) -> AuditEntry | None:
    """The entry of the accepted request that created this resource at or after `since`; None if there is none."""
    accepted = AuditEntry.objects.filter(actor=actor, action="POST 202", at__gte=since)
    return accepted.filter(detail__id=str(created)).order_by("at").first()


def token_list(*, user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user).order_by("created_at", "id")


def token_get(*, user: User, token_id: UUID) -> ApiToken:
    """Raises a 404 problem, also for another user's token."""
    token = token_list(user=user).filter(id=token_id).first()
    if token is None:
        raise not_found("token", token_id)
    return token


def user_list() -> QuerySet[User]:
    """People."""
    return User.objects.filter(is_client=False).order_by("username")


def client_list() -> QuerySet[User]:
    """API clients."""
    return User.objects.filter(is_client=True)


def client_get(*, client_id: UUID) -> User:
    """Raises a 404 problem."""
    client = client_list().filter(id=client_id).first()
    if client is None:
        raise not_found("API client", client_id)
    return client


def client_by_certificate(*, der: bytes) -> User | None:
    """The active API client that has this TLS certificate."""
    return client_list().filter(certificate_digest=hashlib.sha256(der).digest(), is_active=True).first()


def user_named(username: str) -> User | None:
    """A person or an API client."""
    return User.objects.filter(username=username).first()


def user_get(*, user_id: UUID) -> User:
    """Raises a 404 problem."""
    user = user_list().filter(id=user_id).first()
    if user is None:
        raise not_found("user", user_id)
    return user


def audit_list() -> QuerySet[AuditEntry]:
    """The audit trail; see `AuditEntry`."""
    return AuditEntry.objects.all()

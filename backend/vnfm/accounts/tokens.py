"""Bearer tokens: issue, revoke, record their use."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from vnfm.accounts.models import ApiToken, User
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import OAUTH_TOKEN, TOKEN_PREFIX, token_digest
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, conflict, unprocessable

CLIENT_TOKEN_LIFETIME = timedelta(hours=1)
"""The lifetime of a token by OAuth 2.0."""
MAX_TOKENS = 100
"""Tokens that one user, or API client, has alive at a time."""
_OF_OAUTH = Q(parent__isnull=True) & ~Q(scope="")
"""Tokens that /oauth/token issued; those that users made with one of these have a parent."""


def new_secret() -> str:
    """Make a secret of a token, or of an API client."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


@transaction.atomic
def token_issue(
    *,
    user: User,
    name: str,
    expires_at: datetime | None = None,
    parent: ApiToken | None = None,
    replaces: bool = False,
) -> tuple[ApiToken, str]:
    """A new bearer token and its secret, which is stored nowhere.

    `parent` is the token of the request, if it has one: the new one ends with it. `expires_at`: None for the latest
    possible time, see `TOKEN_MAX_DAYS`. Raises a 422 problem for a later one, 409 when the user has MAX_TOKENS: with
    `replaces` the oldest of the same name ends for it. A token grants no more than its parent.
    """
    _require_room(user, name if replaces else None)
    latest = clock.now() + timedelta(days=settings.TOKEN_MAX_DAYS)
    why = f"A token is valid for {settings.TOKEN_MAX_DAYS} days at most."
    if parent is not None and parent.expires_at is not None and parent.expires_at < latest:
        latest, why = parent.expires_at, "A token ends no later than the token that makes it."
    if expires_at is not None and expires_at > latest:
        step = f"Choose {latest.isoformat(timespec='seconds')} or earlier, or leave the time out."
        raise unprocessable("TOKEN_TOO_LONG", why, [FieldError("/expiresAt", why)], step)
    scope = parent.scope if parent is not None else ""
    return _token(user=user, name=name, expires_at=expires_at or latest, parent=parent, scope=scope)


def _token(*, user: User, name: str, expires_at: datetime, parent: ApiToken | None, scope: str) -> tuple[ApiToken, str]:
    secret = new_secret()
    digest = token_digest(secret)
    token = ApiToken.objects.create(
        user=user, name=name, digest=digest, expires_at=expires_at, parent=parent, scope=scope
    )
    return token, secret


def _lock(user: User) -> None:
    """Lock the user until the transaction ends: two requests must not count the same tokens."""
    list(User.objects.select_for_update(no_key=True).filter(id=user.id).values_list("id"))


def _require_room(user: User, replaced: str | None) -> None:
    """Raise 409 when the user has MAX_TOKENS of its own; expired ones, and one that is named `replaced`, make room."""
    _lock(user)
    own = ApiToken.objects.filter(~_OF_OAUTH, user=user)
    if own.count() < MAX_TOKENS:
        return
    own.filter(expires_at__lte=clock.now()).delete()
    if own.count() >= MAX_TOKENS and replaced is not None:
        ApiToken.objects.filter(id__in=own.filter(name=replaced).order_by("created_at").values("id")[:1]).delete()
    if own.count() >= MAX_TOKENS:
        words = f"{user.username} has {MAX_TOKENS} tokens, which is the most that one user can have."
        raise conflict("TOO_MANY_TOKENS", words, "Revoke tokens that are not used any more, then repeat.")


def token_revoke(*, token: ApiToken) -> None:
    token.delete()


def token_used(*, token: ApiToken, now: datetime) -> None:
    """Record the use, to the minute: a write for every request would cost too much."""
    if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
        ApiToken.objects.filter(id=token.id).update(last_used_at=now)


def client_token_issue(*, client: User, scope: Role) -> str:
    """The secret of a new token by OAuth 2.0; those of the client that have expired are deleted.

    Of MAX_TOKENS that are alive the oldest ends: a client that takes one for each request needs no old ones.
    """
    with transaction.atomic():
        _lock(client)
        now = clock.now()
        ApiToken.objects.filter(user=client, expires_at__lte=now).delete()
        issued = ApiToken.objects.filter(_OF_OAUTH, user=client).order_by("-created_at", "-id")
        kept = list(issued.values_list("id", flat=True)[: MAX_TOKENS - 1])
        issued.exclude(id__in=kept).delete()
        expires_at = now + CLIENT_TOKEN_LIFETIME
        return _token(user=client, name=OAUTH_TOKEN, expires_at=expires_at, parent=None, scope=scope)[1]


def client_token_revoke(*, client: User, secret: str) -> None:
    """End the client's token with this secret, and those that were made with it; nothing for another's."""
    ApiToken.objects.filter(user=client, digest=token_digest(secret)).delete()

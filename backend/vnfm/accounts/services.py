"""Writes of accounts: users, bearer tokens, logins, and the audit trail."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import ip_address
from typing import Any
from uuid import UUID

import structlog
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac

from vnfm.accounts.domain.names import skeleton
from vnfm.accounts.domain.passwords import better_password
from vnfm.accounts.models import ApiToken, AuditEntry, User
from vnfm.accounts.roles import Role
from vnfm.accounts.selectors import client_list, token_digest, user_get, user_named
from vnfm.accounts.tokens import new_secret
from vnfm.kit import clock
from vnfm.kit.durable.places import Places
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, not_found, unprocessable

LOGIN_ATTEMPTS = 5
LOGIN_WINDOW = timedelta(minutes=5)
"""After this number of refusals of one name from one address within LOGIN_WINDOW, further logins are refused unchecked,
until the user gets a new password.
"""
LOGIN_ATTEMPTS_OF_NAME = 50
"""The same for one name from all addresses: guessing from many addresses is as slow."""
LOGIN_ATTEMPTS_OF_ADDRESS = 1000
"""Refusals from one address that are recorded, of names that no user has; a whole company may share an address."""
HASHES_AT_ONCE = 2
"""A password takes 0.2 s of processor, so this bounds what logins take of a machine."""
HASH_QUEUE_SECONDS = 2.0
_hash_places = Places("login", HASHES_AT_ONCE)

_LOGINS_BUSY = Problem(
    503,
    "LOGINS_BUSY",
    "Service unavailable",
    "Many users are logging in at the same time.",
    "Try again in a moment.",
    extra={"retryAfter": 2},
)

LOGIN_REFUSED = "login.refused"


CREDENTIALS = ("token", "tokenName", "login", "session")
"""Attributes of an entry's detail that tell by what its user was known."""


def audit(
    *,
    actor: str,
    action: str,
    target: str = "",
    address: str | None = None,
    detail: dict[str, Any] | None = None,
    request: AuditEntry | None = None,
) -> AuditEntry:
    """Add an entry to the audit trail; the request id comes from the log context.

    `request`: the entry of the request of which this is the result; who sent it from where is copied.
    """
    sent = {name: request.detail[name] for name in CREDENTIALS if name in request.detail} if request else {}
    return AuditEntry.objects.create(
        actor=actor[:150],
        action=action[:100],
        object=target[:500],
        address=request.address if request else _known_address(address),
        request_id=request.request_id if request else structlog.contextvars.get_contextvars().get("request_id", ""),
        detail=sent | (detail or {}),
    )


def audit_prune(keep: timedelta) -> int:
    """Delete entries older than `keep`; returns how many."""
    return AuditEntry.objects.filter(at__lt=clock.now() - keep).delete()[0]


def user_create(*, username: str, password: str, role: Role, full_name: str = "") -> User:
    """Raises a 409 problem when the name is in use, or looks like one in use, 422 when the password is too weak."""
    user = User(username=username, role=role, full_name=full_name)
    _set_password(user, password)
    return _add(user)


def _add(user: User) -> User:
    try:
        with transaction.atomic():
            _require_distinct_name(user.username)
            user.save(force_insert=True)
    except IntegrityError as error:
        words = f"There is a user {user.username!r} already."
        raise conflict("USERNAME_TAKEN", words, "Choose another name.") from error
    return user


def client_create(*, username: str, role: Role, full_name: str = "") -> tuple[User, str]:
    """A new API client and its secret, which is stored nowhere. Raises a 409 problem as `user_create`."""
    secret = new_secret()
    client = User(username=username, role=role, full_name=full_name, is_client=True, secret_digest=token_digest(secret))
    client.set_unusable_password()
    return _add(client), secret


def client_lock(*, client_id: UUID) -> User:
    """The API client, locked until the transaction ends. Raises a 404 problem."""
    client = client_list().select_for_update(no_key=True).filter(id=client_id).first()
    if client is None:
        raise not_found("API client", client_id)
    return client


@transaction.atomic
def client_update(*, client: User, by: str, certificate: bytes | None = None, **values: Any) -> User:
    """Change an API client that `client_lock` returned, as `user_update`; `certificate` is a SHA-256, b"" for none.

    Raises a 409 problem for a certificate that another client has.
    """
    if certificate is not None:
        client.certificate_digest = certificate or None
    if certificate and client_list().filter(certificate_digest=certificate).exclude(id=client.id).exists():
        words = "Another API client has this certificate."
        raise conflict("CERTIFICATE_TAKEN", words, "Take it from the other one first.")
    return user_update(user=client, by=by, **values)


@transaction.atomic
def client_secret_renew(*, client: User, by: str) -> str:
    """The new secret of a client that `client_lock` returned; its tokens end, as the old secret may be known."""
    secret = new_secret()
    ended, _ = ApiToken.objects.filter(user=client).delete()
    client.secret_digest = token_digest(secret)
    client.version += 1
    client.save()
    audit(actor=by, action="api_client.secret", target=client.username, detail={"apiTokensEnded": ended})
    return secret


def client_authenticate(*, client_id: str, secret: str, address: str) -> User | None:
    """The active API client with this secret; None for wrong ones, which are audited. Raises a 429 problem when there
    were too many.

    The right secret is accepted at any time. It has 256 random bits: the limit is for the audit trail. If it held for
    the right one, too, anyone could lock a client out.
    """
    client = user_named(client_id)
    stored = bytes(client.secret_digest or b"") if client is not None else b""
    if client is not None and constant_time_compare(stored, token_digest(secret)) and client.is_active:
        _record_use(client)
        return client
    _count_attempt(client, client_id, _known_address(address))
    return None


def _record_use(client: User) -> None:
    """Record the use to the minute, as of tokens."""
    now = clock.now()
    if client.last_login is None or now - client.last_login > timedelta(minutes=1):
        User.objects.filter(id=client.id).update(last_login=now)


def _require_distinct_name(username: str) -> None:
    """Raises a 409 problem for a name that looks like another user's; no other user is added until the transaction
    ends.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('add user', 0))")
    wanted = skeleton(username)
    alike = next((name for name in User.objects.values_list("username", flat=True) if skeleton(name) == wanted), None)
    if alike is not None:
        words = f"There is a user {alike!r} already" + ("." if alike == username else ", whose name looks the same.")
        raise conflict("USERNAME_TAKEN", words, "Choose another name.")


def user_lock(*, user_id: UUID) -> User:
    """The user, locked until the transaction ends together with all active administrators: one may be the last.

    Locked in the order of their ids, so that two such transactions cannot deadlock. Raises a 404 problem.
    """
    wanted = Q(id=user_id) | Q(role=Role.ADMIN, is_active=True)
    list(User.objects.select_for_update(no_key=True).filter(wanted).order_by("id").values_list("id"))
    return user_get(user_id=user_id)


@transaction.atomic
def user_update(
    *,
    user: User,
    by: str,
    full_name: str | None = None,
    role: Role | None = None,
    is_active: bool | None = None,
    password: str | None = None,
) -> User:
    """Change the values that are not None, of a user that `user_lock` returned. Raises a 409 problem rather than leave
    no active administrator.

    A new password also ends the user's sessions and API tokens: they may have been made with a stolen old one. So does
    deactivation: a user who is let in again logs in again.
    """
    others = User.objects.filter(role=Role.ADMIN, is_active=True, is_client=False).exclude(id=user.id)
    stays_admin = (role or user.role) == Role.ADMIN and (user.is_active if is_active is None else is_active)
    was_admin = user.role == Role.ADMIN and user.is_active and not user.is_client
    if was_admin and not stays_admin and not others.exists():
        raise conflict(
            "LAST_ADMINISTRATOR", f"{user.username} is the last active administrator.", "Make another one first."
        )
    given = {"displayName": full_name, "role": role, "isActive": is_active}
    detail: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    user.full_name = user.full_name if full_name is None else full_name
    user.role = role or user.role
    user.is_active = user.is_active if is_active is None else is_active
    if password is not None:
        _set_password(user, password)
        ended, _ = ApiToken.objects.filter(user=user).delete()
        detail |= {"password": "changed", "apiTokensEnded": ended}
    if is_active is False:
        ended, _ = ApiToken.objects.filter(user=user).delete()
        _end_sessions(user)
        detail |= {"apiTokensEnded": ended}
    user.version += 1
    user.save()
    audit(actor=by, action="user.update", target=user.username, detail=detail)
    return user


def password_change(*, user: User, present: str, password: str, address: str) -> User:
    """A user's own new password. Raises a 422 problem at the field when the present one is wrong, or the new one weak.

    Guessing the present one is limited like guessing at the login.
    """
    if _check_password(user.username, present, address) is None:
        words = "This is not your present password."
        raise unprocessable("WRONG_PASSWORD", words, [FieldError("/presentPassword", words)], "Type it once more.")
    with transaction.atomic():
        return user_update(user=user_lock(user_id=user.id), password=password, by=user.username)


def _end_sessions(user: User) -> None:
    own = [row.pk for row in Session.objects.all().iterator() if row.get_decoded().get(SESSION_KEY) == str(user.id)]
    Session.objects.filter(pk__in=own).delete()


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        words = " ".join(error.messages)
        next_step = better_password(each.code or "" for each in error.error_list)
        raise unprocessable("WEAK_PASSWORD", words, [FieldError("/password", words)], next_step) from error
    user.set_password(password)


def user_authenticate(*, username: str, password: str, address: str) -> User:
    """The user whose name and password these are; raises a 401 or 429 problem. Logins and refusals are audited.

    Takes as long for a name that does not exist as for a wrong password (Django's ModelBackend sees to it).
    """
    user = _check_password(username, password, address)
    if user is None:
        raise ProblemError(
            Problem(
                401, "LOGIN_REFUSED", "Unauthorized", "User name or password is wrong.", "Check both and try again."
            )
        )
    audit(actor=username, action="login", address=address)
    return user


def _check_password(username: str, password: str, address: str) -> User | None:
    """The active user of this name and password; None, with an audit entry, otherwise. Raises a 429 or 503 problem.

    A login counts as refused until its password is found right, so that guesses at the same time count each other.
    """
    with _hashing():
        user = user_named(username)
        attempt = _count_attempt(user, username, _known_address(address))
        if not connection.in_atomic_block:
            connection.close()  # hashing takes long: others may have the connection for that time
        if user is None:
            make_password(password)  # takes as long as for a user
            return None
        if not user.check_password(password) or not user.is_active:
            return None
        if attempt is not None:
            AuditEntry.objects.filter(id=attempt).delete()
        return user


@contextmanager
def _hashing() -> Iterator[None]:
    """A place to hash a password in; raises a 503 problem when none is free for HASH_QUEUE_SECONDS."""
    with _hash_places.hold(HASH_QUEUE_SECONDS) as free:
        if not free:
            raise ProblemError(_LOGINS_BUSY)
        yield


@transaction.atomic
def _count_attempt(user: User | None, username: str, address: str | None) -> int | None:
    """The id of the new entry in the audit trail; raises a 429 problem when there were too many.

    None when it is not recorded: unknown names from an address that has tried LOGIN_ATTEMPTS_OF_ADDRESS. Users behind
    the same address still log in.
    """
    _serialize_logins(username)
    audited = username if user is not None else _audited_name(username)
    recent = AuditEntry.objects.filter(action=LOGIN_REFUSED, at__gt=clock.now() - LOGIN_WINDOW)
    of_name = recent.filter(actor=audited[:150])
    renewed = AuditEntry.objects.filter(action="user.update", object=audited, detail__has_key="password")
    last = renewed.filter(at__gt=clock.now() - LOGIN_WINDOW).order_by("-at").first()
    if last is not None:
        of_name = of_name.filter(at__gt=last.at)
    if of_name.filter(address=address).count() >= LOGIN_ATTEMPTS or of_name.count() >= LOGIN_ATTEMPTS_OF_NAME:
        raise ProblemError(_too_many_logins())
    if user is None and recent.filter(address=address).count() >= LOGIN_ATTEMPTS_OF_ADDRESS:
        return None
    return audit(actor=audited, action=LOGIN_REFUSED, address=address).id


def _audited_name(username: str) -> str:
    """A name of no user in the audit trail: it may be a password, typed into the wrong field, so it is hashed."""
    return f"unknown name {salted_hmac('vnfm.accounts.login', username).hexdigest()[:12]}"


def _serialize_logins(username: str) -> None:
    """Lock the name until the transaction ends: parallel guesses must not all be counted before the first is stored."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"login {username}"])


def _too_many_logins() -> Problem:
    return Problem(
        429,
        "TOO_MANY_LOGINS",
        "Too many requests",
        "Too many failed logins with this name.",
        f"Wait {LOGIN_WINDOW.total_seconds() / 60:.0f} minutes, or ask an administrator for a new password.",
        extra={"retryAfter": int(LOGIN_WINDOW.total_seconds())},
    )


def _known_address(address: str | None) -> str | None:
    """The address as PostgreSQL takes it; None for what is not an IP address, such as the peer of a Unix socket."""
    try:
        return str(ip_address((address or "").partition("%")[0]))
    except ValueError:
        return None

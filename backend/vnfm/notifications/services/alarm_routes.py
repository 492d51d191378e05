"""Alarm routes: create, change, delete, test."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import IntegrityError, transaction

from vnfm.accounts.services import audit
from vnfm.kit import clock, seal
from vnfm.kit.durable import worker_request
from vnfm.kit.ids import new_id
from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundPurpose
from vnfm.kit.outgoing.host_lookup import require_allowed_host
from vnfm.kit.problem import FieldError, Problem, ProblemError, conflict, unprocessable
from vnfm.notifications.domain.channels import DESTINATION, SECRETS
from vnfm.notifications.models import AlarmRoute, Delivery, Subscription

TEST_ROUTE = "notifications.test_route"
PORTS: Mapping[str, frozenset[int]] = {
    AlarmRoute.Channel.MAIL: frozenset({25, 465, 587}),
    AlarmRoute.Channel.SYSLOG: frozenset({6514}),
    AlarmRoute.Channel.SNMP: frozenset({162}),
}
"""The ports of servers with public addresses; in VNFM_SUBSCRIBERS_ALLOWED all ports are called."""
ROUTES = OutboundPurpose(
    code="ROUTE",
    title="The alarm route cannot be used",
    called="Alarms are sent",
    way="to",
    setting="VNFM_SUBSCRIBERS_ALLOWED",
    login="secret",
    slow="has not answered",
)


def engine_id() -> bytes:
    """The snmpEngineID of our traps, which their receiver must know: RFC 3411, format 5 (octets of our own choice)."""
    digest = blake2b(settings.SECRET_KEY.encode(), digest_size=12, person=b"vnfm-alarms")
    return b"\x80\x00\x00\x00\x05" + digest.digest()


def route_policy(channel: str) -> OutboundPolicy:
    """Alarms may go by this channel wherever notifications to subscribers may."""
    ports = {} if channel == AlarmRoute.Channel.WEBHOOK else {"public_ports": PORTS[channel]}
    return OutboundPolicy(ROUTES, settings.SUBSCRIBERS_ALLOWED, settings.SUBSCRIBERS_HTTP, **ports)


def route_create(*, values: Mapping[str, Any], secrets: Mapping[str, str], by: str) -> AlarmRoute:
    """Raises 409 when the name is in use, 422 for a destination that is never called."""
    _check_destination(values["channel"], values["settings"], secrets)
    identity = new_id()
    try:
        with transaction.atomic():
            subscription = Subscription.objects.create(
                id=identity,
                interface=Subscription.Interface.ALARM_ROUTE,
                callback_uri=f"{values['channel']}:{identity}",
                filter_digest="",
                sealed_login=seal.seal(secrets) if secrets else None,
                created_by=by,
                settled_at=clock.now(),
            )
            route = AlarmRoute.objects.create(subscription=subscription, **values)
            _audit(route, "create", by)
    except IntegrityError as error:
        raise _name_conflict(values["name"]) from error
    return route


def route_update(*, route: AlarmRoute, values: Mapping[str, Any], secrets: Mapping[str, str], by: str) -> AlarmRoute:
    """Change what is given; secrets that are not given stay, but for another destination.

    Raises 409 when the name is in use or another user was faster, 422 for a destination that is never called, and when
    a secret is needed again.
    """
    changed = dict(values)
    sealed = {"sealed_login": _sealed(route, changed["settings"], secrets)} if "settings" in changed else {}
    try:
        with transaction.atomic():
            rows = AlarmRoute.objects.filter(pk=route.pk, version=route.version)
            if not rows.update(**changed, version=route.version + 1):
                raise conflict(
                    "STALE", f"The route {route.name} was changed by someone else.", "Reload it and repeat your change."
                )
            # Events that wait are tried with the new settings at once.
            Subscription.objects.filter(id=route.pk).update(**sealed, not_before=None)
            route.refresh_from_db()
            _audit(route, "update", by)
    except IntegrityError as error:
        raise _name_conflict(changed["name"]) from error
    if not route.enabled:
        waiting = Delivery.objects.filter(subscription_id=route.pk, state=Delivery.State.WAITING)
        waiting.update(state=Delivery.State.GIVEN_UP, ended_at=clock.now(), last_error="The route was switched off.")
    return route


@transaction.atomic
def route_delete(*, route: AlarmRoute, by: str) -> None:
    """Delete the route, and the events that wait for it."""
    _audit(route, "delete", by)
    route.subscription.delete()


def route_test(*, route: AlarmRoute) -> None:
    """Have a worker send a test message, now. Raises a 422 problem that says why it did not arrive; 503 no worker."""
    words = f"The server has not answered within {worker_request.WAIT_SECONDS:.0f} s."
    worker_request.call_worker(TEST_ROUTE, {"route": str(route.pk)}, too_slow=ROUTES.problem("TOO_SLOW", words))


def _sealed(route: AlarmRoute, changed: Mapping[str, Any], given: Mapping[str, str]) -> bytes | memoryview | None:
    """The secrets of the route with these settings.

    Those that no key opens count as absent. They stay for a key that is found again, but not for another server.
    """
    sealed = route.subscription.sealed_login
    moved = [name for name in DESTINATION[route.channel] if route.settings.get(name) != changed.get(name)]
    try:
        stored = seal.unseal(sealed) if sealed is not None else {}
    except InvalidToken:
        _require_lost_secrets(route.channel, given)
        stored, kept = {}, None if moved else sealed
    else:
        kept = None
        _require_secrets_again(route.channel, moved, stored, given)
    merged = {name: text for name, text in (stored | dict(given)).items() if text}
    _check_destination(route.channel, changed, merged)
    return seal.seal(merged) if merged else kept


def _require_lost_secrets(channel: str, given: Mapping[str, str]) -> None:
    """Traps cannot be sent without; the other channels can."""
    if channel == AlarmRoute.Channel.SNMP and not all(given.get(name) for name in SECRETS[channel]):
        raise _secret_needed("No available key decrypts the stored secrets, and traps are not sent without.")


def _require_secrets_again(
    channel: str, moved: Sequence[str], stored: Mapping[str, str], given: Mapping[str, str]
) -> None:
    """Nobody may have a stored secret sent to a server of his own."""
    if moved and any(stored.get(name) and not given.get(name) for name in SECRETS[channel]):
        raise _secret_needed(f"The stored secret is not sent with another {', '.join(moved)}.")


def _secret_needed(words: str) -> ProblemError:
    errors = [FieldError("/settings", "Enter the secret again.")]
    return unprocessable("PASSWORD_NEEDED", words, errors, "Send the secret in the same request.")


def _check_destination(channel: str, stored: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
    """As of subscriptions; a worker checks the addresses again."""
    policy = route_policy(channel)
    if channel == AlarmRoute.Channel.WEBHOOK:
        require_allowed_host(policy, policy.parse_url(stored["url"]))
        return
    require_allowed_host(policy, policy.parse_host(channel.lower(), stored["host"], stored["port"]))
    if channel == AlarmRoute.Channel.MAIL and secrets.get("password") and stored["security"] == "NONE":
        raise ROUTES.refused("A password is never sent in clear.", "Choose STARTTLS or TLS, or leave the password out.")


def _name_conflict(name: str) -> ProblemError:
    detail = f"There is an alarm route {name!r} already."
    return ProblemError(Problem(409, "NAME_IN_USE", "Conflict", detail, "Choose another name."))


def _audit(route: AlarmRoute, action: str, by: str) -> None:
    detail = {"name": route.name, "channel": route.channel}
    audit(actor=by, action=f"alarm_route.{action}", target=str(route.pk), detail=detail)

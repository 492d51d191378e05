"""Subscribing and unsubscribing."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from vnfm.accounts.services import audit
from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.outgoing.addresses import OutboundPolicy, OutboundPurpose
from vnfm.kit.outgoing.host_lookup import require_allowed_host
from vnfm.kit.seal import seal
from vnfm.notifications.models import Subscription

TEST_ENDPOINT = "notifications.test_endpoint"
"""Has its own queue in the broker, so that tests wait behind no operation and no notification."""

NOTIFICATIONS = OutboundPurpose(
    code="CALLBACK",
    title="The notification endpoint cannot be used",
    called="Notifications are sent",
    way="to",
    setting="VNFM_SUBSCRIBERS_ALLOWED",
    login="authentication",
    slow="has not answered",
)

Login = Mapping[str, str]
"""`type` as SOL003 has it; for BASIC user_name and password, for OAUTH2_CLIENT_CREDENTIALS client_id, client_password
and token_endpoint."""


def policy() -> OutboundPolicy:
    """Where notifications may go, by the settings."""
    return OutboundPolicy(NOTIFICATIONS, settings.SUBSCRIBERS_ALLOWED, settings.SUBSCRIBERS_HTTP)


def subscription_create(
    *, interface: str, callback_uri: str, criteria: Mapping[str, Any], login: Login | None, by: str, verbosity: str = ""
) -> tuple[Subscription, bool]:
    """The subscription, and whether it is new: there is one for each endpoint, filter and verbosity.

    A worker tests the endpoint afterwards (SOL003 7.4.6.3.2 leaves to us when); the condition Delivering has the
    result. Raises 422 for an endpoint that is never called.
    """
    require_allowed(callback_uri, login)
    identity = {"callback_uri": callback_uri, "filter_digest": digest(criteria), "verbosity": verbosity}
    existing = Subscription.objects.filter(interface=interface, **identity)
    if (known := existing.first()) is not None:
        return known, False
    try:
        with transaction.atomic():
            created = Subscription.objects.create(
                interface=interface,
                **identity,
                filter=dict(criteria),
                auth_type=login["type"] if login else "",
                sealed_login=seal(login) if login else None,
                created_by=by,
                settled_at=clock.now(),
                never_answered=True,
            )
            tasks.enqueue_on_commit(TEST_ENDPOINT, created.id)
            audit(actor=by, action="subscription.create", target=str(created.id), detail={"interface": interface})
    except IntegrityError:
        return existing.get(), False
    return created, True


@transaction.atomic
def subscription_delete(*, subscription: Subscription, by: str) -> None:
    """Notifications that wait for it are deleted too."""
    audit(actor=by, action="subscription.delete", target=str(subscription.id))
    subscription.delete()


def digest(criteria: Mapping[str, Any]) -> str:
    """Equal for equivalent filters: order and empty attributes do not count."""
    return sha256(json.dumps(_canonical(criteria), sort_keys=True).encode()).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _canonical(each) for key, each in value.items() if each not in (None, [], {})}
    if isinstance(value, list):
        return sorted({json.dumps(_canonical(each), sort_keys=True) for each in value})
    return value


def require_allowed(callback_uri: str, login: Login | None) -> None:
    """Raises 422 for URLs that are not allowed, or that lead to addresses that are not; a worker checks these again."""
    allowed = policy()
    if login is None:
        require_allowed_host(allowed, allowed.parse_url(callback_uri))
        return
    for url in (callback_uri, login.get("token_endpoint")):
        if url is not None:
            require_allowed_host(allowed, allowed.parse_login_url(url))

"""Stores how an attempt to deliver ended, with its deliveries and their subscription."""

from datetime import datetime
from typing import Any

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import QuerySet

from vnfm.notifications.domain.retry import backoff
from vnfm.notifications.models import Delivery, Subscription


class DeliveryError(Exception):
    """The receiver did not accept the notification; the message says why. `permanent`: it never will."""

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


def internal_error(error: Exception) -> str:
    """A sentence about a failure on our side."""
    if isinstance(error, InvalidToken):
        return "Its authentication cannot be decrypted by any available key. Restore the key, or give it again."
    return f"Sending fails on our side ({type(error).__name__}): see the worker's log."


@transaction.atomic
def record_success(
    subscription: Subscription, rows: QuerySet[Delivery], now: datetime, *, not_before: datetime | None = None
) -> None:
    """`not_before`: when the next message may be; None: at once."""
    rows.update(state=Delivery.State.DELIVERED, ended_at=now)
    if subscription.failures or subscription.never_answered:
        _update(subscription, never_answered=False, failures=0, settled_at=now, not_before=not_before, last_error="")
    elif not_before is not None:
        _update(subscription, not_before=not_before)


@transaction.atomic
def record_failure(subscription: Subscription, rows: QuerySet[Delivery], error: DeliveryError, now: datetime) -> None:
    words, failures = str(error), subscription.failures + 1
    if error.permanent:
        rows.update(last_error=words, state=Delivery.State.GIVEN_UP, ended_at=now)
    else:
        rows.update(last_error=words)
    _update(
        subscription,
        failures=failures,
        settled_at=subscription.settled_at if subscription.failures else now,
        not_before=None if error.permanent else now + backoff(failures),
        last_error=words,
    )


def _update(subscription: Subscription, **values: Any) -> None:
    """`save` would restore a subscription that has been deleted since it was read."""
    Subscription.objects.filter(id=subscription.id).update(**values)
    for name, value in values.items():
        setattr(subscription, name, value)

"""Sends what waits in subscribers' queues: in order for each of them, at least once.

Every run looks at the rows again, so it does not matter who rings, how often, or who died before. Nothing waits in a
worker: what fails is noted with the time at which it is tried again, and the sweep rings then.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import structlog
from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from vnfm.kit import clock, lease, tasks, worker_request
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.seal import unseal
from vnfm.notifications.addressing import DELIVER
from vnfm.notifications.domain.patience import GIVE_UP_AFTER, backoff
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.webhook import NotTakenError, Webhook, newest_version

SLOTS = 4
"""Subscribers that are called at once: the worker's other threads are for operations."""
TRIALS = 4
"""Endpoints that are tested at once, as anybody who may subscribe can keep one of them silent."""
AT_ONCE = 50
"""Notifications of one subscriber before others have their turn."""
KEEP = timedelta(days=7)
"""How long the log tells of what was delivered or given up."""

log = structlog.get_logger(__name__)

State = Delivery.State


def try_endpoint(trial_id: UUID) -> None:
    """Test the endpoint of a subscription to be, and tell the outcome. Harmless when run twice."""
    subject = worker_request.claim(trial_id)
    if subject is None:
        return
    with _slot("notify trial", TRIALS) as free:
        problem = _refusal(subject) if free else _too_many()
    if problem is not None:
        log.info("notifications.endpoint_refused", code=problem.code, detail=problem.detail)
    worker_request.finish(trial_id, problem=problem)


def _refusal(subject: Mapping[str, Any]) -> Problem | None:
    try:
        Webhook(subject["callback_uri"], subject["login"], newest_version(subject["interface"])).test()
    except ProblemError as error:
        return error.problem
    return None


def _too_many() -> Problem:
    words = f"{TRIALS} notification endpoints are being tested already."
    return Problem(503, "TOO_MANY_TRIALS", "Service unavailable", words, "Try again in half a minute.")


def deliver(subscription_id: UUID) -> None:
    """Send what waits for the subscriber, as far as it takes it; safe to call at any time, any number of times."""
    with lease.hold(f"notify:{subscription_id}") as held:
        if held is None:
            return
        with _slot("notify slot", SLOTS) as free:
            if not free or not _turn(subscription_id, held):
                return
    tasks.enqueue_on_commit(DELIVER, subscription_id)


def _turn(subscription_id: UUID, held: lease.ActiveLease) -> bool:
    """Whether the subscriber has taken all of its turn, and may take more."""
    subscription = Subscription.objects.filter(id=subscription_id).first()
    if subscription is None or (subscription.not_before is not None and subscription.not_before > clock.now()):
        return False
    webhook = cache(lambda: _webhook(subscription))
    for _ in range(AT_ONCE):
        delivery = _next(subscription)
        if delivery is None or not held.is_current() or not _sent(subscription, delivery, webhook):
            return False
    return True


def sweep(now: datetime) -> int:
    """Give up deliveries that are too old, and enqueue every queue that is due; returns how many."""
    old = Delivery.objects.filter(state=State.WAITING, created_at__lt=now - GIVE_UP_AFTER)
    if given_up := old.update(state=State.GIVEN_UP, ended_at=now):
        log.warning("notifications.given_up", deliveries=given_up)
    waiting = Exists(Delivery.objects.filter(subscription=OuterRef("pk"), state=State.WAITING))
    due = Q(not_before__isnull=True) | Q(not_before__lte=now)
    subscriptions = Subscription.objects.filter(waiting, due).values_list("id", flat=True)
    return tasks.enqueue_due((DELIVER, subscription_id) for subscription_id in subscriptions)


def prune() -> None:
    """Forget deliveries that ended long ago."""
    Delivery.objects.filter(ended_at__lt=clock.now() - KEEP).delete()


def _webhook(subscription: Subscription) -> Webhook:
    login = unseal(subscription.sealed_login) if subscription.sealed_login is not None else {}
    return Webhook(subscription.callback_uri, login, newest_version(subscription.interface))


def _next(subscription: Subscription) -> Delivery | None:
    return Delivery.objects.filter(subscription=subscription.id, state=State.WAITING).order_by("event_id").first()


def _sent(subscription: Subscription, delivery: Delivery, webhook: Callable[[], Webhook]) -> bool:
    """Whether the next one may be tried; what became of this one is noted."""
    row = Delivery.objects.filter(id=delivery.id)
    row.update(attempts=F("attempts") + 1, attempted_at=clock.now())
    try:
        webhook().send(delivery.body)
    except NotTakenError as error:
        words, attempt = str(error), delivery.attempts + 1
        log.info("notifications.not_taken", subscription=str(subscription.id), error=words, attempt=attempt)
        _failed(subscription, row, error, clock.now())
        return error.for_good
    except Exception as error:  # noted, or it would be tried again every 2 s while the condition says that all is well
        log.exception("notifications.crashed", subscription=str(subscription.id))
        _failed(subscription, row, NotTakenError(_ours(error)), clock.now())
        return False
    now = clock.now()
    with transaction.atomic():
        row.update(state=State.DELIVERED, ended_at=now)
        if subscription.failures:
            _settle(subscription, failures=0, settled_at=now, not_before=None, last_error="")
    log.info("notifications.delivered", subscription=str(subscription.id), notification=str(delivery.notification_id))
    return True


def _ours(error: Exception) -> str:
    """What went wrong on our side, for whoever looks at the subscription."""
    if isinstance(error, InvalidToken):
        return "Its authentication cannot be decrypted by any key that is here. Restore the key, or subscribe anew."
    return f"Sending fails on our side ({type(error).__name__}): see the worker's log."


@transaction.atomic
def _failed(subscription: Subscription, row: QuerySet[Delivery], error: NotTakenError, now: datetime) -> None:
    words, failures = str(error), subscription.failures + 1
    if error.for_good:
        row.update(last_error=words, state=State.GIVEN_UP, ended_at=now)
    else:
        row.update(last_error=words)
    _settle(
        subscription,
        failures=failures,
        settled_at=subscription.settled_at if subscription.failures else now,
        not_before=None if error.for_good else now + backoff(failures),
        last_error=words,
    )


def _settle(subscription: Subscription, **values: Any) -> None:
    """Note how telling goes. Never by `save`, which would bring back a subscription that was deleted meanwhile."""
    Subscription.objects.filter(id=subscription.id).update(**values)
    for name, value in values.items():
        setattr(subscription, name, value)


@contextmanager
def _slot(name: str, number: int) -> Iterator[bool]:
    """Whether there is room for one more than those at work."""
    for place in range(number):
        with lease.hold(f"{name} {place}") as held:
            if held is not None:
                yield True
                return
    yield False

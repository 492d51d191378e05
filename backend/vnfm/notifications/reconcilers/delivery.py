"""Delivers queued notifications: in order for each subscriber, at least once.

Every run reads the rows again, so lost and duplicate messages, and workers that died, do no harm. No worker waits: a
failure is stored with the time of the next attempt, at which the sweep enqueues the subscriber again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q

from vnfm.installation.selectors import on_hold, released_at
from vnfm.kit import clock
from vnfm.kit.durable import lease, outbox, tasks
from vnfm.metrics.catalogue import NOTIFICATIONS
from vnfm.notifications.domain.retry import expired_before
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.reconcilers.outcomes import DeliveryError, internal_error, record_failure, record_success
from vnfm.notifications.reconcilers.route_delivery import deliver_group
from vnfm.notifications.reconcilers.webhook import Webhook, webhook_of
from vnfm.notifications.selectors.alarm_routes import raised_without_end
from vnfm.notifications.selectors.fm_notifications import MISSED_TOPIC, REBUILT
from vnfm.notifications.services.queueing import DELIVER

MAX_SUBSCRIBERS = 4
"""Subscribers served at once: the worker's other threads are for operations."""
BATCH = 50
"""Notifications of one subscriber before others have their turn."""
KEEP = timedelta(days=7)
"""Deliveries that ended stay in the log at least so long: see `raised_without_end`."""

log = structlog.get_logger(__name__)

State = Delivery.State


def deliver(subscription_id: UUID) -> None:
    """Send what waits for the subscriber, as far as it accepts it. Idempotent. Sends nothing while on hold."""
    if on_hold():
        return
    with lease.hold(f"notify:{subscription_id}") as held:
        if held is None:
            return
        with lease.slot("notify slot", MAX_SUBSCRIBERS) as free:
            if not free or not _deliver_batch(subscription_id, held):
                return
    tasks.enqueue_on_commit(DELIVER, subscription_id)


def _deliver_batch(subscription_id: UUID, held: lease.ActiveLease) -> bool:
    """Whether a whole batch was delivered, so that more may wait."""
    subscription = Subscription.objects.filter(id=subscription_id).first()
    if subscription is None or (subscription.not_before is not None and subscription.not_before > clock.now()):
        return False
    if subscription.interface == Subscription.Interface.ALARM_ROUTE:
        deliver_group(subscription)
        return False
    webhook = cache(lambda: webhook_of(subscription))
    for _ in range(BATCH):
        delivery = _next(subscription)
        if delivery is None or not held.is_current() or not _send(subscription, delivery, webhook):
            return False
    return True


def sweep(now: datetime) -> int:
    """Give up notifications that are too old, and enqueue every subscriber that is due; returns how many.

    Neither happens while on hold after a restore.
    """
    if on_hold():
        return 0
    _give_up(now)
    waiting = Exists(Delivery.objects.filter(subscription=OuterRef("pk"), state=State.WAITING))
    due = Q(not_before__isnull=True) | Q(not_before__lte=now)
    subscriptions = Subscription.objects.filter(waiting, due).values_list("id", flat=True)
    return tasks.enqueue_due((DELIVER, subscription_id) for subscription_id in subscriptions)


@transaction.atomic
def _give_up(now: datetime) -> None:
    """A subscriber to alarms is notified that it must read the list, unless it waits for that already."""
    waiting = Delivery.objects.filter(state=State.WAITING)
    old = waiting.filter(created_at__lt=expired_before(now, released_at()))
    waits = waiting.filter(subscription=OuterRef("pk"), notification_type=REBUILT).exclude(id__in=old.values("id"))
    alarms = Subscription.objects.filter(~Exists(waits), interface=Subscription.Interface.VNFFM)
    missed = alarms.filter(deliveries__in=old).annotate(number=Count("deliveries"))  # of those in `old` alone
    events = [(MISSED_TOPIC, each.id, 1, {"missed": each.number}) for each in missed]
    if given_up := old.update(state=State.GIVEN_UP, ended_at=now):
        outbox.publish_all(events)
        log.warning("notifications.given_up", deliveries=given_up)


def prune() -> None:
    limit = clock.now() - KEEP
    Delivery.objects.filter(ended_at__lt=limit).exclude(raised_without_end(since=limit)).delete()


def _next(subscription: Subscription) -> Delivery | None:
    return Delivery.objects.filter(subscription=subscription.id, state=State.WAITING).order_by("event_id").first()


def _send(subscription: Subscription, delivery: Delivery, webhook: Callable[[], Webhook]) -> bool:
    """Stores the outcome; whether the next one may be sent."""
    row = Delivery.objects.filter(id=delivery.id)
    row.update(attempts=F("attempts") + 1, attempted_at=clock.now())
    try:
        webhook().send(delivery.body)
    except DeliveryError as error:
        words, attempt = str(error), delivery.attempts + 1
        log.info("notifications.not_taken", subscription=str(subscription.id), error=words, attempt=attempt)
        record_failure(subscription, row, error, clock.now())
        NOTIFICATIONS.add(subscription.interface, "refused" if error.permanent else "failed")
        return error.permanent
    except Exception as error:  # recorded, or it would be retried every 2 s while the condition stays True
        log.exception("notifications.crashed", subscription=str(subscription.id))
        record_failure(subscription, row, DeliveryError(internal_error(error)), clock.now())
        NOTIFICATIONS.add(subscription.interface, "crashed")
        return False
    record_success(subscription, row, clock.now())
    NOTIFICATIONS.add(subscription.interface, "delivered")
    log.info("notifications.delivered", subscription=str(subscription.id), notification=str(delivery.notification_id))
    return True

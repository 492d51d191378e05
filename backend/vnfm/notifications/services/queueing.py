"""From the outbox to the queues of subscribers; a worker sends, see `reconcilers.delivery`."""

from typing import Any
from uuid import UUID, uuid5

from django.db import connection

from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.durable.outbox import Event, Subscriber
from vnfm.kit.etsi.links import link
from vnfm.notifications.domain.matching import matches
from vnfm.notifications.domain.notification import Notification
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.selectors.sources import SOURCES, NotificationSource

DELIVER = "notifications.deliver"
_NOTIFICATIONS = UUID("6f3c2f9b-1f0a-4b52-9a57-0e5f7a1c3d11")
"""Namespace of notification ids, which are derived from event ids."""
_LOCK_EXISTING = "SELECT id FROM notifications_subscription WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
"""SQL, as Django lacks this lock: it only prevents rows from being deleted."""


def event_queue(event: Event) -> None:
    """Queue the notification of the event for every subscription whose filter it matches."""
    if not event.payload:
        return  # for browsers only, as most events of operations and instances are
    for source in SOURCES:
        if source.topic == event.topic:
            _queue(source, event)


def _queue(source: NotificationSource, event: Event) -> None:
    candidates = Subscription.objects.filter(interface=source.interface)
    subscriptions = list(candidates.filter(id=event.aggregate_id) if source.own else candidates)
    notification = source.build(event) if subscriptions else None
    if notification is None:
        return
    meant = [each for each in subscriptions if notification.only in (None, each.id)]
    existing = lock_existing([each.id for each in meant if matches(each.filter, notification.subject)])
    matching = [each for each in subscriptions if each.id in existing]
    rows = [_delivery(source, event, notification, subscription) for subscription in matching]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)  # an event that is relayed twice is delivered once
    for subscription in matching:
        tasks.enqueue_on_commit(DELIVER, subscription.id)


def lock_existing(ids: list[UUID]) -> set[UUID]:
    """Those that still exist; they cannot be deleted before the transaction ends."""
    if not ids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_EXISTING, [ids])
        return {row[0] for row in cursor.fetchall()}


def _delivery(
    source: NotificationSource, event: Event, notification: Notification, subscription: Subscription
) -> Delivery:
    notification_id = uuid5(_NOTIFICATIONS, str(event.id))
    details: dict[str, Any] = {}
    if notification.details is not None and subscription.verbosity != Subscription.Verbosity.SHORT:
        details = dict(notification.details)
    if notification.details is not None and subscription.verbosity:
        details["verbosity"] = subscription.verbosity
    own_link = {} if source.own else {"subscription": link(f"{source.resource}/{subscription.id}")}
    body: dict[str, Any] = {
        "id": str(notification_id),
        "notificationType": notification.type,
        **({} if source.own else {"subscriptionId": str(subscription.id)}),
        "timeStamp": event.created_at.isoformat().replace("+00:00", "Z"),
        **notification.body,
        **details,
        "_links": {**own_link, **notification.links},
    }
    return Delivery(
        subscription=subscription,
        event_id=event.id,
        notification_id=notification_id,
        notification_type=notification.type,
        subject_id=notification.subject_id,
        body=body,
        created_at=clock.now(),
    )


NOTIFICATION_QUEUER = Subscriber("notifications", frozenset(source.topic for source in SOURCES), event_queue)

"""From the outbox to the queues of subscribers; a worker sends, see `reconcilers.deliver`."""

from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db import connection

from vnfm.kit import clock, tasks
from vnfm.kit.outbox import Event, Subscriber
from vnfm.notifications.domain.matching import matches
from vnfm.notifications.kinds import KINDS, Kind
from vnfm.notifications.models import Delivery, Subscription
from vnfm.notifications.notice import Notice

DELIVER = "notifications.deliver"
_NOTIFICATIONS = UUID("6f3c2f9b-1f0a-4b52-9a57-0e5f7a1c3d11")
"""Namespace of notifications' ids, which are made of those of events."""
_STAYING = "SELECT id FROM notifications_subscription WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
"""Django has no such lock: it keeps rows from being deleted, and from nothing else."""


def event_address(event: Event) -> None:
    """Put the notification of the event into the queue of everybody whose filter it matches."""
    if not event.payload:
        return  # it only has browsers look again: most events of operations and instances are so
    for kind in KINDS:
        if kind.topic == event.topic:
            _address(kind, event)


def _address(kind: Kind, event: Event) -> None:
    subscriptions = list(Subscription.objects.filter(interface=kind.interface))
    notice = kind.notice(event) if subscriptions else None
    if notice is None:
        return
    there = _staying([each.id for each in subscriptions if matches(each.filter, notice.subject)])
    told = [each for each in subscriptions if each.id in there]
    rows = [_delivery(kind, event, notice, subscription) for subscription in told]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)  # heard twice, told once
    for subscription in told:
        tasks.enqueue_on_commit(DELIVER, subscription.id)


def _staying(ids: list[UUID]) -> set[UUID]:
    """Those that nobody has deleted meanwhile, nor can before the transaction ends."""
    if not ids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_STAYING, [ids])
        return {row[0] for row in cursor.fetchall()}


def _delivery(kind: Kind, event: Event, notice: Notice, subscription: Subscription) -> Delivery:
    notification_id = uuid5(_NOTIFICATIONS, str(event.id))
    details: dict[str, Any] = {}
    if notice.details is not None:
        whole = notice.details if subscription.verbosity == Subscription.Verbosity.FULL else {}
        details = {"verbosity": subscription.verbosity, **whole}
    home = {"href": f"{settings.PUBLIC_URL}{kind.resource}/{subscription.id}"}
    body: dict[str, Any] = {
        "id": str(notification_id),
        "notificationType": notice.type,
        "subscriptionId": str(subscription.id),
        "timeStamp": event.created_at.isoformat().replace("+00:00", "Z"),
        **notice.body,
        **details,
        "_links": {"subscription": home, **notice.links},
    }
    return Delivery(
        subscription=subscription,
        event_id=event.id,
        notification_id=notification_id,
        notification_type=notice.type,
        subject_id=notice.subject_id,
        body=body,
        created_at=clock.now(),
    )


NOTIFICATION_QUEUER = Subscriber("notifications", frozenset(kind.topic for kind in KINDS), event_address)

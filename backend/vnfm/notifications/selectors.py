"""What a client missed; who has subscribed, and what they were sent."""

from django.db.models import Count, Q, QuerySet

from vnfm.kit.models import OutboxEvent
from vnfm.notifications.domain.patience import Condition, delivering
from vnfm.notifications.domain.sse import TOPICS, sse_frame
from vnfm.notifications.models import Delivery, Subscription

REPLAY_LIMIT = 500
"""A client that missed more had better read everything anew."""


def frames_since(*, last_id: int) -> list[bytes] | None:
    """The frames announced after the event `last_id`; None when that cannot be said: it is unknown, or too long ago.

    Ids are given when a transaction writes, not when it commits: an event with a lower id may have been announced
    later, so that the time of delivery counts as well.
    """
    last = OutboxEvent.objects.filter(id=last_id).first()
    if last is None:
        return None
    missed = Q(id__gt=last_id)
    if last.delivered_at is not None:
        missed |= Q(delivered_at__gte=last.delivered_at)
    events = list(
        OutboxEvent.objects.filter(missed, topic__in=TOPICS).exclude(id=last_id).order_by("id")[: REPLAY_LIMIT + 1]
    )
    if len(events) > REPLAY_LIMIT:
        return None
    return [sse_frame(event.id, event.topic, event.aggregate_id, event.version) for event in events]


def subscription_list(*, interface: str | None = None) -> QuerySet[Subscription]:
    """Each with `waiting`, the number of notifications that it has not been sent yet."""
    rows = Subscription.objects.all() if interface is None else Subscription.objects.filter(interface=interface)
    return rows.annotate(waiting=Count("deliveries", filter=Q(deliveries__state=Delivery.State.WAITING)))


def delivery_list(*, subscription: Subscription) -> QuerySet[Delivery]:
    """What was, or is to be, sent."""
    return Delivery.objects.filter(subscription=subscription)


def condition_of(subscription: Subscription, *, waiting: int) -> Condition:
    """Whether notifications reach the subscriber."""
    return delivering(
        failures=subscription.failures,
        since=subscription.settled_at,
        last_error=subscription.last_error,
        again_at=subscription.not_before,
        waiting=waiting,
    )

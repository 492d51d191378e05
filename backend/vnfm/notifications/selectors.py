"""What a client missed."""

from django.db.models import Q

from vnfm.kit.models import OutboxEvent
from vnfm.notifications.domain import TOPICS, sse_frame

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

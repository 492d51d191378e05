"""The events that a client of the event stream has missed."""

from django.db.models import Q

from vnfm.kit.models import OutboxEvent
from vnfm.notifications.domain.sse import TOPICS, sse_frame

REPLAY_LIMIT = 500
"""A client that missed more must read everything again."""


def frames_since(*, last_id: int) -> list[bytes] | None:
    """The frames published after the event `last_id`; None when these are unknown, or too many.

    Ids are assigned when a transaction writes, not when it commits: an event with a lower id may have been published
    later, so the time of delivery counts as well.
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

"""The events that a client of the event stream has missed."""

from vnfm.kit.durable import outbox
from vnfm.notifications.domain.sse import TOPICS, sse_frame

REPLAY_LIMIT = 500
"""A client that missed more must read everything again."""


def frames_since(*, last_id: int) -> list[bytes] | None:
    """The frames published after the event `last_id`; None when these are unknown, or too many."""
    events = outbox.events_since(last_id, topics=TOPICS, limit=REPLAY_LIMIT + 1)
    if events is None or len(events) > REPLAY_LIMIT:
        return None
    return [sse_frame(event.id, event.topic, event.aggregate_id, event.version) for event in events]

"""The transactional outbox: knowledge travels upward as events, never as imports (ADR-0001)."""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import F, Q

from vnfm.kit import clock
from vnfm.kit.durable.backlog import Backlog, backlog_of
from vnfm.kit.models import OutboxEvent

CHANNEL = "vnfm_outbox"
"""The channel of the notification that wakes the relay at commit."""

_PUBLISH = """
WITH published AS (
    INSERT INTO kit_outboxevent (topic, aggregate_id, version, payload, delivered_to, attempts, last_error)
    SELECT topic, aggregate_id, version, payload, '[]', 0, ''
    FROM unnest(%s::text[], %s::uuid[], %s::bigint[], %s::jsonb[])
        WITH ORDINALITY AS event (topic, aggregate_id, version, payload, place)
    ORDER BY place
)
SELECT pg_notify(%s, '')
"""
"""One round trip: almost every request and step ends with it."""

BATCH = 100
"""Events claimed in one transaction: what its subscribers write becomes visible, and stays locked, together."""

MAX_BACKOFF = timedelta(minutes=1)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """An event as a subscriber receives it. `id` grows with time and serves as the SSE event id."""

    id: int
    topic: str
    aggregate_id: UUID
    version: int
    payload: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Subscriber:
    """`handle` must be idempotent: after a crash between effect and bookkeeping it runs again."""

    name: str
    topics: Collection[str]
    handle: Callable[[Event], None]


def publish(topic: str, aggregate_id: UUID, version: int, payload: dict[str, Any] | None = None) -> None:
    """Record the event in the current transaction and wake the relay when it commits."""
    publish_all([(topic, aggregate_id, version, payload or {})])


def publish_all(events: Iterable[tuple[str, UUID, int, dict[str, Any]]]) -> None:
    """Many events as (topic, aggregate id, version, payload), in their order and with one statement."""
    if not connection.in_atomic_block:
        raise RuntimeError("outbox.publish outside a transaction would publish what may be rolled back")
    if rows := list(events):
        topics, ids, versions, payloads = zip(*rows, strict=True)
        with connection.cursor() as cursor:
            bodies = [json.dumps(payload) for payload in payloads]
            cursor.execute(_PUBLISH, [[*topics], [*ids], [*versions], bodies, CHANNEL])


def anything_pending() -> bool:
    """True if an event is due, by the cheapest of queries."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM kit_outboxevent"
            " WHERE delivered_at IS NULL AND (not_before IS NULL OR not_before <= %s) LIMIT 1",
            [clock.now()],
        )
        return cursor.fetchone() is not None


def deliver_pending(subscribers: Collection[Subscriber], batch: int = BATCH) -> int:
    """Hand undelivered events to their subscribers; returns how many were delivered.

    Safe to run in several processes: rows are claimed with SKIP LOCKED. A subscriber that fails is tried again with
    exponential backoff, and holds up neither the other subscribers nor the other events. What a subscriber writes
    through the ORM commits together with the delivery.
    """
    now = clock.now()
    with transaction.atomic():
        rows = list(
            OutboxEvent.objects.select_for_update(skip_locked=True)
            .filter(Q(not_before__isnull=True) | Q(not_before__lte=now), delivered_at__isnull=True)
            .order_by("id")[:batch]
        )
        delivered = [row.id for row in rows if _deliver(row, subscribers)]
        OutboxEvent.objects.filter(id__in=delivered).update(delivered_at=now)
    return len(delivered)


def _deliver(row: OutboxEvent, subscribers: Collection[Subscriber]) -> bool:
    """Return True when all subscribers have it. One that had it before another failed does not get it again."""
    event = Event(row.id, row.topic, row.aggregate_id, row.version, row.payload, row.created_at)
    reached, errors = list(row.delivered_to), []
    for subscriber in subscribers:
        if row.topic not in subscriber.topics or subscriber.name in reached:
            continue
        try:
            with transaction.atomic():
                subscriber.handle(event)
        except Exception as error:
            log.warning(
                "outbox.delivery_failed",
                event_id=row.id,
                topic=row.topic,
                subscriber=subscriber.name,
                attempt=row.attempts + 1,
                error=str(error),
                exc_info=row.attempts == 0,  # once is enough: a subscriber may be down for hours
            )
            errors.append(f"{subscriber.name}: {type(error).__name__}: {error}")
        else:
            reached.append(subscriber.name)
    if errors:
        backoff = min(timedelta(seconds=2 ** min(row.attempts, 6)), MAX_BACKOFF)
        OutboxEvent.objects.filter(id=row.id).update(
            attempts=F("attempts") + 1,
            not_before=clock.now() + backoff,
            delivered_to=reached,
            last_error="; ".join(errors),
        )
    return not errors


def events_since(last_id: int, *, topics: Collection[str], limit: int) -> list[OutboxEvent] | None:
    """Return the first events of these topics that were published after that one; None when it is not known.

    Ids are assigned when a transaction writes, not when it commits: an event with a lower id may have been published
    later, so the time of delivery counts as well.
    """
    last = OutboxEvent.objects.filter(id=last_id).first()
    if last is None:
        return None
    missed = Q(id__gt=last_id)
    if last.delivered_at is not None:
        missed |= Q(delivered_at__gte=last.delivered_at)
    return list(OutboxEvent.objects.filter(missed, topic__in=topics).exclude(id=last_id).order_by("id")[:limit])


def backlog() -> Backlog:
    """Events that some subscriber has not received yet."""
    return backlog_of(OutboxEvent.objects.filter(delivered_at__isnull=True), "created_at")


def prune(keep: timedelta) -> int:
    """Delete events delivered longer ago than `keep`; returns how many. Undelivered ones stay, however old."""
    deleted, _ = OutboxEvent.objects.filter(delivered_at__lt=clock.now() - keep).delete()
    return deleted

"""Events of the outbox are put into the queues of alarm routes."""

from dataclasses import asdict
from functools import partial
from uuid import UUID, uuid5

from vnfm.kit import clock
from vnfm.kit.durable import tasks
from vnfm.kit.durable.outbox import Event, Subscriber
from vnfm.notifications.domain.routing import RouteCriteria, RoutedAlarm
from vnfm.notifications.models import AlarmRoute, Delivery
from vnfm.notifications.selectors.alarm_routes import routed_alarm, was_routed
from vnfm.notifications.services.queueing import DELIVER, lock_existing

_ROUTED = UUID("0f7f4d3e-98a4-4a0e-9a43-1a9f1a0f6f52")
"""Namespace of the ids of routed events, which are derived from event ids."""


def event_route(event: Event) -> None:
    """Queue the event of an alarm for every route whose criteria it matches. Idempotent."""
    routes = list(AlarmRoute.objects.filter(enabled=True))
    alarm = routed_alarm(event) if routes else None
    if alarm is None:
        return
    matching = [route for route in routes if _matches(route, alarm, event)]
    existing = lock_existing([route.pk for route in matching])
    rows = [
        Delivery(
            subscription_id=route.pk,
            event_id=event.id,
            notification_id=uuid5(_ROUTED, str(event.id)),
            notification_type=alarm.event,
            subject_id=event.aggregate_id,
            body=asdict(alarm),
            created_at=clock.now(),
        )
        for route in matching
        if route.pk in existing
    ]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)
    for row in rows:
        tasks.enqueue_on_commit(DELIVER, row.subscription_id)


def _matches(route: AlarmRoute, alarm: RoutedAlarm, event: Event) -> bool:
    criteria = RouteCriteria.from_json(route.criteria)
    return criteria.match(alarm, event.created_at, has_sent=partial(was_routed, route=route, alarm=alarm))


ALARM_ROUTER = Subscriber("alarm_routes", frozenset({"alarm.changed"}), event_route)

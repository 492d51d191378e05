"""Alarm routes, and events of alarms as routes see them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import cast
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from vnfm.elements.selectors import site_of
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.models import UNSUPPRESSED, Alarm
from vnfm.kit.durable.outbox import Event
from vnfm.kit.etsi.query import one
from vnfm.notifications.domain.routing import EVENTS, AlarmEvent, RoutedAlarm
from vnfm.notifications.models import AlarmRoute, Delivery, Subscription
from vnfm.notifications.selectors.subscriptions import DeliveryProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteDelivery(DeliveryProgress):
    """One event of an alarm, for one route."""

    alarm_id: UUID
    event: AlarmEvent
    text: str
    """The alarm in a line."""


def route_delivery_of(row: Delivery) -> RouteDelivery:
    return RouteDelivery(
        alarm_id=row.subject_id,
        event=cast("AlarmEvent", row.notification_type),
        text=RoutedAlarm(**row.body).text,
        **{each.name: getattr(row, each.name) for each in fields(DeliveryProgress)},
    )


def route_list() -> QuerySet[AlarmRoute]:
    """Each with `waiting`, the number of events that wait for it."""
    waiting = Count("subscription__deliveries", filter=Q(subscription__deliveries__state=Delivery.State.WAITING))
    return AlarmRoute.objects.select_related("subscription").annotate(waiting=waiting)


def route_get(*, route_id: UUID) -> AlarmRoute:
    """Raises a 404 problem when there is none."""
    return one(route_list(), "alarm route", route_id)


def routed_alarm(event: Event) -> RoutedAlarm | None:
    """None for what no route sends: changes that leave the severity as it was, acknowledgements, deleted alarms.

    The alarm is as it is now: newer than the event, perhaps, never older.
    """
    kind = event.payload.get("event")
    if kind not in EVENTS:
        return None
    alarm = Alarm.objects.filter(UNSUPPRESSED, id=event.aggregate_id).first()
    if alarm is None or (kind == "changed" and alarm.severity_changed_at != alarm.changed_at):
        return None
    return _routed(alarm, "cleared" if alarm.cleared_at is not None else str(kind), str(event.payload["at"]))


def was_routed(*, route: AlarmRoute, alarm: RoutedAlarm) -> bool:
    """Whether the route has sent something of the alarm, or will."""
    # The time lets PostgreSQL read the newest rows of the route only.
    rows = Delivery.objects.filter(subscription=route.pk, created_at__gte=alarm.raised_at, subject_id=alarm.id)
    return rows.exclude(state=Delivery.State.GIVEN_UP, attempts=0).exists()


def raised_without_end(*, since: datetime) -> Q:
    """Deliveries of routes by which `was_routed` tells who gets the end of an alarm: it is open, or ended after
    `since`, so that its end may not be routed yet.
    """
    not_ended = Alarm.objects.filter(Q(cleared_at=None) | Q(cleared_at__gte=since), id=OuterRef("subject_id"))
    return Q(Exists(not_ended), subscription__interface=Subscription.Interface.ALARM_ROUTE)


def _routed(alarm: Alarm, kind: str, at: str) -> RoutedAlarm:
    entry, site = DICTIONARY.get(alarm.fault_type), _site(alarm)
    return RoutedAlarm(
        id=str(alarm.id),
        event=kind,
        severity=alarm.perceived_severity,
        highest=alarm.highest_severity,
        object_type=alarm.managed_object_type,
        object_id=str(alarm.managed_object_id),
        object_name=alarm.managed_object_name,
        site_id=site["id"],
        site_name=site["name"],
        resource=alarm.faulty_resource_name or alarm.faulty_resource,
        fault_type=alarm.fault_type,
        event_type=alarm.event_type,
        probable_cause=alarm.probable_cause,
        details=tuple(alarm.fault_details),
        remedy=entry.remedial_action if entry is not None else "",
        raised_at=alarm.raised_at.isoformat(),
        at=at,
        url=f"{settings.PUBLIC_URL}/alarms?list=merged&silent=1&alarm={alarm.id}",
    )


def _site(alarm: Alarm) -> Mapping[str, str]:
    """The site of a network element, or of the first element of a VNF instance."""
    columns = {ObjectType.NETWORK_ELEMENT: "id", ObjectType.VNF_INSTANCE: "vnf_instance"}
    column = columns.get(ObjectType(alarm.managed_object_type))
    found = site_of(**{column: alarm.managed_object_id}) if column is not None else None
    return {"id": str(found[0]), "name": found[1]} if found else {"id": "", "name": ""}

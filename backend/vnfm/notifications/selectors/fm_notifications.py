"""Notifications of the fault management interface (SOL003 7.5.2.5 to 7.5.2.7).

A notification has the alarm as it is when the relay processes the event: it may be newer than the event, never older.
So a subscriber that believes the last notification is up to date, in whatever order events arrive.
"""

from uuid import UUID

from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.models import Alarm
from vnfm.faults.selectors import vnf_alarm_list
from vnfm.faults.wire import AlarmOut
from vnfm.inventory.models import VnfInstance
from vnfm.kit.durable.outbox import Event
from vnfm.kit.etsi.links import link
from vnfm.kit.web.wire import as_json
from vnfm.notifications.domain.matching import FilterSubject, VnfIdentity
from vnfm.notifications.domain.notification import Notification

ALARMS = "/vnffm/v1/alarms"
CHANGED, CLEARED, REBUILT = "AlarmNotification", "AlarmClearedNotification", "AlarmListRebuiltNotification"
MISSED_TOPIC = "subscription.missed"
"""The topic of events of a subscription whose notifications were given up."""


def alarm_notification(event: Event) -> Notification | None:
    """None for alarms of other objects than VNF instances, and suppressed ones."""
    if event.payload.get("managedObjectType") != ObjectType.VNF_INSTANCE:
        return None
    alarm = vnf_alarm_list().filter(id=event.aggregate_id).first()
    if alarm is None:
        return None
    cleared = event.payload["event"] == "cleared"
    kind = CLEARED if cleared else CHANGED
    wire = as_json(AlarmOut(alarm).data)
    body = {"alarmId": wire["id"], "alarmClearedTime": wire["alarmClearedTime"]} if cleared else {"alarm": wire}
    links = {"alarm": link(f"{ALARMS}/{alarm.id}")} if cleared else {}
    severities = _severities(alarm) if cleared else {event.payload["severity"]}
    traits = {
        "notificationTypes": {kind},
        "perceivedSeverities": severities,
        "faultyResourceTypes": {alarm.faulty_resource_type},
        "eventTypes": {alarm.event_type},
        "probableCauses": {alarm.probable_cause},
    }
    return Notification(
        kind, alarm.id, body, links, FilterSubject(vnf=_vnf(alarm.managed_object_id, alarm), traits=traits)
    )


def rebuilt_notification(event: Event) -> Notification:
    """The alarm list must be read again: what was notified before does not lead to it.

    To all after a restore was released; to one subscriber that missed notifications.
    """
    only = event.aggregate_id if event.topic == MISSED_TOPIC else None
    subject = FilterSubject(vnf=None, traits={"notificationTypes": {REBUILT}})
    return Notification(REBUILT, event.aggregate_id, {}, {"alarms": link(ALARMS)}, subject, only=only)


def _severities(alarm: Alarm) -> set[str]:
    """The severities by which a clearing matches: all that the alarm had, as its raise may have matched by them."""
    return {alarm.perceived_severity, alarm.previous_severity, alarm.highest_severity, alarm.original_severity}


def _vnf(instance_id: UUID, alarm: Alarm) -> VnfIdentity:
    instance = VnfInstance.objects.select_related("package").filter(id=instance_id).first()
    if instance is None:
        return VnfIdentity(id=str(instance_id), name=alarm.managed_object_name)
    package = instance.package
    return VnfIdentity(
        id=str(instance.id),
        name=instance.name,
        vnfd_id=str(package.vnfd_id),
        provider=package.provider,
        product=package.product_name,
        software_version=package.software_version,
        vnfd_version=package.vnfd_version,
    )

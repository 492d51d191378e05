"""Notifications of the VNF performance management interface (SOL003 6.5.2.4 and 6.5.2.5).

The event has all of the notification: a report is not changed, and a VNF instance may have been deleted.
"""

from vnfm.kit.durable.outbox import Event
from vnfm.kit.etsi.links import link
from vnfm.notifications.domain.matching import FilterSubject, VnfIdentity
from vnfm.notifications.domain.notification import Notification

REPORTED, CROSSED = "PerformanceInformationAvailableNotification", "ThresholdCrossedNotification"
TYPES = [REPORTED, CROSSED]
JOB_TOPIC, THRESHOLD_TOPIC = "pm_job.reported", "pm_threshold.crossed"


def pm_notification(event: Event, edition: str) -> Notification | None:
    """None for jobs and thresholds of the other edition."""
    payload = event.payload
    if payload["edition"] != edition:
        return None
    kind = REPORTED if event.topic == JOB_TOPIC else CROSSED
    vnf: dict[str, str] = payload.get("vnf", {})
    identity = VnfIdentity(
        id=payload["body"]["objectInstanceId"],
        name=vnf.get("name", ""),
        vnfd_id=vnf.get("vnfdId", ""),
        provider=vnf.get("provider", ""),
        product=vnf.get("product", ""),
        software_version=vnf.get("softwareVersion", ""),
        vnfd_version=vnf.get("vnfdVersion", ""),
    )
    links = {name: link(path) for name, path in payload["links"].items()}
    subject = FilterSubject(vnf=identity, traits={"notificationTypes": {kind}})
    return Notification(kind, event.aggregate_id, payload["body"], links, subject)

"""Notifications of the VNF indicator interface (SOL003 8.5.2.5 and 8.5.2.6). The event has all of the notification."""

from collections.abc import Mapping
from typing import Any

from vnfm.kit.durable.outbox import Event
from vnfm.kit.etsi.links import link
from vnfm.notifications.domain.matching import FilterSubject, VnfIdentity
from vnfm.notifications.domain.notification import Notification

VALUE_CHANGED, SUPPORTED_CHANGED = "VnfIndicatorValueChangeNotification", "SupportedIndicatorsChangeNotification"
TYPES = [VALUE_CHANGED, SUPPORTED_CHANGED]
VALUE_TOPIC, SUPPORTED_TOPIC = "vnf_indicator.changed", "vnf_indicator.supported"
WAKE = "indicators.sweep"
"""The task that notes the present values, so that changes are found from now on."""


def value_notification(event: Event) -> Notification:
    indicator = event.payload["indicator"]
    return _notification(VALUE_CHANGED, event, {**indicator, "value": event.payload["value"]}, [indicator])


def indicators_notification(event: Event) -> Notification:
    indicators = event.payload["indicators"]
    return _notification(SUPPORTED_CHANGED, event, {"supportedIndicators": indicators}, indicators)


def _notification(kind: str, event: Event, body: dict[str, Any], indicators: list[Mapping[str, str]]) -> Notification:
    vnf: Mapping[str, str] = event.payload["vnf"]
    identity = VnfIdentity(
        id=str(event.aggregate_id),
        name=vnf["name"],
        vnfd_id=vnf["vnfdId"],
        provider=vnf["provider"],
        product=vnf["product"],
        software_version=vnf["softwareVersion"],
        vnfd_version=vnf["vnfdVersion"],
    )
    traits = {"notificationTypes": {kind}, "indicatorIds": {each["vnfIndicatorId"] for each in indicators}}
    return Notification(
        kind,
        event.aggregate_id,
        {"vnfInstanceId": str(event.aggregate_id), **body},
        {"vnfInstance": link(f"/vnflcm/v2/vnf_instances/{event.aggregate_id}")},
        FilterSubject(vnf=identity, traits=traits),
    )

"""Notifications of the VNF lifecycle management interface (SOL003 5.5.2.17 to 5.5.2.19, 5.6.2.2).

A notification has the operation as it was when it entered its state, from the event: no state may be skipped, and the
operation may be in a later one when the relay processes the event.
"""

from typing import Any
from uuid import UUID

from vnfm.kit.durable.outbox import Event
from vnfm.kit.etsi.links import link
from vnfm.kit.web.wire import as_json
from vnfm.lcm.domain.states import DRIVEN_STATES
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.wire.editions import V2, Edition
from vnfm.lcm.wire.op_occ import op_occ
from vnfm.notifications.domain.matching import FilterSubject, VnfIdentity
from vnfm.notifications.domain.notification import Notification

OCCURRENCE = "VnfLcmOperationOccurrenceNotification"
CREATED, DELETED = "VnfIdentifierCreationNotification", "VnfIdentifierDeletionNotification"
_CHANGES = ("changedInfo", "changedExtConnectivity", "modificationsTriggeredByVnfPkgChange")
TYPES = [OCCURRENCE, CREATED, DELETED]


def occurrence_notification(event: Event, edition: Edition = V2) -> Notification | None:
    """For each change of state; None for changes within a state."""
    payload = event.payload
    op = LcmOpOcc.objects.filter(id=event.aggregate_id).first() if payload else None
    if op is None:
        return None
    op.state, op.problem, op.changed = payload["state"], payload.get("problem"), payload.get("changed")
    wire, is_result = as_json(op_occ(op, edition)), op.state not in DRIVEN_STATES
    attributes = ("operationState", "vnfInstanceId", "operation", "isAutomaticInvocation")
    body: dict[str, Any] = {
        "notificationStatus": "RESULT" if is_result else "START",
        "vnfLcmOpOccId": str(op.id),
        **{name: wire[name] for name in attributes},
        **({"error": op.problem} if is_result and op.problem else {}),
    }
    changed = {name: wire[name] for name in _CHANGES if name in wire}
    occurrence = link(f"{edition.operations}/{op.id}")
    links = {**_instance_link(op.instance_uuid, edition), "vnfLcmOpOcc": occurrence}
    traits = {
        "notificationTypes": {OCCURRENCE},
        "operationTypes": {op.operation},
        "operationStates": {op.state},
    }
    subject = FilterSubject(vnf=_vnf(op.instance_uuid, payload), traits=traits)
    details = {**wire.get("resourceChanges", {}), **changed} if is_result else {}
    return Notification(OCCURRENCE, op.id, body, links, subject, details)


def identifier_notification(event: Event, edition: Edition = V2) -> Notification | None:
    """For a VNF instance that was created or deleted; None for other changes."""
    kind = CREATED if event.payload.get("created") else DELETED if event.payload.get("deleted") else ""
    if not kind:
        return None
    subject = FilterSubject(vnf=_vnf(event.aggregate_id, event.payload), traits={"notificationTypes": {kind}})
    body = {"vnfInstanceId": str(event.aggregate_id)}
    return Notification(kind, event.aggregate_id, body, _instance_link(event.aggregate_id, edition), subject)


def _instance_link(instance_id: UUID, edition: Edition) -> dict[str, Any]:
    return {"vnfInstance": link(f"{edition.instances}/{instance_id}")}


def _vnf(instance_id: UUID, payload: dict[str, Any]) -> VnfIdentity:
    """As it was at the event, see `lcm.services.transitions.vnf_identity`."""
    vnf: dict[str, str] = payload.get("vnf", {})
    return VnfIdentity(
        id=str(instance_id),
        name=vnf.get("name", ""),
        vnfd_id=vnf.get("vnfdId", ""),
        provider=vnf.get("provider", ""),
        product=vnf.get("product", ""),
        software_version=vnf.get("softwareVersion", ""),
        vnfd_version=vnf.get("vnfdVersion", ""),
    )

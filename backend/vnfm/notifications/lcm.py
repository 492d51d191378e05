"""What subscribers of the VNF lifecycle management interface are told (SOL003 5.5.2.17 to 5.5.2.19, 5.6.2.2).

Each notification shows an operation as it was when it came into its state: the event has that, as states are steps of a
way, and the operation may be further when the relay takes the event.
"""

from typing import Any
from uuid import UUID

from django.conf import settings

from vnfm.kit.outbox import Event
from vnfm.lcm.domain.states import DRIVEN_STATES
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.wire.op_occ import op_occ
from vnfm.notifications.domain.matching import Subject, Vnf
from vnfm.notifications.notice import Notice

INSTANCES, OPERATIONS = "/vnflcm/v2/vnf_instances", "/vnflcm/v2/vnf_lcm_op_occs"
OCCURRENCE = "VnfLcmOperationOccurrenceNotification"
CREATED, DELETED = "VnfIdentifierCreationNotification", "VnfIdentifierDeletionNotification"
TYPES = [OCCURRENCE, CREATED, DELETED]


def occurrence_notice(event: Event) -> Notice | None:
    """Of each change of state; None for what happens within one."""
    told = event.payload
    op = LcmOpOcc.objects.filter(id=event.aggregate_id).first() if told else None
    if op is None:
        return None
    op.state, op.problem, op.changed = told["state"], told.get("problem"), told.get("changed")
    shown, still = op_occ(op), op.state not in DRIVEN_STATES
    attributes = ("operationState", "vnfInstanceId", "operation", "isAutomaticInvocation")
    body: dict[str, Any] = {
        "notificationStatus": "RESULT" if still else "START",
        "vnfLcmOpOccId": str(op.id),
        **{name: shown[name] for name in attributes},
        **({"error": op.problem} if still and op.problem else {}),
    }
    changed = {"changedInfo": shown["changedInfo"]} if "changedInfo" in shown else {}
    links = {**_instance_link(op.instance_uuid), "vnfLcmOpOcc": {"href": f"{settings.PUBLIC_URL}{OPERATIONS}/{op.id}"}}
    traits = {
        "notificationTypes": {OCCURRENCE},
        "operationTypes": {op.operation},
        "operationStates": {op.state},
    }
    subject = Subject(vnf=_vnf(op.instance_uuid, told), traits=traits)
    details = {**shown.get("resourceChanges", {}), **changed} if still else {}
    return Notice(OCCURRENCE, op.id, body, links, subject, details)


def identifier_notice(event: Event) -> Notice | None:
    """Of a VNF instance that there is now, or is not any more; None for any other change of it."""
    kind = CREATED if event.payload.get("created") else DELETED if event.payload.get("deleted") else ""
    if not kind:
        return None
    subject = Subject(vnf=_vnf(event.aggregate_id, event.payload), traits={"notificationTypes": {kind}})
    body = {"vnfInstanceId": str(event.aggregate_id)}
    return Notice(kind, event.aggregate_id, body, _instance_link(event.aggregate_id), subject)


def _instance_link(instance_id: UUID) -> dict[str, Any]:
    return {"vnfInstance": {"href": f"{settings.PUBLIC_URL}{INSTANCES}/{instance_id}"}}


def _vnf(instance_id: UUID, told: dict[str, Any]) -> Vnf:
    """As it was then, see `lcm.services.transitions.vnf_identity`."""
    of: dict[str, str] = told.get("vnf", {})
    return Vnf(
        id=str(instance_id),
        name=of.get("name", ""),
        vnfd_id=of.get("vnfdId", ""),
        provider=of.get("provider", ""),
        product=of.get("product", ""),
        software_version=of.get("softwareVersion", ""),
        vnfd_version=of.get("vnfdVersion", ""),
    )

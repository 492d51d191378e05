"""Elements of VNF instances: registered when they come up, released when they go. No service contacts an element."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.accounts.services import audit
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.elements.selectors import reachability
from vnfm.elements.services.elements import (
    State,
    element_delete,
    element_forget_host_key,
    element_manage,
    element_register,
    element_suspend,
    element_unmanage,
    element_update,
)
from vnfm.elements.services.neighbours import cancel_expected_loss, expect_loss
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.kit import clock
from vnfm.kit.problem import Problem, ProblemError

MAX_NAME = 90
"""Characters; the rest of the column is room for a suffix that makes the name unique."""
ELEMENT_CONFLICT = "ELEMENT_TAKEN"
"""Problem code: the management address belongs to another element."""
COPIED_COLUMNS = ("state", "driver", *ROLES.values())
"""Columns whose values are stored when an element is taken over, to be restored when it is detached."""
DEPLOYMENT_UUID_VERSION = 5
"""Elements that a deployment registered have UUIDs of version 5 (of their place); all others have random ones."""


def instance_elements(instance: InstanceRecord) -> list[NetworkElement]:
    """The elements of the VNF instance, oldest first."""
    rows = NetworkElement.objects.select_related("snmp_policy", "ssh_policy", "netconf_policy", "vnfc")
    return list(rows.filter(vnf_instance=instance.id).order_by("created_at", "id"))


def registered_by_deployment(element: NetworkElement) -> bool:
    """Whether a deployment registered it; if not, a user did, and it outlives its VNF instance."""
    return element.id.version == DEPLOYMENT_UUID_VERSION


def address_conflict(address: str, instance: InstanceRecord) -> str:
    """Why an instance without VMs yet cannot be managed at that address, as a sentence; "" when it can."""
    now = clock.now()
    for element in NetworkElement.objects.select_related("vnf_instance").filter(management_address=address):
        if not _may_attach(element, instance):
            return _owner_sentence(element)
        if reachability(element, now).status == "True":
            return f"{address} is the address of the element {element.name}, which answers there now."
    return ""


@transaction.atomic
def element_register_for_vnf(
    *, instance: InstanceRecord, vnfc_id: UUID | None, element_id: UUID, name: str, columns: Mapping[str, Any]
) -> None:
    """Register the element of the instance, or of that VNFC; idempotent.

    A new one gets `element_id`, a UUID of version 5. One that was registered at its address before is taken over, and
    its former settings are stored. Raises 409 when the address is another VNF instance's, or a physical element's.
    """
    address = columns["management_address"]
    rows = NetworkElement.objects.select_for_update(no_key=True).filter(
        Q(id=element_id) | Q(management_address=address)
    )
    known = sorted(rows, key=lambda row: (row.id != element_id, row.created_at))
    if not known:
        new = {**columns, "id": element_id, "kind": NetworkElement.Kind.VIRTUAL, "name": _free_name(name, element_id)}
        element_register(columns={**new, "vnf_instance_id": instance.id, "vnfc_id": vnfc_id})
        return
    element = known[0]
    if not _may_attach(element, instance):
        raise ProblemError(_address_in_use(element))
    desired = {**columns, "vnf_instance_id": instance.id, "vnfc_id": vnfc_id}
    if not registered_by_deployment(element) and (element.taken_over is None or element.vnf_instance_id is None):
        desired["taken_over"] = {column: _json_value(getattr(element, column)) for column in COPIED_COLUMNS}
    changes = {column: value for column, value in desired.items() if getattr(element, column) != value}
    keys = [element.ssh_host_key, element.netconf_host_key]
    if "management_address" in changes and any(keys):  # another VM: it has other host keys
        changes |= {"ssh_host_key": "", "netconf_host_key": ""}
        detail = {"vnfInstance": instance.name, "address": address, "hostKeys": list(filter(None, keys))}
        audit(actor="driver", action="element host key forgotten", target=element.name, detail=detail)
    if changes:
        element = element_update(element=element, changes=changes)
    element_manage(element=element)


@transaction.atomic
def element_detach(*, element_id: UUID) -> None:
    """Separate it from its VNF instance; one that was taken over gets its former settings, but is not managed again."""
    element = _locked(element_id)
    if element is None:
        return
    changes: dict[str, Any] = {"vnf_instance_id": None, "vnfc_id": None}
    before = element.taken_over
    if before is not None:
        changes["driver"] = before["driver"]
        ids = {column: before[column] for column in ROLES.values()}
        known = MediationPolicy.objects.in_bulk([UUID(policy) for policy in ids.values() if policy])
        changes |= {column: known.get(UUID(policy)) if policy else None for column, policy in ids.items()}
    element = element_update(element=element, changes=changes)
    if before is not None and before["state"] == State.UNMANAGED:
        element_unmanage(element=element)
    elif before is not None and before["state"] == State.SUSPENDED and element.state == State.MANAGED:
        element_suspend(element=element)


@transaction.atomic
def element_release(*, element_id: UUID) -> None:
    """Its VNF instance is terminated: stop polling it, and remove what was read of it, with its alarms.

    A physical element stays as it is.
    """
    _expect_loss_of_virtual(element_id)
    element = _locked(element_id)
    if element is not None and element.kind == NetworkElement.Kind.VIRTUAL:
        element_unmanage(element=element)


@transaction.atomic
def element_deregister(*, element_id: UUID) -> None:
    """Its VNF instance, or its component, was deleted: delete it if a deployment registered it, else release and detach
    it. Does nothing for an element that does not exist.
    """
    _expect_loss_of_virtual(element_id)
    element = _locked(element_id)
    if element is None:
        return
    if registered_by_deployment(element):
        element_delete(element=element_unmanage(element=element))
        return
    element_release(element_id=element_id)
    element_detach(element_id=element_id)


@transaction.atomic
def elements_readdress(*, addresses: Mapping[UUID, str]) -> None:
    """The same routers at other addresses, which they may swap among themselves: their host keys stay pinned.

    Raises 409 when an element that is none of these has an address. Does nothing for an element that does not exist.
    """
    rows = NetworkElement.objects.select_for_update(no_key=True).filter(id__in=addresses).order_by("id")
    moving = [row for row in rows if row.management_address != addresses[row.id]]
    new = [addresses[row.id] for row in moving]
    other = NetworkElement.objects.filter(management_address__in=new).exclude(id__in=addresses).first()
    if other is not None:
        raise ProblemError(_address_in_use(other))
    for row in moving:
        element_update(element=row, changes={"management_address": addresses[row.id]})


@transaction.atomic
def element_reset_host_keys(*, element_id: UUID, vnfcs: Collection[str], operation: str, by: str) -> bool:
    """An operation rebuilt the disks with the element's host keys: the keys that it shows next are pinned.

    Written to the audit trail, as a forged router could use the moment. Returns whether a key was pinned.
    """
    element = _locked(element_id)
    keys = [element.ssh_host_key, element.netconf_host_key] if element is not None else []
    if element is None or not any(keys):
        return False
    detail = {"operation": operation, "rebuiltVnfcs": sorted(vnfcs), "hostKeys": list(filter(None, keys))}
    audit(actor=by, action="element host key forgotten", target=element.name, detail=detail)
    element_forget_host_key(element=element)
    return True


@transaction.atomic
def slots_mark_leaving(*, element_id: UUID, slots: Collection[str]) -> None:
    """An operation removes these slots from the configuration: cards that disappear are forgotten, not missing, and so
    are the neighbours on their ports.
    """
    expect_loss(element_id=element_id, slots=slots)
    element = _locked(element_id)
    if element is not None and not set(slots).issubset(element.slots_leaving):
        element_update(element=element, changes={"slots_leaving": sorted({*element.slots_leaving, *slots})})


@transaction.atomic
def slots_clear_leaving(*, element_id: UUID) -> None:
    """The operation is over: cards that disappear from now on are missing."""
    element = _locked(element_id)
    if element is not None and element.slots_leaving:
        cancel_expected_loss(element_id=element_id, slots=element.slots_leaving)
        element_update(element=element, changes={"slots_leaving": []})


def _expect_loss_of_virtual(element_id: UUID) -> None:
    if NetworkElement.objects.filter(id=element_id, kind=NetworkElement.Kind.VIRTUAL).exists():
        expect_loss(element_id=element_id)


def _locked(element_id: UUID) -> NetworkElement | None:
    """Locked against the poller until the transaction ends."""
    return NetworkElement.objects.select_for_update(no_key=True).filter(id=element_id).first()


def _free_name(name: str, element_id: UUID) -> str:
    """The name, with a suffix if another element has it."""
    short = name[:MAX_NAME]
    in_use = NetworkElement.objects.filter(name=short).exists()
    return f"{short}-{str(element_id)[:8]}" if in_use else short


def _json_value(value: Any) -> Any:
    return str(value.pk) if hasattr(value, "pk") else value


def _may_attach(element: NetworkElement, instance: InstanceRecord) -> bool:
    return element.kind == NetworkElement.Kind.VIRTUAL and element.vnf_instance_id in (None, instance.id)


def _owner_sentence(element: NetworkElement) -> str:
    owner = f"VNF instance {element.vnf_instance.name}" if element.vnf_instance else "a physical router"
    return f"{element.management_address} is the address of the element {element.name}, which is {owner}."


def _address_in_use(element: NetworkElement) -> Problem:
    return Problem(
        409,
        ELEMENT_CONFLICT,
        "The management address is another element's",
        _owner_sentence(element),
        "Roll back and give this VNF another management address; or remove that element, then retry.",
    )

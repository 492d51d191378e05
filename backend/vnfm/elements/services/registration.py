"""Elements of VNF instances: adopted when they come up, released when they go. Nobody here speaks to an element."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.accounts.services import audit
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.elements.selectors import policy_list, reachability
from vnfm.elements.services.elements import (
    PROTOCOLS,
    State,
    element_delete,
    element_forget_host_key,
    element_manage,
    element_register,
    element_suspend,
    element_unmanage,
    element_update,
)
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, Problem, ProblemError, unprocessable

LONGEST_NAME = 90
"""Characters, which leave room for something that tells two apart."""
ELEMENT_TAKEN = "ELEMENT_TAKEN"
"""Code of the problem that a management address is another element's."""
TAKEN_OVER_COLUMNS = ("state", "driver", *ROLES.values())
"""Columns that are noted of an element when it is taken over."""
DEPLOYMENT_UUID_VERSION = 5
"""Version of the UUIDs that adoption gives: an element that somebody registered has a random one."""


def policies_resolve(named: Mapping[str, str], pointer: str = "") -> dict[str, MediationPolicy]:
    """The policies that a request names by `ROLES`, by id or by name.

    Raises 422 at what there is none of, and at what is of another protocol than its place wants.
    """
    found: dict[str, MediationPolicy] = {}
    errors = []
    for role, name in named.items():
        policy = policy_list().filter(**_by_id_or_name(name)).first()
        if policy is None:
            errors.append(FieldError(f"{pointer}/{role}", f"There is no mediation policy {name!r}."))
        elif policy.protocol not in PROTOCOLS[ROLES[role]]:
            errors.append(FieldError(f"{pointer}/{role}", f"{policy.name} is a policy of {policy.protocol}."))
        else:
            found[role] = policy
    if errors:
        text = " ".join(error.message for error in errors)
        raise unprocessable("UNFIT_POLICY", text, errors, "GET /api/v1/mediation_policies lists them.")
    return found


def policy_columns(policies: Mapping[str, MediationPolicy]) -> dict[str, MediationPolicy]:
    """By the element's columns."""
    return {ROLES[role]: policy for role, policy in policies.items()}


def _by_id_or_name(name: str) -> dict[str, Any]:
    try:
        return {"id": UUID(name)}
    except ValueError:
        return {"name": name}


def instance_elements(instance: VnfInstance) -> list[NetworkElement]:
    """The elements that the VNF instance is, oldest first."""
    rows = NetworkElement.objects.select_related("snmp_policy", "ssh_policy", "netconf_policy", "vnfc")
    return list(rows.filter(vnf_instance=instance.id).order_by("created_at", "id"))


def registered_by_deployment(element: NetworkElement) -> bool:
    """Whether a deployment made it; else somebody had registered it, and it outlives its VNF instance."""
    return element.id.version == DEPLOYMENT_UUID_VERSION


def address_conflict(address: str, instance: VnfInstance) -> str:
    """Why an instance whose VMs are yet to be made cannot be managed at that address, as a sentence; "" when it can."""
    now = clock.now()
    for element in NetworkElement.objects.select_related("vnf_instance").filter(management_address=address):
        if not _may_take(element, instance):
            return _owner_sentence(element)
        if reachability(element, now).status == "True":
            return f"{address} is the address of the element {element.name}, which answers there now."
    return ""


@transaction.atomic
def element_register_for_vnf(
    *, instance: VnfInstance, vnfc: Vnfc | None, element_id: UUID, name: str, columns: Mapping[str, Any]
) -> None:
    """Have the element of the instance, or of that VNFC, and never a second one. Doing it again changes nothing.

    A new one gets `element_id`, a UUID of version 5. One that was registered at its address before is taken over, and
    keeps what it was then. Raises 409 when the address is another VNF instance's, or a physical element's.
    """
    address = columns["management_address"]
    rows = NetworkElement.objects.select_for_update(no_key=True).filter(
        Q(id=element_id) | Q(management_address=address)
    )
    known = sorted(rows, key=lambda row: (row.id != element_id, row.created_at))
    if not known:
        fresh = {**columns, "id": element_id, "kind": NetworkElement.Kind.VIRTUAL, "name": _free_name(name, element_id)}
        element_register(columns={**fresh, "vnf_instance": instance, "vnfc": vnfc})
        return
    element = known[0]
    if not _may_take(element, instance):
        raise ProblemError(_address_in_use(element))
    wanted = {**columns, "vnf_instance": instance, "vnfc": vnfc}
    if not registered_by_deployment(element) and (element.taken_over is None or element.vnf_instance_id is None):
        wanted["taken_over"] = {column: _json_value(getattr(element, column)) for column in TAKEN_OVER_COLUMNS}
    changes = {column: value for column, value in wanted.items() if getattr(element, column) != value}
    if changes:
        element = element_update(element=element, changes=changes)
    element_manage(element=element)


@transaction.atomic
def element_detach(*, element_id: UUID) -> None:
    """It is no VNF instance any more; one that was taken over is again what it was, but is not managed anew."""
    element = _locked(element_id)
    if element is None:
        return
    changes: dict[str, Any] = {"vnf_instance": None, "vnfc": None}
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
    """Its VNF instance goes: nobody asks it any more, and what was read of it, with its alarms, goes too.

    A physical one stays as it is: it does not go with VMs.
    """
    element = _locked(element_id)
    if element is not None and element.kind == NetworkElement.Kind.VIRTUAL:
        element_unmanage(element=element)


@transaction.atomic
def element_deregister(*, element_id: UUID) -> None:
    """Its VNF instance, or its component, is no more, and so is it if it was made for that: others are released and let
    go. Nothing happens to one that is gone already.
    """
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
    """They are the same routers, asked at other addresses, each perhaps at one that another of them had: their SSH host
    keys stay pinned.

    Raises 409 when an element that is none of these is there. Nothing happens to one that is gone, or there already.
    """
    rows = NetworkElement.objects.select_for_update(no_key=True).filter(id__in=addresses).order_by("id")
    moving = [row for row in rows if row.management_address != addresses[row.id]]
    wanted = [addresses[row.id] for row in moving]
    other = NetworkElement.objects.filter(management_address__in=wanted).exclude(id__in=addresses).first()
    if other is not None:
        raise ProblemError(_address_in_use(other))
    for row in moving:
        kept = {"ssh_host_key": row.ssh_host_key, "netconf_host_key": row.netconf_host_key}
        element_update(element=row, changes={"management_address": addresses[row.id], **kept})


@transaction.atomic
def element_reset_host_keys(*, element_id: UUID, vnfcs: Collection[str], operation: str, by: str) -> bool:
    """An operation of ours has made the disks anew that the element's host keys were on: the next ones are pinned.

    Written to the audit trail, as whoever forges a router waits for that. Returns whether a key was pinned.
    """
    element = _locked(element_id)
    keys = [element.ssh_host_key, element.netconf_host_key] if element is not None else []
    if element is None or not any(keys):
        return False
    detail = {"operation": operation, "disksMadeAnew": sorted(vnfcs), "hostKeys": list(filter(None, keys))}
    audit(actor=by, action="element host key forgotten", target=element.name, detail=detail)
    element_forget_host_key(element=element)
    return True


@transaction.atomic
def slots_mark_leaving(*, element_id: UUID, slots: Collection[str]) -> None:
    """An operation takes these slots out of its configuration: cards that it lists no more are forgotten."""
    element = _locked(element_id)
    if element is not None and not set(slots).issubset(element.slots_leaving):
        element_update(element=element, changes={"slots_leaving": sorted({*element.slots_leaving, *slots})})


@transaction.atomic
def slots_clear_leaving(*, element_id: UUID) -> None:
    """What should be there is what it lists from now on."""
    element = _locked(element_id)
    if element is not None and element.slots_leaving:
        element_update(element=element, changes={"slots_leaving": []})


def _locked(element_id: UUID) -> NetworkElement | None:
    """The row, which the poller cannot change until the transaction ends."""
    return NetworkElement.objects.select_for_update(no_key=True).filter(id=element_id).first()


def _free_name(name: str, element_id: UUID) -> str:
    """The name, unless another element has it already."""
    short = name[:LONGEST_NAME]
    taken = NetworkElement.objects.filter(name=short).exists()
    return f"{short}-{str(element_id)[:8]}" if taken else short


def _json_value(value: Any) -> Any:
    return str(value.pk) if hasattr(value, "pk") else value


def _may_take(element: NetworkElement, instance: VnfInstance) -> bool:
    return element.kind == NetworkElement.Kind.VIRTUAL and element.vnf_instance_id in (None, instance.id)


def _owner_sentence(element: NetworkElement) -> str:
    whose = f"VNF instance {element.vnf_instance.name}" if element.vnf_instance else "a physical router"
    return f"{element.management_address} is the address of the element {element.name}, which is {whose}."


def _address_in_use(element: NetworkElement) -> Problem:
    return Problem(
        409,
        ELEMENT_TAKEN,
        "The management address is another element's",
        _owner_sentence(element),
        "Roll back and give this VNF another management address; or remove that element, then retry.",
    )

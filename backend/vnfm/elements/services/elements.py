"""Network elements by request: register, change, manage, resync. No service contacts an element: the poller does."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.policies import ROLES
from vnfm.elements.models import ElementFact, Equipment, LastRows, NetworkElement
from vnfm.elements.services.destinations import check_address, element_destination
from vnfm.elements.services.mediation_policies import check_policies
from vnfm.elements.services.poller import poller_wake
from vnfm.elements.services.versioned_rows import delete_row, insert_row, publish_change, update_row
from vnfm.kit import clock
from vnfm.kit.problem import FieldError, conflict, unprocessable

State = NetworkElement.State
Resync = NetworkElement.ResyncState


def element_register(*, columns: Mapping[str, Any]) -> NetworkElement:
    """A managed element, which the poller reads at once and completely. Raises 409 for a name in use, 422."""
    check_policies(columns)
    check_address(*element_destination(None, columns))
    _check_instance(columns.get("kind"), columns.get("vnf_instance_id"))
    resync = {"resync_state": Resync.WAITING, "resync_requested_at": clock.now()}
    element = insert_row(NetworkElement, {**columns, **resync, **_without_policy({"snmp_policy": None, **columns})})
    poller_wake()
    return element


def element_update(*, element: NetworkElement, changes: Mapping[str, Any]) -> NetworkElement:
    """Change an element; with another address or SNMP policy the poller reads all of it: it may be another router.

    Pinned host keys stay with another address: a router that shows others is refused until they are forgotten. Raises
    422 for an address that is refused, or that a policy's secrets may not be sent to.
    """
    check_policies(changes)
    if any(column in changes for column in ("management_address", *ROLES.values())):
        check_address(*element_destination(element, changes))
    _check_instance(changes.get("kind", element.kind), changes.get("vnf_instance_id", element.vnf_instance_id))
    if changes.get("host_element") == element:
        message = "An element cannot be hosted by itself."
        raise unprocessable("INVALID_ELEMENT", message, [FieldError("/hostElementId", message)])
    contact = ("management_address", "snmp_policy")
    moved = any(name in changes and changes[name] != getattr(element, name) for name in contact)
    columns = {**changes, **_without_policy(changes)}
    if "host_element" in changes and changes["host_element"] != element.host_element:
        columns["host_set_by_user"] = True
    policy = changes.get("snmp_policy", element.snmp_policy)
    if moved and policy is not None and element.state == State.MANAGED:
        columns |= _resync_columns([])
    readdressed = "management_address" in changes and changes["management_address"] != element.management_address
    if readdressed and "resync_state" in columns:
        columns["resync_accepts"] = True  # FDNs begin with the address: parts of the old address are obsolete
    with transaction.atomic():
        if changes.get("vnf_instance_id", element.vnf_instance_id) != element.vnf_instance_id:
            Equipment.objects.filter(element=element).update(vnfc=None)
            columns = {"vnfc_id": None, "taken_over": None, **columns}
        if readdressed:
            LastRows.objects.filter(element=element).delete()  # they may be another router's
        changed = update_row(element, columns)
    return _wake(changed)


def element_delete(*, element: NetworkElement) -> None:
    """Delete the element with all that is known of it; raises 409 naming the Virtual Systems that it hosts."""
    delete_row(element, "ELEMENT_IN_USE")


def element_manage(*, element: NetworkElement) -> NetworkElement:
    """Poll it (again), beginning with a full resync. Managing one that is managed changes nothing."""
    if element.state == State.MANAGED:
        return element
    return _wake(update_row(element, {"state": State.MANAGED, **_resync_columns([])}))


def element_suspend(*, element: NetworkElement) -> NetworkElement:
    """Stop polling and keep what is known. Raises 409 for an unmanaged element: nothing is known of it."""
    if element.state == State.UNMANAGED:
        raise conflict("NOT_MANAGED", f"{element.name} is not managed.", "Manage it first.")
    if element.state == State.SUSPENDED:
        return element
    message = "It is suspended and is not polled. All values are from before."
    return _wake(
        update_row(element, {"state": State.SUSPENDED, **_unknown_reachability("Suspended", message, clock.now())})
    )


@transaction.atomic
def element_unmanage(*, element: NetworkElement) -> NetworkElement:
    """Stop polling and remove what was read of it; the element itself stays in the list."""
    if element.state == State.UNMANAGED:
        return element
    cleared = {
        **_unknown_reachability("Unmanaged", "It is not managed and is not polled.", clock.now()),
        "resync_state": Resync.NEVER,
        "observed_at": None,
        "equipment_observed_at": None,
        "first_full_resync_at": None,
        "last_full_resync_at": None,
        "up_since": None,
        "trap_sequence": None,
        "trap_gap_since": None,
        "trap_gap_noticed_at": None,
        "software_version": "",
        "chassis_type": "",
        "omission_count": 0,
        "stale_parts": {},
    }
    changed = update_row(element, {"state": State.UNMANAGED, **cleared})
    parts = (Equipment.objects, changed.interfaces, changed.bgp_peers, changed.adjacencies)
    for rows in (*parts, ElementFact.objects, changed.traps, changed.omissions, changed.last_rows):
        rows.filter(element=changed).delete()
    return _wake(changed)


def element_resync(*, element: NetworkElement, scope: Sequence[str] = (), accept: bool = False) -> NetworkElement:
    """Have the poller read the parts of `scope`, or all, now. Raises 409 for an element that is not managed.

    `accept`: forget parts that the element does not list any more; what it lists is what it should have.
    """
    if element.state != State.MANAGED:
        raise conflict("NOT_MANAGED", f"{element.name} is {element.state.lower()}.", "Manage it first.")
    columns = {**_resync_columns(_merged_scope(element, scope)), "resync_accepts": accept}
    return _wake(update_row(element, columns))


def element_pin_host_key(*, element: NetworkElement, column: str, host_key: str) -> None:
    """Trust this host key from now on, unless another one is pinned, or the address has changed.

    `column` is that of the protocol: ssh_host_key | netconf_host_key.
    """
    unpinned = {"id": element.id, "management_address": element.management_address, column: ""}
    with transaction.atomic():
        rows = NetworkElement.objects.filter(**unpinned)
        if host_key and rows.update(version=F("version") + 1, **{column: host_key}):
            element.refresh_from_db(fields=(column, "version"))
            publish_change(element)


def element_record_login_warning(*, element: NetworkElement, warning: str) -> None:
    """Store what the element said of our password at its last login by SSH; "" for nothing."""
    if element.login_warning == warning:
        return
    with transaction.atomic():
        NetworkElement.objects.filter(id=element.id).update(version=F("version") + 1, login_warning=warning)
        element.refresh_from_db(fields=("login_warning", "version"))
        publish_change(element)


def element_forget_host_key(*, element: NetworkElement) -> NetworkElement:
    """Pin the host keys that the element shows next: they were generated again, or the router was replaced."""
    return update_row(element, {"ssh_host_key": "", "netconf_host_key": ""})


def _merged_scope(element: NetworkElement, scope: Sequence[str]) -> list[str]:
    """With the scope of a resync that still waits; empty means all parts."""
    if element.resync_state != Resync.WAITING:
        return list(scope)
    both = {*scope, *element.resync_scope}
    return [part for part in PARTS if part in both] if scope and element.resync_scope else []


def _resync_columns(scope: Sequence[str]) -> dict[str, Any]:
    return {
        "resync_state": Resync.WAITING,
        "resync_scope": list(scope),
        "resync_progress": 0,
        "resync_problem": "",
        "resync_requested_at": clock.now(),
    }


def _unknown_reachability(reason: str, message: str, now: datetime) -> dict[str, Any]:
    return {
        "reachable": "Unknown",
        "reachable_reason": reason,
        "reachable_message": message,
        "reachable_since": now,
    }


def _without_policy(columns: Mapping[str, Any]) -> dict[str, Any]:
    if columns.get("snmp_policy", ...) is not None:
        return {}
    return _unknown_reachability("NoSnmpPolicy", "It has no SNMP policy and is not polled.", clock.now())


def _wake(element: NetworkElement) -> NetworkElement:
    poller_wake()
    return element


def _check_instance(kind: str | None, instance_id: UUID | None) -> None:
    """Raises 422 for a physical element with a VNF instance: it would be removed with the VMs."""
    if kind == NetworkElement.Kind.PHYSICAL and instance_id is not None:
        message = "A physical element is no VNF instance."
        fault = FieldError("/vnfInstanceId", message)
        raise unprocessable("INVALID_ELEMENT", message, [fault], "Leave it out, or say that the element is virtual.")

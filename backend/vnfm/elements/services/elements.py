"""What changes sites, policies and elements by request. Nobody here speaks to an element: the poller does."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.policies import NEEDS, SECRETS, SETTINGS, SNMP, policy_faults
from vnfm.elements.models import ElementFact, Equipment, MediationPolicy, NetworkElement, Site
from vnfm.elements.selectors import secrets_of
from vnfm.elements.services.versioned_rows import delete_row, insert_row, publish_change, update_row
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.listen import notify
from vnfm.kit.problem import FieldError, conflict, unprocessable
from vnfm.kit.seal import seal

CHANNEL = "vnfm_elements"
"""PostgreSQL NOTIFY channel by which the poller hears at once that somebody wants something."""

State = NetworkElement.State
Resync = NetworkElement.ResyncState


def site_create(*, columns: Mapping[str, Any]) -> Site:
    """Raises 409 for a taken name, as all of these do."""
    return insert_row(Site, columns)


def site_update(*, site: Site, changes: Mapping[str, Any]) -> Site:
    return update_row(site, changes)


def site_delete(*, site: Site) -> None:
    """Raises 409 naming the elements and rules that are there."""
    delete_row(site, "SITE_IN_USE")


def policy_create(*, name: str, protocol: str, values: Mapping[str, Any]) -> MediationPolicy:
    """`values` by the names of settings and secrets, and `port`. Raises 422 at what is wrong."""
    settings, secrets = _split(values)
    _check(protocol, settings, secrets)
    return insert_row(
        MediationPolicy,
        {
            "name": name,
            "protocol": protocol,
            "port": values.get("port") or NEEDS[protocol].port,
            "settings": settings,
            "sealed_secrets": seal(secrets),
        },
    )


def policy_update(*, policy: MediationPolicy, values: Mapping[str, Any]) -> MediationPolicy:
    """What is not in `values` stays, secrets too. The protocol of a policy never changes."""
    settings, secrets = _split(values)
    settings, secrets = {**policy.settings, **settings}, {**secrets_of(policy), **secrets}
    _check(policy.protocol, settings, secrets)
    plain = {name: values[name] for name in ("name", "port") if name in values}
    changed = update_row(policy, {**plain, "settings": settings, "sealed_secrets": seal(secrets)})
    poller_wake()
    return changed


def policy_delete(*, policy: MediationPolicy) -> None:
    """Raises 409 naming the elements and rules that use it."""
    delete_row(policy, "POLICY_IN_USE")


def element_register(*, columns: Mapping[str, Any]) -> NetworkElement:
    """A managed element that the poller reads at once, as a whole."""
    check_policies(columns)
    _check_instance(columns.get("kind"), columns.get("vnf_instance"))
    now = clock.now()
    waiting = {"resync_state": Resync.WAITING, "resync_requested_at": now}
    element = insert_row(NetworkElement, {**columns, **waiting, **_without_policy({"snmp_policy": None, **columns})})
    poller_wake()
    return element


def element_update(*, element: NetworkElement, changes: Mapping[str, Any]) -> NetworkElement:
    """An element that is asked elsewhere, or otherwise, from now on may be another: it is read as a whole."""
    check_policies(changes)
    _check_instance(changes.get("kind", element.kind), changes.get("vnf_instance", element.vnf_instance))
    if changes.get("host_element") == element:
        words = "An element cannot be hosted by itself."
        raise unprocessable("INVALID_ELEMENT", words, [FieldError("/hostElementId", words)])
    asked = ("management_address", "snmp_policy")
    moved = any(name in changes and changes[name] != getattr(element, name) for name in asked)
    columns = {**changes, **_without_policy(changes)}
    asked_by = changes.get("snmp_policy", element.snmp_policy)
    if moved and asked_by is not None and element.state == State.MANAGED:
        columns |= _resync_columns([])
    if "management_address" in changes and changes["management_address"] != element.management_address:
        columns = {"ssh_host_key": "", "netconf_host_key": "", **columns}
        if "resync_state" in columns:
            columns["resync_accepts"] = True  # parts are called by the address: those of before are nobody's
    with transaction.atomic():
        if "vnf_instance" in changes and changes["vnf_instance"] != element.vnf_instance:
            Equipment.objects.filter(element=element).update(vnfc=None)
            columns = {"vnfc": None, "taken_over": None, **columns}
        changed = update_row(element, columns)
    return _wake(changed)


def element_delete(*, element: NetworkElement) -> None:
    """With all that is known of it. Raises 409 naming the Virtual Systems that it hosts."""
    delete_row(element, "ELEMENT_IN_USE")


def element_manage(*, element: NetworkElement) -> NetworkElement:
    """Poll it (again), beginning with a full resync. Managing one that is managed changes nothing."""
    if element.state == State.MANAGED:
        return element
    return _wake(update_row(element, {"state": State.MANAGED, **_resync_columns([])}))


def element_suspend(*, element: NetworkElement) -> NetworkElement:
    """Poll it no more, and keep what is known. Raises 409 for one that is unmanaged: there is nothing to keep."""
    if element.state == State.UNMANAGED:
        raise conflict("NOT_MANAGED", f"{element.name} is not managed.", "Manage it first.")
    if element.state == State.SUSPENDED:
        return element
    words = "It is suspended: nobody asks it. What is shown is as it was then."
    return _wake(
        update_row(element, {"state": State.SUSPENDED, **_unknown_reachability("Suspended", words, clock.now())})
    )


@transaction.atomic
def element_unmanage(*, element: NetworkElement) -> NetworkElement:
    """Poll it no more, and remove what was read of it; the element itself stays in the list."""
    if element.state == State.UNMANAGED:
        return element
    unread = {
        **_unknown_reachability("Unmanaged", "It is not managed: nobody asks it.", clock.now()),
        "resync_state": Resync.NEVER,
        "observed_at": None,
        "equipment_observed_at": None,
        "first_full_resync_at": None,
        "last_full_resync_at": None,
        "up_since": None,
        "trap_sequence": None,
        "trap_gap_since": None,
        "trap_gap_seen_at": None,
        "software_version": "",
        "chassis_type": "",
    }
    changed = update_row(element, {"state": State.UNMANAGED, **unread})
    parts = (Equipment.objects, changed.interfaces, changed.bgp_peers, changed.adjacencies)
    for rows in (*parts, ElementFact.objects, changed.traps):
        rows.filter(element=changed).delete()
    return _wake(changed)


def element_resync(*, element: NetworkElement, scope: Sequence[str] = (), accept: bool = False) -> NetworkElement:
    """Have the poller read the parts of `scope`, or all, now. Raises 409 for an element that is not managed.

    `accept`: parts that the element does not list any more are forgotten, as somebody says that they should be.
    """
    if element.state != State.MANAGED:
        raise conflict("NOT_MANAGED", f"{element.name} is {element.state.lower()}.", "Manage it first.")
    return _wake(update_row(element, {**_resync_columns(_merged_scope(element, scope)), "resync_accepts": accept}))


def element_pin_host_key(*, element: NetworkElement, column: str, host_key: str) -> None:
    """Trust this host key from now on, if it is the first that is seen at this address.

    `column` is that of the protocol: ssh_host_key | netconf_host_key.
    """
    unpinned = {"id": element.id, "management_address": element.management_address, column: ""}
    with transaction.atomic():
        here = NetworkElement.objects.filter(**unpinned)
        if host_key and here.update(version=F("version") + 1, **{column: host_key}):
            element.refresh_from_db(fields=(column, "version"))
            publish_change(element)


def element_forget_host_key(*, element: NetworkElement) -> NetworkElement:
    """Pin whatever host keys the element shows next: they were made anew, or it was replaced."""
    return update_row(element, {"ssh_host_key": "", "netconf_host_key": ""})


def poller_wake() -> None:
    """Ring at the pollers' door once the transaction commits; a lost ring costs one look at the list."""
    notify(CHANNEL)


def _merged_scope(element: NetworkElement, scope: Sequence[str]) -> list[str]:
    """With what waits already: nothing that was asked for is lost."""
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
    words = "It has no SNMP policy, so nobody can ask it."
    return _unknown_reachability("NoSnmpPolicy", words, clock.now())


def _wake(element: NetworkElement) -> NetworkElement:
    poller_wake()
    return element


def _split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    settings = {name: values[name] for name in SETTINGS if name in values}
    return settings, {name: values[name] for name in SECRETS if name in values}


def _check(protocol: str, settings: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
    faults = policy_faults(protocol, settings, secrets)
    if faults:
        where = ", ".join(fault.field for fault in faults)
        raise unprocessable("INVALID_POLICY", f"The policy is not valid: {where}.", faults, "Correct what is named.")


PROTOCOLS: Mapping[str, tuple[str, ...]] = {
    "snmp_policy": SNMP,
    "ssh_policy": ("SSH",),
    "netconf_policy": ("NETCONF",),
}
"""Column of an element to the protocols that a policy there may be of."""


def _check_instance(kind: str | None, instance: VnfInstance | None) -> None:
    """Raises 422 for a physical element that is to be a VNF instance: it would go with the VMs."""
    if kind == NetworkElement.Kind.PHYSICAL and instance is not None:
        words = "A physical element is no VNF instance."
        fault = FieldError("/vnfInstanceId", words)
        raise unprocessable("INVALID_ELEMENT", words, [fault], "Leave it out, or say that the element is virtual.")


def check_policies(columns: Mapping[str, Any]) -> None:
    """Raises 422 for a policy of another protocol than its place wants."""
    faults = [
        FieldError(f"/{role.removesuffix('_policy')}PolicyId", f"{policy.name} is a policy of {policy.protocol}.")
        for role, protocols in PROTOCOLS.items()
        if (policy := columns.get(role)) is not None and policy.protocol not in protocols
    ]
    if faults:
        raise unprocessable("INVALID_ELEMENT", faults[0].message, faults, "Choose a policy of the right protocol.")

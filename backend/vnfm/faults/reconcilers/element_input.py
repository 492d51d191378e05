"""Loads the input of the evaluation of network elements, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from vnfm.elements.domain.part_states import FactState, InterfaceState
from vnfm.elements.domain.snapshot import Omission
from vnfm.elements.models import (
    Adjacency,
    BgpPeer,
    ElementFact,
    ElementOmission,
    Equipment,
    Interface,
    LastRows,
    NetworkElement,
)
from vnfm.elements.selectors import part_states
from vnfm.faults.domain.evaluate_element import INTERFACE_DOWN, NOT_IN_SERVICE, evaluate_element
from vnfm.faults.domain.evaluate_vim import HOST_FAULTS
from vnfm.faults.domain.evaluation_result import FaultKey, ObjectType
from vnfm.faults.domain.observed_element import (
    BeyondThreshold,
    ControlVm,
    ObservedElement,
    ObservedNeighbour,
    ObservedPart,
    ObservedPeer,
    RealisingVnfc,
)
from vnfm.faults.domain.peer_faults import NEIGHBOUR_LOST
from vnfm.faults.models import OPEN, Alarm, ThresholdCrossing
from vnfm.faults.reconcilers.evaluation_input import Evaluation, external_key
from vnfm.faults.reconcilers.instance_input import mate_ids, suppression_scope_of
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import UNDER_WAY

MAX_UNREAD = 10
"""Tables that could not be read and are named in an alarm."""
VM_FAULTS = ("VmMissing", "VmError", "VmDown", "VmTransient")
HOST_DEAD = tuple(name for name in HOST_FAULTS if name != "HostDisabled")
"""Faults of a host that stop its VMs: those of a disabled host run on."""
_INTERFACE_MAY_BE_DOWN = Q(admin__in=("UP", "UNKNOWN"), oper__in=(*INTERFACE_DOWN, "UNKNOWN"))
"""Interfaces that are down and should not be, or for which one of the two is unknown."""


@dataclass(frozen=True, slots=True)
class _Related:
    """Rows that the evaluation of several elements shares."""

    operations: Mapping[UUID, LcmOpOcc]
    """Under way, by VNF instance."""
    vm_faults: Mapping[UUID, tuple[FaultKey, ...]]
    """Open alarms of VNFCs, by VNFC."""
    host_faults: Mapping[UUID, tuple[FaultKey, ...]]
    """Open alarms of the hosts of VNFCs, by VNFC."""
    vnfcs: Mapping[UUID, list[Vnfc]]
    """VNFCs by VNF instance."""
    realising: Mapping[UUID, RealisingVnfc]
    """Realising VNFCs by VNFC."""
    unreachable: Mapping[str, str]
    """Address of an unreachable element → its id."""


def element_evaluations(ids: Collection[UUID], now: datetime) -> Iterator[Evaluation]:
    """One for each id, also for elements that no longer exist."""
    known = {
        row.id: row for row in NetworkElement.objects.select_related("vnf_instance", "host_element").filter(id__in=ids)
    }
    related = _related({row.vnf_instance_id for row in known.values() if row.vnf_instance_id is not None})
    not_read = _not_read_by_this_release(ids)
    parts = part_states(
        ObservedPart,
        _relevant_parts(ids).order_by("fdn"),
        vnfc=lambda row: related.realising.get(row["vnfc_id"]),
        oper_state=lambda row: "UNKNOWN" if _is_emptied_slot(row, not_read) else row["oper_state"],
    )
    of_unknown = {
        part.if_index
        for of_element in parts.values()
        for part in of_element
        if part.if_index is not None and "UNKNOWN" in (part.admin_state, part.oper_state)
    }
    interfaces = part_states(InterfaceState, _relevant_interfaces(ids, of_unknown).order_by("if_index"))
    peers = part_states(
        ObservedPeer,
        BgpPeer.objects.filter(element_id__in=ids).order_by("vrf", "peer_address"),
        element=lambda row: related.unreachable.get(row["peer_address"], ""),
    )
    neighbours = part_states(
        ObservedNeighbour,
        _relevant_neighbours(ids).order_by("protocol", "local_port", "remote_id", "remote_port"),
        element=lambda row: related.unreachable.get(row["remote_address"], ""),
    )
    facts = part_states(FactState, ElementFact.objects.filter(element_id__in=ids).order_by("name", "subject"))
    unread = part_states(
        Omission, ElementOmission.objects.filter(element_id__in=ids, unread=True).order_by("table", "id")
    )
    crossings = part_states(
        BeyondThreshold,
        ThresholdCrossing.objects.filter(element_id__in=ids).order_by("since", "id"),
        rule_id=lambda row: str(row["rule_id"]),
    )
    for element_id in sorted(ids):
        row = known.get(element_id)
        if row is None:
            yield Evaluation(ObjectType.NETWORK_ELEMENT, element_id, "", 0, evaluate_element(None, now))
            continue
        observed = ObservedElement(
            element_id=str(row.id),
            name=row.name,
            state=row.state,
            reachable=row.reachable,
            reachable_message=row.reachable_message,
            reachable_since=row.reachable_since,
            resync_state=row.resync_state,
            resync_problem=row.resync_problem,
            trap_gap_since=row.trap_gap_since,
            host_element=str(row.host_element_id or ""),
            address=row.management_address,
            host_address=row.host_element.management_address if row.host_element is not None else "",
            parts=tuple(parts[element_id]),
            interfaces=tuple(interfaces[element_id]),
            peers=tuple(peers[element_id]),
            neighbours=tuple(neighbours[element_id]),
            facts=tuple(facts[element_id]),
            unread_tables=tuple(omission.reason for omission in unread[element_id][:MAX_UNREAD]),
            thresholds=tuple(crossings[element_id]),
            control=_control_vms(row, related, parts[element_id]),
        )
        yield _evaluation(row, observed, related, now)


def _not_read_by_this_release(ids: Collection[UUID]) -> set[UUID]:
    """Elements of which no rows were kept: release 1.0 read them last, which had a slot as EMPTY also when it had just
    lost its part. Until the poller has sorted them (`emptied_slots_keep`) and polled, EMPTY says nothing of them.
    """
    kept = LastRows.objects.filter(element=OuterRef("pk"))
    return set(NetworkElement.objects.filter(~Exists(kept), id__in=ids).values_list("id", flat=True))


def _is_emptied_slot(row: Mapping[str, Any], not_read: Collection[UUID]) -> bool:
    """Return whether the slot may have lost its part; release 1.0 had no port as EMPTY."""
    return (
        row["oper_state"] == "EMPTY"
        and row["equipment_class"] != Equipment.Class.PORT
        and row["element_id"] in not_read
    )


def _relevant_interfaces(ids: Collection[UUID], also: Collection[int]) -> QuerySet[Interface]:
    """Interfaces that are or may be down, those of the ifIndexes `also`, and those that a BGP peer may be behind.

    They have `port_down`.
    """
    port = Interface.objects.filter(
        element_id=OuterRef("element_id"), if_index=OuterRef("port_if_index"), oper__in=INTERFACE_DOWN
    )
    relevant = _INTERFACE_MAY_BE_DOWN | ~Q(addresses=[]) | Q(if_index__in=also)
    return Interface.objects.filter(relevant, element_id__in=ids).annotate(port_down=Exists(port))


def _relevant_neighbours(ids: Collection[UUID]) -> QuerySet[Adjacency]:
    """Neighbours that are lost or in an unknown state.

    Those on interfaces that are administratively down, and those that an operation of ours removes, are left out.
    """
    shut = Interface.objects.filter(element_id=OuterRef("element_id"), if_index=OuterRef("if_index"), admin="DOWN")
    states = (*NEIGHBOUR_LOST, "UNKNOWN")
    return Adjacency.objects.filter(element_id__in=ids, state__in=states, loss_expected=False).exclude(Exists(shut))


def _relevant_parts(ids: Collection[UUID]) -> QuerySet[Equipment]:
    """All parts but the ports in service, or shut, whose interface is up: a router has hundreds of these."""
    down = Interface.objects.filter(
        _INTERFACE_MAY_BE_DOWN, element_id=OuterRef("element_id"), if_index=OuterRef("if_index")
    )
    may_be_down = Q(admin_state__in=("UP", "UNKNOWN"), oper_state__in=(*NOT_IN_SERVICE, "UNKNOWN"))
    in_service = Q(equipment_class="PORT") & ~may_be_down
    return Equipment.objects.filter(element_id__in=ids).exclude(in_service & ~Exists(down))


def _evaluation(row: NetworkElement, observed: ObservedElement, related: _Related, now: datetime) -> Evaluation:
    instance = row.vnf_instance
    vim_id = instance.vim_id if instance is not None else None
    operation = related.operations.get(instance.id) if instance is not None else None
    covering = (row.vnf_instance_id, vim_id, row.host_element_id)
    return Evaluation(
        object_type=ObjectType.NETWORK_ELEMENT,
        object_id=row.id,
        name=row.name,
        version=row.version,
        result=evaluate_element(observed, now),
        vim_id=vim_id,
        operation_id=operation.id if operation is not None else None,
        scope=suppression_scope_of(operation),
        covered_by=tuple(item for item in covering if item is not None),
    )


def _related(instances: Collection[UUID]) -> _Related:
    operations = LcmOpOcc.objects.filter(UNDER_WAY, instance_uuid__in=instances).defer("plan", "params")
    vm_faults: dict[UUID, tuple[FaultKey, ...]] = defaultdict(tuple)
    alarms = Alarm.objects.filter(managed_object_id__in=instances, fault_type__in=VM_FAULTS, cleared_at__isnull=True)
    for alarm in alarms.order_by("raised_at"):
        for vnfc_id in alarm.vnfc_ids:
            vm_faults[UUID(vnfc_id)] += (external_key(alarm),)
    vnfcs: dict[UUID, list[Vnfc]] = defaultdict(list)
    for vnfc in Vnfc.objects.filter(instance_id__in=instances).order_by("name"):
        vnfcs[vnfc.instance_id].append(vnfc)
    running = {op.instance_uuid: op for op in operations}
    mates: dict[str, str] = {}
    for instance in VnfInstance.objects.select_related("package").filter(id__in=vnfcs):
        mates |= mate_ids(instance, vnfcs[instance.id])
    host_faults = _host_faults(instances)
    realising = {
        vnfc.id: RealisingVnfc(
            vnfc_id=str(vnfc.id),
            desired_stopped=vnfc.desired == Vnfc.Desired.STOPPED,
            faults=vm_faults.get(vnfc.id, ()),
            host=host_faults.get(vnfc.id, ()),
            mate_id=mates.get(str(vnfc.id), ""),
        )
        for of_instance in vnfcs.values()
        for vnfc in of_instance
    }
    return _Related(running, vm_faults, host_faults, vnfcs, realising, _unreachable_addresses())


def _host_faults(instances: Collection[UUID]) -> dict[UUID, tuple[FaultKey, ...]]:
    """Faults of hosts by VNFC. Few hosts are dead, so these are queried first."""
    found: dict[UUID, tuple[FaultKey, ...]] = defaultdict(tuple)
    dead = Alarm.objects.filter(
        OPEN, managed_object_type=ObjectType.VIM, fault_type__in=HOST_DEAD, faulty_resource_type="COMPUTE"
    )
    for alarm in dead.order_by("raised_at") if instances else ():
        on_host = Vnfc.objects.filter(
            instance_id__in=instances, instance__vim=alarm.managed_object_id, host=alarm.faulty_resource
        )
        for vnfc_id in on_host.values_list("id", flat=True):
            found[vnfc_id] += (external_key(alarm),)
    return found


def _unreachable_addresses() -> dict[str, str]:
    """Address → id of the element, of all unreachable ones: these are few, and only they are root causes."""
    lost = NetworkElement.objects.filter(reachable="False", state=NetworkElement.State.MANAGED)
    found = {row.management_address: str(row.id) for row in lost.only("id", "management_address")}
    for element_id, addresses in Interface.objects.filter(element__in=lost).values_list("element_id", "addresses"):
        found |= {address.partition("/")[0]: str(element_id) for address in addresses}
    return found


def _control_vms(row: NetworkElement, related: _Related, parts: Sequence[ObservedPart]) -> tuple[ControlVm, ...]:
    """The VMs of control cards: by the equipment tree, else by slots with letters (Nokia's A and B), else all VMs."""
    if row.vnf_instance_id is None:
        return ()
    vnfcs = [v for v in related.vnfcs.get(row.vnf_instance_id, []) if row.vnfc_id in (None, v.id)]
    cards = {part.vnfc.vnfc_id for part in parts if part.equipment_class == "CPM" and part.vnfc is not None}
    control = [vnfc for vnfc in vnfcs if str(vnfc.id) in cards or (vnfc.slot and vnfc.slot.isalpha())]
    return tuple(
        ControlVm(vnfc.name, related.vm_faults.get(vnfc.id, ()) + related.host_faults.get(vnfc.id, ()))
        for vnfc in control or vnfcs
    )

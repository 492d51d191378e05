"""Loads the input of the evaluation of network elements, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from vnfm.elements.models import Adjacency, BgpPeer, ElementFact, ElementOmission, Equipment, Interface, NetworkElement
from vnfm.faults.domain.evaluate_element import INTERFACE_DOWN, NEIGHBOUR_LOST, NOT_IN_SERVICE, evaluate_element
from vnfm.faults.domain.evaluate_vim import HOST_FAULTS
from vnfm.faults.domain.evaluation_result import FaultKey, ObjectType
from vnfm.faults.domain.observed_element import (
    BeyondThreshold,
    ControlVm,
    FactState,
    InterfaceState,
    LostNeighbour,
    ObservedElement,
    ObservedPart,
    ObservedPeer,
    RealisingVnfc,
)
from vnfm.faults.models import OPEN, Alarm, ThresholdCrossing
from vnfm.faults.reconcilers.evaluation_input import Evaluation, external_key
from vnfm.faults.reconcilers.instance_input import mate_ids, suppression_scope_of
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.operations import UNDER_WAY

R = TypeVar("R", Equipment, Interface, BgpPeer, ElementFact, Adjacency, ElementOmission, ThresholdCrossing)

MAX_UNREAD = 10
"""Tables that could not be read and are named in an alarm."""
VM_FAULTS = ("VmMissing", "VmError", "VmDown", "VmTransient")
HOST_DEAD = tuple(name for name in HOST_FAULTS if name != "HostDisabled")
"""Faults of a host that stop its VMs: those of a disabled host run on."""


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
    """By VNF instance."""
    mates: Mapping[str, str]
    """VNFC → the other one of its pair (1+1)."""
    unreachable: Mapping[str, str]
    """Address of an unreachable element → its id."""


def element_evaluations(ids: Collection[UUID], now: datetime) -> Iterator[Evaluation]:
    """One for each id, also for elements that no longer exist."""
    known = {
        row.id: row for row in NetworkElement.objects.select_related("vnf_instance", "host_element").filter(id__in=ids)
    }
    related = _related({row.vnf_instance_id for row in known.values() if row.vnf_instance_id is not None})
    parts = _by_element(_relevant_parts(ids).select_related("vnfc").order_by("fdn"))
    interfaces = _by_element(_relevant_interfaces(ids).order_by("if_index"))
    peers = _by_element(BgpPeer.objects.filter(element_id__in=ids).order_by("vrf", "peer_address"))
    neighbours = _by_element(_lost_neighbours(ids).order_by("protocol", "local_port", "remote_id", "remote_port"))
    facts = _by_element(ElementFact.objects.filter(element_id__in=ids).order_by("name", "subject"))
    unread = _by_element(ElementOmission.objects.filter(element_id__in=ids, unread=True).order_by("table", "id"))
    crossings = _by_element(ThresholdCrossing.objects.filter(element_id__in=ids).order_by("since", "id"))
    for element_id in sorted(ids):
        row = known.get(element_id)
        if row is None:
            yield Evaluation(ObjectType.NETWORK_ELEMENT, element_id, "", 0, evaluate_element(None, now))
            continue
        observed = _observed(
            row,
            related,
            parts=tuple(_part(item, related) for item in parts[element_id]),
            interfaces=tuple(_interface(item) for item in interfaces[element_id]),
            peers=tuple(_peer(item, related) for item in peers[element_id]),
            lost_neighbours=tuple(_neighbour(item, related) for item in neighbours[element_id]),
            facts=tuple(FactState(fact.name, fact.subject, fact.value, fact.since) for fact in facts[element_id]),
            unread_tables=tuple(omission.reason for omission in unread[element_id][:MAX_UNREAD]),
            thresholds=tuple(_beyond(item) for item in crossings[element_id]),
        )
        yield _evaluation(row, observed, related, now)


def _relevant_interfaces(ids: Collection[UUID]) -> QuerySet[Interface]:
    """Interfaces that are down, and those that a BGP peer may be behind; with `port_down`."""
    port = Interface.objects.filter(
        element_id=OuterRef("element_id"), if_index=OuterRef("port_if_index"), oper__in=INTERFACE_DOWN
    )
    relevant = Q(admin="UP", oper__in=INTERFACE_DOWN) | ~Q(addresses=[])
    return Interface.objects.filter(relevant, element_id__in=ids).annotate(port_down=Exists(port))


def _lost_neighbours(ids: Collection[UUID]) -> QuerySet[Adjacency]:
    """Without those on interfaces that are administratively down, and those that an operation of ours removes."""
    shut = Interface.objects.filter(element_id=OuterRef("element_id"), if_index=OuterRef("if_index"), admin="DOWN")
    lost = Adjacency.objects.filter(element_id__in=ids, state__in=NEIGHBOUR_LOST, loss_expected=False)
    return lost.exclude(Exists(shut))


def _relevant_parts(ids: Collection[UUID]) -> QuerySet[Equipment]:
    """All parts but the ports in service whose interface is up: a router has hundreds of these."""
    down = Interface.objects.filter(
        element_id=OuterRef("element_id"), if_index=OuterRef("if_index"), admin="UP", oper__in=INTERFACE_DOWN
    )
    in_service = Q(equipment_class="PORT") & ~Q(admin_state="UP", oper_state__in=NOT_IN_SERVICE)
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
    return _Related(running, vm_faults, _host_faults(instances), vnfcs, mates, _unreachable_addresses())


def _host_faults(instances: Collection[UUID]) -> dict[UUID, tuple[FaultKey, ...]]:
    """By VNFC. Few hosts are dead, so these are queried first."""
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


def _by_element(rows: QuerySet[R]) -> Mapping[UUID, list[R]]:
    found: dict[UUID, list[R]] = defaultdict(list)
    for row in rows:
        found[row.element_id].append(row)
    return found


def _observed(
    row: NetworkElement,
    related: _Related,
    *,
    parts: tuple[ObservedPart, ...],
    interfaces: tuple[InterfaceState, ...],
    peers: tuple[ObservedPeer, ...],
    lost_neighbours: tuple[LostNeighbour, ...],
    facts: tuple[FactState, ...],
    unread_tables: tuple[str, ...],
    thresholds: tuple[BeyondThreshold, ...],
) -> ObservedElement:
    return ObservedElement(
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
        parts=parts,
        interfaces=interfaces,
        peers=peers,
        lost_neighbours=lost_neighbours,
        facts=facts,
        unread_tables=unread_tables,
        thresholds=thresholds,
        control=_control_vms(row, related, parts),
    )


def _control_vms(row: NetworkElement, related: _Related, parts: tuple[ObservedPart, ...]) -> tuple[ControlVm, ...]:
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


def _part(row: Equipment, related: _Related) -> ObservedPart:
    vnfc = row.vnfc
    realised = None
    if vnfc is not None:
        stopped = vnfc.desired == Vnfc.Desired.STOPPED
        realised = RealisingVnfc(
            vnfc_id=str(vnfc.id),
            desired_stopped=stopped,
            faults=related.vm_faults.get(vnfc.id, ()),
            host=related.host_faults.get(vnfc.id, ()),
            mate_id=related.mates.get(str(vnfc.id), ""),
        )
    return ObservedPart(
        fdn=row.fdn,
        parent_fdn=row.parent_fdn,
        equipment_class=row.equipment_class,
        name=row.name,
        admin=row.admin_state,
        oper=row.oper_state,
        reason=row.reason,
        since=row.since,
        if_index=row.if_index,
        vnfc=realised,
    )


def _interface(row: Any) -> InterfaceState:  # Any: an Interface with `port_down`
    return InterfaceState(
        if_index=row.if_index,
        name=row.name,
        admin=row.admin,
        oper=row.oper,
        since=row.since,
        addresses=tuple(row.addresses),
        port_if_index=row.port_if_index,
        port_down=row.port_down,
    )


def _peer(row: BgpPeer, related: _Related) -> ObservedPeer:
    lost = related.unreachable.get(row.peer_address, "")
    return ObservedPeer(row.vrf, row.peer_address, row.remote_as, row.admin_state, row.state, row.since, lost)


def _neighbour(row: Adjacency, related: _Related) -> LostNeighbour:
    return LostNeighbour(
        protocol=row.protocol,
        local_port=row.local_port,
        if_index=row.if_index,
        remote_id=row.remote_id,
        remote_port=row.remote_port,
        remote_name=row.remote_name,
        state=row.state,
        since=row.since,
        element=related.unreachable.get(row.remote_address, ""),
    )


def _beyond(row: ThresholdCrossing) -> BeyondThreshold:
    return BeyondThreshold(
        rule_id=str(row.rule_id),
        rule_name=row.rule_name,
        counter=row.counter,
        object=row.object,
        label=row.label,
        unit=row.unit,
        below=row.below,
        threshold=row.threshold,
        clear=row.clear,
        severity=row.severity,
        since=row.since,
        value=row.value,
        valued_at=row.valued_at,
        expires_at=row.expires_at,
    )

"""From the observed state of a VNF instance to its faults. Pure: the same observation gives the same faults, always."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from vnfm.faults.domain.dictionary import DICTIONARY, Severity, vm_fault_type
from vnfm.faults.domain.hosts import HOST_FAULTS, ObservedVim, vim_fault
from vnfm.faults.domain.verdict import Fault, Key, ObjectType, Owner, ToldByCloud, Verdict, earliest
from vnfm.inventory.domain.conditions import in_sync
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.inventory.domain.views import InstanceView

TRANSIENT_LIMIT = timedelta(minutes=5)
"""A reboot, rebuild or migration of a big VM takes minutes; what takes longer is stuck more often than slow."""

DRIFT = "StackDrift"

MOVED = "moved"
"""The kind of drift that has an alarm of its own, VmEvacuated."""

PORT_GRACE = timedelta(seconds=20)
"""A port becomes ACTIVE some seconds after its server, when the host's agent has plugged it; of a server that was
restarted quickly it may even go down after that. One that worked beside a server that runs longer has no excuse."""

NO_VALID_HOST = "no valid host"


@dataclass(frozen=True, slots=True)
class ObservedPort:
    port_id: str
    cp_id: str
    status: str
    status_since: datetime
    vif_type: str
    internal: bool
    """On a network that the instance's own stack made."""
    worked_until: datetime | None = None
    """When it was last seen to go down; None: it never did."""


@dataclass(frozen=True, slots=True)
class ObservedVnfc:
    vnfc_id: str
    vdu_id: str
    name: str
    server_id: str
    desired_stopped: bool
    status: str
    status_since: datetime
    nova_fault: str
    ports: tuple[ObservedPort, ...] = ()
    """Those not at rest are enough."""
    host: str = ""
    expected_host: str = ""
    host_hash: str = ""
    """What Nova tells of the host to those to whom it tells no name: the same for servers on one host."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A VDU whose needs Nova does not heed without scheduler filters that the VIM lacks."""

    vdu_id: str
    filters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """Servers that are to be on different hosts: the VNFCs of a VDU, by the package; a server group, by Nova."""

    name: str
    server_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class ObservedInstance:
    """All that the faults of one VNF instance depend on. Without a VIM it has none."""

    vim: ObservedVim | None
    stack_id: str
    stack_name: str
    stack_status: str
    stack_reason: str
    vnfcs: tuple[ObservedVnfc, ...]
    view: InstanceView | None = None
    """What its condition InSync is judged by; None for an instance that has none."""
    apart: tuple[Apart, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    told: tuple[ToldByCloud, ...] = ()


def evaluate(instance: ObservedInstance, now: datetime) -> Verdict:
    vim = instance.vim
    if vim is None:
        return Verdict(())
    faults = [] if vim.reachable else [_lost(vim)]
    if faults and not vim.servers_seen:
        return Verdict(tuple(faults), blind=faults[0].key)
    stack = _stack_fault(instance)
    faults += [stack] if stack is not None else []
    missing = (stack.key,) if stack is not None and stack.key.fault_type == "StackMissing" else ()
    again = []
    for vnfc in instance.vnfcs:
        found, again_at = _vnfc_faults(vnfc, instance, missing, now)
        faults += found
        again.append(again_at)
    faults += [*_told(instance, faults), *_together(instance), *_misplaced(instance)]
    drift, known = _drift_fault(instance, now)
    undecided = frozenset() if known else frozenset({DRIFT})
    return Verdict((*faults, *drift), undecided=undecided, again_at=earliest(*again))


def _lost(vim: ObservedVim) -> Fault:
    """The instance's own alarm that its VIM is lost; that of the VIM is its root cause."""
    fault = vim_fault(vim)
    root = Key(vim.vim_id, fault.key.fault_type, Owner(ObjectType.VIM, vim.vim_id))
    return Fault(fault.key, fault.severity, fault.resource_name, fault.details, roots=(root,))


def _stack_fault(instance: ObservedInstance) -> Fault | None:
    if instance.stack_status == MISSING:
        name, severity = "StackMissing", DICTIONARY["StackMissing"].severity
    elif instance.stack_status.endswith("_FAILED"):
        created = instance.stack_status != "CREATE_FAILED"
        name, severity = "StackFailed", Severity.MAJOR if created else Severity.CRITICAL
    else:
        return None
    details = (f"status={instance.stack_status}", instance.stack_reason)
    return Fault(Key(instance.stack_id, name), severity, instance.stack_name, tuple(filter(None, details)))


def _drift_fault(instance: ObservedInstance, now: datetime) -> tuple[tuple[Fault, ...], bool]:
    """The fault that the instance is not in sync, for what no other alarm says; and whether that can be judged now."""
    if instance.view is None:
        return (), True
    condition, differences = in_sync(instance.view, now)
    words = tuple(item.message for item in differences if not item.alarmed and item.kind != MOVED)
    if not words:
        return (), condition.status != "Unknown"
    return (Fault(Key(instance.stack_id, DRIFT), DICTIONARY[DRIFT].severity, instance.stack_name, words),), True


def _vnfc_faults(
    vnfc: ObservedVnfc, instance: ObservedInstance, missing: tuple[Key, ...], now: datetime
) -> tuple[list[Fault], datetime | None]:
    """The faults of a VNFC, and when time alone may make it another one."""
    assert instance.vim is not None
    hosts = _host_roots(instance.vim, vnfc.host)
    fault, again_at = _vm_fault(vnfc, instance.vnfcs, missing, now)
    if fault is not None:
        placing = _no_valid_host(vnfc)
        causes = ((placing.key,) if placing is not None else ()) + fault.roots + hosts
        found = [Fault(fault.key, fault.severity, fault.resource_name, fault.details, fault.vnfc_ids, causes)]
        return [*([placing] if placing is not None else []), *found], None
    if vnfc.status != ACTIVE:
        return [], again_at
    ports, ports_again_at = _port_faults(vnfc, hosts, now)
    return [*ports, *_moved(vnfc)], ports_again_at


def _host_roots(vim: ObservedVim, host: str) -> tuple[Key, ...]:
    """What may be wrong with the host; the alarm that is open is the root cause."""
    owner = Owner(ObjectType.VIM, vim.vim_id)
    return tuple(Key(host, name, owner) for name in HOST_FAULTS) if host else ()


def _vm_fault(
    vnfc: ObservedVnfc, all_vnfcs: Sequence[ObservedVnfc], missing: tuple[Key, ...], now: datetime
) -> tuple[Fault | None, datetime | None]:
    name = vm_fault_type(vnfc.status)
    if name is None or (name == "VmDown" and vnfc.desired_stopped):
        return None, None
    if name == "VmTransient" and now - vnfc.status_since < TRANSIENT_LIMIT:
        return None, vnfc.status_since + TRANSIENT_LIMIT
    severity = DICTIONARY[name].severity
    mates_up = [mate.name for mate in all_vnfcs if mate.vdu_id == vnfc.vdu_id and mate.status == ACTIVE]
    if name == "VmDown" and mates_up:
        severity = Severity.MAJOR
    details = (f"status={vnfc.status}", f"vdu={vnfc.vdu_id}", vnfc.nova_fault)
    fault = Fault(
        key=Key(vnfc.server_id, name),
        severity=severity,
        resource_name=vnfc.name,
        details=tuple(filter(None, details)),
        vnfc_ids=(vnfc.vnfc_id,),
        roots=missing if name == "VmMissing" else (),
    )
    return fault, None


def _no_valid_host(vnfc: ObservedVnfc) -> Fault | None:
    if NO_VALID_HOST not in vnfc.nova_fault.lower():
        return None
    key = Key(vnfc.server_id, "NoValidHost")
    return Fault(key, DICTIONARY["NoValidHost"].severity, vnfc.name, (vnfc.nova_fault,), (vnfc.vnfc_id,))


def _moved(vnfc: ObservedVnfc) -> Iterator[Fault]:
    if vnfc.host and vnfc.expected_host and vnfc.host != vnfc.expected_host:
        words = f"{vnfc.name} runs on host {vnfc.host}; it was on {vnfc.expected_host}."
        severity = DICTIONARY["VmEvacuated"].severity
        yield Fault(Key(vnfc.server_id, "VmEvacuated"), severity, vnfc.name, (words,), (vnfc.vnfc_id,))


def _together(instance: ObservedInstance) -> Iterator[Fault]:
    """VNFCs on one host that are to be kept apart: one fault for each host, however many rules say it."""
    told: set[frozenset[str]] = set()
    for apart in instance.apart:
        places: dict[str, list[ObservedVnfc]] = defaultdict(list)
        for vnfc in instance.vnfcs:
            place = vnfc.host or vnfc.host_hash
            if vnfc.server_id in apart.server_ids and place and vnfc.status != MISSING:
                places[place].append(vnfc)
        for place, vnfcs in places.items():
            ids = frozenset(vnfc.vnfc_id for vnfc in vnfcs)
            if len(vnfcs) == 1 or ids in told:
                continue
            told.add(ids)
            words = (
                f"{', '.join(vnfc.name for vnfc in vnfcs)} run on one host, {vnfcs[0].host or 'whose name is hidden'}."
            )
            key = Key(f"{apart.name}@{place}", "AntiAffinityBroken")
            severity = DICTIONARY["AntiAffinityBroken"].severity
            yield Fault(key, severity, f"{apart.name} on one host", (words,), tuple(vnfc.vnfc_id for vnfc in vnfcs))


def _told(instance: ObservedInstance, faults: Sequence[Fault]) -> Iterator[Fault]:
    """Alarms of the cloud's telemetry; one of a server that is down has its cause in that."""
    vnfcs = {vnfc.server_id: vnfc.vnfc_id for vnfc in instance.vnfcs}
    for told in instance.told:
        own = (vnfcs[told.server_id],) if told.server_id in vnfcs else ()
        down = tuple(fault.key for fault in faults if own and fault.key.faulty_resource == told.server_id)
        yield told.fault(own, down)


def _misplaced(instance: ObservedInstance) -> Iterator[Fault]:
    for item in instance.misplaced:
        words = f"The VIM's scheduler lacks {', '.join(item.filters)}: Nova may have placed {item.vdu_id} wrongly."
        severity = DICTIONARY["PlacementWarning"].severity
        yield Fault(Key(item.vdu_id, "PlacementWarning"), severity, item.vdu_id, (words,))


def _port_due(vnfc: ObservedVnfc, port: ObservedPort) -> datetime:
    """From when on it is a fault that the port does not work."""
    settled = vnfc.status_since + PORT_GRACE
    if port.worked_until is not None and port.worked_until > vnfc.status_since:
        return max(port.worked_until, settled)
    return max(port.status_since + PORT_GRACE, settled)


def _port_faults(vnfc: ObservedVnfc, hosts: tuple[Key, ...], now: datetime) -> tuple[list[Fault], datetime | None]:
    found, again = [], []
    for port in vnfc.ports:
        if port.vif_type == "binding_failed":
            name, severity = "PortBindingFailed", Severity.CRITICAL
        elif port.status == ACTIVE:
            continue
        elif (due := _port_due(vnfc, port)) <= now:
            name, severity = "PortDown", Severity.CRITICAL if port.internal else Severity.MAJOR
        else:
            again.append(due)
            continue
        details = (f"status={port.status}", f"connectionPoint={port.cp_id}", f"server={vnfc.name}")
        label = f"{vnfc.name} {port.cp_id}".strip()
        found.append(Fault(Key(port.port_id, name), severity, label, details, (vnfc.vnfc_id,), hosts))
    return found, earliest(*again)

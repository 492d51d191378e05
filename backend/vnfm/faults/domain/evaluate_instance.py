"""Faults of a VNF instance from its observed state. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from vnfm.faults.domain.dictionary import DICTIONARY, Severity, vm_fault_type
from vnfm.faults.domain.evaluate_vim import HOST_FAULTS, ObservedVim, vim_fault
from vnfm.faults.domain.evaluation_result import (
    EvaluationResult,
    Fault,
    FaultKey,
    ManagedObject,
    ObjectType,
    ObservedCloudAlarm,
    earliest,
)
from vnfm.inventory.domain.conditions import in_sync
from vnfm.inventory.domain.observation import ACTIVE, MISSING, status_text
from vnfm.inventory.domain.views import InstanceView
from vnfm.lcm.domain.stack_silence import silence_words

TRANSIENT_LIMIT = timedelta(minutes=5)
"""A reboot, rebuild or migration of a big VM takes minutes; one that takes longer is more often stuck than slow."""

DRIFT = "StackDrift"
STALLED = "StackStalled"

MOVED = "moved"
"""The kind of drift that has an alarm of its own, VmEvacuated."""

PORT_GRACE = timedelta(seconds=20)
"""A port becomes ACTIVE some seconds after its server, when the host's agent has plugged it, and may go down again
after a quick restart of the server. A port that worked while its server ran for longer gets no grace."""

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
    """When it last went down; None: never."""


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
    """Only ports that are not ACTIVE and bound are needed."""
    host: str = ""
    expected_host: str = ""
    host_hash: str = ""
    """Nova's `hostId`, for roles that do not see the host's name: equal for servers on one host."""
    in_pair: bool = False
    """Whether its VDU is redundant by pairs (1+1), so that no other VNFC of the VDU takes over."""
    mate_id: str = ""
    """VNFC id of the other one of its pair; "" for none."""


@dataclass(frozen=True, slots=True)
class MissingFilters:
    """A VDU whose placement needs scheduler filters that the VIM lacks."""

    vdu_id: str
    filters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AntiAffinity:
    """Servers that must be on different hosts: the VNFCs of a VDU, by the package, or a server group of Nova's."""

    name: str
    server_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class ObservedInstance:
    """All that the faults of one VNF instance depend on; without a VIM it has no faults."""

    vim: ObservedVim | None
    stack_id: str
    stack_name: str
    stack_status: str
    stack_reason: str
    vnfcs: tuple[ObservedVnfc, ...]
    view: InstanceView | None = None
    """Input of its condition InSync; None for an instance that has none."""
    anti_affinity: tuple[AntiAffinity, ...] = ()
    missing_filters: tuple[MissingFilters, ...] = ()
    cloud_alarms: tuple[ObservedCloudAlarm, ...] = ()
    stalled_since: datetime | None = None
    """Since when nothing changes in the stack for which an operation waits; None while something does."""


def evaluate_instance(instance: ObservedInstance, now: datetime) -> EvaluationResult:
    vim = instance.vim
    if vim is None:
        return EvaluationResult(())
    faults = [] if vim.reachable else [_vim_lost(vim)]
    if faults and not vim.servers_listed:
        return EvaluationResult(tuple(faults), unobservable=faults[0].key)
    stack = _stack_fault(instance)
    faults += [stack] if stack is not None else []
    missing = (stack.key,) if stack is not None and stack.key.fault_type == "StackMissing" else ()
    due = []
    for vnfc in instance.vnfcs:
        found, due_at = _vnfc_faults(vnfc, instance, missing, now)
        faults += found
        due.append(due_at)
    faults += [
        *_stalled_fault(instance),
        *_cloud_alarm_faults(instance, faults),
        *_anti_affinity_faults(instance),
        *_placement_faults(instance),
    ]
    drift, known = _drift_fault(instance, now)
    undecided = frozenset() if known else frozenset({DRIFT})
    return EvaluationResult((*faults, *drift), undecided=undecided, due_at=earliest(*due))


def _vim_lost(vim: ObservedVim) -> Fault:
    """The instance's own fault that its VIM is lost; the VIM's fault is its root cause."""
    fault = vim_fault(vim)
    root = FaultKey(vim.vim_id, fault.key.fault_type, ManagedObject(ObjectType.VIM, vim.vim_id))
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
    return Fault(FaultKey(instance.stack_id, name), severity, instance.stack_name, tuple(filter(None, details)))


def _stalled_fault(instance: ObservedInstance) -> Iterator[Fault]:
    if instance.stalled_since is not None:
        words = f"{instance.stack_name}: {silence_words(instance.stalled_since, instance.stack_id)}."
        key = FaultKey(instance.stack_id, STALLED)
        yield Fault(key, DICTIONARY[STALLED].severity, instance.stack_name, (words,))


def _drift_fault(instance: ObservedInstance, now: datetime) -> tuple[tuple[Fault, ...], bool]:
    """The fault for differences that have no alarm of their own; and whether drift can be evaluated now."""
    if instance.view is None:
        return (), True
    condition, differences = in_sync(instance.view, now)
    words = tuple(item.message for item in differences if not item.alarmed and item.kind != MOVED)
    if not words:
        return (), condition.status != "Unknown"
    return (Fault(FaultKey(instance.stack_id, DRIFT), DICTIONARY[DRIFT].severity, instance.stack_name, words),), True


def _vnfc_faults(
    vnfc: ObservedVnfc, instance: ObservedInstance, missing: tuple[FaultKey, ...], now: datetime
) -> tuple[list[Fault], datetime | None]:
    """The faults of a VNFC, and when time alone may change them."""
    assert instance.vim is not None
    hosts = _host_roots(instance.vim, vnfc.host)
    fault, due_at = _vm_fault(vnfc, instance.vnfcs, missing, now)
    if fault is not None:
        placement = [_no_valid_host(vnfc)] if NO_VALID_HOST in vnfc.nova_fault.lower() else []
        roots = (*(cause.key for cause in placement), *fault.roots, *hosts)
        return [*placement, replace(fault, roots=roots)], None
    if vnfc.status != ACTIVE:
        return [], due_at
    ports, ports_due_at = _port_faults(vnfc, hosts, now)
    return [*ports, *_evacuated(vnfc)], ports_due_at


def _host_roots(vim: ObservedVim, host: str) -> tuple[FaultKey, ...]:
    """Possible faults of the host, as root causes."""
    owner = ManagedObject(ObjectType.VIM, vim.vim_id)
    return tuple(FaultKey(host, name, owner) for name in HOST_FAULTS) if host else ()


def _vm_fault(
    vnfc: ObservedVnfc, all_vnfcs: Sequence[ObservedVnfc], missing: tuple[FaultKey, ...], now: datetime
) -> tuple[Fault | None, datetime | None]:
    name = vm_fault_type(vnfc.status)
    if name is None or (name == "VmDown" and vnfc.desired_stopped):
        return None, None
    if name == "VmTransient" and now - vnfc.status_since < TRANSIENT_LIMIT:
        return None, vnfc.status_since + TRANSIENT_LIMIT
    severity, pair = _vm_severity(vnfc, name, all_vnfcs)
    details = (f"status={vnfc.status}", f"vdu={vnfc.vdu_id}", pair, vnfc.nova_fault)
    fault = Fault(
        key=FaultKey(vnfc.server_id, name),
        severity=severity,
        resource_name=vnfc.name,
        details=tuple(filter(None, details)),
        vnfc_ids=(vnfc.vnfc_id,),
        roots=missing if name == "VmMissing" else (),
    )
    return fault, None


def _vm_severity(vnfc: ObservedVnfc, name: str, all_vnfcs: Sequence[ObservedVnfc]) -> tuple[Severity, str]:
    """MAJOR while a VNFC that can take over runs; and for pairs a sentence about the other one."""
    severity = DICTIONARY[name].severity
    if not vnfc.in_pair:
        redundant = any(other.vdu_id == vnfc.vdu_id and other.status == ACTIVE for other in all_vnfcs)
        return (Severity.MAJOR if name == "VmDown" and redundant else severity), ""
    mate = next((other for other in all_vnfcs if other.vnfc_id == vnfc.mate_id), None)
    if mate is None:
        return severity, "The pair is lost: it has no mate."
    if mate.status != ACTIVE:
        return severity, f"The pair is lost: its mate {mate.name} is {status_text(mate.status)}."
    return (Severity.MAJOR if severity is Severity.CRITICAL else severity), f"Its mate {mate.name} protects it."


def _no_valid_host(vnfc: ObservedVnfc) -> Fault:
    key = FaultKey(vnfc.server_id, "NoValidHost")
    return Fault(key, DICTIONARY["NoValidHost"].severity, vnfc.name, (vnfc.nova_fault,), (vnfc.vnfc_id,))


def _evacuated(vnfc: ObservedVnfc) -> Iterator[Fault]:
    if vnfc.host and vnfc.expected_host and vnfc.host != vnfc.expected_host:
        words = f"{vnfc.name} runs on host {vnfc.host}; it was on {vnfc.expected_host}."
        severity = DICTIONARY["VmEvacuated"].severity
        yield Fault(FaultKey(vnfc.server_id, "VmEvacuated"), severity, vnfc.name, (words,), (vnfc.vnfc_id,))


def _anti_affinity_faults(instance: ObservedInstance) -> Iterator[Fault]:
    """VNFCs on one host that must be on different ones: one fault per group of VNFCs, whichever rules it breaks."""
    reported: set[frozenset[str]] = set()
    for rule in instance.anti_affinity:
        by_host: dict[str, list[ObservedVnfc]] = defaultdict(list)
        for vnfc in instance.vnfcs:
            host = vnfc.host or vnfc.host_hash
            if vnfc.server_id in rule.server_ids and host and vnfc.status != MISSING:
                by_host[host].append(vnfc)
        for host, vnfcs in by_host.items():
            ids = tuple(vnfc.vnfc_id for vnfc in vnfcs)
            if len(ids) == 1 or frozenset(ids) in reported:
                continue
            reported.add(frozenset(ids))
            names = ", ".join(vnfc.name for vnfc in vnfcs)
            words = f"{names} run on one host, {vnfcs[0].host or 'whose name is hidden'}."
            key = FaultKey(f"{rule.name}@{host}", "AntiAffinityBroken")
            yield Fault(key, DICTIONARY["AntiAffinityBroken"].severity, f"{rule.name} on one host", (words,), ids)


def _cloud_alarm_faults(instance: ObservedInstance, faults: Sequence[Fault]) -> Iterator[Fault]:
    """Alarms of the cloud's telemetry; faults of the server that an alarm belongs to are its root cause."""
    vnfcs = {vnfc.server_id: vnfc.vnfc_id for vnfc in instance.vnfcs}
    for alarm in instance.cloud_alarms:
        own = (vnfcs[alarm.server_id],) if alarm.server_id in vnfcs else ()
        roots = tuple(fault.key for fault in faults if own and fault.key.faulty_resource == alarm.server_id)
        yield alarm.fault(own, roots)


def _placement_faults(instance: ObservedInstance) -> Iterator[Fault]:
    for item in instance.missing_filters:
        words = f"The VIM's scheduler lacks {', '.join(item.filters)}: Nova may have placed {item.vdu_id} wrongly."
        severity = DICTIONARY["PlacementWarning"].severity
        yield Fault(FaultKey(item.vdu_id, "PlacementWarning"), severity, item.vdu_id, (words,))


def _port_due(vnfc: ObservedVnfc, port: ObservedPort) -> datetime:
    """The time from which the port's being down is a fault."""
    settled = vnfc.status_since + PORT_GRACE
    if port.worked_until is not None and port.worked_until > vnfc.status_since:
        return max(port.worked_until, settled)
    return max(port.status_since + PORT_GRACE, settled)


def _port_faults(vnfc: ObservedVnfc, hosts: tuple[FaultKey, ...], now: datetime) -> tuple[list[Fault], datetime | None]:
    found, due_times = [], []
    for port in vnfc.ports:
        if port.vif_type == "binding_failed":
            name, severity = "PortBindingFailed", Severity.CRITICAL
        elif port.status == ACTIVE:
            continue
        elif (due := _port_due(vnfc, port)) <= now:
            name, severity = "PortDown", Severity.CRITICAL if port.internal else Severity.MAJOR
        else:
            due_times.append(due)
            continue
        details = (f"status={port.status}", f"connectionPoint={port.cp_id}", f"server={vnfc.name}")
        label = f"{vnfc.name} {port.cp_id}".strip()
        found.append(Fault(FaultKey(port.port_id, name), severity, label, details, (vnfc.vnfc_id,), hosts))
    return found, earliest(*due_times)

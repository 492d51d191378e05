"""From observed state to faults. Pure: the same observation gives the same faults, however often it is asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from vnfm.faults.domain.dictionary import DICTIONARY, Severity, vm_fault_type
from vnfm.inventory.domain.conditions import in_sync
from vnfm.inventory.domain.observation import ACTIVE, MISSING
from vnfm.inventory.domain.views import InstanceView

TRANSIENT_LIMIT = timedelta(minutes=5)
"""A reboot, rebuild or migration of a big VM takes minutes; what takes longer is stuck more often than slow."""

DRIFT = "StackDrift"

PORT_GRACE = timedelta(seconds=20)
"""A port becomes ACTIVE some seconds after its server, when the host's agent has plugged it."""


@dataclass(frozen=True, slots=True)
class ObservedPort:
    port_id: str
    cp_id: str
    status: str
    status_since: datetime
    vif_type: str
    internal: bool
    """On a network that the instance's own stack made."""


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


@dataclass(frozen=True, slots=True)
class ObservedVim:
    vim_id: str
    name: str
    reachable: bool
    """False only when we know that it is not."""
    reason: str
    since: datetime
    servers_seen: bool = False
    """Nova still answers, though the VIM as a whole does not: then it is not blindness, only a fault among others."""


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


@dataclass(frozen=True, slots=True)
class Key:
    """Identity of a fault within its managed object."""

    faulty_resource: str
    fault_type: str


@dataclass(frozen=True, slots=True)
class Fault:
    key: Key
    severity: Severity
    resource_name: str
    details: tuple[str, ...]
    vnfc_ids: tuple[str, ...] = ()
    root: Key | None = None
    """The fault of the same instance that causes this one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    faults: tuple[Fault, ...]
    blind: Key | None = None
    """The fault that keeps us from seeing the rest: what was open stays open under it, nothing else is concluded."""
    undecided: frozenset[str] = frozenset()
    """Fault types of which nothing can be said now: what was open stays as it is."""


def evaluate(instance: ObservedInstance, now: datetime) -> Verdict:
    vim = instance.vim
    if vim is None:
        return Verdict(())
    faults = [] if vim.reachable else [_vim_fault(vim)]
    if faults and not vim.servers_seen:
        return Verdict(tuple(faults), blind=faults[0].key)
    stack = _stack_fault(instance)
    if stack is not None:
        faults.append(stack)
    root = stack.key if stack is not None and stack.key.fault_type == "StackMissing" else None
    for vnfc in instance.vnfcs:
        fault = _vm_fault(vnfc, instance.vnfcs, root, now)
        if fault is not None:
            faults.append(fault)
        elif vnfc.status == ACTIVE:
            faults.extend(_port_faults(vnfc, now))
    drift, known = _drift_fault(instance, now)
    return Verdict((*faults, *drift), undecided=frozenset() if known else frozenset({DRIFT}))


def _vim_fault(vim: ObservedVim) -> Fault:
    refused = vim.reason == "CredentialsRefused"
    name = "VimAuthFailed" if refused else "VimUnreachable"
    words = "refuses our credentials" if refused else "cannot be reached"
    details = (f"VIM {vim.name} {words} since {vim.since:%Y-%m-%d %H:%M:%S} UTC.", f"reason={vim.reason}")
    return Fault(Key(vim.vim_id, name), DICTIONARY[name].severity, vim.name, details)


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
    words = tuple(item.message for item in differences if not item.alarmed)
    if not words:
        return (), condition.status != "Unknown"
    return (Fault(Key(instance.stack_id, DRIFT), DICTIONARY[DRIFT].severity, instance.stack_name, words),), True


def _vm_fault(vnfc: ObservedVnfc, all_vnfcs: Sequence[ObservedVnfc], root: Key | None, now: datetime) -> Fault | None:
    name = vm_fault_type(vnfc.status)
    if name is None or (name == "VmDown" and vnfc.desired_stopped):
        return None
    if name == "VmTransient" and now - vnfc.status_since < TRANSIENT_LIMIT:
        return None
    severity = DICTIONARY[name].severity
    mates_up = [mate.name for mate in all_vnfcs if mate.vdu_id == vnfc.vdu_id and mate.status == ACTIVE]
    if name == "VmDown" and mates_up:
        severity = Severity.MAJOR
    details = (f"status={vnfc.status}", f"vdu={vnfc.vdu_id}", vnfc.nova_fault)
    return Fault(
        key=Key(vnfc.server_id, name),
        severity=severity,
        resource_name=vnfc.name,
        details=tuple(filter(None, details)),
        vnfc_ids=(vnfc.vnfc_id,),
        root=root if name == "VmMissing" else None,
    )


def _port_faults(vnfc: ObservedVnfc, now: datetime) -> Iterator[Fault]:
    for port in vnfc.ports:
        if port.vif_type == "binding_failed":
            name, severity = "PortBindingFailed", Severity.CRITICAL
        elif port.status != ACTIVE and now - port.status_since >= PORT_GRACE:
            name, severity = "PortDown", Severity.CRITICAL if port.internal else Severity.MAJOR
        else:
            continue
        details = (f"status={port.status}", f"connectionPoint={port.cp_id}", f"server={vnfc.name}")
        label = f"{vnfc.name} {port.cp_id}".strip()
        yield Fault(Key(port.port_id, name), severity, label, details, (vnfc.vnfc_id,))

"""Faults of a VIM, from its compute hosts and quotas as administrators see them. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from vnfm.faults.domain.dictionary import DICTIONARY, Severity
from vnfm.faults.domain.evaluation_result import EvaluationResult, Fault, FaultKey, ObservedCloudAlarm

HOST_FAULTS = ("HypervisorDown", "ComputeServiceDown", "ForcedDown", "HostDisabled")
"""Worst first: the first of them with an open alarm is the root cause of faults of VMs on the host."""


@dataclass(frozen=True, slots=True)
class ObservedHost:
    """A compute host, by os-hypervisors and os-services; "" and None where our role hides a value."""

    name: str
    hypervisor_state: str = ""
    """up or down."""
    service_state: str = ""
    """up or down, the state of nova-compute."""
    service_status: str = ""
    """enabled or disabled."""
    forced_down: bool | None = None
    """An administrator says that it is dead (Nova 2.11)."""
    disabled_reason: str = ""
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ObservedQuota:
    resource: str
    limit: int
    """-1: without limit."""
    used: int


@dataclass(frozen=True, slots=True)
class ObservedVim:
    vim_id: str
    name: str
    reachable: bool
    """False only when it is known to be unreachable."""
    reason: str
    since: datetime
    servers_listed: bool = False
    """Nova still answers though the VIM as a whole does not: then the other faults remain observable."""
    hosts: tuple[ObservedHost, ...] = ()
    hosts_known: bool = True
    """False when the last poll could not list them: their open alarms stay as they are."""
    quotas: tuple[ObservedQuota, ...] = ()
    cloud_alarms: tuple[ObservedCloudAlarm, ...] = ()
    """Alarms of its telemetry that belong to none of our instances."""


def evaluate_vim(vim: ObservedVim | None) -> EvaluationResult:
    """The faults of a VIM itself; None, a VIM that is no longer registered, has none."""
    if vim is None:
        return EvaluationResult(())
    faults = [] if vim.reachable else [vim_fault(vim)]
    if faults and not vim.servers_listed:
        return EvaluationResult(tuple(faults), unobservable=faults[0].key)
    for host in vim.hosts:
        faults.extend(_host_faults(host))
    faults.extend(alarm.fault() for alarm in vim.cloud_alarms)
    faults.extend(_quota_fault(vim, quota) for quota in vim.quotas if 0 < quota.limit <= quota.used)
    return EvaluationResult(tuple(faults), undecided=frozenset() if vim.hosts_known else frozenset(HOST_FAULTS))


def vim_fault(vim: ObservedVim) -> Fault:
    """The fault of a VIM that cannot be reached or refuses our credentials."""
    refused = vim.reason == "CredentialsRefused"
    name = "VimAuthFailed" if refused else "VimUnreachable"
    words = "refuses our credentials" if refused else "cannot be reached"
    details = (f"VIM {vim.name} {words} since {vim.since:%Y-%m-%d %H:%M:%S} UTC.", f"reason={vim.reason}")
    return Fault(FaultKey(vim.vim_id, name), DICTIONARY[name].severity, vim.name, details)


def _host_faults(host: ObservedHost) -> Iterator[Fault]:
    """At most one fault that the host is dead, by the surest source; and one that it takes no new VMs."""
    dead = None
    if host.forced_down:
        dead = "ForcedDown"
    elif host.hypervisor_state == "down":
        dead = "HypervisorDown"
    elif host.service_state == "down":
        dead = "ComputeServiceDown"
    names = [*([dead] if dead else []), *(["HostDisabled"] if host.service_status == "disabled" else [])]
    details = (
        f"hypervisor={host.hypervisor_state}" if host.hypervisor_state else "",
        f"nova-compute={host.service_state} {host.service_status}".strip() if host.service_state else "",
        host.disabled_reason,
    )
    for name in names:
        yield Fault(FaultKey(host.name, name), DICTIONARY[name].severity, host.name, tuple(filter(None, details)))


def _quota_fault(vim: ObservedVim, quota: ObservedQuota) -> Fault:
    details = (f"{quota.resource}: {quota.used} of {quota.limit} in use.",)
    label = f"{vim.name} {quota.resource}"
    return Fault(FaultKey(f"quota:{quota.resource}", "QuotaExceeded"), Severity.MAJOR, label, details)

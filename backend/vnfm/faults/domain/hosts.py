"""From what a cloud tells its administrators of compute hosts, and of quotas, to faults of the VIM. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from vnfm.faults.domain.dictionary import DICTIONARY, Severity
from vnfm.faults.domain.verdict import Fault, Key, ToldByCloud, Verdict

HOST_FAULTS = ("HypervisorDown", "ComputeServiceDown", "ForcedDown", "HostDisabled")
"""Worst first: what goes wrong with a VM on the host is laid to the first of them that is open."""


@dataclass(frozen=True, slots=True)
class ObservedHost:
    """A compute host, by os-hypervisors and os-services; "" and None where our rights hide it."""

    name: str
    hypervisor_state: str = ""
    """up or down."""
    service_state: str = ""
    """Of nova-compute: up or down."""
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
    """False only when we know that it is not."""
    reason: str
    since: datetime
    servers_seen: bool = False
    """Nova still answers, though the VIM as a whole does not: then it is not blindness, only a fault among others."""
    hosts: tuple[ObservedHost, ...] = ()
    hosts_known: bool = True
    """False when the last look could not list them: what was open of them stays as it is."""
    quotas: tuple[ObservedQuota, ...] = ()
    told: tuple[ToldByCloud, ...] = ()
    """Alarms of its telemetry that speak of none of our instances."""


def evaluate_vim(vim: ObservedVim | None) -> Verdict:
    """The faults of a VIM itself; None: it is no longer registered, and has none."""
    if vim is None:
        return Verdict(())
    faults = [] if vim.reachable else [vim_fault(vim)]
    if faults and not vim.servers_seen:
        return Verdict(tuple(faults), blind=faults[0].key)
    for host in vim.hosts:
        faults.extend(_host_faults(host))
    faults.extend(told.fault() for told in vim.told)
    faults.extend(_quota_fault(vim, quota) for quota in vim.quotas if 0 < quota.limit <= quota.used)
    return Verdict(tuple(faults), undecided=frozenset() if vim.hosts_known else frozenset(HOST_FAULTS))


def vim_fault(vim: ObservedVim) -> Fault:
    """That it cannot be reached, or refuses us."""
    refused = vim.reason == "CredentialsRefused"
    name = "VimAuthFailed" if refused else "VimUnreachable"
    words = "refuses our credentials" if refused else "cannot be reached"
    details = (f"VIM {vim.name} {words} since {vim.since:%Y-%m-%d %H:%M:%S} UTC.", f"reason={vim.reason}")
    return Fault(Key(vim.vim_id, name), DICTIONARY[name].severity, vim.name, details)


def _host_faults(host: ObservedHost) -> Iterator[Fault]:
    """At most one that it is dead, by the surest source; and that it takes no new VMs."""
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
        yield Fault(Key(host.name, name), DICTIONARY[name].severity, host.name, tuple(filter(None, details)))


def _quota_fault(vim: ObservedVim, quota: ObservedQuota) -> Fault:
    details = (f"{quota.resource}: {quota.used} of {quota.limit} in use.",)
    label = f"{vim.name} {quota.resource}"
    return Fault(Key(f"quota:{quota.resource}", "QuotaExceeded"), Severity.MAJOR, label, details)

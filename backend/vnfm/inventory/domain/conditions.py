"""Conditions of a VNF instance: derived, never stored (DESIGN "Three things, never one enum").

Unknown is a real value: what we cannot see is shown as unknown since when, never as a stale green.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from vnfm.inventory.domain.drift import Drift, drift
from vnfm.inventory.domain.observation import ACTIVE, UNKNOWN
from vnfm.vims.domain.reachability import Condition as Reachability
from vnfm.vims.domain.reachability import Truth

INSTANTIATED = "INSTANTIATED"


@dataclass(frozen=True, slots=True)
class Condition:
    """`reason` is one stable word for programs, `message` a sentence for people."""

    type: Literal["Available", "Progressing", "InSync", "VimReachable"]
    status: Truth
    reason: str
    message: str
    last_transition_time: datetime
    observed_at: datetime | None


@dataclass(frozen=True, slots=True)
class VimView:
    """What is known of the VIM: its reachability, and when its servers were last listed."""

    name: str
    reachability: Reachability
    servers_at: datetime | None
    stale_after: timedelta
    """Older knowledge of its servers than this is no knowledge: nobody is looking."""

    def lost_since(self, seen_at: datetime | None, now: datetime) -> datetime | None:
        """Since when something last seen at `seen_at` cannot be seen any more; None when what we know is current.

        A look may reach Nova and not Heat: then servers are known although the VIM counts as unreachable.
        """
        seen = max((at for at in (seen_at, self.servers_at) if at is not None), default=None)
        since = self.reachability.last_transition_time
        if seen is None or (self.reachability.status == "False" and seen <= since):
            return since
        return seen if now - seen > self.stale_after else None


@dataclass(frozen=True, slots=True)
class VnfcView:
    vdu_id: str
    name: str
    server_name: str
    desired: Literal["STARTED", "STOPPED"]
    status: str
    """As last seen."""
    status_since: datetime
    observed_at: datetime | None

    def status_at(self, vim: VimView, now: datetime) -> tuple[str, datetime]:
        """The status to show and since when: the last one seen, or UNKNOWN since we lost sight of it."""
        lost = vim.lost_since(self.observed_at, now)
        return (self.status, self.status_since) if lost is None else (UNKNOWN, lost)


@dataclass(frozen=True, slots=True)
class RunningOperation:
    operation: str
    state: str
    since: datetime


@dataclass(frozen=True, slots=True)
class InstanceView:
    """All that the conditions of one instance depend on."""

    instantiation_state: str
    created_at: datetime
    settled_at: datetime
    """When its last operation ended; its creation when there was none."""
    vnfcs: Sequence[VnfcView]
    wanted: Mapping[str, int]
    """VNFCs by VDU that the scale levels ask for."""
    vim: VimView | None
    running: RunningOperation | None


def conditions(instance: InstanceView, now: datetime) -> list[Condition]:
    return [_available(instance, now), _progressing(instance), _in_sync(instance, now), _vim_reachable(instance, now)]


def _vim_reachable(instance: InstanceView, now: datetime) -> Condition:
    vim = instance.vim
    if vim is None:
        return Condition("VimReachable", "Unknown", "NoVim", "No VIM is chosen yet.", instance.created_at, None)
    seen = vim.reachability.at(now)
    return Condition(
        "VimReachable", seen.status, seen.reason, seen.message, seen.last_transition_time, seen.observed_at
    )


def _progressing(instance: InstanceView) -> Condition:
    running = instance.running
    if running is None:
        return Condition("Progressing", "False", "Idle", "No operation is running.", instance.settled_at, None)
    if running.state == "FAILED_TEMP":
        message = f"{running.operation} stopped at an error; retry it, roll it back or mark it failed."
        return Condition("Progressing", "False", "WaitsForDecision", message, running.since, None)
    message = f"{running.operation} is {running.state}."
    return Condition("Progressing", "True", "OperationRunning", message, running.since, None)


def _available(instance: InstanceView, now: datetime) -> Condition:
    if instance.instantiation_state != INSTANTIATED or instance.vim is None:
        message = "The instance is not instantiated."
        return Condition("Available", "False", "NotInstantiated", message, instance.settled_at, None)
    seen = [(vnfc, *vnfc.status_at(instance.vim, now)) for vnfc in instance.vnfcs]
    observed_at = instance.vim.servers_at
    lost = [since for _, status, since in seen if status == UNKNOWN]
    if lost:
        message = f"What {instance.vim.name} runs has not been seen since {_clock(min(lost))}."
        return Condition("Available", "Unknown", "NotObserved", message, min(lost), observed_at)
    down = [(vnfc, status, since) for vnfc, status, since in seen if status != ACTIVE]
    up = {vnfc.vdu_id for vnfc, status, _ in seen if status == ACTIVE}
    since = max((since for _, _, since in seen), default=instance.settled_at)
    if not down and seen:
        return Condition("Available", "True", "AllRunning", f"{_count(len(seen))} ACTIVE.", since, observed_at)
    first = min((since for _, _, since in down), default=since)
    words = ", ".join(f"{vnfc.name} is {status}" for vnfc, status, _ in down) or "There is no VNFC"
    without = sorted({vnfc.vdu_id for vnfc, _, _ in down} - up)
    if without or not seen:
        return Condition("Available", "False", "VduDown", f"{words}.", first, observed_at)
    return Condition("Available", "True", "Degraded", f"{words}; the others carry on.", first, observed_at)


def _in_sync(instance: InstanceView, now: datetime) -> Condition:
    if instance.instantiation_state != INSTANTIATED or instance.vim is None:
        message = "The instance is not instantiated."
        return Condition("InSync", "True", "NotInstantiated", message, instance.settled_at, None)
    if instance.running is not None:
        message = f"{instance.running.operation} is changing it."
        return Condition("InSync", "Unknown", "OperationRunning", message, instance.running.since, None)
    observed_at = instance.vim.servers_at
    seen = [(vnfc, *vnfc.status_at(instance.vim, now)) for vnfc in instance.vnfcs]
    lost = [since for _, status, since in seen if status == UNKNOWN]
    if lost:
        message = f"What {instance.vim.name} runs has not been seen since {_clock(min(lost))}."
        return Condition("InSync", "Unknown", "NotObserved", message, min(lost), observed_at)
    found = drift_of(instance)
    since = max((since for _, _, since in seen), default=instance.settled_at)
    if not found:
        message = "What runs is what was asked for."
        return Condition("InSync", "True", "AsDesired", message, max(since, instance.settled_at), observed_at)
    return Condition("InSync", "False", "Drift", " ".join(item.message for item in found), since, observed_at)


def drift_of(instance: InstanceView) -> list[Drift]:
    """How the instance differs from what was asked for, by what was last seen."""
    return drift(wanted=instance.wanted, vnfcs=instance.vnfcs)


def _count(number: int) -> str:
    return "The one VNFC is" if number == 1 else f"All {number} VNFCs are"


def _clock(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"

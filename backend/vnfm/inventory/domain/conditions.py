"""Conditions of a VNF instance: derived, never stored (DESIGN "Three things, never one enum").

Unknown is a real value: what we cannot see is shown as unknown since when, never as a stale green.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from vnfm.inventory.domain.drift import Difference, drift
from vnfm.inventory.domain.observation import ACTIVE, UNKNOWN, status_text
from vnfm.inventory.domain.views import INSTANTIATED, InstanceView
from vnfm.vims.domain.reachability import Truth


@dataclass(frozen=True, slots=True)
class InstanceCondition:
    """`reason` is one stable word for programs, `message` a sentence for people."""

    type: Literal["Available", "Progressing", "InSync", "VimReachable"]
    status: Truth
    reason: str
    message: str
    last_transition_time: datetime
    observed_at: datetime | None


def conditions(instance: InstanceView, now: datetime) -> list[InstanceCondition]:
    return [_available(instance, now), _progressing(instance), in_sync(instance, now)[0], _vim_reachable(instance, now)]


def _vim_reachable(instance: InstanceView, now: datetime) -> InstanceCondition:
    vim = instance.vim
    if vim is None:
        return InstanceCondition("VimReachable", "Unknown", "NoVim", "No VIM is chosen yet.", instance.created_at, None)
    seen = vim.reachability.at(now)
    return InstanceCondition(
        "VimReachable", seen.status, seen.reason, seen.message, seen.last_transition_time, seen.observed_at
    )


def _progressing(instance: InstanceView) -> InstanceCondition:
    running = instance.running
    if running is None:
        return InstanceCondition("Progressing", "False", "Idle", "No operation is running.", instance.settled_at, None)
    if running.state == "FAILED_TEMP":
        message = f"{running.doing}: retry it, roll it back or mark it failed."
        return InstanceCondition("Progressing", "False", "WaitsForDecision", message, running.since, None)
    return InstanceCondition("Progressing", "True", "OperationRunning", f"{running.doing}.", running.since, None)


def _available(instance: InstanceView, now: datetime) -> InstanceCondition:
    """False and "not instantiated" become Unknown while an operation changes the instance."""
    found = _available_at_rest(instance, now)
    running = instance.running
    if running is None or running.state == "FAILED_TEMP" or found.status != "False":
        return found
    message = f"Not known while it is being changed: {running.doing[0].lower()}{running.doing[1:]}."
    return InstanceCondition("Available", "Unknown", "OperationRunning", message, running.since, found.observed_at)


def _available_at_rest(instance: InstanceView, now: datetime) -> InstanceCondition:
    if instance.instantiation_state != INSTANTIATED or instance.vim is None:
        message = "The instance is not instantiated."
        return InstanceCondition("Available", "False", "NotInstantiated", message, instance.settled_at, None)
    seen = [(vnfc, *vnfc.status_at(instance.vim, now)) for vnfc in instance.vnfcs]
    observed_at = instance.vim.servers_at
    lost = [since for _, status, since in seen if status == UNKNOWN]
    if lost:
        message = f"What {instance.vim.name} runs has not been seen since {_clock(min(lost))}."
        return InstanceCondition("Available", "Unknown", "NotObserved", message, min(lost), observed_at)
    down = [(vnfc, status, since) for vnfc, status, since in seen if status != ACTIVE]
    up = {vnfc.vdu_id for vnfc, status, _ in seen if status == ACTIVE}
    since = max((since for _, _, since in seen), default=instance.settled_at)
    if not down and seen:
        return InstanceCondition("Available", "True", "AllRunning", f"{_count(len(seen))} running.", since, observed_at)
    first = min((since for _, _, since in down), default=since)
    words = ", ".join(f"{vnfc.name} is {status_text(status)}" for vnfc, status, _ in down) or "There is no VNFC"
    without = sorted({vnfc.vdu_id for vnfc, _, _ in down} - up)
    if without or not seen:
        return InstanceCondition("Available", "False", "VduDown", f"{words}.", first, observed_at)
    return InstanceCondition("Available", "True", "Degraded", f"{words}; the others carry on.", first, observed_at)


def in_sync(instance: InstanceView, now: datetime) -> tuple[InstanceCondition, list[Difference]]:
    """The condition, and the differences behind it: none while we cannot know, or are changing the instance."""
    if instance.running is not None:
        message = (
            f"Not known while it is being changed: {instance.running.doing[0].lower()}{instance.running.doing[1:]}."
        )
        return InstanceCondition("InSync", "Unknown", "OperationRunning", message, instance.running.since, None), []
    if instance.instantiation_state != INSTANTIATED or instance.vim is None:
        message = "The instance is not instantiated."
        return InstanceCondition("InSync", "True", "NotInstantiated", message, instance.settled_at, None), []
    observed_at = instance.vim.servers_at
    seen = [(vnfc, *vnfc.status_at(instance.vim, now)) for vnfc in instance.vnfcs]
    lost = [since for _, status, since in seen if status == UNKNOWN]
    if lost:
        message = f"What {instance.vim.name} runs has not been seen since {_clock(min(lost))}."
        return InstanceCondition("InSync", "Unknown", "NotObserved", message, min(lost), observed_at), []
    found = drift(instance)
    if not found:
        since = max((since for _, _, since in seen), default=instance.settled_at)
        message = "The VMs are in sync with the VNFD and the settings."
        return InstanceCondition(
            "InSync", "True", "AsDesired", message, max(since, instance.settled_at), observed_at
        ), []
    since = min((item.since for item in found if item.since is not None), default=instance.settled_at)
    words = " ".join(item.message for item in found)
    return InstanceCondition("InSync", "False", "Drift", words, since, observed_at), found


def _count(number: int) -> str:
    return "The one VNFC is" if number == 1 else f"All {number} VNFCs are"


def _clock(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"

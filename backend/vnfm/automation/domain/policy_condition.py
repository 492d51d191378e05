"""The condition Watching of a policy: whether it acts when triggered, and if not, why and since when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

MAX_NAMES = 5
"""Instances that a message names; the decisions name them all."""


@dataclass(frozen=True, slots=True)
class InstanceIssue:
    """One VNF instance for which the policy cannot act."""

    instance: str
    since: datetime
    words: str


@dataclass(frozen=True, slots=True)
class PolicyStatus:
    paused: bool
    dry_run: bool
    changed_at: datetime
    evaluated: bool
    """It has been evaluated for an instance, or need not be."""
    stopped: Sequence[InstanceIssue] = ()
    """It has stopped for these, having reached its limit."""
    unknown: Sequence[InstanceIssue] = ()
    """No source has a load for these."""


@dataclass(frozen=True, slots=True)
class PolicyCondition:
    """The condition Watching of a policy."""

    status: Literal["True", "False", "Unknown"]
    reason: str
    """One stable word, for programs."""
    message: str
    """A sentence, for people."""
    last_transition_time: datetime
    type: Literal["Watching"] = "Watching"


def watching(policy: PolicyStatus) -> PolicyCondition:
    if policy.paused:
        return PolicyCondition("False", "Paused", "The policy is paused: it does nothing.", policy.changed_at)
    if policy.stopped:
        words = f"It has stopped acting for {_names(policy.stopped)}. {_first(policy.stopped).words}"
        return PolicyCondition("False", "LimitReached", words, _first(policy.stopped).since)
    if policy.unknown:
        words = f"Nothing is known for {_names(policy.unknown)}. {_first(policy.unknown).words}"
        return PolicyCondition("Unknown", "SourceUnknown", words, _first(policy.unknown).since)
    if not policy.evaluated:
        return PolicyCondition("Unknown", "NotLookedYet", "It has evaluated no VNF instance yet.", policy.changed_at)
    if policy.dry_run:
        return PolicyCondition("True", "DryRun", "It records what it would do, and does nothing.", policy.changed_at)
    return PolicyCondition("True", "Watching", "It acts when it has to.", policy.changed_at)


def _first(issues: Sequence[InstanceIssue]) -> InstanceIssue:
    return min(issues, key=lambda p: (p.since, p.instance))


def _names(issues: Sequence[InstanceIssue]) -> str:
    names = sorted(p.instance for p in issues)
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more

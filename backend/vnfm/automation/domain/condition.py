"""The condition Watching of a policy: whether it would act if it had to, and if not why, since when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

MOST_NAMES = 5
"""Instances that a message names; the decisions name them all."""


@dataclass(frozen=True, slots=True)
class Plight:
    """One VNF instance for which the policy cannot act."""

    instance: str
    since: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Standing:
    paused: bool
    dry_run: bool
    settled_at: datetime
    """When somebody last changed the policy."""
    looked: bool
    """It has decided something at least once, or need not have."""
    stopped: Sequence[Plight] = ()
    """It has given up on these, having reached its limit."""
    unknown: Sequence[Plight] = ()
    """No source tells of these."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`reason` is one stable word for programs, `message` a sentence for people."""

    status: Literal["True", "False", "Unknown"]
    reason: str
    message: str
    last_transition_time: datetime


def watching(policy: Standing) -> Condition:
    if policy.paused:
        return Condition("False", "Paused", "The policy is paused: it does nothing.", policy.settled_at)
    if policy.stopped:
        words = f"It has stopped acting for {_names(policy.stopped)}. {_first(policy.stopped).words}"
        return Condition("False", "LimitReached", words, _first(policy.stopped).since)
    if policy.unknown:
        words = f"Nothing is known for {_names(policy.unknown)}. {_first(policy.unknown).words}"
        return Condition("Unknown", "SourceUnknown", words, _first(policy.unknown).since)
    if not policy.looked:
        return Condition("Unknown", "NotLookedYet", "It has looked at no VNF instance yet.", policy.settled_at)
    if policy.dry_run:
        return Condition("True", "DryRun", "It records what it would do, and does nothing.", policy.settled_at)
    return Condition("True", "Watching", "It acts when it has to.", policy.settled_at)


def _first(plights: Sequence[Plight]) -> Plight:
    return min(plights, key=lambda p: (p.since, p.instance))


def _names(plights: Sequence[Plight]) -> str:
    names = sorted(p.instance for p in plights)
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more

"""What a step is and what it can say of itself (ADR-0002); the kinds are in `lcm.sagas`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from vnfm.kit.problem import Problem

Receipt = Mapping[str, Any]
"""What proves that a step's effect exists: ids in the cloud. JSON."""

UNDO = "undo"
"""Where a receipt holds what an attempt at undoing has noted; gone when the next attempt begins."""


OUTPUT = "output"
"""Where a receipt holds what the step has to show, as text."""


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One row of a plan: the versioned kind says which code runs it."""

    kind: str
    title: str
    params: Mapping[str, Any] = field(default_factory=dict)
    one_way: str = ""
    """Why it cannot be undone once it has begun and its receipt does not say `untouched`; "" when it can."""


@dataclass(frozen=True, slots=True)
class Done:
    message: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The cloud is at work; `message` says at what, in its own words."""

    message: str
    receipt: Receipt | None = None
    """When given, replaces the stored receipt: what an undo must remember between two looks."""
    at_least: float = 0.0
    """Seconds for which nobody needs to look again: there are many, and whoever sees the end rings."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """It will not come right by waiting."""

    problem: Problem
    redo: tuple[str, ...] = ()
    """Kinds of earlier steps whose effect is not there after all: a retry begins with them."""


Outcome = Done | Waiting | Blocked

MIN_PAUSE, MAX_PAUSE = 0.25, 5.0
LONGEST_BACKOFF = 30.0
FARTHEST = timedelta(minutes=10)
"""No look is planned farther ahead: a time beyond it was written by a clock that has been set back since."""
LOOKS_A_WAIT = 25


def pause(elapsed: float) -> float:
    """Seconds until the next look at work that has run for `elapsed` seconds.

    A share of what has passed: what we learn late is on average half of that share of the whole, and the looks grow
    only logarithmically with the length of the wait.
    """
    return min(MAX_PAUSE, max(MIN_PAUSE, elapsed / LOOKS_A_WAIT))


def backoff(attempt: int) -> float:
    """Seconds until attempt `attempt` + 1 after a transient error: 1, 2, 4 … 30."""
    return min(LONGEST_BACKOFF, float(2 ** min(attempt - 1, 5)))

"""Specification, receipt and outcomes of a step (ADR-0002); the step kinds are in `lcm.steps`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from vnfm.kit.problem import Problem

Receipt = Mapping[str, Any]
"""The proof that a step's effect exists: ids in the cloud. JSON."""

UNDO = "undo"
"""Key in a receipt for the notes of an undo attempt; removed when the next attempt begins."""


OUTPUT = "output"
"""Key in a receipt for the step's output, as text."""


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One row of a plan: the versioned kind names the class in `lcm.steps` that runs it."""

    kind: str
    title: str
    params: Mapping[str, Any] = field(default_factory=dict)
    one_way: str = ""
    """The reason why it cannot be undone once it has begun and its receipt has no `untouched`; "" when it can."""


@dataclass(frozen=True, slots=True)
class Done:
    message: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The cloud is at work; `message` has its own status."""

    message: str
    receipt: Receipt | None = None
    """Replaces the stored receipt: what the next `observe` or `undo` must know."""
    at_least: float = 0.0
    """Least seconds until the next `observe`: where many stacks wait, a list call wakes those that are finished."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Waiting does not help."""

    problem: Problem
    redo: tuple[str, ...] = ()
    """Kinds of earlier steps whose effect is missing: a retry begins with them."""


Outcome = Done | Waiting | Blocked

MIN_PAUSE, MAX_PAUSE = 0.25, 5.0
LONGEST_BACKOFF = 30.0
SHORTEST_REQUESTED, LONGEST_REQUESTED = 1.0, 300.0
"""Bounds of a pause that another system asks for (Retry-After), in seconds."""
FARTHEST = timedelta(minutes=10)
"""No `wake_at` is later than this: a later one was written by a clock that has been set back since."""
PAUSE_DIVISOR = 25


def pause(elapsed: float) -> float:
    """Seconds until the next `observe` of work that has run for `elapsed` seconds.

    A share of the elapsed time: the end is noticed half of that share too late on average, and the number of calls
    grows only logarithmically with the length of the wait.
    """
    return min(MAX_PAUSE, max(MIN_PAUSE, elapsed / PAUSE_DIVISOR))


def backoff(attempt: int) -> float:
    """Seconds until attempt `attempt` + 1 after a transient error: 1, 2, 4 … 30."""
    return min(LONGEST_BACKOFF, float(2 ** min(attempt - 1, 5)))


def requested_pause(retry_after: float) -> float:
    """Seconds until the next request to a system that wants `retry_after`; 0 would be a request without end."""
    return min(LONGEST_REQUESTED, max(SHORTEST_REQUESTED, retry_after))

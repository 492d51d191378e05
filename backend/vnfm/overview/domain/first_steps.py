"""The first steps that the start page suggests to a new user."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

VISIBLE_WHEN_DONE = timedelta(hours=1)
"""Steps that are all done are still shown for this time."""


class StepName(StrEnum):
    VIEW_ELEMENT = "VIEW_ELEMENT"
    INSTANTIATE = "INSTANTIATE"
    MANAGE_VNF = "MANAGE_VNF"
    SCALE_OUT = "SCALE_OUT"
    CLEAR_ALARM = "CLEAR_ALARM"


@dataclass(frozen=True, slots=True)
class FirstStep:
    name: StepName
    done_at: datetime | None
    """Null: it was not done yet."""
    object_id: str = ""
    """The element, VNFD or VNF instance that it can be done with; empty when there is none."""
    object_name: str = ""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    shown: bool
    """False when they were dismissed, or have all been done for a while."""
    steps: Sequence[FirstStep]


def is_visible(steps: Sequence[FirstStep], *, dismissed: bool, now: datetime) -> bool:
    """They are visible until they are dismissed, and for a while after the last one was done."""
    done = [step.done_at for step in steps if step.done_at is not None]
    return not dismissed and (len(done) < len(steps) or now - max(done) < VISIBLE_WHEN_DONE)

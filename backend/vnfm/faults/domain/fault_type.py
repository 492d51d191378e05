"""The shape of a row of the alarm dictionary."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Severity(StrEnum):
    """X.733 perceived severities of a fault that is there, worst first."""

    CRITICAL = "CRITICAL"
    MAJOR = "MAJOR"
    MINOR = "MINOR"
    WARNING = "WARNING"
    INDETERMINATE = "INDETERMINATE"


EventType = Literal[
    "COMMUNICATIONS_ALARM", "PROCESSING_ERROR_ALARM", "ENVIRONMENTAL_ALARM", "QOS_ALARM", "EQUIPMENT_ALARM"
]
ResourceType = Literal["COMPUTE", "NETWORK", ""]
ObjectName = Literal["VNF_INSTANCE", "NETWORK_ELEMENT", "VIM"]


@dataclass(frozen=True, slots=True)
class FaultType:
    name: str
    event_type: EventType
    probable_cause: str
    resource_type: ResourceType
    """Of SOL003's FaultyResourceType; "" where the fault lies in none (a stack, a VIM, a card)."""
    severity: Severity
    """The severity with nothing else known; the evaluation applies the rule."""
    severity_rule: str
    clears_when: str
    remedial_action: str
    raised_when: str
    objects: tuple[ObjectName, ...] = ("VNF_INSTANCE",)
    """What can have it."""
    by_hand: bool = False
    """People may clear it while its condition stands: it tells of something that happened, and no look takes it back
    by itself. It is raised again when the condition has gone and come back, or says something else."""
    clears_on_ack: bool = False
    """To acknowledge it is to clear it."""

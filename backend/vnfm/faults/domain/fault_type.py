"""The type of a fault."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Severity(StrEnum):
    """X.733 perceived severities of a fault that is not cleared, worst first."""

    CRITICAL = "CRITICAL"
    MAJOR = "MAJOR"
    MINOR = "MINOR"
    WARNING = "WARNING"
    INDETERMINATE = "INDETERMINATE"


EventType = Literal[
    "COMMUNICATIONS_ALARM", "PROCESSING_ERROR_ALARM", "ENVIRONMENTAL_ALARM", "QOS_ALARM", "EQUIPMENT_ALARM"
]
ResourceType = Literal["COMPUTE", "NETWORK", ""]
ObjectName = Literal["VNF_INSTANCE", "NETWORK_ELEMENT", "VIM", "MANAGER"]


@dataclass(frozen=True, slots=True)
class FaultType:
    """A row of the alarm dictionary."""

    fault_type: str
    event_type: EventType
    probable_cause: str
    faulty_resource_type: ResourceType
    """SOL003's FaultyResourceType; "" for a fault of none of them (a stack, a VIM, a card)."""
    severity: Severity
    """The default; `severity_rule` says in words what the evaluation makes of it."""
    severity_rule: str
    clearing_condition: str
    remedial_action: str
    raising_condition: str
    managed_object_types: tuple[ObjectName, ...] = ("VNF_INSTANCE",)
    """Types of managed objects that can have it."""
    clearable_by_hand: bool = False
    """Users may clear it while its condition persists, as no poll clears it. It is raised again when the condition has
    gone and come back, or its details change."""
    clears_on_acknowledgement: bool = False
    """Acknowledging clears it."""

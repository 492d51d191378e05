"""The alarm dictionary: one row a fault type, in the shape of an element manager's alarm reference.

Event types are SOL003's (7.5.4.5), which lacks X.736's security alarms; causes are of X.733 and M.3100.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from vnfm.inventory.domain.observation import MISSING, PASSING


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


@dataclass(frozen=True, slots=True)
class FaultType:
    name: str
    event_type: EventType
    probable_cause: str
    resource_type: ResourceType
    """Of SOL003's FaultyResourceType; "" where the fault lies in none (a stack, a VIM)."""
    severity: Severity
    """The severity with nothing else known; `evaluate` applies the rule."""
    severity_rule: str
    clears_when: str
    remedial_action: str


_ENTRIES = (
    FaultType(
        "VimUnreachable",
        "COMMUNICATIONS_ALARM",
        "connectionEstablishmentError",
        "",
        Severity.CRITICAL,
        "Always critical: nothing is known of the instance.",
        "The VIM answers again.",
        "Check the cloud's API services and the network in between; on the VIM's page, its condition tells the cause.",
    ),
    FaultType(
        "VimAuthFailed",
        "COMMUNICATIONS_ALARM",
        "authenticationFailure",
        "",
        Severity.MAJOR,
        "Always major: the instance may be well, but it can be neither seen nor managed.",
        "The VIM accepts our credentials.",
        "Correct user, password, project or roles of the VIM.",
    ),
    FaultType(
        "StackMissing",
        "PROCESSING_ERROR_ALARM",
        "corruptData",
        "",
        Severity.CRITICAL,
        "Always critical: the instance can be neither scaled nor healed.",
        "Heat knows the stack again, or the instance is terminated.",
        "Find out who deleted the stack; terminate the instance and instantiate it anew.",
    ),
    FaultType(
        "StackFailed",
        "PROCESSING_ERROR_ALARM",
        "configurationOrCustomizationError",
        "",
        Severity.MAJOR,
        "Critical when the stack was never complete (CREATE_FAILED), else major.",
        "The stack is *_COMPLETE.",
        "Read the stack's reason; retry or roll back the operation that failed.",
    ),
    FaultType(
        "StackDrift",
        "PROCESSING_ERROR_ALARM",
        "corruptData",
        "",
        Severity.WARNING,
        "Always a warning: the VNF may be well, but it is not what was asked for.",
        "What runs is what was asked for: somebody accepted the differences, or repaired them.",
        "On the instance's page, accept each difference or have it repaired; find out who else changes the cloud.",
    ),
    FaultType(
        "VmMissing",
        "EQUIPMENT_ALARM",
        "equipmentMalfunction",
        "COMPUTE",
        Severity.CRITICAL,
        "Always critical: it does not come back by itself.",
        "The VNFC has a server again, or is no longer part of the instance.",
        "Find out who deleted the server; terminate and instantiate, or scale in and out.",
    ),
    FaultType(
        "VmError",
        "EQUIPMENT_ALARM",
        "processorProblem",
        "COMPUTE",
        Severity.CRITICAL,
        "Always critical.",
        "The server is ACTIVE.",
        "Read Nova's fault; check its host; reset or rebuild the server.",
    ),
    FaultType(
        "VmDown",
        "EQUIPMENT_ALARM",
        "underlyingResourceUnavailable",
        "COMPUTE",
        Severity.CRITICAL,
        "Critical when no other VNFC of the same VDU runs, major when one does.",
        "The server is ACTIVE.",
        "Start the server, or resume it; if nobody stopped it, check its host.",
    ),
    FaultType(
        "VmTransient",
        "PROCESSING_ERROR_ALARM",
        "timeoutExpired",
        "COMPUTE",
        Severity.WARNING,
        "Always a warning.",
        "The server is ACTIVE.",
        "Nova has been at it for too long: look at the server's actions, and confirm or revert a resize.",
    ),
    FaultType(
        "PortBindingFailed",
        "COMMUNICATIONS_ALARM",
        "configurationOrCustomizationError",
        "NETWORK",
        Severity.CRITICAL,
        "Always critical: the port carries nothing.",
        "The port is bound.",
        "Check the network agents and mechanism drivers of the host, and free SR-IOV functions for a direct port.",
    ),
    FaultType(
        "PortDown",
        "COMMUNICATIONS_ALARM",
        "transmissionError",
        "NETWORK",
        Severity.MAJOR,
        "Critical on a network that the stack made (fabric), else major.",
        "The port is ACTIVE, or its server is not.",
        "Check the network agent of the host and the port's administrative state.",
    ),
)

DICTIONARY = {entry.name: entry for entry in _ENTRIES}

DOWN_STATES = frozenset(
    {"SHUTOFF", "PAUSED", "SUSPENDED", "RESCUE", "RESCUED", "SHELVED", "SHELVED_OFFLOADED", "STOPPED"}
)


def vm_fault_type(status: str) -> str | None:
    """The fault type that a Nova status stands for; None for a running server and for words we do not know."""
    if status == "ERROR":
        return "VmError"
    if status == MISSING:
        return "VmMissing"
    if status in DOWN_STATES:
        return "VmDown"
    return "VmTransient" if status in PASSING else None

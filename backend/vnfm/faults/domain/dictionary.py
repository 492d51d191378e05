"""The alarm dictionary: one row per fault type.

Event types are those of SOL003 7.5.4.5, without X.736's security alarms; probable causes are of X.733 and M.3100.
"""

from vnfm.faults.domain.cloud_faults import CLOUD_FAULTS
from vnfm.faults.domain.element_faults import ELEMENT_FAULTS
from vnfm.faults.domain.fault_type import EventType, FaultType, ResourceType, Severity
from vnfm.faults.domain.manager_faults import MANAGER_FAULTS
from vnfm.inventory.domain.observation import MISSING, TRANSITIONAL

__all__ = ["DICTIONARY", "DOWN_STATES", "EventType", "FaultType", "ResourceType", "Severity", "vm_fault_type"]

DICTIONARY = {entry.fault_type: entry for entry in (*CLOUD_FAULTS, *ELEMENT_FAULTS, *MANAGER_FAULTS)}

DOWN_STATES = frozenset(
    {"SHUTOFF", "PAUSED", "SUSPENDED", "RESCUE", "RESCUED", "SHELVED", "SHELVED_OFFLOADED", "STOPPED"}
)


def vm_fault_type(status: str) -> str | None:
    """The fault type of a Nova status; None for ACTIVE and for unknown statuses."""
    if status == "ERROR":
        return "VmError"
    if status == MISSING:
        return "VmMissing"
    if status in DOWN_STATES:
        return "VmDown"
    return "VmTransient" if status in TRANSITIONAL else None

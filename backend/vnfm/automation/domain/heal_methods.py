"""Alarms of VNFCs that are down, and the heal methods that help against them."""

from collections.abc import Mapping

from vnfm.catalog.domain.vnfd import HealMethod, Vdu

METHODS_BY_FAULT: Mapping[str, tuple[HealMethod, ...]] = {
    "VmDown": ("start", "reboot", "rebuild", "evacuate", "recreate"),
    "VmError": ("reboot", "rebuild", "evacuate", "recreate"),
    "VmMissing": ("recreate",),
}
"""Fault type to heal methods: only a SHUTOFF server can be started, a missing one can only be created again."""


def why_no_method(vdu: Vdu, fault_type: str) -> str:
    """Why nothing that the VNFD allows for the VDU helps against the fault; "" when something does."""
    if set(METHODS_BY_FAULT[fault_type]) & set(vdu.healing):
        return ""
    only = ", ".join(vdu.healing)
    return f"The package allows only {only} for {vdu.name}, which does not help against {fault_type}."

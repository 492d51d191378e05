"""Which outstanding alarms mean that a VNFC is down, and what of the VNFD's means is of any use then."""

from collections.abc import Mapping

from vnfm.catalog.domain.vnfd import HealMethod, Vdu

AGAINST: Mapping[str, tuple[HealMethod, ...]] = {
    "VmDown": ("start", "reboot", "rebuild", "evacuate", "recreate"),
    "VmError": ("reboot", "rebuild", "evacuate", "recreate"),
    "VmMissing": ("recreate",),
}
"""Fault type to the means that may help: only what is SHUTOFF can be started, what is gone can only be made anew."""


def why_no_means(vdu: Vdu, fault_type: str) -> str:
    """Why nothing that the VNFD allows for the VDU helps against the fault; "" when something does."""
    if set(AGAINST[fault_type]) & set(vdu.healing):
        return ""
    only = ", ".join(vdu.healing)
    return f"The package allows only {only} for {vdu.name}, which does not help against {fault_type}."

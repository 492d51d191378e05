"""The JSON of a plan's Nova flavors."""

from collections.abc import Mapping
from typing import Any

from vnfm.lcm.domain.plan import PlannedFlavor


def flavor_view(flavor: PlannedFlavor) -> dict[str, Any]:
    """A flavor of a plan, or one for lack of which it is refused."""
    return {
        "vduId": flavor.vdu_id,
        "parameter": flavor.parameter,
        "flavorName": flavor.flavor_name,
        "source": flavor.source,
        "needs": needs_view(flavor.needs),
        "candidates": list(flavor.candidates),
        "reason": flavor.reason,
        "surplus": list(flavor.surplus),
        "command": flavor.command,
    }


def needs_view(needs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "vcpus": needs["vcpus"],
        "memoryMib": needs["memory_mib"],
        "diskGib": needs["disk_gib"],
        "cpuPolicy": needs["cpu_policy"],
        "memPageSize": needs["mem_page_size"],
        "numaNodes": needs["numa_nodes"],
        "sriovPorts": needs["sriov_ports"],
    }

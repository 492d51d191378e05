"""The hypervisors that can boot servers of the simulated cloud here; see backend/cloudsim/README.md, "Guests"."""

import os
import shutil

QEMU, QEMU_BRIDGES, NAMESPACES = "qemu", "qemu-bridges", "namespaces"
NAMES = (QEMU, QEMU_BRIDGES, NAMESPACES)
BEST = "best"
BRIDGED = (QEMU_BRIDGES, NAMESPACES)
"""Hypervisors that connect this machine to the guests' management networks. They need root."""

_TOOLS = {
    QEMU: ("qemu-system-x86_64", "qemu-img"),
    QEMU_BRIDGES: ("qemu-system-x86_64", "qemu-img", "ip"),
    NAMESPACES: ("qemu-img", "ip", "unshare"),
}


def choose(wanted: str) -> tuple[str, str]:
    """Return the hypervisor and a sentence for the user; the hypervisor is "" if something that it needs is missing.

    `wanted` is one of NAMES, "" for no guests, or BEST, which means bridges for root and none otherwise.
    """
    if not wanted:
        return "", ""
    root = os.geteuid() == 0
    name = (QEMU_BRIDGES if root else QEMU) if wanted == BEST else wanted
    if name in BRIDGED and not root:
        return "", f"No guests: --guests {name} needs root. All servers are simulated."
    missing = [tool for tool in _TOOLS[name] if shutil.which(tool) is None]
    if missing:
        packages = "qemu-system-x86, qemu-utils and iproute2"
        return "", f"No guests: {', '.join(missing)} missing (Debian: {packages}). All servers are simulated."
    return name, "Servers with a real image run on this machine; the images of packages are placeholders (see README)."

"""What can boot servers of the simulated cloud here; see backend/cloudsim/README.md, "Guests"."""

import os
import shutil

QEMU, QEMU_BRIDGES, NAMESPACES = "qemu", "qemu-bridges", "namespaces"
NAMES = (QEMU, QEMU_BRIDGES, NAMESPACES)
BEST = "best"
BRIDGED = (QEMU_BRIDGES, NAMESPACES)
"""Ways by which this machine is on the guests' management networks. They need root."""

_TOOLS = {
    QEMU: ("qemu-system-x86_64", "qemu-img"),
    QEMU_BRIDGES: ("qemu-system-x86_64", "qemu-img", "ip"),
    NAMESPACES: ("qemu-img", "ip", "unshare"),
}


def choose(wanted: str) -> tuple[str, str]:
    """The way to take, and a sentence for the user: "" as way where what it needs is missing.

    `wanted` is one of NAMES, "" for no guests, or BEST: with bridges for root, else without.
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
    return name, "Servers with a real image run on this machine: images of packages are placeholders, see README."

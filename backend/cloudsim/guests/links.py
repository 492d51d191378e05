"""Names and removal of the network devices that one cloud creates on this machine. Needs root."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from cloudsim.guests.processes import output_of

NAMESPACES = Path("/run/netns")


class Links:
    """Devices and namespaces named after the cloud's folder, so that those of a killed process are recognised."""

    def __init__(self, folder: Path) -> None:
        self._mark = hashlib.sha256(str(folder).encode()).hexdigest()[:4]

    def name(self, kind: str, ident: str) -> str:
        """Return a name of at most 15 characters from the kind (one letter), the cloud and a hash of the id."""
        return f"v{kind}{self._mark}{hashlib.sha256(ident.encode()).hexdigest()[:8]}"

    async def clear(self) -> None:
        """Remove all devices and namespaces with this cloud's mark."""
        for namespace in self._namespaces():
            await output_of("ip", "netns", "delete", namespace)
        for link in json.loads(await output_of("ip", "-json", "link", "show")):
            name = str(link["ifname"])
            if name[:1] == "v" and name[2:6] == self._mark:
                await output_of("ip", "link", "delete", name)

    def _namespaces(self) -> list[str]:
        return [place.name for place in NAMESPACES.glob(f"v?{self._mark}*")]

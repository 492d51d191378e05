"""What a cloud says of one server or port, in the form in which we keep it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from vnfm.clouds.types import Port, Server

UNKNOWN = "UNKNOWN"
"""Recorded, but no look has seen it yet, or the last look is too old to be believed."""
MISSING = "MISSING"
"""A look went through the whole list, and it was not there."""
ACTIVE = "ACTIVE"

PASSING = frozenset(
    {
        "BUILD",
        "REBUILD",
        "REBOOT",
        "HARD_REBOOT",
        "PASSWORD",
        "MIGRATING",
        "RESIZE",
        "VERIFY_RESIZE",
        "REVERT_RESIZE",
    }
)
"""Nova's states of a server on its way to another."""

GONE = frozenset({"DELETED", "SOFT_DELETED"})
"""Nova shows these among the changed servers and leaves them out of the full list: to us both mean gone."""


@dataclass(frozen=True, slots=True)
class ServerSeen:
    status: str
    fault: str
    host: str
    flavor: str
    """The name of its flavor; the id where no probe has told the name."""
    flavor_id: str
    """Its flavor in Nova's own terms."""
    server_name: str
    host_hash: str = ""


@dataclass(frozen=True, slots=True)
class PortSeen:
    port_id: str
    network_id: str
    mac_address: str
    ip_addresses: tuple[str, ...]
    vnic_type: str
    status: str
    vif_type: str


def server_seen(before: ServerSeen, server: Server | None, flavor_names: Mapping[str, str]) -> ServerSeen:
    """What is known of a server after a look that found `server` in its place (None: nothing).

    Where it ran and of what size it was stays readable when it is gone.
    """
    if server is None or server.status in GONE:
        return replace(before, status=MISSING, fault="")
    return ServerSeen(
        status=server.status,
        fault=server.fault.message if server.fault is not None else "",
        host=server.host,
        flavor=flavor_names.get(server.flavor, server.flavor),
        flavor_id=server.flavor,
        server_name=server.name,
        host_hash=server.host_hash,
    )


def ports_seen(before: Mapping[str, PortSeen], made_by_us: Iterable[str], ports: Iterable[Port]) -> dict[str, PortSeen]:
    """The ports of one server after a look, by id: those there now, and as MISSING those of ours that are not."""
    after = {
        port.id: PortSeen(
            port.id,
            port.network_id,
            port.mac_address,
            port.ip_addresses,
            port.vnic_type,
            port.status,
            port.vif_type,
        )
        for port in ports
    }
    for port_id in made_by_us:
        if port_id not in after:
            after[port_id] = replace(before[port_id], status=MISSING)
    return after

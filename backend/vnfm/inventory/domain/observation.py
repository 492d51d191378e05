"""Servers and ports as Nova and Neutron show them, in the form of our records. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from vnfm.clouds.types import Port, Server

UNKNOWN = "UNKNOWN"
"""Recorded, but never observed, or too long ago."""
MISSING = "MISSING"
"""Not in a full list."""
ACTIVE = "ACTIVE"

_STATUS_TEXT = {
    ACTIVE: "running",
    "SHUTOFF": "stopped",
    "ERROR": "in error",
    "BUILD": "being created",
    "REBUILD": "being rebuilt",
    "REBOOT": "rebooting",
    "HARD_REBOOT": "rebooting",
    "RESIZE": "being resized",
    "VERIFY_RESIZE": "waiting for the resize to be confirmed",
    "RESCUE": "in rescue mode",
}


def status_text(status: str) -> str:
    """Return Nova's status as words that follow "is": "stopped" for SHUTOFF."""
    return _STATUS_TEXT.get(status, status.replace("_", " ").lower())


TRANSITIONAL = frozenset(
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
"""Nova's transitional server states."""

GONE = frozenset({"DELETED", "SOFT_DELETED"})
"""Nova lists these among the changed servers and leaves them out of the full list: either means gone."""


@dataclass(frozen=True, slots=True)
class ServerObservation:
    status: str
    fault: str
    host: str
    flavor: str
    """The name of its flavor; the id where no probe found the name."""
    flavor_id: str
    """Its flavor in Nova's own terms."""
    server_name: str
    host_hash: str = ""


@dataclass(frozen=True, slots=True)
class PortObservation:
    port_id: str
    network_id: str
    mac_address: str
    ip_addresses: tuple[str, ...]
    vnic_type: str
    status: str
    vif_type: str


def observe_server(
    before: ServerObservation, server: Server | None, flavor_names: Mapping[str, str]
) -> ServerObservation:
    """After a poll that found `server`, or None. A server that is gone keeps its host and flavor."""
    if server is None or server.status in GONE:
        return replace(before, status=MISSING, fault="")
    return ServerObservation(
        status=server.status,
        fault=server.fault.message if server.fault is not None else "",
        host=server.host,
        flavor=flavor_names.get(server.flavor, server.flavor),
        flavor_id=server.flavor,
        server_name=server.name,
        host_hash=server.host_hash,
    )


def observe_ports(
    before: Mapping[str, PortObservation], ours: Iterable[str], ports: Iterable[Port]
) -> dict[str, PortObservation]:
    """The ports of one server after a poll, by id: those that exist, and as MISSING those of ours that do not."""
    after = {
        port.id: PortObservation(
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
    for port_id in ours:
        if port_id not in after:
            after[port_id] = replace(before[port_id], status=MISSING)
    return after

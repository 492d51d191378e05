"""The resourceChanges of an operation (SOL003 5.5.2.13): the difference between two snapshots of the record."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from vnfm.kit.web.message import from_stored

ChangeType = Literal["ADDED", "REMOVED", "MODIFIED"]


@dataclass(frozen=True, slots=True)
class VnfcSnapshot:
    vdu_id: str
    slot: str
    name: str
    server_id: str
    flavor_id: str
    ports: Sequence[str]
    """Ids of all its ports."""
    external: Sequence[str]
    """Ids of the ports on external virtual links."""


@dataclass(frozen=True, slots=True)
class LinkSnapshot:
    """An internal network; external networks do not belong to the VNF."""

    vl_id: str
    network_id: str


@dataclass(frozen=True, slots=True)
class ExternalSnapshot:
    """A network that the VNF is attached to, with the ports there: id, cp_id, mac_address and ip_addresses of each."""

    id: str
    """The id that clients see."""
    external_id: str
    """The id that the NFVO gave; "" where it gave none."""
    network_id: str
    ports: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ResourceSnapshot:
    """An instance's recorded resources; `as_json` is stored with the operation that is about to change them."""

    vnfd_id: str
    vnfcs: Mapping[str, VnfcSnapshot] = field(default_factory=dict)
    links: Mapping[str, LinkSnapshot] = field(default_factory=dict)
    externals: Mapping[str, ExternalSnapshot] = field(default_factory=dict)
    """Keys are ids of the VNFD's virtual links."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ResourceSnapshot":
        return from_stored(cls, data)


def resource_changes(
    before: ResourceSnapshot, after: ResourceSnapshot, rebuilt: Collection[tuple[str, str]]
) -> dict[str, list[dict[str, Any]]]:
    """VNFCs, networks and ports that were added, removed or changed, and the external links as they are now, where
    they or the VNF's ports on them have changed; `rebuilt` are (VDU id, slot) of servers that were
    rebuilt in place, which no snapshot shows.
    """
    found: dict[str, list[dict[str, Any]]] = {"vnfcs": [], "links": [], "ports": []}
    for key, change in _differing(before.vnfcs, after.vnfcs):
        vnfc = after.vnfcs.get(key) or before.vnfcs[key]
        if change or (vnfc.vdu_id, vnfc.slot) in rebuilt:
            found["vnfcs"].append(_row(key, change or "MODIFIED", before, after) | asdict(vnfc))
    for key, change in _differing(before.links, after.links):
        if change:
            link = after.links.get(key) or before.links[key]
            found["links"].append(_row(key, change, before, after) | asdict(link))
    changed = (link for vl_id, link in after.externals.items() if before.externals.get(vl_id) != link)
    found["externals"] = [asdict(link) for link in changed]
    old, new = _ports(before), _ports(after)
    found["ports"] = [_row(key, change, before, after) for key, change in _differing(old, new) if change]
    return found


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[tuple[str, ChangeType | None]]:
    """Every key of either; None for what is the same in both."""
    for key in dict.fromkeys((*before, *after)):
        if key not in before:
            yield key, "ADDED"
        elif key not in after:
            yield key, "REMOVED"
        else:
            yield key, None if before[key] == after[key] else "MODIFIED"


def _row(key: str, change: ChangeType, before: ResourceSnapshot, after: ResourceSnapshot) -> dict[str, Any]:
    return {"id": key, "change": change, "vnfd_id": (before if change == "REMOVED" else after).vnfd_id}


def _ports(snapshot: ResourceSnapshot) -> dict[str, None]:
    return dict.fromkeys(port_id for vnfc in snapshot.vnfcs.values() for port_id in vnfc.external)

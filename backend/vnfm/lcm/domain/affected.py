"""What an operation has changed (SOL003 5.5.2.13 resourceChanges): the difference of two pictures of the record."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Change = Literal["ADDED", "REMOVED", "MODIFIED"]


@dataclass(frozen=True, slots=True)
class SeenVnfc:
    vdu_id: str
    slot: str
    name: str
    server_id: str
    flavor_id: str
    ports: Sequence[str]
    """Ids of all its ports."""
    external: Sequence[str]
    """Ids of those that face outwards."""


@dataclass(frozen=True, slots=True)
class SeenLink:
    """A network between VNFCs; those outside the VNF are not its resources."""

    vl_id: str
    network_id: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is on record of an instance; `as_json` is kept with the operation that is about to change it."""

    vnfd_id: str
    vnfcs: Mapping[str, SeenVnfc] = field(default_factory=dict)
    links: Mapping[str, SeenLink] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Picture":
        vnfcs = {key: SeenVnfc(**row) for key, row in data["vnfcs"].items()}
        return cls(data["vnfd_id"], vnfcs, {key: SeenLink(**row) for key, row in data["links"].items()})


def changes(before: Picture, after: Picture, rebuilt: Collection[tuple[str, str]]) -> dict[str, list[dict[str, Any]]]:
    """VNFCs, networks and ports that came, went or were changed; `rebuilt` are VDU ids and slots of servers that were
    rebuilt in place, which no picture shows.
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
    old, new = _ports(before), _ports(after)
    found["ports"] = [_row(key, change, before, after) for key, change in _differing(old, new) if change]
    return found


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[tuple[str, Change | None]]:
    """Every key of either; None for what is the same in both."""
    for key in dict.fromkeys((*before, *after)):
        if key not in before:
            yield key, "ADDED"
        elif key not in after:
            yield key, "REMOVED"
        else:
            yield key, None if before[key] == after[key] else "MODIFIED"


def _row(key: str, change: Change, before: Picture, after: Picture) -> dict[str, Any]:
    return {"id": key, "change": change, "vnfd_id": (before if change == "REMOVED" else after).vnfd_id}


def _ports(picture: Picture) -> dict[str, None]:
    return dict.fromkeys(port_id for vnfc in picture.vnfcs.values() for port_id in vnfc.external)

"""The plan of an operation as data: stored with it, shown before it runs. `lcm.domain.layout` computes it."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import ResourceNeeds, Vdu, Vnfd
from vnfm.clouds.types import Flavor

ARTEFACT = "$artefact"
"""Marks a parameter whose value is known only when a step has made it: {"$artefact": key}."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """An image or flavor that must be in the cloud before the stack can be made."""

    kind: Literal["image", "flavor"]
    key: str
    """Its name in the cloud; holds a digest of what it is made of."""
    subject: str
    """Software image id, or VDU id."""


@dataclass(frozen=True, slots=True)
class PlannedResource:
    action: Literal["create", "keep", "update", "replace", "delete"]
    type: str
    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PlannedFlavor:
    vdu_id: str
    parameter: str
    flavor_name: str
    source: Literal["requested", "matched", "to_create", "kept"]
    needs: Mapping[str, Any]
    candidates: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class PlannedNetwork:
    vl_id: str
    parameter: str
    choice: Literal["created", "existing"]
    network_name: str
    network_id: str = ""


@dataclass(frozen=True, slots=True)
class PlannedQuota:
    resource: str
    needed: int
    used: int | None
    limit: int | None


@dataclass(frozen=True, slots=True)
class Stage:
    """One of several updates of the stack: what it is given in place of what the plan says."""

    title: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    registry: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that the steps need, without secrets; `as_json` is stored with the operation."""

    flavour_id: str
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    rosters: Mapping[str, Any]
    removed: Mapping[str, Sequence[str]]
    """VDU id to the slots that lose their VNFC."""
    added: Mapping[str, Sequence[str]]
    """VDU id to the slots that get a VNFC: these must run in the end, the others are not this operation's business."""
    registry: Mapping[str, str]
    """Entries of the environment's resource_registry that this plan decides."""
    parameters: Mapping[str, Any]
    undo_parameters: Mapping[str, Any]
    """What a rollback puts in place of some of `parameters`: old counts, and the members that came to be removed."""
    undo_slots: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """VDU id to group index to slot, of the members that a rollback makes anew."""
    stages: tuple[Stage, ...] = ()
    """The updates that lead to the plan one after the other; empty when a single one does."""
    touched: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """VDU id to the slots whose VNFC is resized or rebuilt: it must run again in the end."""
    rebuilt: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """VDU id to the slots of those that get a fresh disk."""
    one_way: str = ""
    """Why the cloud could not go back from this to what it was, as a sentence; "" where it can."""
    package_id: str = ""
    """The package that the instance has when this is over; "" when it keeps its own."""
    artefacts: tuple[Artefact, ...] = ()
    resources: tuple[PlannedResource, ...] = ()
    flavors: tuple[PlannedFlavor, ...] = ()
    networks: tuple[PlannedNetwork, ...] = ()
    quota: tuple[PlannedQuota, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        rows: dict[str, type[Any]] = {
            "artefacts": Artefact,
            "resources": PlannedResource,
            "flavors": PlannedFlavor,
            "networks": PlannedNetwork,
            "quota": PlannedQuota,
            "stages": Stage,
        }
        lists = {name: tuple(kind(**row) for row in data[name]) for name, kind in rows.items()}
        return cls(**{**data, **lists, "warnings": tuple(data["warnings"])})


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def image_name(vnfd: Vnfd, image_id: str, sha256: str) -> str:
    return f"vnfm-{_slug(vnfd.product_name)}-{_slug(image_id)}-{sha256[:12]}"


def flavor_name(vnfd: Vnfd, vdu: Vdu, needs: ResourceNeeds) -> str:
    digest = hashlib.sha256(json.dumps(asdict(needs), sort_keys=True).encode()).hexdigest()
    return f"vnfm-{_slug(vnfd.product_name)}-{_slug(vdu.id)}-{digest[:8]}"


def flavor_for(name: str, needs: ResourceNeeds) -> Flavor:
    """The Nova flavor that exactly satisfies `needs`."""
    return Flavor("", name, needs.vcpus, needs.memory_mib, needs.disk_gib, needs.extra_specs())

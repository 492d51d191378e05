"""The plan of an operation as data: stored with it, shown before it runs. `lcm.domain.layout` computes it."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import ResourceNeeds, Vdu, Vnfd
from vnfm.clouds.types import Flavor
from vnfm.kit.web.message import from_stored
from vnfm.lcm.domain.vnfc_names import slot_name

ARTEFACT = "$artefact"
"""Marks a parameter whose value is known only after a step has created it: {"$artefact": key}."""


VNFC = "vnfc"
"""Type of the row of a VNFC."""
RowAction = Literal["create", "keep", "update", "replace", "delete"]


@dataclass(frozen=True, slots=True)
class Artefact:
    """An image or flavor that must be in the cloud before the stack can be created."""

    kind: Literal["image", "flavor"]
    key: str
    """Its name in the cloud; contains a digest of its content."""
    subject: str
    """Software image id, or VDU id."""


@dataclass(frozen=True, slots=True)
class PlannedResource:
    action: RowAction
    type: str
    name: str
    detail: str = ""
    slot: str = ""
    """Set for a VNFC alone."""
    gone: bool = False
    """It is to be deleted, and the cloud no longer has it."""

    @classmethod
    def of_vnfc(
        cls, action: RowAction, vdu_name: str, slot: str, detail: str = "", *, gone: bool = False
    ) -> "PlannedResource":
        """The row of the VNFC in a slot."""
        return cls(action, VNFC, slot_name(vdu_name, slot), detail, slot, gone)


@dataclass(frozen=True, slots=True)
class PlannedFlavor:
    vdu_id: str
    parameter: str
    flavor_name: str
    source: Literal["requested", "default", "matched", "to_create", "kept", "fixed", "stack"]
    needs: Mapping[str, Any]
    candidates: tuple[str, ...]
    reason: str
    surplus: tuple[str, ...] = ()
    """Properties of an existing flavor beyond the needs; empty for an exact match."""
    command: str = ""
    """The line by which an administrator creates a flavor that is missing."""


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
    released: int = 0
    """The amount that the plan frees; not counted against `needed`, as Heat may create before it deletes."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One of several stack updates: the values that replace those of the plan."""

    title: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    registry: Mapping[str, str] = field(default_factory=dict)
    rebuilt: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """VDU id → slots whose VNFC gets a fresh disk in this stage."""
    resized: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """VDU id → slots whose VNFC gets another flavor in this stage, and restarts."""

    @property
    def restarted(self) -> dict[str, list[str]]:
        """VDU id → slots of both."""
        vdus = dict.fromkeys((*self.rebuilt, *self.resized))
        return {vdu: list(dict.fromkeys((*self.rebuilt.get(vdu, ()), *self.resized.get(vdu, ())))) for vdu in vdus}


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that the steps need, without secrets; `as_json` is stored with the operation."""

    flavour_id: str
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    rosters: Mapping[str, Any]
    removed: Mapping[str, Sequence[str]]
    """VDU id → slots whose VNFC is removed."""
    added: Mapping[str, Sequence[str]]
    """VDU id → slots that get a VNFC: these must run in the end."""
    registry: Mapping[str, str]
    """Entries of the environment's resource_registry that this plan sets."""
    parameters: Mapping[str, Any]
    undo_parameters: Mapping[str, Any]
    """Values for a rollback in place of some `parameters`: old counts, and the added members to be removed."""
    undo_slots: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """VDU id → group index → slot, of the members that a rollback creates again."""
    stages: tuple[Stage, ...] = ()
    """The updates that lead to the plan one after the other; empty when one update does."""
    touched: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """VDU id → slots whose VNFC is resized or rebuilt: it must run again in the end."""
    rebuilt: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """VDU id → slots whose VNFC gets a fresh disk."""
    one_way: str = ""
    """The reason why the cloud cannot return to the state before, as a sentence; "" where it can."""
    package_id: str = ""
    """The instance's package after the operation; "" when it does not change."""
    artefacts: tuple[Artefact, ...] = ()
    resources: tuple[PlannedResource, ...] = ()
    flavors: tuple[PlannedFlavor, ...] = ()
    networks: tuple[PlannedNetwork, ...] = ()
    quota: tuple[PlannedQuota, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Omit fields that only the preview shows: a worker of release 1.0 refuses keys that it does not know."""
        data = asdict(self)
        data["resources"] = [
            {key: value for key, value in row.items() if key not in _ONLY_IN_VIEWS} for row in data["resources"]
        ]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Plan":
        return from_stored(cls, data)


_ONLY_IN_VIEWS = ("slot", "gone")
"""Fields of PlannedResource that are not stored."""


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def image_name(vnfd: Vnfd, image_id: str, sha256: str) -> str:
    return f"vnfm-{_slug(vnfd.product_name)}-{_slug(image_id)}-{sha256[:12]}"


def flavor_name(vnfd: Vnfd, vdu: Vdu, needs: ResourceNeeds) -> str:
    digest = hashlib.sha256(json.dumps(asdict(needs), sort_keys=True).encode()).hexdigest()
    return f"vnfm-{_slug(vnfd.product_name)}-{_slug(vdu.id)}-{digest[:8]}"


def flavor_for(name: str, needs: ResourceNeeds) -> Flavor:
    """A Nova flavor with exactly these needs."""
    return Flavor("", name, needs.vcpus, needs.memory_mib, needs.disk_gib, needs.extra_specs())

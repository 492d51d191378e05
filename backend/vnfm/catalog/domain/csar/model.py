"""A SOL001 VNFD as values: identity, and the VDUs, connection points, aspects and levels of each flavour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.tosca import Entity, TopologyTemplate, text, whole_number
from vnfm.catalog.domain.findings import Finding

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Compute:
    """A VDU."""

    part: Entity
    name: str
    description: str
    needs: Json
    """By the keys of vnfd.yaml, as far as given."""
    minimum: int | None
    maximum: int | None
    image: Mapping[str, Any]
    """sw_image_data; empty when there is none."""
    image_file: str
    """As written; "" when it is not in the package."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A VDU's connection point."""

    part: Entity
    vdu: str
    link: str
    """The virtual link inside the VNF; "" for an external one."""
    order: int


@dataclass(frozen=True, slots=True)
class Aspect:
    id: str
    name: str
    description: str
    max_level: int | None
    part: Entity


@dataclass(frozen=True, slots=True)
class Level:
    id: str
    description: str
    scale: Mapping[str, int]
    part: Entity


@dataclass(slots=True)
class DeploymentFlavour:
    id: str
    description: str
    topology: TopologyTemplate
    vdus: dict[str, Compute] = field(default_factory=dict)
    attachments: dict[str, Attachment] = field(default_factory=dict)
    links: dict[str, Entity] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)
    """Connection point to its external name."""
    aspects: dict[str, Aspect] = field(default_factory=dict)
    steps: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """Aspect and VDU to the instances that each step adds."""
    initial: dict[str, int] = field(default_factory=dict)
    """VDU to its instances at scale level 0."""
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    """Level and VDU to its instances."""
    levels: list[Level] = field(default_factory=list)
    default_level: str = ""
    template: str = ""
    """The root HOT, where the VNFD names it (Nokia's dialect)."""
    resources: dict[str, str] = field(default_factory=dict)
    """VDU to the resource of the root HOT that makes it, where the VNFD says so (Nokia's dialect)."""
    servers: dict[str, str] = field(default_factory=dict)
    """VDU to its server in each member of that resource, by the path of its name."""


@dataclass(frozen=True, slots=True)
class Descriptor:
    identity: Mapping[str, str]
    """descriptor_id, provider and so on, as far as given."""
    flavours: tuple[DeploymentFlavour, ...]
    findings: tuple[Finding, ...]
    indicators: tuple[str, ...] = ()
    """Identifiers of its VNF indicators."""


def level_of(level_id: str, raw: Mapping[str, Any], part: Entity) -> Level:
    """An instantiation level from SOL001."""
    scale = {
        str(key): whole_number(mapping(info).get("scale_level")) for key, info in mapping(raw, "scale_info").items()
    }
    scale_levels = {key: number for key, number in scale.items() if number is not None}
    return Level(level_id, text(raw.get("description")), scale_levels, part)

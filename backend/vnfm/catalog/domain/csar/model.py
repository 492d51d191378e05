"""A SOL001 VNFD as values: identity, and of each deployment flavour its VDUs, connection points, aspects and levels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.tosca import Part, Topology, text, whole
from vnfm.catalog.domain.findings import Finding

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Compute:
    """A VDU."""

    part: Part
    name: str
    description: str
    needs: Json
    """As in vnfd.yaml, as far as they are told; empty when they are not."""
    minimum: int | None
    maximum: int | None
    image: Mapping[str, Any]
    """sw_image_data; empty when there is none."""
    image_file: str
    """As written; "" when it is not in the package."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A VDU's connection point."""

    part: Part
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
    part: Part


@dataclass(frozen=True, slots=True)
class Level:
    id: str
    description: str
    scale: Mapping[str, int]
    part: Part


@dataclass(slots=True)
class DeploymentFlavour:
    id: str
    description: str
    topology: Topology
    vdus: dict[str, Compute] = field(default_factory=dict)
    attachments: dict[str, Attachment] = field(default_factory=dict)
    links: dict[str, Part] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)
    """Connection point to the name by which the VNF shows it outside."""
    aspects: dict[str, Aspect] = field(default_factory=dict)
    steps: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """Aspect and VDU to the instances that its steps add."""
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


@dataclass(frozen=True, slots=True)
class Descriptor:
    identity: Mapping[str, str]
    """descriptor_id, provider and so on, as far as they are told."""
    flavours: tuple[DeploymentFlavour, ...]
    findings: tuple[Finding, ...]


def level_of(level_id: str, said: Mapping[str, Any], part: Part) -> Level:
    """An instantiation level as SOL001 writes it."""
    scale = {str(key): whole(mapping(info).get("scale_level")) for key, info in mapping(said, "scale_info").items()}
    told = {key: number for key, number in scale.items() if number is not None}
    return Level(level_id, text(said.get("description")), told, part)

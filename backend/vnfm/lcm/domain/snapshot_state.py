"""A snapshot of a VNF as its record has it: what a revert compares with the instance of now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SnapshotVnfc:
    """A VNFC in the snapshot."""

    vdu_id: str
    slot: str
    name: str
    server_id: str
    image_id: str
    boots_from_volume: bool
    volumes: tuple[str, ...] = ()
    """Ids of its attached volumes."""


@dataclass(frozen=True, slots=True)
class SnapshotState:
    """A snapshot with what it holds."""

    id: UUID
    instance_id: UUID | None = None
    """None while it is empty."""
    vnfd_id: UUID | None = None
    taken_at: datetime | None = None
    """When it was complete; None before."""
    vnfcs: tuple[SnapshotVnfc, ...] = ()
    scale_levels: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    networks: Mapping[str, str] = field(default_factory=dict)
    """Virtual link id → Neutron network id."""
    configurations: Mapping[str, int] = field(default_factory=dict)
    """Name of a network element → number of its newest configuration version."""

"""Images and flavors that we put into clouds, each shared by all instances there."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ArtefactKey:
    """Names one artefact: equal keys are equal artefacts."""

    vim_id: UUID
    kind: str
    """image or flavor."""
    key: str
    """Its name in the cloud, which holds a digest of its content."""


@dataclass(frozen=True, slots=True)
class ArtefactRecord:
    """An artefact as it is on record, see `models.VimArtefact`."""

    id: UUID
    vim_id: UUID
    kind: str
    key: str
    maker_id: UUID
    resource_id: str
    made_id: str
    ready_at: datetime | None
    going: bool

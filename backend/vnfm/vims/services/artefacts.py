"""Images and flavors that we put into clouds: the unique row of each decides who makes it, or removes it.

The functions that lock are called in the transaction whose decision the lock protects.
"""

from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from vnfm.vims.domain.artefact import ArtefactKey, ArtefactRecord
from vnfm.vims.models import VimArtefact
from vnfm.vims.selectors import artefact_of


def artefact_lock(key: ArtefactKey, *, maker_id: UUID) -> ArtefactRecord:
    """The artefact, locked until the transaction ends; `maker_id` makes it when there was none."""
    rows = VimArtefact.objects.select_for_update(no_key=True)
    return artefact_of(rows.get_or_create(**asdict(key), defaults={"maker_id": maker_id})[0])


def artefact_lock_known(*, artefact_id: UUID) -> ArtefactRecord | None:
    """As `artefact_lock`, for one that was there; None when it is gone."""
    row = VimArtefact.objects.select_for_update(no_key=True).filter(id=artefact_id).first()
    return artefact_of(row) if row else None


def artefact_claim(*, artefact_id: UUID, maker_id: UUID, going: bool) -> None:
    """Let `maker_id` make it, or remove it (`going`); until that is done no other operation uses it."""
    VimArtefact.objects.filter(id=artefact_id).update(maker_id=maker_id, ready_at=None, going=going)


def artefact_reserve(key: ArtefactKey, *, maker_id: UUID) -> ArtefactRecord | None:
    """Reserve the key for a removal, so that no operation makes it. Return the artefact that has the key, or None."""
    row, new = VimArtefact.objects.get_or_create(**asdict(key), defaults={"maker_id": maker_id, "going": True})
    return None if new else artefact_of(row)


def artefact_created(key: ArtefactKey, *, resource_id: str) -> None:
    """Record that it was not in the cloud before, but is now."""
    VimArtefact.objects.filter(**asdict(key)).update(made_id=resource_id)


def artefact_ready(key: ArtefactKey, *, resource_id: str, now: datetime) -> None:
    """It exists and is correct: all operations may use it."""
    VimArtefact.objects.filter(**asdict(key)).update(resource_id=resource_id, ready_at=now)


def artefact_removed(key: ArtefactKey, *, maker_id: UUID) -> None:
    """The removal by `maker_id` is done: the next operation that needs the artefact makes it again."""
    VimArtefact.objects.filter(**asdict(key), maker_id=maker_id, going=True).delete()


def artefacts_release(*, maker_id: UUID, removed: bool) -> None:
    """A removal has ended: the next operation that needs the artefact makes it again, or uses what the cloud kept."""
    rows = VimArtefact.objects.filter(maker_id=maker_id)
    if not removed:
        rows.exclude(made_id="").update(going=False)
    rows.filter(going=True).delete()

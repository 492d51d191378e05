"""Notes of users about an instance."""

from datetime import datetime
from uuid import UUID

from vnfm.inventory.models import InstanceNote, VnfInstance
from vnfm.kit.etsi.query import one
from vnfm.kit.problem import Problem, ProblemError


def note_add(*, instance: VnfInstance, text: str, by: str, now: datetime) -> InstanceNote:
    return InstanceNote.objects.create(instance=instance, author=by, text=text, at=now)


def note_delete(*, instance: VnfInstance, note_id: UUID, by: str) -> None:
    """Raises a 404 problem when there is none (any more), 403 for another user's."""
    note = one(instance.notes.all(), "note", note_id)
    if note.author != by:
        words = f"Only {note.author} may delete this note."
        raise ProblemError(Problem(403, "NOT_YOUR_NOTE", "Forbidden", words, "Write a note of your own."))
    note.delete()

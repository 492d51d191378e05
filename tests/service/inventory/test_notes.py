"""/api/v1/vnf_instances/{id}/notes."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from tests.factories.inventory import make_instance
from vnfm.inventory.models import InstanceNote

pytestmark = pytest.mark.django_db


def test_notes_are_read_by_all_and_deleted_by_their_authors(api_as: Callable[[str], APIClient]) -> None:
    instance = make_instance()
    notes = f"/api/v1/vnf_instances/{instance.id}/notes"
    author, other, viewer = api_as("operator"), api_as("admin"), api_as("viewer")
    made = author.post(notes, {"text": "Moved to rack 12"}, format="json")
    assert made.status_code == 201, made.json()
    other.post(notes, {"text": "Seen"}, format="json")
    read = viewer.get(notes).json()
    assert [note["text"] for note in read] == ["Moved to rack 12", "Seen"]
    assert read[0] == made.json()
    assert read[0]["author"]

    one = f"{notes}/{made.json()['id']}"
    refused = other.delete(one)
    assert (refused.status_code, refused.json()["code"]) == (403, "NOT_YOUR_NOTE")
    assert read[0]["author"] in refused.json()["detail"]
    assert viewer.delete(one).status_code == 403
    assert author.delete(one).status_code == 204
    assert author.delete(one).status_code == 404
    assert [note["text"] for note in viewer.get(notes).json()] == ["Seen"]


def test_invalid_notes_are_refused(api_as: Callable[[str], APIClient]) -> None:
    instance = make_instance()
    notes = f"/api/v1/vnf_instances/{instance.id}/notes"
    operator = api_as("operator")
    assert operator.post(notes, {"text": ""}, format="json").status_code == 400
    assert operator.post(notes, {"text": "x" * 2001}, format="json").status_code == 400
    assert api_as("viewer").post(notes, {"text": "x"}, format="json").status_code == 403
    assert operator.get(notes.replace(str(instance.id), "00000000-0000-4000-8000-000000000000")).status_code == 404
    assert not InstanceNote.objects.exists()


def test_notes_go_with_their_instance(operator_api: APIClient) -> None:
    instance = make_instance()
    operator_api.post(f"/api/v1/vnf_instances/{instance.id}/notes", {"text": "gone soon"}, format="json")
    instance.delete()
    assert not InstanceNote.objects.exists()

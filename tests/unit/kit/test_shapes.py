"""Messages that are declared once, as frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from types import SimpleNamespace
from typing import Literal
from uuid import UUID

import pytest
from rest_framework import serializers

from vnfm.kit.message import INTERNAL, camel_case
from vnfm.kit.shapes import answer, as_answer, attribute_docs


class Colour(StrEnum):
    RED = "RED"
    BLUE = "BLUE"


@dataclass(frozen=True, slots=True)
class Wheel:
    turned_at: datetime | None
    """Null: it has not turned yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vehicle:
    """Moves on wheels."""

    id: UUID
    colour: Colour
    kind: Literal["car", "cart"]
    wheels: tuple[Wheel, ...]
    spare_wheels: Mapping[str, Wheel]
    seats: Mapping[str, int]
    """Seats by row;
    none in a cart."""
    owner_name: str = ""
    rank: int = field(default=0, metadata=INTERNAL)


ID = UUID("d58a4aea-2a08-4c05-b0df-bb926497861b")
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
CAR = Vehicle(
    id=ID,
    colour=Colour.RED,
    kind="car",
    wheels=(Wheel(NOON), Wheel(None)),
    spare_wheels={"boot": Wheel(None)},
    seats={"front": 2},
)


@pytest.mark.parametrize(("attribute", "name"), [("id", "id"), ("owner_name", "ownerName"), ("a_b_c", "aBC")])
def test_names_on_the_wire_follow_a_rule(attribute: str, name: str) -> None:
    assert camel_case(attribute) == name


def test_a_value_is_written_with_what_is_in_it() -> None:
    assert as_answer(CAR) == {
        "id": str(ID),
        "colour": "RED",
        "kind": "car",
        "wheels": [{"turnedAt": NOON}, {"turnedAt": None}],
        "spareWheels": {"boot": {"turnedAt": None}},
        "seats": {"front": 2},
        "ownerName": "",
    }


def test_what_has_the_attributes_of_a_shape_is_written_as_one() -> None:
    assert as_answer(SimpleNamespace(turned_at=NOON), Wheel) == {"turnedAt": NOON}


def test_every_attribute_is_in_an_answer_also_one_with_a_default() -> None:
    fields = answer(Vehicle)().fields
    assert all(each.required for each in fields.values())
    assert isinstance(fields["colour"], serializers.ChoiceField)
    assert list(fields["colour"].choices) == ["RED", "BLUE"]
    assert list(fields["kind"].choices) == ["car", "cart"]


def test_docstrings_below_attributes_are_their_descriptions() -> None:
    assert attribute_docs(Vehicle) == {"seats": "Seats by row;\nnone in a cart."}

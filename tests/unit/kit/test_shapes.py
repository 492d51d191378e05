"""Messages that are declared once, as frozen dataclasses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, ClassVar, Literal
from uuid import UUID

import pytest
from rest_framework import serializers

from vnfm.kit.web.message import INTERNAL, as_json, camel_case, from_json, presence, wire
from vnfm.kit.web.shapes import ShapeRequest, answer, as_answer, attribute_docs


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


@dataclass(frozen=True, slots=True)
class Measurement:
    value: float
    initial: float


def test_an_attribute_may_have_the_name_of_a_getter_of_the_framework() -> None:
    assert as_answer(Measurement(value=2.5, initial=1.0)) == {"value": 2.5, "initial": 1.0}


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


@dataclass(frozen=True, slots=True)
class Trip:
    distance: int = wire(source="trip_distance")
    last_wheel: Wheel = wire(source="*")
    speed: int = wire(source="top.speed")


def test_a_row_may_have_a_value_in_another_attribute() -> None:
    row = SimpleNamespace(trip_distance=7, turned_at=NOON, top=SimpleNamespace(speed=9))
    assert as_answer(row, Trip) == {"distance": 7, "lastWheel": {"turnedAt": NOON}, "speed": 9}


@dataclass(frozen=True, slots=True)
class Axle:
    wheels: tuple[Wheel, ...]


def test_a_row_may_have_the_json_of_a_dataclass_of_which_later_releases_store_more() -> None:
    row = SimpleNamespace(wheels=[{"turned_at": "2026-11-28T12:00:00Z", "later": 1}])
    assert as_answer(row, Axle) == {"wheels": [{"turnedAt": "2026-11-28T12:00:00Z"}]}


def test_every_attribute_is_in_an_answer_also_one_with_a_default() -> None:
    fields = answer(Vehicle)().fields
    assert all(each.required for each in fields.values())
    assert isinstance(fields["colour"], serializers.ChoiceField)
    assert list(fields["colour"].choices) == ["RED", "BLUE"]
    assert list(fields["kind"].choices) == ["car", "cart"]


def test_docstrings_below_attributes_are_their_descriptions() -> None:
    assert attribute_docs(Vehicle) == {"seats": "Seats by row;\nnone in a cart."}


class Extras(dict[str, Any]):
    """A mapping with a type of its own."""


@dataclass(frozen=True, slots=True)
class Driver:
    user_name: str
    pass_word: str = wire("", secret=True, max_length=8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rent:
    """A request."""

    cannot: ClassVar[Mapping[str, str]] = {"insurance": "We insure nothing."}

    present: frozenset[str] = presence()
    vehicle_id: UUID
    days: int = wire(1, default=1, min_value=1)
    drivers: tuple[Driver, ...] = ()
    spares: Mapping[str, Driver] = field(default_factory=dict)
    note: str | None = wire(None, allow_null=True)
    colour: Literal["red", "blue"] | None = None
    extras: Extras = field(default_factory=Extras)

    def conflicts(self) -> Iterator[tuple[str, str]]:
        if self.days > 1 and not self.drivers:
            yield "drivers", "Name one."


BODY: dict[str, Any] = {
    "vehicleId": str(ID),
    "days": 2,
    "drivers": [{"userName": "a", "passWord": "hush"}],
    "spares": {"b": {"userName": "b"}},
    "note": None,
    "extras": {"radio": True},
}


def read(body: dict[str, Any]) -> Any:
    serializer = ShapeRequest.of(Rent)(data=body)
    return serializer.validated_data if serializer.is_valid() else serializer.errors


def test_a_request_is_read_into_its_dataclass_and_written_as_it_was() -> None:
    rent = read(BODY)
    assert rent == Rent(
        vehicle_id=ID,
        days=2,
        drivers=(Driver("a", "hush"),),
        spares={"b": Driver("b")},
        extras=Extras(radio=True),
    )
    assert isinstance(rent.extras, Extras)
    assert as_json(rent) == BODY
    assert from_json(Rent, as_json(rent)) == rent


def test_secrets_are_replaced_where_the_type_marks_them() -> None:
    assert as_json(read(BODY), "***")["drivers"] == [{"userName": "a", "passWord": "***"}]


def test_stored_json_may_have_members_that_are_not_known_yet() -> None:
    assert from_json(Rent, {"vehicleId": str(ID), "later": 1}) == Rent(vehicle_id=ID)


def test_attributes_that_are_empty_are_written_only_when_a_client_gave_them() -> None:
    assert as_json(read({"vehicleId": str(ID)})) == {"vehicleId": str(ID), "days": 1}
    assert as_json(read({"vehicleId": str(ID), "extras": {}})) == {"vehicleId": str(ID), "days": 1, "extras": {}}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"days": 0}, "days"),
        ({"days": None}, "days"),
        ({"colour": None}, "colour"),
        ({"colour": "green"}, "colour"),
        ({"later": 1}, "later"),
        ({"insurance": "all"}, "insurance"),
        ({"drivers": []}, "drivers"),
        ({"drivers": [{"userName": 7}]}, "drivers"),
        ({"drivers": [{"userName": "a", "passWord": "far too long"}]}, "drivers"),
    ],
)
def test_a_request_is_refused_at_the_place_of_its_fault(change: dict[str, Any], place: str) -> None:
    assert list(read(BODY | change)) == [place]

"""Heat's resource types: their properties and attributes, with the release of Heat that introduced each.

`backend/tools/heat_schemas.py` generates heat.json from Heat 5.0.0 and a current openstack-heat.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["string", "integer", "number", "boolean", "map", "list", "any"]
_KINDS: Mapping[str, Kind] = {
    "i": "integer",
    "n": "number",
    "b": "boolean",
    "m": "map",
    "l": "list",
    "a": "any",
}

Bounds = tuple[float | None, float | None]
"""Least and greatest; None for no bound."""


@dataclass(frozen=True, slots=True)
class Property:
    kind: Kind = "string"
    required: bool = False
    required_in_liberty: bool = False
    """Liberty's Heat requires it and a current one does not."""
    gone: bool = False
    """Liberty's Heat has it and a current one does not."""
    since: int = 0
    """The release of Heat that introduced it; 0: Liberty or older."""
    allowed: tuple[Any, ...] = ()
    """Allowed values; empty: any."""
    allowed_in_liberty: tuple[Any, ...] = ()
    """Allowed values of Liberty's Heat, where they are fewer."""
    range: Bounds | None = None
    length: Bounds | None = None
    pattern: str = ""
    members: Mapping[str, "Property"] | None = None
    """Properties of a map with known keys."""
    element: "Property | None" = None
    """Type of a list's items."""
    replaced_by: str = ""
    """The property that this old name stands for."""


@dataclass(frozen=True, slots=True)
class ResourceType:
    name: str
    since: int = 0
    properties: Mapping[str, Property] = field(default_factory=dict)
    attributes: Mapping[str, int] = field(default_factory=dict)
    """Name to the release that introduced it."""
    any_property: bool = False
    """The type accepts all properties and reads none."""
    any_attribute: bool = False
    """Whether it reads attributes itself, so that Heat's validation accepts any name."""
    gone: bool = False
    """Removed from a current Heat: the properties are Liberty's."""
    hidden: bool = False
    """Works without being listed, in Liberty's Heat or a current one."""
    extension: str = ""
    """The extension of Neutron that it takes."""


@cache
def resource_type(name: str) -> ResourceType | None:
    """None when neither Liberty's Heat nor a current one has the type."""
    raw = _data()["types"].get(name)
    if raw is None:
        return None
    return ResourceType(
        name=name,
        since=raw.get("s", 0),
        properties={key: _property(value) for key, value in raw.get("p", {}).items()},
        attributes={key: raw.get("as", {}).get(key, 0) for key in raw.get("a", ())},
        any_property=raw.get("free", False),
        any_attribute=raw.get("any", False),
        gone=raw.get("gone", False),
        hidden=raw.get("hidden", False),
        extension=raw.get("x", ""),
    )


@cache
def type_names() -> tuple[str, ...]:
    return tuple(_data()["types"])


def _property(raw: Mapping[str, Any]) -> Property:
    members, element = raw.get("p"), raw.get("e")
    return Property(
        kind=_KINDS.get(raw.get("t", ""), "string"),
        required=raw.get("r", False),
        required_in_liberty=raw.get("r5", False),
        gone=raw.get("gone", False),
        since=raw.get("s", 0),
        allowed=tuple(raw.get("v", ())),
        allowed_in_liberty=tuple(raw.get("v5", ())),
        range=_bounds(raw.get("n")),
        length=_bounds(raw.get("l")),
        pattern=raw.get("x", ""),
        members={key: _property(value) for key, value in members.items()} if members else None,
        element=_property(element) if element is not None else None,
        replaced_by=raw.get("for", ""),
    )


def _bounds(raw: list[float | None] | None) -> Bounds | None:
    return (raw[0], raw[1]) if raw else None


@cache
def _data() -> Mapping[str, Any]:
    text = files(__package__).joinpath("heat.json").read_text()
    data: Mapping[str, Any] = json.loads(text)
    return data

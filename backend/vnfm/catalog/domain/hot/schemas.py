"""Heat's resource types: their properties and attributes, and since which release of Heat there are any.

The data lie beside this module; `backend/tools/heat_schemas.py` makes them from an installed openstack-heat.
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


@dataclass(frozen=True, slots=True)
class Property:
    kind: Kind = "string"
    required: bool = False
    since: int = 0
    """The release of Heat that brought it; 0: as old as Liberty or older."""
    allowed: tuple[Any, ...] = ()
    """The values that Heat takes; empty when it takes any."""
    allowed_in_liberty: tuple[Any, ...] = ()
    """The same for Liberty's Heat, where that took fewer."""
    members: Mapping[str, "Property"] | None = None
    """Of a map with known keys."""
    element: "Property | None" = None
    """Of a list."""
    replaced_by: str = ""
    """The property whose old name this is."""


@dataclass(frozen=True, slots=True)
class ResourceType:
    name: str
    since: int = 0
    properties: Mapping[str, Property] = field(default_factory=dict)
    attributes: Mapping[str, int] = field(default_factory=dict)
    """Name to the release that brought it."""
    gone: bool = False
    """An older Heat has it, and today's no longer: nothing is known of its properties."""


@cache
def resource_type(name: str) -> ResourceType | None:
    """The type, None when neither Liberty's Heat nor a current one has it."""
    raw = _data()["types"].get(name)
    if raw is None:
        return None
    return ResourceType(
        name=name,
        since=raw.get("s", 0),
        properties={key: _property(value) for key, value in raw.get("p", {}).items()},
        attributes={key: raw.get("as", {}).get(key, 0) for key in raw.get("a", ())},
        gone=raw.get("gone", False),
    )


@cache
def type_names() -> tuple[str, ...]:
    return tuple(_data()["types"])


def _property(raw: Mapping[str, Any]) -> Property:
    members, element = raw.get("p"), raw.get("e")
    return Property(
        kind=_KINDS.get(raw.get("t", ""), "string"),
        required=bool(raw.get("r")),
        since=raw.get("s", 0),
        allowed=tuple(raw.get("v", ())),
        allowed_in_liberty=tuple(raw.get("v5", ())),
        members={key: _property(value) for key, value in members.items()} if members else None,
        element=_property(element) if element is not None else None,
        replaced_by=raw.get("for", ""),
    )


@cache
def _data() -> Mapping[str, Any]:
    text = files(__package__).joinpath("heat.json").read_text()
    data: Mapping[str, Any] = json.loads(text)
    return data

"""Messages as JSON, and limits that the types of their attributes cannot express; see `kit.web.shapes`. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

T = TypeVar("T")

INTERNAL: Mapping[str, bool] = {"internal": True}
"""Metadata of a dataclass field that is not on the wire."""
PRESENT = "present"
"""An internal attribute of this name holds the names of the attributes that a client gave, also with their defaults."""

Reasons = Mapping[str, str]
"""Names of attributes that a type has and we cannot honour, with the reason; an empty value of one does no harm."""


def wire(
    value: Any = MISSING, *, default_factory: Any = MISSING, secret: bool = False, source: str = "", **limits: Any
) -> Any:
    """A dataclass field with a default value and limits, which are keyword arguments of DRF's field.

    A secret is never stored in clear. An answer reads `source` of a row ("*": the row itself), "" the attribute's name.
    """
    metadata = {"serializer_kwargs": limits, "secret": secret, "source": source}
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=metadata)
    return field(metadata=metadata) if value is MISSING else field(default=value, metadata=metadata)


def presence() -> Any:
    """The dataclass field for `PRESENT`."""
    return field(default=frozenset(), compare=False, repr=False, metadata=INTERNAL)


def camel_case(attribute: str) -> str:
    """The attribute's name on the wire: `zoneId` for `zone_id`."""
    first, *others = attribute.split("_")
    return first + "".join(word.capitalize() for word in others)


@cache
def wire_names(shape: type) -> Mapping[str, str]:
    """The attributes of a dataclass by their names on the wire."""
    return {camel_case(each.name): each.name for each in fields(shape) if not each.metadata.get("internal")}


def as_json(value: Any, secret: str | None = None) -> Any:
    """Return the value as JSON: of a dataclass the attributes that were given or are not empty.

    `secret` stands for the secret attributes that have a value; None writes them in clear.
    """
    if is_dataclass(value):
        return _members(value, secret)
    if isinstance(value, Mapping):
        return {key: as_json(each, secret) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each, secret) for each in value]
    return str(value) if isinstance(value, UUID) else value


def _members(value: Any, secret: str | None) -> dict[str, Any]:
    named = getattr(value, PRESENT, ())
    members: dict[str, Any] = {}
    for each in fields(value):
        held = getattr(value, each.name)
        if each.metadata.get("internal") or (each.name not in named and held in _EMPTY):
            continue
        is_hidden = secret is not None and each.metadata.get("secret") and held
        members[camel_case(each.name)] = secret if is_hidden else as_json(held, secret)
    return members


_EMPTY: Sequence[Any] = (None, "", (), {})


def from_json(shape: type[T], data: Mapping[str, Any]) -> T:
    """Return the dataclass with this JSON, valid when it was stored; members that it does not know are left out."""
    return _read(shape, data, camel_case)


def from_stored(shape: type[T], data: Mapping[str, Any]) -> T:
    """Return the dataclass that `dataclasses.asdict` wrote; members that a newer release stored are left out."""
    return _read(shape, data, str)


def _read(shape: type[T], data: Mapping[str, Any], named: Callable[[str], str]) -> T:
    kind: Any = shape  # mypy knows no hash of a generic type
    members = _members_of(kind, named)
    values = {members[key][0]: members[key][1](value) for key, value in data.items() if key in members}
    return shape(**values, **({PRESENT: frozenset(values)} if hasattr(shape, PRESENT) else {}))


@cache
def _members_of(shape: Any, named: Callable[[str], str]) -> Mapping[str, tuple[str, Callable[[Any], Any]]]:
    """The attributes of a dataclass and what reads their values, by their names in the JSON."""
    types = get_type_hints(shape)
    read = (each.name for each in fields(shape) if named is str or not each.metadata.get("internal"))
    return {named(attribute): (attribute, _reader(types[attribute], named)) for attribute in read}


def _reader(kind: Any, named: Callable[[str], str]) -> Callable[[Any], Any]:
    """Return the function that makes a value of this type of its JSON; types that JSON has stay as they are."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        read = _reader(next(each for each in inner if each is not type(None)), named)
        return lambda value: None if value is None else read(value)
    if origin is tuple:
        read = _reader(inner[0], named)
        return lambda value: tuple(map(read, value))
    if origin is Mapping and inner:
        read = _reader(inner[1], named)
        return lambda value: {key: read(each) for key, each in value.items()}
    if not isinstance(kind, type):
        return _same
    if is_dataclass(kind):
        return lambda value: value if isinstance(value, kind) else _read(kind, value, named)
    return kind if issubclass(kind, UUID | dict) else _same


def _same(value: Any) -> Any:
    return value

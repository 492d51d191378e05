"""The functions `Fn::*`, which HOT 2013-05-23 shares with CloudFormation."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from cloudsim.heat.hot.scope import Json, Scope

Plain: TypeAlias = Callable[[Json], Json]


def bind(
    function: Plain, resolve: Callable[[Scope, Json], Awaitable[Json]]
) -> Callable[[Scope, str, Json], Awaitable[Json]]:
    """Return a resolver for a function of resolved arguments."""

    async def resolver(scope: Scope, _name: str, argument: Json) -> Json:
        return function(await resolve(scope, argument))

    return resolver


def fn_select(args: Json) -> Json:
    """Return the item of a list by index or of a map by key; "" if it does not exist."""
    index, collection = args
    try:
        return collection[int(index)] if isinstance(collection, list) else collection.get(index, "")
    except (IndexError, ValueError, TypeError):
        return ""


def _join(args: Json) -> str:
    delimiter, strings = args
    return str(delimiter).join("" if item is None else str(item) for item in strings)


def _split(args: Json) -> list[str]:
    delimiter, text = args
    return str(text).split(delimiter)


def _replace(args: Json) -> str:
    mapping, text = args
    for key, value in mapping.items():
        text = text.replace(key, "" if value is None else str(value))
    return str(text)


def _base64(args: Json) -> str:
    """Return the text unchanged despite the function's name: Nova's client encodes it later."""
    if not isinstance(args, str):
        raise TypeError('"Fn::Base64" argument must be a string')
    return args


def _member_list_to_map(args: Json) -> dict[str, str]:
    name_key, value_key, members = args
    found: dict[str, dict[str, str]] = {}
    for member in members:
        path, _, value = member.partition("=")
        _, index, key = path.split(".")
        found.setdefault(index, {})[key] = value
    return {entry[name_key]: entry[value_key] for entry in found.values()}


def _availability_zones(_args: Json) -> list[str]:
    return ["nova"]


FUNCTIONS: dict[str, Plain] = {
    "Fn::Select": fn_select,
    "Fn::Join": _join,
    "Fn::Split": _split,
    "Fn::Replace": _replace,
    "Fn::Base64": _base64,
    "Fn::MemberListToMap": _member_list_to_map,
    "Fn::GetAZs": _availability_zones,
}

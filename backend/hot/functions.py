"""The functions of HOT in a template: found, and resolved in the scope of a stack, in the versions up to Liberty's.

Source: heat/engine/hot/functions.py and heat/engine/cfn/functions.py of Heat 5.0; errors have Heat's words.
"""

import hashlib
import itertools
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from hot.language import LIBERTY, VERSIONS, is_function, is_removed

Json = Any
"""Any value of YAML or JSON, as the template language is untyped."""


class Scope(Protocol):
    """The scope in which a snippet's functions are resolved."""

    version: str

    def parameter(self, name: str) -> Json:
        """Return the value of a parameter. Raises the error of the scope for one without a value."""

    def reference(self, resource: str) -> Json:
        """Return the value of `get_resource`: the physical id, or the name if there is none yet."""

    async def attribute(self, resource: str, attribute: str, path: list[Json]) -> Json:
        """Return the value of a resource's attribute; None while the resource does not exist."""

    async def all_attributes(self, resource: str) -> Json:
        """Return the value of `get_attr: [resource]` (HOT 2015-10-15)."""

    def file(self, key: str) -> str:
        """Return an entry of the request's `files` map. Raises KeyError."""

    def facade(self, kind: str) -> Json:
        """Return `resource_facade`: metadata, deletion_policy or update_policy of the parent's resource."""


def select(collection: Json, path: list[Json]) -> Json:
    """Follow `path` into maps and lists. Raises KeyError, IndexError or TypeError if it does not exist."""
    for key in path:
        if isinstance(collection, (list, tuple)):
            collection = collection[int(key) if isinstance(key, str) and key.lstrip("-").isdigit() else key]
        elif isinstance(collection, dict):
            collection = collection[key]
        else:
            raise TypeError(key)
    return collection


Resolver = Callable[[Scope, str, Json], Awaitable[Json]]


def at_path(value: Json, path: list[Json]) -> Json:
    """Return what `get_param: [name, *path]` gives of the parameter's value: "" if the path does not exist."""
    try:
        return select(value, path)
    except (KeyError, IndexError, TypeError, ValueError):
        return ""


class Call(NamedTuple):
    """A call of a function in a snippet."""

    name: str
    argument: Json


def as_call(snippet: Json, version: str) -> Call | None:
    """Return the call in a snippet, a map with exactly one key that names a function of this version, or None."""
    if isinstance(snippet, dict) and len(snippet) == 1:
        ((name, argument),) = snippet.items()
        if isinstance(name, str) and is_function(name, version):
            return Call(name, argument)
    return None


def calls(snippet: Json, version: str) -> Iterator[Call]:
    """Yield every call in a snippet, outermost first."""
    call = as_call(snippet, version)
    if call is not None:
        yield call
        yield from calls(call.argument, version)
    elif isinstance(snippet, dict):
        for value in snippet.values():
            yield from calls(value, version)
    elif isinstance(snippet, list):
        for value in snippet:
            yield from calls(value, version)


async def resolve(scope: Scope, snippet: Json) -> Json:
    """Return the snippet with its functions replaced by their values."""
    if isinstance(snippet, dict):
        call = as_call(snippet, scope.version)
        if call is None:
            return {key: await resolve(scope, value) for key, value in snippet.items()}
        if is_removed(call.name, scope.version):
            raise ValueError(f"The function {call.name} is not supported in this version of HOT.")
        return await _RESOLVERS[call.name](scope, call.name, call.argument)
    if isinstance(snippet, list):
        return [await resolve(scope, value) for value in snippet]
    return snippet


def _is_of_liberty(scope: Scope) -> bool:
    """Whether get_attr, list_join and str_replace take what they take since 2015-10-15."""
    return VERSIONS[scope.version] >= LIBERTY


async def _get_param(scope: Scope, name: str, argument: Json) -> Json:
    args = await resolve(scope, argument)
    if isinstance(args, str):
        args = [args]
    if not isinstance(args, list):
        raise TypeError(f'Argument to "{name}" must be string or list')
    if not args:
        raise ValueError(f'Function "{name}" must have arguments')
    if not isinstance(args[0], str):
        raise TypeError(f'Parameter name in "{name}" must be string')
    return at_path(scope.parameter(args[0]), args[1:])


async def _get_resource(scope: Scope, _name: str, argument: Json) -> Json:
    return scope.reference(await resolve(scope, argument))


async def _get_attr(scope: Scope, name: str, argument: Json) -> Json:
    args = await resolve(scope, argument)
    if _is_of_liberty(scope):
        args = [args] if isinstance(args, str) else args
        if isinstance(args, list) and len(args) == 1:
            return await scope.all_attributes(str(args[0]))
    if not isinstance(args, list):
        raise TypeError(f'Argument to "{name}" must be a list')
    if len(args) < 2:  # noqa: PLR2004 (resource and attribute)
        raise ValueError(f'Arguments to "{name}" must be of the form [resource_name, attribute, (path), ...]')
    return await scope.attribute(str(args[0]), str(args[1]), args[2:])


async def _get_file(scope: Scope, name: str, argument: Json) -> str:
    key = await resolve(scope, argument)
    if not isinstance(key, str):
        raise TypeError(f'Argument to "{name}" must be a string')
    try:
        return scope.file(key)
    except KeyError:
        raise ValueError(f'No content found in the "files" section for {name} path: {key}') from None


def _replace(text: str, values: list[tuple[str, str]]) -> str:
    if not values:
        return text
    (placeholder, value), rest = values[0], values[1:]
    if not placeholder:
        return _replace(text, rest)
    return value.join(_replace(part, rest) for part in text.split(placeholder))


async def _str_replace(scope: Scope, name: str, argument: Json) -> str:
    """Replace longer placeholders first; maps and lists become JSON since 2015-10-15."""
    template = await resolve(scope, argument["template"])
    params = await resolve(scope, argument["params"])
    if not isinstance(template, str):
        raise TypeError(f'"{name}" template must be a string')
    if not isinstance(params, dict):
        raise TypeError(f'"{name}" params must be a map')
    for placeholder, value in params.items():
        if isinstance(value, dict | list) and not _is_of_liberty(scope):
            raise TypeError(f'"{name}" params must be strings or numbers, param {placeholder} is not valid')
    keys = sorted(sorted(params), key=len, reverse=True)
    return _replace(template, [(key, _text(params[key])) for key in keys])


def _text(value: Json) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, str | int | float) else json.dumps(value, sort_keys=True)


async def _list_join(scope: Scope, name: str, argument: Json) -> str:
    delimiter, *lists = await resolve(scope, argument)
    texts: list[str] = []
    for items in lists:
        if items and not isinstance(items, list):
            raise TypeError(f'"{name}" must operate on a list')
        texts += [_joinable(item, maps=_is_of_liberty(scope)) for item in items or []]
    if not isinstance(delimiter, str):
        raise TypeError(f'"{name}" delimiter must be a string')
    return delimiter.join(texts)


def _joinable(item: Json, *, maps: bool) -> str:
    if item is None or isinstance(item, str) or (maps and isinstance(item, dict | list)):
        return _text(item)
    allowed = "string, map or list" if maps else "strings"
    raise TypeError(f"Items to join must be {allowed} not {repr(item)[:200]}")


async def _repeat(scope: Scope, name: str, argument: Json) -> list[Json]:
    for_each = await resolve(scope, argument["for_each"])
    if not isinstance(for_each, dict):
        raise TypeError(f'The "for_each" argument to "{name}" must contain a map')
    for values in for_each.values():
        if values is not None and not isinstance(values, list):
            raise TypeError(f'The values of the "for_each" argument to "{name}" must be lists')
    template = await resolve(scope, argument["template"])
    rows = itertools.product(*(values or [] for values in for_each.values()))
    return [_repeated(template, list(zip(for_each, row, strict=True))) for row in rows]


def _repeated(template: Json, values: list[tuple[str, Json]]) -> Json:
    if isinstance(template, str):
        for key, value in values:
            template = template.replace(key, str(value))
        return template
    if isinstance(template, list):
        return [_repeated(item, values) for item in template]
    if isinstance(template, dict):
        return {_repeated(key, values): _repeated(value, values) for key, value in template.items()}
    return template


async def _digest(scope: Scope, name: str, argument: Json) -> str:
    args = await resolve(scope, argument)
    if not (isinstance(args, list) and all(isinstance(arg, str) for arg in args)):
        raise TypeError(f'Argument to function "{name}" must be a list of strings')
    if len(args) != 2:  # noqa: PLR2004 - algorithm and value
        raise ValueError(f'Function "{name}" usage: ["<algorithm>", "<value>"]')
    if args[0].lower() not in hashlib.algorithms_available:
        raise ValueError(f"Algorithm must be one of {hashlib.algorithms_available}")
    return hashlib.new(args[0], args[1].encode("latin-1")).hexdigest()


async def _str_split(scope: Scope, name: str, argument: Json) -> Json:
    args = await resolve(scope, argument)
    usage = f'should be: "{name}" : [ ",", "apples,pears", <index>]'
    if not isinstance(args, list) or len(args) < 2:  # noqa: PLR2004 - delimiter and string
        raise ValueError(f'Incorrect arguments to "{name}" {usage}')
    delimiter, text, *index = args
    if text is None:
        return None
    parts = text.split(delimiter)
    if not index:
        return parts
    try:
        return parts[int(index[0])]
    except IndexError:
        raise ValueError(f'Incorrect index to "{name}" should be between 0 and {len(parts) - 1}') from None
    except ValueError:
        raise ValueError(f'Incorrect index to "{name}" {usage}') from None


async def _resource_facade(scope: Scope, name: str, argument: Json) -> Json:
    kind = await resolve(scope, argument)
    if kind not in ("metadata", "deletion_policy", "update_policy"):
        raise ValueError(
            f'Incorrect arguments to "{name}" should be one of: ["metadata", "deletion_policy", "update_policy"]'
        )
    return scope.facade(kind)


def _of_values(function: Callable[[Json], Json]) -> Resolver:
    """Return the resolver of a function that needs no more than its resolved arguments."""

    async def resolver(scope: Scope, _name: str, argument: Json) -> Json:
        return function(await resolve(scope, argument))

    return resolver


def _fn_select(args: Json) -> Json:
    """Return the item of a list by index or of a map by key; "" if it does not exist."""
    index, collection = args
    try:
        return collection[int(index)] if isinstance(collection, list) else collection.get(index, "")
    except (IndexError, ValueError, TypeError):
        return ""


def _fn_join(args: Json) -> str:
    delimiter, strings = args
    return str(delimiter).join("" if item is None else str(item) for item in strings)


def _fn_replace(args: Json) -> str:
    mapping, text = args
    for key, value in mapping.items():
        text = text.replace(key, "" if value is None else str(value))
    return str(text)


def _fn_base64(args: Json) -> str:
    """Return the text unchanged despite the function's name: Nova's client encodes it later."""
    if not isinstance(args, str):
        raise TypeError('"Fn::Base64" argument must be a string')
    return args


def _fn_member_list_to_map(args: Json) -> dict[str, str]:
    name_key, value_key, members = args
    found: dict[str, dict[str, str]] = {}
    for member in members:
        path, _, value = member.partition("=")
        _, index, key = path.split(".")
        found.setdefault(index, {})[key] = value
    return {entry[name_key]: entry[value_key] for entry in found.values()}


_RESOLVERS: Mapping[str, Resolver] = {
    "get_param": _get_param,
    "get_resource": _get_resource,
    "get_attr": _get_attr,
    "get_file": _get_file,
    "str_replace": _str_replace,
    "list_join": _list_join,
    "resource_facade": _resource_facade,
    "repeat": _repeat,
    "digest": _digest,
    "str_split": _str_split,
    "Ref": _get_resource,
    "Fn::ResourceFacade": _resource_facade,
    "Fn::Select": _of_values(_fn_select),
    "Fn::Join": _of_values(_fn_join),
    "Fn::Split": _of_values(lambda args: str(args[1]).split(args[0])),
    "Fn::Replace": _of_values(_fn_replace),
    "Fn::Base64": _of_values(_fn_base64),
    "Fn::MemberListToMap": _of_values(_fn_member_list_to_map),
    "Fn::GetAZs": _of_values(lambda _: ["nova"]),
}

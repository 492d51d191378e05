"""Finds and resolves functions in template snippets, by HOT version."""

import hashlib
import itertools
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import NamedTuple

from cloudsim.heat.errors import InvalidTemplateVersion
from cloudsim.heat.hot import legacy
from cloudsim.heat.hot.scope import Json, Scope, select

Resolver = Callable[[Scope, str, Json], Awaitable[Json]]


class Call(NamedTuple):
    """A call of a function in a snippet."""

    name: str
    argument: Json


def as_call(snippet: Json, functions: Mapping[str, Resolver]) -> Call | None:
    """Return the call in a snippet, a map with exactly one key that names a function of this version, or None."""
    if isinstance(snippet, dict) and len(snippet) == 1:
        ((name, argument),) = snippet.items()
        if isinstance(name, str) and name in functions:
            return Call(name, argument)
    return None


def calls(snippet: Json, version: str) -> Iterator[Call]:
    """Yield every call in a snippet, outermost first."""
    functions = FUNCTIONS[version]
    call = as_call(snippet, functions)
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
        call = as_call(snippet, FUNCTIONS[scope.version])
        if call is not None:
            return await FUNCTIONS[scope.version][call.name](scope, call.name, call.argument)
        return {key: await resolve(scope, value) for key, value in snippet.items()}
    if isinstance(snippet, list):
        return [await resolve(scope, value) for value in snippet]
    return snippet


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
    value = scope.parameter(args[0])
    try:
        return select(value, args[1:])
    except (KeyError, IndexError, TypeError, ValueError):
        return ""


async def _get_resource(scope: Scope, _name: str, argument: Json) -> Json:
    return scope.reference(await resolve(scope, argument))


async def _get_attr(scope: Scope, name: str, argument: Json) -> Json:
    args = await resolve(scope, argument)
    if not isinstance(args, list):
        raise TypeError(f'Argument to "{name}" must be a list')
    if len(args) < 2:  # noqa: PLR2004 - resource and attribute
        raise ValueError(f'Arguments to "{name}" must be of the form [resource_name, attribute, (path), ...]')
    return await scope.attribute(str(args[0]), str(args[1]), args[2:])


async def _get_attr_or_all(scope: Scope, name: str, argument: Json) -> Json:
    args = await resolve(scope, argument)
    if isinstance(args, str):
        args = [args]
    if isinstance(args, list) and len(args) == 1:
        return await scope.all_attributes(str(args[0]))
    return await _get_attr(scope, name, args)


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


def replacer(*, json_values: bool, template_key: str = "template", params_key: str = "params") -> Resolver:
    """Return a resolver of `str_replace`: longer placeholders first, maps and lists as JSON since 2015-10-15."""

    def text_of(name: str, placeholder: str, value: Json) -> str:
        if value is None:
            return ""
        if isinstance(value, (str, int, float)):
            return str(value)
        if json_values:
            return json.dumps(value, sort_keys=True)
        raise TypeError(f'"{name}" params must be strings or numbers, param {placeholder} is not valid')

    async def resolver(scope: Scope, name: str, argument: Json) -> str:
        template = await resolve(scope, argument[template_key])
        params = await resolve(scope, argument[params_key])
        if not isinstance(template, str):
            raise TypeError(f'"{name}" template must be a string')
        if not isinstance(params, dict):
            raise TypeError(f'"{name}" params must be a map')
        keys = sorted(sorted(params), key=len, reverse=True)
        return _replace(template, [(key, text_of(name, key, params[key])) for key in keys])

    return resolver


async def _list_join(scope: Scope, name: str, argument: Json) -> str:
    delimiter, strings = await resolve(scope, argument)
    if strings is None:
        strings = []
    if not isinstance(strings, list):
        raise TypeError(f'"{name}" must operate on a list')
    if not isinstance(delimiter, str):
        raise TypeError(f'"{name}" delimiter must be a string')
    for item in strings:
        if item is not None and not isinstance(item, str):
            raise TypeError(f"Items to join must be strings not {repr(item)[:200]}")
    return delimiter.join(item or "" for item in strings)


async def _list_join_many(scope: Scope, name: str, argument: Json) -> str:
    delimiter, *lists = await resolve(scope, argument)
    strings: list[str] = []
    for items in lists:
        if items and not isinstance(items, list):
            raise TypeError(f'"{name}" must operate on a list')
        strings += [_joinable(item) for item in items or []]
    if not isinstance(delimiter, str):
        raise TypeError(f'"{name}" delimiter must be a string')
    return delimiter.join(strings)


def _joinable(item: Json) -> str:
    if item is None:
        return ""
    if isinstance(item, str):
        return item
    if isinstance(item, (dict, list)):
        return json.dumps(item, sort_keys=True)
    raise TypeError(f"Items to join must be string, map or list not {repr(item)[:200]}")


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


async def _removed(_scope: Scope, name: str, _argument: Json) -> Json:
    raise InvalidTemplateVersion(f"The function {name} is not supported in this version of HOT.")


_CORE: dict[str, Resolver] = {
    "get_param": _get_param,
    "get_resource": _get_resource,
    "get_attr": _get_attr,
    "get_file": _get_file,
    "str_replace": replacer(json_values=False),
    "list_join": _list_join,
    "resource_facade": _resource_facade,
}
REMOVED_IN_2014_10_16 = (
    "Fn::GetAZs", "Fn::Join", "Fn::Split", "Fn::Replace", "Fn::Base64", "Fn::MemberListToMap", "Fn::ResourceFacade",
    "Ref",
)  # fmt: skip
_GONE: dict[str, Resolver] = dict.fromkeys(REMOVED_IN_2014_10_16, _removed)
_2014_10_16 = {**_CORE, **_GONE, "Fn::Select": legacy.bind(legacy.fn_select, resolve)}
_2015_04_30 = {**_2014_10_16, "repeat": _repeat, "digest": _digest}
FUNCTIONS: dict[str, dict[str, Resolver]] = {
    "2013-05-23": {
        **_CORE,
        "Ref": _get_resource,
        "Fn::ResourceFacade": _resource_facade,
        **{name: legacy.bind(function, resolve) for name, function in legacy.FUNCTIONS.items()},
    },
    "2014-10-16": _2014_10_16,
    "2015-04-30": _2015_04_30,
    "2015-10-15": {
        **_2015_04_30,
        "get_attr": _get_attr_or_all,
        "list_join": _list_join_many,
        "str_replace": replacer(json_values=True),
        "str_split": _str_split,
        "Fn::Select": _removed,
    },
}


def is_removed(name: str, version: str) -> bool:
    """Return whether this version refuses `name`, which was a function in earlier ones."""
    return FUNCTIONS[version].get(name) is _removed

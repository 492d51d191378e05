"""HOT as a language: its versions, the functions of each, and what a call of a function looks like.

A version is identified by the release of Heat that introduced it: 5 is Liberty's. Source: heat/engine/hot/template.py
and hot/functions.py of Heat 5.0 and 24.1.
"""

from collections.abc import Callable, Mapping
from typing import Any

LIBERTY = 5
"""Liberty's release of Heat."""

VERSIONS: Mapping[str, int] = {
    "2013-05-23": 2,
    "2014-10-16": 3,
    "2015-04-30": 4,
    "2015-10-15": 5,
    "2016-04-08": 6,
    "2016-10-14": 7,
    "newton": 7,
    "2017-02-24": 8,
    "ocata": 8,
    "2017-09-01": 9,
    "pike": 9,
    "2018-03-02": 10,
    "queens": 10,
    "2018-08-31": 11,
    "rocky": 11,
    "2021-04-16": 16,
    "wallaby": 16,
}
"""heat_template_version to the release of Heat that introduced it."""

LIBERTY_VERSIONS = tuple(version for version, release in VERSIONS.items() if release <= LIBERTY)

_NAMES = (
    "Mitaka",
    "Newton",
    "Ocata",
    "Pike",
    "Queens",
    "Rocky",
    "Stein",
    "Train",
    "Ussuri",
    "Victoria",
    "Wallaby",
    "Xena",
    "Yoga",
    "Zed",
)
_FIRST_BY_YEAR = LIBERTY + 1 + len(_NAMES)

_LAST = "2021-04-16"
CURRENT = 99
"""Newer than all releases."""
CONDITIONS = 7
"""The release that introduced conditions, `condition` and `external_id`."""

FUNCTIONS: Mapping[str, int] = {
    "get_param": 2,
    "get_resource": 2,
    "get_attr": 2,
    "get_file": 2,
    "list_join": 2,
    "str_replace": 2,
    "resource_facade": 2,
    "repeat": 4,
    "digest": 4,
    "str_split": 5,
    "map_merge": 6,
    "map_replace": 7,
    "yaql": 7,
    "if": 7,
    "filter": 8,
    "str_replace_strict": 8,
    "str_replace_vstrict": 9,
    "make_url": 9,
    "list_concat": 9,
    "list_concat_unique": 9,
    "contains": 9,
}
"""Function to the first release whose HOT has it."""

CLOUDFORMATION_FUNCTIONS: Mapping[str, tuple[int, str]] = {
    "Ref": (2, "get_param or get_resource"),
    "Fn::GetAtt": (0, "get_attr"),
    "Fn::FindInMap": (0, "a parameter of type json and get_param with a path"),
    "Fn::If": (0, "a resource type that the registry maps to one of several templates"),
    "Fn::GetAZs": (2, "a parameter of type comma_delimited_list"),
    "Fn::Join": (2, "list_join"),
    "Fn::Split": (2, "str_split"),
    "Fn::Replace": (2, "str_replace"),
    "Fn::Select": (4, "a path: {get_param: [name, key]} or {get_attr: [resource, attribute, key]}"),
    "Fn::Base64": (2, "the text itself: Heat encodes user_data"),
    "Fn::MemberListToMap": (2, "a parameter of type json"),
    "Fn::ResourceFacade": (2, "resource_facade"),
}
"""CloudFormation's functions: the last release whose HOT has it (0: none), and what to write instead."""


def is_removed(name: str, version: str) -> bool:
    """Return whether HOT of this version refuses `name`, which is a function in earlier ones."""
    return 0 < CLOUDFORMATION_FUNCTIONS.get(name, (0, ""))[0] < VERSIONS[version]


def is_function(name: str, version: str) -> bool:
    """Return whether HOT of this version reads `name` as a function, be it to refuse it; otherwise it is data."""
    return FUNCTIONS.get(name, CURRENT) <= VERSIONS[version] or CLOUDFORMATION_FUNCTIONS.get(name, (0, ""))[0] > 0


PSEUDO_PARAMETERS = ("OS::stack_name", "OS::stack_id", "OS::project_id")


def release_name(release: int) -> str:
    """OpenStack's name for a release of Heat: 9 is Pike."""
    if release <= LIBERTY:
        return "Liberty"
    if release < _FIRST_BY_YEAR:
        return _NAMES[release - LIBERTY - 1]
    half_years = release - _FIRST_BY_YEAR
    return f"{2023 + half_years // 2}.{1 + half_years % 2}"


def release_of(newest: str) -> int:
    """The last release of Heat whose newest version, a date, is this; CURRENT for the newest version, which all later
    releases accept, and for dates after it. 0 when it is not known.
    """
    if newest >= _LAST:
        return CURRENT
    if newest not in VERSIONS:
        return 0
    return min(release for release in VERSIONS.values() if release > VERSIONS[newest]) - 1


def is_call(value: Any) -> bool:
    """Return whether the value is a function call in any version of HOT."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return False
    name = next(iter(value))
    return name in FUNCTIONS or name in CLOUDFORMATION_FUNCTIONS


def _text(value: Any) -> bool:
    return isinstance(value, str) or is_call(value)


def _texts(value: Any, least: int = 1) -> bool:
    return isinstance(value, list) and len(value) >= least and _text(value[0])


def _list(value: Any) -> bool:
    return isinstance(value, list) or is_call(value)


def _joinable(value: Any) -> bool:
    """Numbers and truths must be quoted to be texts."""
    return _list(value) and not (
        isinstance(value, list) and any(isinstance(item, bool | int | float) for item in value)
    )


def _map(value: Any) -> bool:
    return isinstance(value, Mapping)


def _replacement(value: Any) -> bool:
    known = _map(value) and {"template", "params"} <= set(value)
    return known and _text(value["template"]) and _map(value["params"])


def _repetition(value: Any) -> bool:
    known = _map(value) and {"template", "for_each"} <= set(value) <= {"template", "for_each", "permutations"}
    return known and _map(value["for_each"])


_REPLACE = '{template: "text with $name", params: {$name: value}}'
FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "get_param": (lambda v: _text(v) or _texts(v), "a parameter's name, or [name, key, …] for a part of its value"),
    "get_resource": (_text, "a resource's name"),
    "get_attr": (lambda v: _texts(v, 2), "[resource, attribute, key, …]"),
    "get_file": (
        lambda v: isinstance(v, str),
        "the path of a file of the package, written out: the file is sent along",
    ),
    "list_join": (lambda v: _texts(v, 2) and all(map(_joinable, v[1:])), '["separator", [texts], …]'),
    "str_replace": (_replacement, _REPLACE),
    "str_replace_strict": (_replacement, _REPLACE),
    "str_replace_vstrict": (_replacement, _REPLACE),
    "resource_facade": (
        lambda v: v in ("metadata", "deletion_policy", "update_policy"),
        "metadata, deletion_policy or update_policy",
    ),
    "repeat": (_repetition, "{template: …, for_each: {$name: [values]}}"),
    "digest": (lambda v: isinstance(v, list) and len(v) == 2, '["sha512", text]'),  # noqa: PLR2004 (algorithm, text)
    "str_split": (lambda v: isinstance(v, list) and len(v) >= 2, '[",", "a,b", index]'),  # noqa: PLR2004
    "map_merge": (_list, "[maps]"),
    "map_replace": (lambda v: isinstance(v, list) and len(v) == 2, "[map, {keys: …, values: …}]"),  # noqa: PLR2004
    "yaql": (lambda v: _map(v) and set(v) == {"expression", "data"}, "{expression: …, data: …}"),
    "if": (lambda v: isinstance(v, list) and len(v) in (2, 3), "[condition, value if true, value if false]"),
    "filter": (lambda v: isinstance(v, list) and len(v) == 2, "[values to leave out, list]"),  # noqa: PLR2004
    "make_url": (_map, "{scheme: …, host: …, port: …, path: …}"),
    "list_concat": (_list, "[lists]"),
    "list_concat_unique": (_list, "[lists]"),
    "contains": (lambda v: isinstance(v, list) and len(v) == 2, "[value, list]"),  # noqa: PLR2004
}
"""Function to the check of its argument, and the argument's form for messages."""

"""Filter expressions of ETSI's queries (SOL013 5.2.2)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rest_framework.request import Request

from vnfm.kit.problem import FieldError, bad_request

_VALUE = r"(?:'(?:[^']|'')*'|[^'(),][^(),]*|)"
"""As SOL013 5.2.2 has it: a value with a comma, a bracket or a quote stands in single quotes, its own ones doubled."""
_CLAUSE = re.compile(
    rf"\s*\(\s*(eq|neq|gt|lt|gte|lte|in|nin|cont|ncont)\s*,\s*([^\s,()']+)\s*,({_VALUE}(?:,{_VALUE})*)\)\s*"
)
_VALUES = re.compile(rf"(?:^|,)({_VALUE})(?=,|$)")
COMPARISONS = {"gt": ">", "lt": "<", "gte": ">=", "lte": "<="}
NEGATED = {"neq": "eq", "nin": "in", "ncont": "cont"}


MAX_PARTS = 32
"""Of an attribute's path: each is a nested expression in SQL."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition of a filter expression."""

    op: str
    name: str
    values: tuple[str, ...]


def invalid_filter(message: str) -> Exception:
    """A 400 problem."""
    return bad_request(
        "INVALID_FILTER", message, [FieldError("/filter", message)], "Write filter=(eq,attribute,value);(…)."
    )


def clauses(request: Request) -> Iterator[Clause]:
    """Of `?filter=`. Raises a 400 problem for what is no filter expression."""
    text = request.query_params.get("filter", "")
    if "\0" in text:
        raise invalid_filter("A filter cannot hold the character U+0000.")
    position = 0
    while text.strip() and position <= len(text):
        match = _CLAUSE.match(text, position)
        if match is None or text[match.end() : match.end() + 1] not in ("", ";"):
            raise invalid_filter(f"The filter {text!r} is not of the form (op,attribute,value);(op,attribute,value).")
        op, name, values = match.groups()
        if name.count("/") >= MAX_PARTS:
            raise invalid_filter(f"An attribute's path has at most {MAX_PARTS} parts: {name[:100]!r}… has more.")
        yield Clause(op, name, tuple(_unquoted(value) for value in _VALUES.findall(values)))
        position = match.end() + 1


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1].replace("''", "'") if value.startswith("'") else value

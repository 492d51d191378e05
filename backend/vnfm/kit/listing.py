"""ETSI attribute filters (SOL013 5.2) on answers that are computed; rows are filtered by `kit.query`."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rest_framework.request import Request

from vnfm.kit.filter_syntax import NEGATED, Clause, clauses, invalid_filter


def parsed_filter(request: Request, attributes: Collection[str]) -> list[Clause]:
    """Raises a 400 problem for an attribute that is none of `attributes`."""
    found = list(clauses(request))
    unknown = next((clause.name for clause in found if clause.name not in attributes), None)
    if unknown is not None:
        raise invalid_filter(f"Cannot filter by {unknown!r}; possible are {', '.join(sorted(attributes))}.")
    return found


def fulfils(answer: Mapping[str, Any], wanted: Sequence[Clause]) -> bool:
    """Whether every clause holds; its attribute is at the path that its name is."""
    return all(_holds(clause, _at(answer, clause.name)) for clause in wanted)


def _at(answer: Any, name: str) -> Any:
    for step in name.split("/"):
        answer = answer.get(step) if isinstance(answer, Mapping) else None
    return answer


def _holds(clause: Clause, found: Any) -> bool:
    """An attribute that is missing fulfils only negations."""
    positive = NEGATED.get(clause.op, clause.op)
    return (found is not None and _compare(positive, found, clause)) != (clause.op in NEGATED)


def _compare(op: str, found: Any, clause: Clause) -> bool:
    if op == "cont":
        return any(value.lower() in str(found).lower() for value in clause.values)
    values = [_like(found, value) for value in clause.values]
    if op in ("eq", "in"):
        return found in values
    if len(values) > 1:
        raise invalid_filter(f"{','.join(clause.values)!r} is not a value of {clause.name!r}.")
    limit = values[0]
    return bool({"gt": found > limit, "lt": found < limit, "gte": found >= limit, "lte": found <= limit}[op])


def _like(found: Any, value: str) -> Any:
    """The value of a clause as the type of what is found. NaN, which equals nothing, for a word where that is a number:
    the values of one attribute may be of different types.
    """
    if not isinstance(found, int | float):
        return value
    try:
        return float(value)
    except ValueError:
        return math.nan

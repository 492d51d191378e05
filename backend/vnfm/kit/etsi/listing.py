"""ETSI attribute filters (SOL013 5.2) on answers that are computed; rows are filtered by `kit.etsi.query`."""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rest_framework.request import Request

from vnfm.kit.etsi.filter_syntax import COMPARISONS, NEGATED, Clause, clauses, invalid_filter


def parsed_filter(request: Request, attributes: Collection[str]) -> list[Clause]:
    """Raises a 400 problem for an attribute that is none of `attributes`, and for a comparison with several values."""
    found = list(clauses(request))
    unknown = next((clause.name for clause in found if clause.name not in attributes), None)
    if unknown is not None:
        raise invalid_filter(f"Cannot filter by {unknown!r}; possible are {', '.join(sorted(attributes))}.")
    several = next((clause for clause in found if clause.op in COMPARISONS and len(clause.values) > 1), None)
    if several is not None:
        raise invalid_filter(f"{','.join(several.values)!r} is not a value of {several.name!r}.")
    return found


def fulfils(answer: Mapping[str, Any], wanted: Sequence[Clause]) -> bool:
    """True if every clause holds; its attribute is at the path that its name is."""
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
    limit = values[0]
    if isinstance(found, str):
        times = _time(found), _time(limit)
        if None not in times:
            found, limit = times
        elif _is_number(limit):
            return False  # a text is neither above nor below a number
    return bool({"gt": found > limit, "lt": found < limit, "gte": found >= limit, "lte": found <= limit}[op])


def _like(found: Any, value: str) -> Any:
    """The value of a clause as the type of what is found. NaN, which equals nothing, for a word where that is a number:
    the values of one attribute may be of different types.
    """
    if not isinstance(found, int | float):
        return value
    return float(value) if _is_number(value) else math.nan


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _time(text: str) -> datetime | None:
    """UTC where it names no offset. None for what is no time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

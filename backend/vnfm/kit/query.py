"""ETSI attribute filters and paging (SOL013 5.2, 5.4) turned into SQL; nothing is filtered in Python."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.core.exceptions import FieldError as OrmFieldError
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from rest_framework.request import Request

from vnfm.kit.problem import FieldError, bad_request

M = TypeVar("M", bound=Model)

PAGE_SIZE = 100
MARKER = "nextpage_opaque_marker"

_CLAUSE = re.compile(r"\(\s*(eq|neq|gt|lt|gte|lte|in|nin|cont|ncont)\s*,\s*([A-Za-z0-9_/]+)\s*,\s*([^()]*)\)")
_LOOKUPS = {"eq": "", "gt": "__gt", "lt": "__lt", "gte": "__gte", "lte": "__lte", "in": "__in", "cont": "__icontains"}
_NOT_A_VALUE = (ValidationError, ValueError, TypeError, OrmFieldError)
"""What Django raises for a value that does not fit its column."""
_NEGATED = {"neq": "eq", "nin": "in", "ncont": "cont"}


def _invalid(message: str) -> Exception:
    return bad_request(
        "INVALID_FILTER", message, [FieldError("/filter", message)], "Write filter=(eq,attribute,value);(…)."
    )


def filtered(query: QuerySet[M], request: Request, attributes: Mapping[str, str]) -> QuerySet[M]:
    """Apply `?filter=(op,attribute,value);…`; `attributes` maps the names on the wire to ORM paths.

    Raises a 400 problem for an unknown operator or attribute, or a value of the wrong type.
    """
    text = request.query_params.get("filter", "").strip()
    if not text:
        return query
    if "\0" in text:
        raise _invalid("A filter cannot hold the character U+0000.")
    clauses = _CLAUSE.findall(text)
    if "".join(text.split()) != ";".join(f"({op},{name},{value})" for op, name, value in clauses).replace(" ", ""):
        raise _invalid(f"The filter {text!r} is not of the form (op,attribute,value);(op,attribute,value).")
    for op, name, value in clauses:
        if name not in attributes:
            raise _invalid(f"Cannot filter by {name!r}; possible are {', '.join(sorted(attributes))}.")
        try:
            query = query.filter(_condition(op, attributes[name], value))
        except _NOT_A_VALUE as error:
            raise _invalid(f"{value!r} is not a value of {name!r}.") from error
    return query


def _condition(op: str, path: str, value: str) -> Q:
    positive = _NEGATED.get(op, op)
    values: Any = [item.strip() for item in value.split(",")]
    if positive == "cont":
        condition = Q()
        for item in values:
            condition |= Q(**{f"{path}__icontains": item})
    else:
        condition = Q(**{path + _LOOKUPS[positive]: values if positive == "in" or len(values) > 1 else values[0]})
        if positive == "eq" and len(values) > 1:
            condition = Q(**{f"{path}__in": values})
    return ~condition if op in _NEGATED else condition


def page(
    query: QuerySet[M], request: Request, order: Sequence[str] = ("created_at", "id"), size: int = PAGE_SIZE
) -> tuple[list[M], dict[str, str]]:
    """One page by keyset, and the headers that lead to the next (`Link: <…>; rel="next"`).

    `order` names two columns, the second unique. Raises a 400 problem for a marker that we did not give.
    """
    first, unique = order
    descending = first.startswith("-")
    column = first.lstrip("-")
    marker = request.query_params.get(MARKER)
    if marker:
        try:
            value, key = _decode(marker)
            step = "lt" if descending else "gt"
            query = query.filter(Q(**{f"{column}__{step}": value}) | Q(**{column: value, f"{unique}__{step}": key}))
        except _NOT_A_VALUE as error:
            raise bad_request("INVALID_MARKER", "The page marker is not one that we gave.") from error
    rows = list(query.order_by(first, f"-{unique}" if descending else unique)[: size + 1])
    if len(rows) <= size:
        return rows, {}
    last = rows[size - 1]
    params = request.query_params.dict() | {MARKER: _encode(getattr(last, column), getattr(last, unique))}
    url = request.build_absolute_uri(request.path) + "?" + urlencode(params)
    return rows[:size], {"Link": f'<{url}>; rel="next"'}


def _encode(value: Any, key: Any) -> str:
    text = json.dumps([value.isoformat() if hasattr(value, "isoformat") else value, str(key)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decode(marker: str) -> tuple[str, str]:
    """Raises ValueError or TypeError for what `_encode` did not make."""
    value, key = json.loads(base64.urlsafe_b64decode(marker + "=" * (-len(marker) % 4)))
    return value, key

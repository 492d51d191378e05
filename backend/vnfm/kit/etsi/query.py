"""ETSI attribute filters and paging (SOL013 5.2, 5.4) turned into SQL; `listing` filters what has no rows."""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar
from urllib.parse import urlencode

from django.core.exceptions import FieldError as OrmFieldError
from django.core.exceptions import ValidationError
from django.db.models import Exists, F, Field, Func, Model, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan, LessThan
from rest_framework.request import Request

from vnfm.kit.etsi.filter_syntax import NEGATED, Clause, clauses, invalid_filter
from vnfm.kit.etsi.json_filters import AnyObject, AnyPair, AnyText, Objects, Texts
from vnfm.kit.problem import FieldError, bad_request, not_found
from vnfm.kit.web import strict_json

M = TypeVar("M", bound=Model)
R = TypeVar("R")
"""What a query gives for a row: an object, or a named tuple."""

PAGE_SIZE = 100
MARKER = "nextpage_opaque_marker"
SORT = "sort"
SIZE = "pageSize"

_LOOKUPS = {"eq": "", "gt": "__gt", "lt": "__lt", "gte": "__gte", "lte": "__lte", "in": "__in", "cont": "__icontains"}
_NOT_A_VALUE = (ValidationError, ValueError, TypeError, OrmFieldError)
"""What Django raises for a value that does not fit its column."""


@dataclass(frozen=True, slots=True)
class Computed:
    """An attribute that is an expression and no column."""

    expression: Any


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute of the members of an array that lies in rows of its own.

    `rows` are those of one resource, by OuterRef("pk"); `path` leads from such a row to the attribute.
    """

    rows: QuerySet[Any]
    path: str | Texts


@dataclass(frozen=True, slots=True)
class Entry:
    """The values of a JSON object in the column `path`, whose keys follow in the attribute's name (`metadata/site`).

    Its attribute ends in "/". Values are compared as text; a key that is missing reads as "". Without a path no
    resource has any key.
    """

    path: str


@dataclass(frozen=True, slots=True)
class Pair:
    """One side of the entries of a JSON object that the wire shows as an array: keys, or values, which are integers.

    `path` is a column, or an expression.
    """

    path: Any
    side: Literal["key", "value"]


Attributes = Mapping[str, str | Computed | Member | Entry | Pair | Texts | Objects]
"""Names on the wire to where they are found; a plain string is an ORM path."""


def filtered(query: QuerySet[M], request: Request, attributes: Attributes) -> QuerySet[M]:
    """Apply `?filter=(op,attribute,value);…`, every clause of which must hold.

    Clauses on the members of an array that share a prefix must hold for one and the same member (SOL013 5.2.2). Raises
    a 400 problem for an unknown operator or attribute, or a value of the wrong type.
    """
    members: dict[str, tuple[QuerySet[Any], Q]] = {}
    arrays: dict[str, AnyPair | AnyObject] = {}
    for number, clause in enumerate(clauses(request)):
        found = _found(clause.name, attributes)
        prefix = clause.name.rpartition("/")[0]
        try:
            if isinstance(found, Member):
                rows, condition = members.get(prefix, (found.rows, Q()))
                members[prefix] = (rows, condition & _condition(clause, found.path))
                rows.filter(members[prefix][1])  # to know now whether the value is one
            elif isinstance(found, Pair):
                arrays.setdefault(prefix, AnyPair(found.path)).require(clause, found.side)
            elif isinstance(found, Objects):
                arrays.setdefault("/".join(found.keys), AnyObject(found)).require(clause, found.member)
            elif isinstance(found, Texts):
                query = query.filter(AnyText(found, clause))
            elif isinstance(found, str):
                query = query.filter(_condition(clause, found))
            else:
                alias = f"filter_{number}"
                query = query.alias(**{alias: found}).filter(_condition(clause, alias))
        except _NOT_A_VALUE as error:
            text = ",".join(clause.values)
            raise invalid_filter(f"{text!r} is not a value of {clause.name!r}.") from error
    return query.filter(*(Exists(rows.filter(condition)) for rows, condition in members.values()), *arrays.values())


def _found(name: str, attributes: Attributes) -> Any:
    """Where the attribute is: an ORM path, a `Member`, or an expression. Raises a 400 problem for an unknown one."""
    found = attributes.get(name)
    if found is not None and not isinstance(found, Entry):
        return found.expression if isinstance(found, Computed) else found
    for prefix, entry in attributes.items():
        if isinstance(entry, Entry) and name.startswith(prefix) and name != prefix:
            keys = name.removeprefix(prefix).split("/")
            return json_text(entry.path, *keys) if entry.path else Value("", output_field=TextField())
    shown = ", ".join(sorted(f"{n}<key>" if n.endswith("/") else n for n in attributes))
    raise invalid_filter(f"Cannot filter by {name!r}; possible are {shown}.")


def json_text(path: str, *keys: str) -> Any:
    """The value below `keys` in the JSON column `path`, as text; "" where there is none."""
    *parents, last = keys
    column: Any = path
    for parent in parents:
        column = KeyTransform(parent, column)
    return Coalesce(KeyTextTransform(last, column), Value(""), output_field=TextField())


def _condition(clause: Clause, path: str | Texts) -> Q:
    if isinstance(path, Texts):
        return Q(AnyText(path, clause))
    op, values = clause.op, clause.values
    positive = NEGATED.get(op, op)
    if positive == "cont":
        condition = Q()
        for item in values:
            condition |= Q(**{f"{path}__icontains": item})
    elif positive == "in" or len(values) > 1:
        if positive not in ("in", "eq"):
            raise ValueError(values)
        condition = Q(**{f"{path}__in": values})
    else:
        condition = Q(**{path + _LOOKUPS[positive]: values[0]})
    return ~condition if op in NEGATED else condition


def requested_order(request: Request, columns: Mapping[str, str], default: tuple[str, str]) -> tuple[str, str]:
    """The order of `?sort=attribute`, descending for `?sort=-attribute`; `default` without one.

    `columns` by the names on the wire: of the rows themselves, and never null. Raises a 400 problem for another name.
    """
    sort = request.query_params.get(SORT, "")
    if not sort:
        return default
    column = columns.get(sort.removeprefix("-"))
    if column is None:
        words = f"Cannot sort by {sort!r}; possible are {', '.join(sorted(columns))}."
        raise bad_request("INVALID_SORT", words, [FieldError(f"/{SORT}", words)], "Write sort=name or sort=-name.")
    return (f"-{column}" if sort.startswith("-") else column), default[1]


def requested_size(request: Request, default: int = PAGE_SIZE) -> int:
    """Rows of a page by `?pageSize=number`; `default` without one. Raises a 400 problem for none of 1 to 100."""
    text = request.query_params.get(SIZE, str(default))
    if not re.fullmatch("[1-9][0-9]{0,2}", text) or int(text) > PAGE_SIZE:
        words = f"A page cannot have {text!r} rows; possible are 1 to {PAGE_SIZE}."
        raise bad_request("INVALID_PAGE_SIZE", words, [FieldError(f"/{SIZE}", words)], "Correct it, or leave it out.")
    return int(text)


class _Row(Func):
    """Columns compared as one, so that an index over them leads straight to a page's first row."""

    function = "ROW"
    output_field = TextField()


def one(rows: QuerySet[M], what: str, key: object) -> M:
    """The row with this id; raises a 404 problem that names `what` is missing."""
    row = rows.filter(pk=key).first()
    if row is None:
        raise not_found(what, key)
    return row


def page(
    query: QuerySet[M, R], request: Request, order: Sequence[str] = ("created_at", "id"), size: int = PAGE_SIZE
) -> tuple[list[R], dict[str, str]]:
    """One page by keyset, and the headers that lead to the next (`Link: <…>; rel="next"`).

    `order` names two columns, the second unique; rows that are no objects must have both by name. Raises a 400 problem
    for a marker that we did not give.
    """
    first, unique = order
    after = marked(request, lambda value, key: [_value(query, first.lstrip("-"), value), _value(query, unique, key)])
    if after is not None:
        query = _after(query, order, after)
    rows = list(_ordered(query, order)[: size + 1])
    if len(rows) <= size:
        return rows, {}
    last = rows[size - 1]
    return rows[:size], next_page(request, getattr(last, first.lstrip("-")), getattr(last, unique))


def next_page(request: Request, value: Any, key: Any) -> dict[str, str]:
    """The header that leads to what follows the row with these two values."""
    params = request.query_params.dict() | {MARKER: _encode(value, key)}
    url = request.build_absolute_uri(request.path) + "?" + urlencode(params)
    return {"Link": f'<{url}>; rel="next"'}


def marked(request: Request, read: Callable[[str, str], R]) -> R | None:
    """What `read` makes of the two values in the marker of the request; None without one. Raises a 400 problem for one
    that we did not give.
    """
    marker = request.query_params.get(MARKER)
    if not marker:
        return None
    try:
        return read(*_decode(marker))
    except _NOT_A_VALUE as error:
        raise bad_request("INVALID_MARKER", "The page marker is not one that we gave.") from error


def beyond(query: QuerySet[M], order: Sequence[str], last: M | None) -> QuerySet[M]:
    """What comes after the row `last` (None: everything), in the order of two columns as `page` has it."""
    if last is not None:
        columns = (order[0].lstrip("-"), order[1])
        after = [Value(getattr(last, name), output_field=_field(query, name)) for name in columns]
        query = _after(query, order, after)
    return _ordered(query, order)


def _ordered(query: QuerySet[M, R], order: Sequence[str]) -> QuerySet[M, R]:
    first, unique = order
    return query.order_by(first, f"-{unique}" if first.startswith("-") else unique)


def _after(query: QuerySet[M, R], order: Sequence[str], values: Sequence[Value]) -> QuerySet[M, R]:
    first, unique = order
    past = LessThan if first.startswith("-") else GreaterThan
    return query.filter(past(_Row(F(first.lstrip("-")), F(unique)), _Row(*values)))


def _field(query: QuerySet[Any, Any], column: str) -> "Field[Any, Any]":
    """Of a column, or of what the query counts in addition to its columns."""
    counted = query.query.annotations.get(column)
    # Django's documented way to a field:
    field = query.model._meta.get_field(column) if counted is None else counted.output_field  # noqa: SLF001
    assert isinstance(field, Field)
    return field


def _value(query: QuerySet[Any, Any], column: str, text: str) -> Value:
    field = _field(query, column)
    return Value(field.to_python(text), output_field=field)


def _encode(value: Any, key: Any) -> str:
    text = json.dumps([value.isoformat() if hasattr(value, "isoformat") else value, str(key)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decode(marker: str) -> tuple[str, str]:
    """Raises ValueError or TypeError for what `_encode` did not make."""
    value, key = strict_json.loads(base64.urlsafe_b64decode(marker + "=" * (-len(marker) % 4)))
    return value, key

"""Clauses of a filter on JSON columns, as SQL."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, F, Func

from vnfm.kit.etsi.filter_syntax import COMPARISONS, NEGATED, Clause


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a JSON array, below `keys` in the column `path`: a clause must hold for one of them."""

    path: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Objects:
    """A text of the objects of a JSON array, which is below `keys` in the column `path`: `member` names it in each.

    Clauses on the same array must hold for one and the same object.
    """

    path: str
    keys: tuple[str, ...]
    member: str


class AnyPair(Func):
    """True if a JSON object has an entry for which all that is required holds."""

    output_field = BooleanField()

    def __init__(self, path: Any) -> None:
        super().__init__(F(path) if isinstance(path, str) else path)
        self.required: list[tuple[str, Any]] = []

    def require(self, clause: Clause, side: str) -> None:
        """Raises ValueError for a value that is no integer where one is needed."""
        column = "pair.value::integer" if side == "value" else "pair.key"
        read: Callable[[str], Any] = int if side == "value" else str
        positive = NEGATED.get(clause.op, clause.op)
        if positive == "cont":
            condition, value = f"{column}::text ILIKE ANY(%s)", [f"%{_plain(item)}%" for item in clause.values]
        elif positive in ("eq", "in"):
            condition, value = f"{column} = ANY(%s)", [read(item) for item in clause.values]
        elif len(clause.values) > 1:
            raise ValueError(clause.values)
        else:
            condition, value = f"{column} {COMPARISONS[positive]} ALL(%s)", [read(item) for item in clause.values]
        self.required.append((f"NOT {condition}" if clause.op in NEGATED else condition, value))

    def as_sql(self, compiler: Any, connection: Any, *_: Any, **__: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.get_source_expressions()[0])
        where = " AND ".join(condition for condition, _ in self.required)
        # Only our own text is concatenated here; the client's values are parameters.
        sql = f"EXISTS (SELECT 1 FROM jsonb_each_text({column}) AS pair(key, value) WHERE {where})"  # noqa: S608
        return sql, (*params, *(value for _, value in self.required))


class AnyText(Func):
    """True if a clause holds for one of the texts of a JSON array; for none where there is no array."""

    output_field = BooleanField()

    def __init__(self, texts: Texts, clause: Clause) -> None:
        super().__init__(F(texts.path))
        self.keys, self.clause = list(texts.keys), clause

    def as_sql(self, compiler: Any, connection: Any, *_: Any, **__: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.get_source_expressions()[0])
        condition, values = _text_condition("item", self.clause)
        # Only our own text is concatenated here; the client's values are parameters.
        array = f"CASE jsonb_typeof({column} #> %s) WHEN 'array' THEN {column} #> %s ELSE '[]' END"
        sql = f"EXISTS (SELECT 1 FROM jsonb_array_elements_text({array}) AS item WHERE {condition})"  # noqa: S608
        return sql, (*params, self.keys, *params, self.keys, values)


class AnyObject(Func):
    """True if a JSON array has an object for which all that is required holds; not where there is no array."""

    output_field = BooleanField()

    def __init__(self, objects: Objects) -> None:
        super().__init__(F(objects.path))
        self.keys = list(objects.keys)
        self.required: list[tuple[str, list[Any]]] = []

    def require(self, clause: Clause, member: str) -> None:
        condition, values = _text_condition("(item ->> %s)", clause)
        self.required.append((condition, [member, values]))

    def as_sql(self, compiler: Any, connection: Any, *_: Any, **__: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.get_source_expressions()[0])
        where = " AND ".join(condition for condition, _ in self.required)
        # Only our own text is concatenated here; the client's values are parameters.
        array = f"CASE jsonb_typeof({column} #> %s) WHEN 'array' THEN {column} #> %s ELSE '[]' END"
        sql = f"EXISTS (SELECT 1 FROM jsonb_array_elements({array}) AS item WHERE {where})"  # noqa: S608
        required = [value for _, values in self.required for value in values]
        return sql, (*params, self.keys, *params, self.keys, *required)


def _text_condition(text: str, clause: Clause) -> tuple[str, list[str]]:
    """SQL with one more parameter, and that."""
    positive, values = NEGATED.get(clause.op, clause.op), list(clause.values)
    if positive == "cont":
        condition, values = f"{text} ILIKE ANY(%s)", [f"%{_plain(value)}%" for value in values]
    elif positive in ("eq", "in"):
        condition = f"{text} = ANY(%s)"
    else:
        condition = f"{text} {COMPARISONS[positive]} ALL(%s)"
    return (f"NOT coalesce({condition}, FALSE)" if clause.op in NEGATED else condition), values


def _plain(text: str) -> str:
    """For LIKE, without the meaning of its signs."""
    return re.sub(r"([\\%_])", r"\\\1", text)

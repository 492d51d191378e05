"""PostgreSQL full-text search over the names and texts of a row, stored in a generated column `words`."""

import re
from typing import Any

from django.contrib.postgres.search import SearchVectorField
from django.db.models import BooleanField, F, Func, QuerySet, TextField, Value
from django.db.models.functions import Cast

_WORD = re.compile(r"\w+")
_CAMEL = re.compile(r"([a-z])([A-Z])")


class WordVector(Func):
    """The words of some columns, in small letters, split at camel case (VmDown) and at all but letters and digits.

    Without query parameters, as PostgreSQL requires of the expression of a generated column.
    """

    function = "to_tsvector"
    template = (
        "to_tsvector('simple'::regconfig, regexp_replace(lower(regexp_replace(%(expressions)s,"
        r" '([a-z])([A-Z])'::text, '\1 \2'::text, 'g'::text)), '[^[:alnum:]]+'::text, ' '::text, 'g'::text))"
    )
    arg_joiner = " || ' ' || "
    output_field = SearchVectorField()

    def __init__(self, *columns: str, **extra: Any) -> None:
        super().__init__(
            *(Cast(column, TextField()) if isinstance(column, str) else column for column in columns), **extra
        )


class _Matches(Func):
    template = "(%(expressions)s)"
    arg_joiner = " @@ "
    output_field = BooleanField()


class _Query(Func):
    function = "to_tsquery"
    template = "to_tsquery('simple'::regconfig, %(expressions)s)"
    output_field = TextField()


def matching_words(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """The rows with every word of `text`; the last word may be a prefix. None for a text without words.

    Only the last: each further prefix would cost an index scan of its own.
    """
    words = _WORD.findall(_CAMEL.sub(r"\1 \2", text).lower().replace("_", " "))
    if not words:
        return rows.none()
    return rows.filter(_Matches(F("words"), _Query(Value(f"{' & '.join(words)}:*"))))

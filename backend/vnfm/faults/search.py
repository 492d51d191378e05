"""Words of alarms, for PostgreSQL to search: a list of half a million is no list to read through."""

import re
from typing import Any

from django.contrib.postgres.search import SearchVectorField
from django.db.models import BooleanField, F, Func, QuerySet, TextField, Value
from django.db.models.functions import Cast

COLUMNS = ("managed_object_name", "faulty_resource_name", "fault_type", "probable_cause", "fault_details")
_WORD = re.compile(r"\w+")
_HUMP = re.compile(r"([a-z])([A-Z])")


class Words(Func):
    """The words of some columns, in small letters, cut at humps (VmDown) and at all that is neither letter nor digit.

    Written into the statement whole, without parameters, as a column that is made of it needs it.
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


def with_words(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """The rows that have every word of `text`, of the last at least the beginning; none for text without words.

    Only the last, which may be half typed: the beginnings of several words would have to be looked up one by one.
    """
    words = _WORD.findall(_HUMP.sub(r"\1 \2", text).lower().replace("_", " "))
    if not words:
        return rows.none()
    return rows.filter(_Matches(F("words"), _Query(Value(f"{' & '.join(words)}:*"))))

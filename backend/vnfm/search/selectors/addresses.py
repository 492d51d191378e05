"""IP addresses in JSON columns, found through an index by their prefix.

Trigrams of digits and dots select badly; whole addresses as lexemes serve the usual queries: an address, or those of a
network.
"""

import re
from typing import Any

from django.contrib.postgres.search import SearchVectorField
from django.db.models import BooleanField, Func, QuerySet, TextField, Value
from django.db.models.functions import Cast

LEXEMES = "array_to_tsvector(string_to_array(translate({column}::text, '[]\" ', ''), ','))"
"""The members of a JSON array of addresses. The indexes of migration 0001 serve only exactly this expression."""
_ADDRESS = re.compile(r"(?=.*[.:])[0-9a-f.:/]{2,43}", re.IGNORECASE)


class _Lexemes(Func):
    template = LEXEMES.format(column="%(expressions)s")
    output_field = SearchVectorField()


class _Query(Func):
    template = "(%(expressions)s)::tsquery"
    output_field = TextField()


class _Matches(Func):
    template = "(%(expressions)s)"
    arg_joiner = " @@ "
    output_field = BooleanField()


def is_address(text: str) -> bool:
    """True if it could be a prefix of an IPv4 or IPv6 address; a number alone is none."""
    return _ADDRESS.fullmatch(text) is not None


def with_address(rows: QuerySet[Any], column: str, text: str) -> QuerySet[Any]:
    """The rows with an address that begins with `text`; exact matches (with any prefix length) first.

    Only for a `text` that `is_address` accepts: it has no operators of tsquery.
    """
    lexemes, address = _Lexemes(column), text.lower()
    exact = Value(f"'{address}' | '{address}/':*")
    found = rows.filter(_Matches(lexemes, _Query(Value(f"'{address}':*"))))
    ranked: QuerySet[Any] = found.annotate(exact=_Matches(lexemes, _Query(exact))).order_by(
        "-exact", Cast(column, TextField()), "pk"
    )
    return ranked

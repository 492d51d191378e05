"""A list as CSV (RFC 4180), however long it is: page by page, so that it never lies in memory whole."""

import csv
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.db import connections
from django.db.models import Model, QuerySet
from django.http import StreamingHttpResponse

from vnfm.kit.etsi.query import beyond

M = TypeVar("M", bound=Model)

ROWS = 2000
"""Read in one statement."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_response(
    name: str, rows: QuerySet[M], order: Sequence[str], columns: Mapping[str, str]
) -> StreamingHttpResponse:
    """All rows as a file of that name, in the order of two columns as `kit.etsi.query.page` has it.

    `columns`: headings, and the attributes below them.
    """
    response = StreamingHttpResponse(_lines(rows, order, columns), content_type="text/csv")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _lines(rows: QuerySet[M], order: Sequence[str], columns: Mapping[str, str]) -> AsyncIterator[bytes]:
    """Asynchronous, since Django's ASGI handler would read a plain iterator to its end."""
    read = sync_to_async(_read, thread_sensitive=False)
    yield _csv([list(columns)])
    last: M | None = None
    while batch := await read(rows, order, last):
        yield _csv([[_cell(getattr(row, column)) for column in columns.values()] for row in batch])
        last = batch[-1]


def _read(rows: QuerySet[M], order: Sequence[str], last: M | None) -> list[M]:
    try:
        return list(beyond(rows, order, last)[:ROWS])
    finally:
        connections.close_all()  # of this thread, which no request will end


def _cell(value: object) -> str:
    """Return the text; one that a spreadsheet would take for a formula is quoted, as names come from other systems."""
    if isinstance(value, list):
        text = "; ".join(map(str, value))
    elif isinstance(value, dict):
        text = json.dumps(value) if value else ""
    elif hasattr(value, "isoformat"):
        text = value.isoformat()
    else:
        text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv(lines: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()

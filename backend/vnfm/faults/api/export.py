"""The alarm list as CSV (RFC 4180), however long it is: page by page, so that it never lies in memory whole."""

import csv
import io
from collections.abc import AsyncIterator, Iterable

from asgiref.sync import sync_to_async
from django.db import connections
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from vnfm.faults.api.records import SELECTION, order_of, selected
from vnfm.faults.api.shapes import COLUMNS
from vnfm.faults.models import Alarm
from vnfm.kit.query import beyond

ROWS = 2000
"""Read in one statement."""

SHOWN = {name: column for name, column in COLUMNS.items() if name not in {"correlatedCount", "version"}}

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class _AnyAccept(DefaultContentNegotiation):
    """Whatever a client says that it accepts, CSV is what there is; problems are JSON."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class AlarmExportApi(APIView):
    content_negotiation_class = _AnyAccept

    @extend_schema(operation_id="alarm_export", parameters=SELECTION, responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request) -> StreamingHttpResponse:
        """The same alarms as the list gives, all of them, as CSV."""
        response = StreamingHttpResponse(_lines(selected(request), order_of(request)), content_type="text/csv")
        response["Content-Disposition"] = 'attachment; filename="alarms.csv"'
        return response


async def _lines(rows: QuerySet[Alarm], order: tuple[str, str]) -> AsyncIterator[bytes]:
    """Asynchronous, since Django's ASGI handler would read a plain iterator to its end."""
    read = sync_to_async(_read, thread_sensitive=False)
    yield _csv([list(SHOWN)])
    last: Alarm | None = None
    while batch := await read(rows, order, last):
        yield _csv([[_cell(getattr(alarm, column)) for column in SHOWN.values()] for alarm in batch])
        last = batch[-1]


def _read(rows: QuerySet[Alarm], order: tuple[str, str], last: Alarm | None) -> list[Alarm]:
    try:
        return list(beyond(rows, order, last)[:ROWS])
    finally:
        connections.close_all()  # of this thread, which no request will end


def _cell(value: object) -> str:
    """As text; what a spreadsheet would take for a formula is quoted, since names come from other systems."""
    if isinstance(value, list):
        text = "; ".join(map(str, value))
    elif hasattr(value, "isoformat"):
        text = value.isoformat()
    else:
        text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv(lines: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()

"""Responses with files of any size, whole or in part, streamed in chunks."""

import os
from collections.abc import AsyncIterator, Iterable
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import BinaryIO

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header, parse_etags
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from vnfm.kit.problem import Problem
from vnfm.kit.web.http import plain_problem_response
from vnfm.kit.web.ranges import requested_range

CHUNK = 256 * 1024
_TYPES = {".yaml": "text/yaml", ".json": "application/json", ".txt": "text/plain", ".cfg": "text/plain"}


class AnyAccept(DefaultContentNegotiation):
    """A view that returns files evaluates Accept itself, and its problems are JSON."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


def content_type_of(path: str) -> str:
    return _TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")


def download(request: Request, file: BinaryIO, *, name: str, content_type: str, sha256: str) -> HttpResponseBase:
    """The requested part of `file`, which is closed at the end.

    Its SHA-256 is its entity tag: 304 for a client that has it (If-None-Match), 206 for a range, 416 beyond the end.
    """
    tag, size = f'"{sha256}"', os.fstat(file.fileno()).st_size
    headers = {
        "ETag": tag,
        "Accept-Ranges": "bytes",
        "Content-Disposition": content_disposition_header(True, PurePosixPath(name).name) or "attachment",
    }
    if _is_cached(request, tag):
        file.close()
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    part = requested_range(request.headers, size, tag) if request.method == "GET" else None
    if part is None:
        return _streamed(file, range(size), content_type, HTTPStatus.OK, headers)
    if not part:
        file.close()
        return plain_problem_response(_beyond(size), {"Content-Range": f"bytes */{size}", **headers})
    headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    return _streamed(file, part, content_type, HTTPStatus.PARTIAL_CONTENT, headers)


def _is_cached(request: Request, tag: str) -> bool:
    """True if the client has the file already; tags are compared weakly (RFC 9110 13.1.2)."""
    known = [each.removeprefix("W/") for each in parse_etags(request.headers.get("If-None-Match", ""))]
    return tag in known or known == ["*"]


def _beyond(size: int) -> Problem:
    detail = f"The file has {size} bytes; the requested range has none of them."
    return Problem(416, "RANGE_NOT_SATISFIABLE", "Range not satisfiable", detail, "Request a range within the file.")


def _streamed(
    file: BinaryIO, part: range, content_type: str, status: int, headers: dict[str, str]
) -> StreamingHttpResponse:
    headers["Content-Length"] = str(len(part))
    return StreamingHttpResponse(_chunks(file, part), status=status, content_type=content_type, headers=headers)


async def _chunks(file: BinaryIO, part: range) -> AsyncIterator[bytes]:
    """Asynchronous, since Django's ASGI handler would read a synchronous iterator to its end."""
    read = sync_to_async(file.read, thread_sensitive=False)
    with file:
        file.seek(part.start)
        remaining = len(part)
        while remaining and (chunk := await read(min(CHUNK, remaining))):
            remaining -= len(chunk)
            yield chunk

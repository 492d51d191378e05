"""Files of any size to the client, a chunk at a time."""

from collections.abc import AsyncIterator, Iterable
from pathlib import PurePosixPath
from typing import BinaryIO

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

CHUNK = 256 * 1024
_TYPES = {".yaml": "text/yaml", ".json": "application/json", ".txt": "text/plain", ".cfg": "text/plain"}


class AnyAccept(DefaultContentNegotiation):
    """For views that answer with files: what the client accepts is the view's own business, problems are JSON."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


def content_type_of(path: str) -> str:
    return _TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")


def download(file: BinaryIO, name: str, content_type: str, size: int | None = None) -> StreamingHttpResponse:
    """Stream `file` and close it. Asynchronous, since Django's ASGI handler would read a plain iterator to its end."""
    response = StreamingHttpResponse(_chunks(file), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{PurePosixPath(name).name}"'
    if size is not None:
        response["Content-Length"] = str(size)
    return response


async def _chunks(file: BinaryIO) -> AsyncIterator[bytes]:
    read = sync_to_async(file.read, thread_sensitive=False)
    with file:
        while chunk := await read(CHUNK):
            yield chunk

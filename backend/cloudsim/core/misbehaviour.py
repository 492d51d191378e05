"""Answers that no OpenStack gives, but what stands in front of one does: pages, floods, trickles, lists without end."""

from __future__ import annotations

import asyncio
import gzip
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ANSWER_EFFECTS = ("page", "gzip", "endless", "trickle")
"""Instead of the action: ``text`` is the content."""
LIST_EFFECTS = ("per_row", "next")
"""After the action: how its list is answered."""


def answer(effect: str, *, status: int, text: str, content_type: str, seconds: float) -> Reply:
    """``page``: the text; ``gzip``: compressed; ``endless``: again and again; ``trickle``: a byte each ``seconds``."""
    content = text.encode()
    if effect == "page":
        return Reply(status, raw=content, content_type=content_type)
    if effect == "gzip":
        return Reply(
            status, headers={"Content-Encoding": "gzip"}, raw=gzip.compress(content), content_type=content_type
        )
    stream = _endless(content) if effect == "endless" else _trickle(content, seconds)
    return Reply(status, stream=stream, content_type=content_type)


async def _endless(content: bytes) -> AsyncIterator[bytes]:
    piece = content * max(1, 65536 // max(1, len(content)))
    while True:
        yield piece


async def _trickle(content: bytes, seconds: float) -> AsyncIterator[bytes]:
    for byte in content:
        yield bytes([byte])
        await asyncio.sleep(seconds)


def row_count(reply: Reply) -> int:
    """Elements of the answer's list; 0 where it is none."""
    return next((len(value) for value in (reply.body or {}).values() if isinstance(value, list)), 0)


def with_next_page(reply: Reply) -> Reply:
    """The same list with a link to a page that is another each time, and leads to the same."""
    body: dict[str, Any] = dict(reply.body or {})
    key = next((name for name, value in body.items() if isinstance(value, list)), "")
    link = f"/?page={uuid.uuid4()}"
    links = {"next": link} if key == "images" else {f"{key}_links": [{"rel": "next", "href": link}]}
    return replace(reply, body=body | links)

"""Answers of faulty proxies in front of an OpenStack: HTML pages, floods, trickles, endless lists."""

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
"""Effects that replace the action; ``text`` is the content of their answer."""
LIST_EFFECTS = ("per_row", "next")
"""Effects on the list that the action answers."""


def answer(effect: str, *, status: int, text: str, content_type: str, seconds: float) -> Reply:
    """Return the text as it is (``page``), as ``gzip``, ``endless``, or as a ``trickle`` of a byte per ``seconds``."""
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
    """Return the number of elements of the answer's list; 0 without a list."""
    return next((len(value) for value in (reply.body or {}).values() if isinstance(value, list)), 0)


def with_next_page(reply: Reply) -> Reply:
    """Add a link to a next page with a new address each time, which has the same list."""
    body: dict[str, Any] = dict(reply.body or {})
    key = next((name for name, value in body.items() if isinstance(value, list)), "")
    link = f"/?page={uuid.uuid4()}"
    links = {"next": link} if key == "images" else {f"{key}_links": [{"rel": "next", "href": link}]}
    return replace(reply, body=body | links)

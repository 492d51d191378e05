"""How much a request may send. Django takes in a whole body, on disk if need be, before it asks who is calling."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http import HTTPStatus
from typing import Any

from vnfm.kit.problem import Problem

Scope = MutableMapping[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]
"""Scope, receive and send: everybody types them differently."""

_PACKAGES = re.compile(r"PUT /vnfpkgm/v1/vnf_packages/[^/]+/package_content|POST /api/v1/packages/(validate|derive)")


class _TooLargeError(Exception):
    """The body went on beyond what is allowed."""


class BodyLimit:
    """ASGI wrapper: 413 to bodies above `most` bytes, or above `most_of_package` where a VNF package is uploaded."""

    def __init__(self, app: Application, *, most: int, most_of_package: int) -> None:
        self._app = app
        self._most = most
        self._most_of_package = most_of_package

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit, taken, answered = self._limit(scope), 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > limit:
                    raise _TooLargeError
            return message

        async def noted(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        if _announced(scope) > limit:
            await _refuse(limit, send)
            return
        try:
            await self._app(scope, counted, noted)
        except _TooLargeError:
            if not answered:
                await _refuse(limit, send)

    def _limit(self, scope: Scope) -> int:
        uploads = _PACKAGES.fullmatch(f"{scope['method']} {scope['path']}")
        return self._most_of_package if uploads else self._most


def _announced(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() else 0


async def _refuse(limit: int, send: Send) -> None:
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    problem = Problem(
        status, "BODY_TOO_LARGE", "Content too large", f"At most {limit} bytes are taken here.", "Send less at once."
    )
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
    await send({"type": "http.response.body", "body": json.dumps(problem.as_json()).encode(), "more_body": False})

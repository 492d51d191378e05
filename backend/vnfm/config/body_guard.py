"""Limit the bodies of requests. Django takes in a whole body, on disk if need be, before it checks who is calling."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

from vnfm.kit.disk import disk_space
from vnfm.kit.durable.places import Place, Places
from vnfm.kit.problem import Problem

Scope = MutableMapping[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]
"""Scope, receive and send: everybody types them differently."""

_UPLOADS = re.compile(r"PUT /vnfpkgm/v[12]/vnf_packages/[^/]+/package_content|POST /api/v1/packages/(validate|derive)")
_CHUNKED_BYTES = 64 * 1024 * 1024
"""An upload that does not announce its size reserves so much of the spool at a time."""
_END: Message = {"type": "http.request", "body": b"", "more_body": False}


@dataclass(frozen=True)
class BodyLimits:
    """Sizes in bytes. `anonymous`: without a login; `known`: of a user; `package`: of an upload.

    Each `progress_seconds` at least `progress_bytes` must come, or the end. The rest of a refused body is read and
    dropped for `linger_seconds`: a client that still sends would miss the answer. `uploads` are received at a time, by
    all processes of the machine together. They leave `free_share` (0 to 1) of the disk of `folder` free.
    """

    folder: Path
    anonymous: int = 64 * 1024
    known: int = 10 * 1024 * 1024
    package: int = 12 * 1024**3
    uploads: int = 4
    free_share: float = 0.1
    progress_bytes: int = 16 * 1024
    progress_seconds: float = 30.0
    linger_seconds: float = 2.0
    quota: Callable[[int], Problem | None] = lambda _: None
    """It returns the problem if an upload of that size goes beyond a limit; run in a thread, as it measures folders."""


class _RefusedError(Exception):
    """The body is not taken, for the reason in `problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


class BodyGuard:
    """ASGI wrapper that decides about a body before its first byte is read.

    `may_send` tells whether the caller of a request is known and may send a body there. Where it is not so, the
    application gets an empty body: it refuses the request itself, in its own words, and records it.
    """

    def __init__(self, app: Application, may_send: Callable[[Scope], Awaitable[bool]], limits: BodyLimits) -> None:
        self._app = app
        self._may_send = may_send
        self._limits = limits
        self._uploads = Places("upload", limits.uploads, limits.folder.parent / "places")
        self._reserving = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        upload = _UPLOADS.fullmatch(f"{scope['method']} {scope['path']}") is not None
        body = _Body(receive, send, self._limits, self._reserving, upload=upload)
        try:
            await self._decide(scope, body)
            body.may_send = lambda: self._may_send(scope)
            await self._app(scope, body.receive, body.send)
        except _RefusedError as refused:
            await body.refuse(refused.problem)
        finally:
            if body.place is not None:
                body.place.leave()

    async def _decide(self, scope: Scope, body: "_Body") -> None:
        """Before anything is read: `body.cut` it, count it as an upload, or raise _RefusedError."""
        announced, limits = _announced(scope), self._limits
        body.require_size(announced)
        if announced == 0 or (not body.upload and announced <= limits.anonymous):
            return
        body.known = await self._may_send(scope)
        body.cut = not body.known
        if body.upload and body.known:
            body.require_room(announced)
            async with self._reserving:
                await body.require_quota(announced)
                body.place = self._uploads.take()
                if body.place is None:
                    raise _RefusedError(_TOO_MANY_UPLOADS)
                body.reserve(announced)


class _Body:
    """One request's body as it comes in, and its answer.

    Who asks for the quota holds `reserving` until it has reserved: else two uploads would be given the same bytes.
    """

    def __init__(
        self, receive: Receive, send: Send, limits: BodyLimits, reserving: asyncio.Lock, *, upload: bool
    ) -> None:
        self.upload, self.known, self.cut = upload, False, False
        self.place: Place | None = None
        self.may_send: Callable[[], Awaitable[bool]]
        self._receive, self._send, self._limits, self._reserving = receive, send, limits, reserving
        self._most = limits.package if upload else limits.known
        self._taken, self._reserved, self._progress, self._complete = 0, 0, 0, False
        self._until = asyncio.get_running_loop().time() + limits.progress_seconds
        self._answered = self._dropping = False

    async def receive(self) -> Message:
        if self._complete:
            # After the end only a disconnect comes; of a cut body nothing more is wanted.
            return await (asyncio.Future[Message]() if self.cut else self._receive())
        if self.cut:
            self._complete = True
            return _END
        message = await self._next()
        if message["type"] != "http.request":
            return message
        self._complete = not message.get("more_body", False)
        self._taken += len(message.get("body", b""))
        self.require_size(self._taken)
        if self.upload:
            self.require_room(0)
            if self._taken > self._reserved:  # it did not announce its size
                async with self._reserving:
                    await self.require_quota(_CHUNKED_BYTES)
                    self.reserve(self._taken + _CHUNKED_BYTES)
        elif self._taken > self._limits.anonymous and not self.known:
            self.known = await self.may_send()
            if not self.known:
                self.cut = self._complete = True
                return _END
        return message

    async def _next(self) -> Message:
        """The next message; raises _RefusedError when the body does not get on."""
        loop, limits = asyncio.get_running_loop(), self._limits
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError as error:
            raise _RefusedError(_too_slow(limits)) from error
        self._progress += len(message.get("body", b""))
        if self._progress >= limits.progress_bytes:
            self._progress, self._until = 0, loop.time() + limits.progress_seconds
        return message

    def reserve(self, size: int) -> None:
        """Reserve the least bytes of the spool that this upload takes."""
        self._reserved = max(size, self._reserved)
        if self.place is not None:
            self.place.reserve(self._reserved)

    async def require_quota(self, size: int) -> None:
        """Raises _RefusedError when `size` more bytes would go beyond a limit."""
        problem = await asyncio.to_thread(self._limits.quota, size)
        if problem is not None:
            raise _RefusedError(problem)
        # The client waited for us: its time counts from now on.
        self._progress, self._until = 0, asyncio.get_running_loop().time() + self._limits.progress_seconds

    def require_size(self, size: int) -> None:
        if size > self._most:
            raise _RefusedError(_too_large(self._most))

    def require_room(self, announced: int) -> None:
        """Raises _RefusedError when the disk would have less free than it is to keep."""
        disk = disk_space(self._limits.folder)
        if disk.free - announced < self._limits.free_share * disk.total:
            raise _RefusedError(_NO_ROOM)

    async def send(self, message: Message) -> None:
        if not self.cut:
            self._answered = True
            await self._send(message)
        elif message["type"] == "http.response.start":
            if not self.upload and message["status"] not in (401, 403):
                self._dropping = True  # it judged a body that it did not get
                await self.refuse(_too_large(self._limits.anonymous))
                return
            self._answered = True
            await self._send({**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]})
        elif not self._dropping:
            await self._last(message)

    async def refuse(self, problem: Problem) -> None:
        if self._answered:
            return
        self._answered = True
        headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
        if "retryAfter" in problem.extra:
            headers.append((b"retry-after", str(problem.extra["retryAfter"]).encode()))
        await self._send(
            {"type": "http.response.start", "status": problem.status, "headers": headers, "trailers": False}
        )
        await self._last({"type": "http.response.body", "body": json.dumps(problem.as_json()).encode()})

    async def _last(self, message: Message) -> None:
        """Send it; when it ends the answer, drop for a while what still comes, then close."""
        await self._send({**message, "more_body": True})
        if message.get("more_body", False):
            return
        try:
            async with asyncio.timeout(self._limits.linger_seconds):
                while (await self._receive()).get("more_body", False):
                    pass
        except TimeoutError:
            pass
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _announced(scope: Scope) -> int:
    """The bytes of the body by its header; 1 when it comes in chunks."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    return int(length) if length.isdigit() else int(b"transfer-encoding" in headers)


def _too_large(most: int) -> Problem:
    detail = f"At most {most} bytes are taken here."
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return Problem(status, "BODY_TOO_LARGE", "Content too large", detail, "Send less at once.")


def _too_slow(limits: BodyLimits) -> Problem:
    detail = f"Less than {limits.progress_bytes} bytes came in {limits.progress_seconds:.0f} seconds."
    return Problem(408, "BODY_TOO_SLOW", "Request timeout", detail, "Send it again over a faster connection.")


_NO_ROOM = Problem(
    507,
    "DISK_NEARLY_FULL",
    "Insufficient storage",
    "The disk of the packages has too little free space for this upload.",
    "Delete packages that no instance uses, or ask an administrator for a larger disk; then upload again.",
)
_TOO_MANY_UPLOADS = Problem(
    503,
    "TOO_MANY_UPLOADS",
    "Service unavailable",
    "Other packages are being uploaded.",
    "Wait until one of them has ended, then upload again.",
    extra={"retryAfter": 30},
)

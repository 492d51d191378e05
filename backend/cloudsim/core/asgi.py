"""The ASGI application: routes HTTP calls to the services' handlers."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, QueryParams

from cloudsim.core.auth import context_of, live_token, refuse
from cloudsim.core.context import ANONYMOUS
from cloudsim.core.errors import ApiFault, Reply, encode, unexpected
from cloudsim.core.injection import Body, Call, ConnectionDropped
from cloudsim.core.service import Request, Route, Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Scope, Send

    from cloudsim.core.cloud import Cloud

log = logging.getLogger("cloudsim.http")

UNMATCHED = "(no route)"
PIECE = 1 << 20


class AsgiApplication:
    """The ASGI application behind every prefix. Admission order: see ``cloudsim.core.service``."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        method: str = scope["method"]
        name, _, rest = scope["path"].lstrip("/").partition("/")
        service = self._cloud.services.get(name)
        if service is None:
            await _send(send, Reply(404, {"error": "no such service"}), method)
            return
        call = _HttpCall(self._cloud, service, scope, receive, f"/{rest}")
        try:
            reply = await call.run()
        except ConnectionDropped:
            scope["state"]["transport"].abort()
            return
        self._cloud.store.flush()
        reply = _with_request_id(reply, name, call.request_id)
        if reply.stream is None:
            await _send(send, reply, method)
        else:
            await _send_stream(send, reply, reply.stream, scope["state"]["transport"])
        pattern = call.route.pattern if call.route else UNMATCHED
        self._cloud.stats.record(name, method, pattern, reply.status, time.perf_counter() - started)


class _HttpCall:
    """One HTTP call, through admission to its handler."""

    def __init__(self, cloud: Cloud, service: Service, scope: Scope, receive: Receive, path: str) -> None:
        self.cloud = cloud
        self.service = service
        self.receive = receive
        self.method: str = scope["method"]
        self.path = path
        self.query = QueryParams(scope["query_string"])
        self.headers = Headers(scope=scope)
        self.request_id = f"req-{uuid.uuid4()}"
        self.root = cloud.public_url or f"{scope['scheme']}://{self.headers.get('host', 'localhost')}"
        self.route: Route | None = None

    async def run(self) -> Reply:
        try:
            return await self._run()
        except ApiFault as fault:
            return self.service.render(fault, self.headers.get("accept", ""))
        except ConnectionDropped:
            raise
        except Exception as error:
            log.exception("%s %s %s", self.service.name, self.method, self.path)
            return self.service.render(unexpected(error), self.headers.get("accept", ""))

    async def _run(self) -> Reply:
        base = f"{self.root}/{self.service.name}"
        if self.path == "/" and self.method in {"GET", "HEAD"}:
            return self.service.versions(base)
        body, sent = await self._body()
        self.route, params = self.service.router.match(self.method, self.path)
        request = partial(self._handle, self.route, params, base, body, sent)
        if self.service.name == "control":
            return await request()
        latency = self.cloud.setting("latency")
        if latency:
            await asyncio.sleep(latency)
        call = Call(self.service.name, self.method, self.path, "http", sent, body)
        return await self.cloud.injector.handle_call(call, request)

    async def _handle(self, route: Route, params: dict[str, str], base: str, body: Body | None, sent: bytes) -> Reply:
        ctx = ANONYMOUS
        if route.auth:
            token = live_token(self.cloud, self.headers.get("x-auth-token", ""))
            if token is None:
                return refuse(self.service.name, self.root)
            ctx = context_of(token, self.request_id)
        return await route.handler(
            ctx,
            Request(
                method=self.method,
                path=self.path,
                base=base,
                params=params,
                query=self.query,
                headers=self.headers,
                json=_parse(sent) if body is None else None,
                stream=body.stream() if body is not None else None,
            ),
        )

    async def _body(self) -> tuple[Body | None, bytes]:
        """Return a JSON body as a whole, any other body as a stream."""
        kind = self.headers.get("content-type", "json")
        chunks = _chunks(self.receive)
        if "json" not in kind and self.method in {"PUT", "POST", "PATCH"}:
            return Body(chunks), b""
        return None, b"".join([chunk async for chunk in chunks])


async def _chunks(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionDropped
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body"):
            return


def _parse(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError as error:
        raise ApiFault(400, "HTTPBadRequest", "Malformed request body") from error


def _with_request_id(reply: Reply, service: str, request_id: str) -> Reply:
    """Add the request id to the answer; Liberty's Nova has its own header for it."""
    header = "X-Compute-Request-Id" if service == "compute" else "X-Openstack-Request-Id"
    return replace(reply, headers={**reply.headers, header: request_id})


async def _send(send: Send, reply: Reply, method: str) -> None:
    body = encode(reply)
    size = reply.file.stat().st_size if reply.file else len(body)
    headers = [(name.lower().encode(), value.encode()) for name, value in reply.headers.items()]
    if size:
        headers.append((b"content-type", reply.content_type.encode()))
    if reply.status not in {204, 304}:
        headers.append((b"content-length", str(size).encode()))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if reply.file and method != "HEAD":
        with reply.file.open("rb") as data:
            while piece := data.read(PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"" if method == "HEAD" else body})


async def _send_stream(
    send: Send, reply: Reply, stream: AsyncIterator[bytes], transport: asyncio.WriteTransport
) -> None:
    """Send a stream until its end, or until the caller disconnects."""
    headers = [(name.lower().encode(), value.encode()) for name, value in reply.headers.items()]
    headers.append((b"content-type", reply.content_type.encode()))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    async for piece in stream:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        await asyncio.sleep(0)
        if transport.is_closing():
            return
    await send({"type": "http.response.body", "body": b""})

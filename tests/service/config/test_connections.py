"""Connections that are slow or many, against uvicorn's server with our protocol."""

import asyncio
import json
import logging
import resource
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest
import uvicorn

from vnfm.config import connections
from vnfm.config.connections import BoundedProtocol, connection_limit
from vnfm.config.logs import OnceASecond

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def application(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 204, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def serve(scenario: Callable[[int], Awaitable[None]], protocol: type[BoundedProtocol] = BoundedProtocol) -> None:
    """Run the scenario with the port of a server."""

    async def run() -> None:
        config = uvicorn.Config(application, port=0, http=protocol, lifespan="off", log_config=None)
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        try:
            async with asyncio.timeout(30):
                await scenario(server.servers[0].sockets[0].getsockname()[1])
        finally:
            await server.shutdown()

    asyncio.run(run())


async def connect(port: int, *parts: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
    return reader, writer


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Waits for the end; False when something comes instead."""
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHos", REQUEST + b"GET / HT"], ids=["none", "half", "second"])
def test_headers_that_do_not_end_close_the_connection(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.2)

    async def scenario(port: int) -> None:
        reader, _ = await connect(port, sent)
        if sent.startswith(REQUEST):
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204")
        assert await is_closed(reader)

    serve(scenario)


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"GET /" + b"x" * 70_000, 431, "HEADERS_TOO_LARGE"),
        (b"nonsense\r\n\r\n", 400, "INVALID_HTTP"),
        (b"GET / HTTP/1.1\r\n\r\n", 400, "INVALID_HTTP"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "INVALID_HTTP"),
    ],
    ids=["long", "nonsense", "no host", "encoding"],
)
def test_what_is_no_request_is_answered_with_a_problem(sent: bytes, status: int, code: str) -> None:
    async def scenario(port: int) -> None:
        reader, _ = await connect(port, sent)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert head.startswith(f"HTTP/1.1 {status} "), head
        assert "content-type: application/problem+json" in head
        problem = json.loads(await reader.read())
        assert (problem["status"], problem["code"]) == (status, code)
        assert problem["detail"]

    serve(scenario)


def test_with_too_many_connections_the_one_that_waits_longest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "connection_limit", lambda: 3)

    async def scenario(port: int) -> None:
        silent = [await connect(port, b"GET /") for _ in range(3)]
        reader, _ = await connect(port, REQUEST)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204"), "a request comes through"
        assert await is_closed(silent[0][0])
        assert not silent[2][0].at_eof()

    serve(scenario)


@pytest.mark.parametrize("answered", [False, True], ids=["new", "idle"])
def test_a_server_that_ends_answers_only_who_has_just_connected(*, answered: bool) -> None:
    """Another process serves the same socket, but this one has accepted the connection."""

    class Recorded(BoundedProtocol):
        made: ClassVar[asyncio.Queue[BoundedProtocol]] = asyncio.Queue()

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.made.put_nowait(self)

    async def scenario(port: int) -> None:
        reader, writer = await connect(port, REQUEST if answered else b"")
        if answered:
            await reader.readuntil(b"\r\n\r\n")
        (await Recorded.made.get()).shutdown()
        if not answered:
            writer.write(REQUEST)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204")
        assert await is_closed(reader)

    serve(scenario, Recorded)


def test_the_limit_of_open_files_is_raised_and_leaves_some_for_others() -> None:
    connection_limit.cache_clear()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
        assert connection_limit() <= resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 256
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 65536)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        connection_limit.cache_clear()


def test_accepts_that_fail_are_one_line_a_second() -> None:
    only = OnceASecond()
    words = "socket.accept() out of system resource\nsocket: <socket>"
    records = [
        logging.LogRecord("asyncio", logging.ERROR, __file__, 1, words, (), (OSError, OSError(), None))
        for _ in range(100)
    ]
    passed = [record for record in records if only.filter(record)]
    assert [(record.getMessage().count("\n"), record.exc_info) for record in passed] == [(0, None)]
    assert only.filter(logging.LogRecord("asyncio", logging.ERROR, __file__, 1, "another", (), None))

"""Django's handler as the web process runs it: what a request holds ends before its answer is sent."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from threading import current_thread
from typing import Any

from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from vnfm.config.request_threads import RequestThreads

SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/",
    "query_string": b"",
    "headers": [],
    "server": ("127.0.0.1", 80),
    "client": ("127.0.0.1", 1),
}
FINISHED = "finished"


class Answering(RequestThreads):
    """Answers each request with `response`, and lists the threads in which it was to."""

    def __init__(self, response: HttpResponseBase) -> None:
        super().__init__()
        self.response = response
        self.threads: list[str] = []

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        self.threads.append(current_thread().name)
        return self.response


class Client:
    """Lists what it gets; gone from the line once it has `bodies` bodies."""

    def __init__(self, order: list[object], bodies: int) -> None:
        self._order, self._bodies = order, bodies
        self._gone = asyncio.Event()
        self._sent = False

    async def receive(self) -> Mapping[str, Any]:
        if self._sent:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        self._sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Mapping[str, Any]) -> None:
        self._order.append(message.get("body", message.get("status")))
        self._bodies -= message["type"] == "http.response.body"
        if not self._bodies:
            self._gone.set()


@contextmanager
def finishes_in(order: list[object]) -> Iterator[None]:
    def finished(**_: object) -> None:
        order.append(FINISHED)

    request_finished.connect(finished)
    try:
        yield
    finally:
        request_finished.disconnect(finished)


def order_of(handler: Answering, bodies: int = 1) -> list[object]:
    """The end of the request, and what was sent, in their order."""
    order: list[object] = []

    async def one() -> None:
        client = Client(order, bodies)
        await handler(SCOPE, client.receive, client.send)

    with finishes_in(order):
        asyncio.run(one())
    return order


def test_a_request_ends_before_its_answer_is_sent() -> None:
    handler = Answering(HttpResponse(b"all"))
    assert order_of(handler) == [FINISHED, 200, b"all"]
    assert handler.threads[0].startswith("request")


def test_requests_one_after_the_other_have_one_thread() -> None:
    handler = Answering(HttpResponse(b"all"))
    for _ in range(3):
        order_of(handler)
    assert len({*handler.threads}) == 1


def test_a_stream_ends_after_its_last_part() -> None:
    async def parts() -> AsyncIterator[bytes]:
        yield b"first"
        yield b"last"

    assert order_of(Answering(StreamingHttpResponse(parts())), bodies=3) == [200, b"first", b"last", None, FINISHED]


def test_a_stream_ends_when_its_client_is_gone() -> None:
    ended = []

    async def parts() -> AsyncIterator[bytes]:
        try:
            yield b"first"
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    assert order_of(Answering(StreamingHttpResponse(parts()))) == [200, b"first", FINISHED]
    assert ended == [True]


def test_an_error_of_a_stream_is_raised_after_its_end() -> None:
    async def parts() -> AsyncIterator[bytes]:
        yield b"first"
        raise LookupError("lost")

    order: list[object] = []

    async def one() -> str:
        client = Client(order, bodies=-1)
        try:
            await Answering(StreamingHttpResponse(parts()))(SCOPE, client.receive, client.send)
        except LookupError as error:
            return str(error)
        return ""

    with finishes_in(order):
        assert asyncio.run(one()) == "lost"
    assert order == [200, b"first", FINISHED]

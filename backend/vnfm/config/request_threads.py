"""Django's ASGI handler, with all of a request in one thread.

Django's own goes from the event loop to a thread and back for each middleware that looks at the view, for the view
and for each signal, in a thread that it starts for the request. That was half of the processor time of a small request
(tests/bench/test_requests.py). Here one call in a thread that stays takes a request from its first signal to its last.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

MOST_THREADS = 512
"""A request waits in its thread, such as for a worker or a lock; those beyond wait for a thread."""

_threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="request")


class RequestThreads(ASGIHandler):
    """Middlewares and views run in a thread; an asynchronous view, and the parts of a stream, in the event loop.

    The connection to the database is given back before the answer is sent, as no client's speed is known; with a
    stream after its end, or when its view or iterator closes it.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Never asynchronous, whatever Django's constructor asks for."""
        super().load_middleware(is_async=False)

    async def handle(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            respond = sync_to_async(self._respond, thread_sensitive=False, executor=_threads)
            response = await respond(scope, body)
            if response.streaming:
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)

    def _respond(self, scope: Mapping[str, Any], body: Any) -> HttpResponseBase:
        """The response; closed, unless it is a stream."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: HttpResponseBase | None = refusal if request is None else self.get_response(request)
        assert response is not None, "there is a request or its refusal"
        if not response.streaming:
            response.close()
        return response

    async def _stream(self, response: HttpResponseBase, receive: Any, send: Any) -> None:
        """Send it until its end, or until the client is gone."""
        sending = asyncio.create_task(self.send_response(response, send))
        listening = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait((sending, listening), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, listening):
                task.cancel()
            results = await asyncio.gather(sending, listening, return_exceptions=True)
            await sync_to_async(response.close)()
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, RequestAborted):
                raise result

"""Middleware for both of Django's paths: sync under tests and commands, async under ASGI."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import ClassVar

from asgiref.sync import markcoroutinefunction, sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


class Middleware:
    """Override `before` and `after`. Django turns exceptions into responses further inside, so `after` always runs."""

    sync_capable = True
    async_capable = True
    after_blocks: ClassVar[bool] = False
    """Whether `after` may touch the database, and so must stay off the event loop."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self._is_async:
            return self._asynchronously(request)
        self.before(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)
        self.after(request, response)
        return response

    async def _asynchronously(self, request: HttpRequest) -> HttpResponseBase:
        self.before(request)
        pending = self.get_response(request)
        assert not isinstance(pending, HttpResponseBase)
        response = await pending
        if self.after_blocks:
            await sync_to_async(self.after)(request, response)
        else:
            self.after(request, response)
        return response

    def before(self, request: HttpRequest) -> None:
        """Sees the request first; must not block."""

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Sees the response last."""

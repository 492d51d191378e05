from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class SecurityHeaders:
    """Puts the content security policy on every answer; works on both the sync and the async path."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        response = self.get_response(request)
        if isinstance(response, HttpResponseBase):
            return self._mark(response)
        return self._later(response)

    async def _later(self, response: Awaitable[HttpResponseBase]) -> HttpResponseBase:
        return self._mark(await response)

    @staticmethod
    def _mark(response: HttpResponseBase) -> HttpResponseBase:
        response.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY
        return response

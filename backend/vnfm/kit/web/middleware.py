from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class Middleware:
    """Override `before` and `after`. Django turns exceptions into responses further inside, so `after` always runs.

    Not for the event loop: one such class, innermost, keeps what all of them do before and after in one thread, where
    Django would go to another and back for each step of each of its own (half of what a small request cost).
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        self.before(request)
        response = self.get_response(request)
        self.after(request, response)
        return response

    def before(self, request: HttpRequest) -> None:
        """Sees the request first."""

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Sees the response last."""

import re
import time
from contextlib import ExitStack
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from vnfm.config.views import API_PREFIXES
from vnfm.kit import tracing
from vnfm.kit.http import plain_problem_response
from vnfm.kit.ids import new_id
from vnfm.kit.middleware import Middleware
from vnfm.kit.problem import Problem
from vnfm.metrics.catalogue import HTTP_REQUESTS, HTTP_SECONDS
from vnfm.metrics.recorder import OTHER

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestId(Middleware):
    """Takes the caller's X-Request-ID or makes one, binds it to the log and the audit trail, and gives it back."""

    def before(self, request: HttpRequest) -> None:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else f"req-{new_id()}"
        request.META["vnfm.request_id"] = request_id
        structlog.contextvars.bind_contextvars(request_id=request_id)
        if tracing.enabled():
            parent = request.headers.get("traceparent", "")
            request.META["vnfm.span"] = opened = ExitStack()
            set_attributes = opened.enter_context(
                tracing.span(f"HTTP {request.method}", kind="SERVER", parent=parent, vnfm_request_id=request_id)
            )
            request.META["vnfm.set_attributes"] = set_attributes

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        response.headers["X-Request-ID"] = request.META["vnfm.request_id"]
        if "vnfm.span" in request.META:
            match = request.resolver_match
            route = match.route if match is not None else ""
            status = {"http_response.status_code": response.status_code}
            request.META["vnfm.set_attributes"](http_route=route, http_request_method=request.method, **status)
            request.META["vnfm.span"].close()
        structlog.contextvars.unbind_contextvars("request_id")


class SingleSlash(Middleware):
    """A path that begins with several slashes has one: clients whose `apiRoot` ends in one join it with paths."""

    def before(self, request: HttpRequest) -> None:
        if request.path.startswith("//"):
            request.path = request.path_info = f"/{request.path.lstrip('/')}"


class HttpMetrics(Middleware):
    """Counts requests and their time by route, never by path: there are as many routes as we wrote."""

    def before(self, request: HttpRequest) -> None:
        request.META["vnfm.began"] = time.monotonic()

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        match = request.resolver_match
        route = (match.route or "page") if match is not None else "file"
        method = request.method if request.method in _METHODS else OTHER
        HTTP_REQUESTS.add(method, route, response.status_code)
        HTTP_SECONDS.observe(time.monotonic() - request.META["vnfm.began"], method, route)


class RefuseNul(Middleware):
    """400 for the character U+0000 in an address: PostgreSQL can neither store nor compare it."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponseBase | None:
        if "\0" not in request.path and "%00" not in request.META.get("QUERY_STRING", ""):
            return None
        words = "An address cannot hold the character U+0000."
        return plain_problem_response(Problem(400, "INVALID_REQUEST", "Bad request", words, "Leave it out."))


class SecurityHeaders(Middleware):
    """Puts the content security policy on every answer, and on the API's who may cache it.

    No cache stores an answer of the API; one with an entity tag the browser's own may, but must ask each time.
    """

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        if request.path.startswith(API_PREFIXES):
            cached = "private, no-cache" if "ETag" in response.headers else "no-store"
            response.headers.setdefault("Cache-Control", cached)
        response.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY

import re
import time
from contextlib import ExitStack
from hashlib import blake2b
from http.client import OK
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from vnfm.config.views import API_PREFIXES
from vnfm.kit import tracing
from vnfm.kit.ids import new_id
from vnfm.kit.problem import Problem
from vnfm.kit.web.http import plain_problem_response
from vnfm.kit.web.middleware import Middleware
from vnfm.metrics.catalogue import HTTP_REQUESTS, HTTP_SECONDS
from vnfm.metrics.recorder import OTHER

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_VERSION_TAG = re.compile('"([0-9]+)"')
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
    """A path that begins with several slashes has one: clients whose `apiRoot` ends in one join it with paths.

    A path of the API that ends in one has none.
    """

    def before(self, request: HttpRequest) -> None:
        path = request.path
        if path.startswith("//"):
            path = f"/{path.lstrip('/')}"
        if path.endswith("/") and path.startswith(API_PREFIXES):
            path = path.rstrip("/")
        if path != request.path:
            request.path = request.path_info = path


class NotModified(Middleware):
    """304 without a body for a poller of ETSI's interfaces that has this very content (RFC 9110 13.1.2).

    What is observed changes without the version that If-Match is about: so the entity tag has a digest of the content
    behind the version, and `require_match` reads what stands before it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        tag = _VERSION_TAG.fullmatch(response.headers.get("ETag", ""))
        if tag is None or request.method not in ("GET", "HEAD") or not isinstance(response, HttpResponse):
            return response
        if response.status_code != OK or request.path.split("/")[1] not in settings.ETSI_APIS:
            return response
        response.headers["ETag"] = f'"{tag[1]}.{blake2b(response.content, digest_size=8).hexdigest()}"'
        return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response


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

import re

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from vnfm.kit.ids import new_id
from vnfm.kit.middleware import Middleware

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestId(Middleware):
    """Takes the caller's X-Request-ID or makes one, binds it to the log and the audit trail, and gives it back."""

    def before(self, request: HttpRequest) -> None:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else f"req-{new_id()}"
        request.META["vnfm.request_id"] = request_id
        structlog.contextvars.bind_contextvars(request_id=request_id)

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        response.headers["X-Request-ID"] = request.META["vnfm.request_id"]
        structlog.contextvars.unbind_contextvars("request_id")


class SecurityHeaders(Middleware):
    """Puts the content security policy on every answer."""

    def after(self, request: HttpRequest, response: HttpResponseBase) -> None:
        response.headers["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY

"""Decide from a request's line and headers alone whether it may have a body."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve
from rest_framework.exceptions import APIException

from vnfm.config.body_guard import Scope
from vnfm.kit.durable.database_threads import DatabaseThreads
from vnfm.kit.problem import ProblemError

_OF_THE_BODY = (b"content-type", b"content-length", b"transfer-encoding")
_threads = DatabaseThreads(2)


async def may_send_body(scope: Scope) -> bool:
    """True if the view admits the role of the user who sends the request.

    A view with a method `check_body` is called with the arguments of its URL: it raises a problem where a body would be
    of no use. False also while the database does not answer.
    """
    return await _threads(_may_send_body, scope)


def _may_send_body(scope: Scope) -> bool:
    headers = [(name, value) for name, value in scope["headers"] if name not in _OF_THE_BODY]
    request = ASGIRequest({**scope, "headers": headers}, BytesIO())
    try:
        SessionMiddleware(_no_response).process_request(request)
        AuthenticationMiddleware(_no_response).process_request(request)
        return _is_allowed(request)
    except (APIException, ProblemError, PermissionDenied, Http404, DatabaseError):
        return False


def _is_allowed(request: HttpRequest) -> bool:
    """Raises what the view itself raises."""
    match = resolve(request.path_info)
    cls: Any = getattr(match.func, "cls", None)
    if cls is None:
        return False
    view = cls(**getattr(match.func, "initkwargs", {}))
    view.request = view.initialize_request(request)
    view.check_permissions(view.request)
    check: Callable[..., None] | None = getattr(view, "check_body", None)
    if check is not None:
        check(**match.kwargs)
    return view.request.user is not None


def _no_response(request: HttpRequest) -> HttpResponse:
    raise AssertionError("never called: only the request is processed")

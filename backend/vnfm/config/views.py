"""Views of no context: health, the built UI, and answers to requests that no context takes."""

import hashlib
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import UUID

import psycopg
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import resolve
from django.utils.http import parse_etags
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from vnfm.kit.durable.database import direct_connection
from vnfm.kit.problem import Problem
from vnfm.kit.web.http import plain_problem_response

API_PREFIXES = ("/api/", "/oauth/", "/vnfpkgm/", "/vnflcm/", "/vnffm/", "/vnfpm/", "/vnfind/")

_IDENTIFIERS = ((4,), (6,), (4, 6))
"""Places of identifiers in paths such as /vnfpm/v2/pm_jobs/ID/reports/ID."""
_SOME_ID = str(UUID(int=0))

UI_NOT_BUILT = "The web interface is not built yet. Run ./vnfm up, which builds it; the API works without.\n"


class DatabaseHealth:
    """It knows if the database answers, checked at most every SECONDS on a connection of its own.

    A pool that is in use, or that waits to connect again, says nothing about the database.
    """

    SECONDS = 0.5

    def __init__(self) -> None:
        self._lock = Lock()
        self._answers, self._until = False, 0.0

    def answers(self) -> bool:
        with self._lock:
            if time.monotonic() >= self._until:
                self._answers = self._ask()
                self._until = time.monotonic() + self.SECONDS
            return self._answers

    def _ask(self) -> bool:
        try:
            with direct_connection(connect_timeout=1) as own:
                own.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True


_database = DatabaseHealth()


def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers: without it no request can be served."""
    if not _database.answers():
        return plain_problem_response(
            Problem(503, "DATABASE_UNAVAILABLE", "Service unavailable", "The database does not answer.")
        )
    return JsonResponse({"status": "ok"})


@cache
def _schema() -> tuple[bytes, str]:
    """The committed description of the API, and its entity tag."""
    content = Path(settings.BACKEND_DIR, "openapi.yaml").read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()}"'


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """openapi.yaml; 304 to a client that has it."""
    content, tag = _schema()
    headers = {"ETag": tag, "Cache-Control": "public, no-cache"}
    if tag in parse_etags(request.headers.get("If-None-Match", "").replace("W/", "")):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(content, content_type="application/vnd.oai.openapi", headers=headers)


def _for_wrong_method(request: HttpRequest) -> tuple[Any, Mapping[str, Any]] | None:
    """The view that refuses the request's method, for a resource whose identifiers need not be UUIDs in this path.

    To a client they are opaque (SOL013 4.3.2): 405 is due whatever they look like.
    """
    parts = request.path.split("/")
    for places in _IDENTIFIERS:
        named = [_SOME_ID if place in places else part for place, part in enumerate(parts)]
        match = resolve("/".join(named))
        cls = getattr(match.func, "cls", None)
        if cls is not None and not hasattr(cls, (request.method or "").lower()):
            return match.func, match.kwargs
    return None


@csrf_exempt
def anything_else(request: HttpRequest) -> HttpResponse:
    """The UI's index page for a browser's address, which the UI itself resolves; a problem for everything else."""
    refusing = _for_wrong_method(request) if request.path.startswith(API_PREFIXES) else None
    if refusing is not None:
        view, kwargs = refusing
        answer: HttpResponse = view(request, **kwargs)
        return answer
    browses = request.path == "/" or "text/html" in request.headers.get("Accept", "")
    if request.method not in ("GET", "HEAD") or not browses or request.path.startswith(API_PREFIXES):
        return not_found(request)
    try:
        page = Path(settings.UI_DIR, "index.html").read_bytes()
    except FileNotFoundError:
        return HttpResponse(UI_NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    # The page names its scripts by hash: an old copy would ask for scripts that are gone.
    return HttpResponse(page, headers={"Cache-Control": "no-cache"})


def not_found(request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    return plain_problem_response(
        Problem(
            404,
            "NOT_FOUND",
            "Not found",
            f"There is nothing at {request.path}.",
            "See /api/v1/docs for what there is.",
        )
    )


def bad_request(request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    return plain_problem_response(
        Problem(
            400,
            "BAD_REQUEST",
            "Bad request",
            "The request cannot be taken as it is.",
            "Use the address in VNFM_PUBLIC_URL, and check size and form of the request.",
        )
    )


def forbidden(request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    return plain_problem_response(
        Problem(403, "FORBIDDEN", "Forbidden", "You may not do this.", "Log in again, or ask an administrator.")
    )


def server_error(request: HttpRequest) -> JsonResponse:
    return plain_problem_response(
        Problem(
            500,
            "INTERNAL_ERROR",
            "Internal error",
            "Something went wrong on our side; it has been logged.",
            "Try again.",
        )
    )

"""What belongs to no context: health, the built UI, and answers to requests that no context takes."""

from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from vnfm.kit.http import plain_problem_response
from vnfm.kit.problem import Problem

API_PREFIXES = ("/api/", "/vnfpkgm/", "/vnflcm/", "/vnffm/")

UI_NOT_BUILT = "The web interface is not built yet. Run ./vnfm up, which builds it; the API works without.\n"


def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers: without it no request can be served."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return plain_problem_response(
            Problem(503, "DATABASE_UNAVAILABLE", "Service unavailable", "The database does not answer.")
        )
    return JsonResponse({"status": "ok"})


@csrf_exempt
def anything_else(request: HttpRequest) -> HttpResponse:
    """The UI's index page for a browser's address, which the UI itself resolves; a problem for everything else."""
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
            "See /api/v1/schema for what there is.",
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

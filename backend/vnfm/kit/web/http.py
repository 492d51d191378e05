"""Every API class shares these: problem+json for every failure, merge-patch bodies, ETags."""

import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import psycopg
import structlog
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from vnfm.kit.problem import FieldError, Problem, ProblemError, bad_request, too_many_requests
from vnfm.kit.web import strict_json
from vnfm.kit.web.wire import UNSUPPORTED

log = structlog.get_logger(__name__)

CONTENT_TYPE = "application/problem+json"


class StrictJsonParser(JSONParser):
    """Raises a 400 problem that names the place of what `kit.web.strict_json` refuses."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            return strict_json.loads(stream.read())
        except strict_json.InvalidJsonError as error:
            where = error.pointer or "the body"
            detail = f"The request is not valid: {where}. {error}"
            errors = [FieldError(error.pointer, str(error))]
            raise bad_request("INVALID_REQUEST", detail, errors, "Correct the named fields.") from error


class MergePatchParser(StrictJsonParser):
    """RFC 7396 bodies, as SOL003 sends its PATCH requests."""

    media_type = "application/merge-patch+json"


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    return Response(problem.as_json(), status=problem.status, headers=dict(headers or {}), content_type=CONTENT_TYPE)


def plain_problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> JsonResponse:
    """Views outside DRF answer with it."""
    return JsonResponse(
        problem.as_json(), status=problem.status, headers=dict(headers or {}), content_type=CONTENT_TYPE
    )


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error leaves as a problem; what we did not foresee is logged and stays a 500.

    A problem's extra `retryAfter`, in seconds, also becomes the header (RFC 9110 10.2.3).
    """
    if isinstance(error, exceptions.Throttled):
        wait: float = getattr(error, "wait", None) or 0.0  # set, and no type knows
        error = too_many_requests("TOO_MANY_REQUESTS", "This has been asked for too often.", wait)
    if isinstance(error, ProblemError):
        retry_after = error.problem.extra.get("retryAfter")
        return problem_response(error.problem, {} if retry_after is None else {"Retry-After": str(retry_after)})
    if isinstance(error, Http404):
        return problem_response(Problem(404, "NOT_FOUND", "Not found", "There is nothing at this address."))
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, exceptions.ValidationError):
        return problem_response(_validation_problem(error))
    if isinstance(error, exceptions.APIException):
        headers = {"WWW-Authenticate": error.auth_header} if hasattr(error, "auth_header") else {}
        return problem_response(_api_problem(error), headers)
    if isinstance(error, (OperationalError, psycopg.OperationalError)):  # the history is not read through Django
        log.exception("http.database_unavailable")  # noqa: LOG004 - DRF calls us while it handles the error
        return problem_response(
            Problem(503, "DATABASE_UNAVAILABLE", "Service unavailable", "The database does not answer.", "Try again.")
        )
    log.exception("http.unforeseen_error", view=type(context.get("view")).__name__)  # noqa: LOG004 - as above
    return problem_response(
        Problem(500, "INTERNAL_ERROR", "Internal error", "Something went wrong on our side; it has been logged.")
    )


def _api_problem(error: exceptions.APIException) -> Problem:
    code = error.get_codes()
    steps = {401: "Log in, or send a valid bearer token.", 403: "Ask an administrator for the role that may do this."}
    return Problem(
        status=error.status_code,
        code=(code if isinstance(code, str) else "error").upper(),
        title=HTTPStatus(error.status_code).phrase,
        detail=str(error.detail),
        next_step=steps.get(error.status_code, ""),
    )


def _validation_problem(error: exceptions.ValidationError) -> Problem:
    errors = tuple(_field_errors(error.detail))
    where = ", ".join(e.field or "the body" for e in errors)
    if _codes(error.get_codes()) == {UNSUPPORTED}:
        return Problem(
            422,
            "UNSUPPORTED_ATTRIBUTE",
            "Invalid input",
            f"The request is valid, but cannot be honoured: {where}. " + " ".join(e.message for e in errors),
            "Leave out the named attributes, or use the values that the message allows.",
            errors=errors,
        )
    return Problem(
        400,
        "INVALID_REQUEST",
        "Bad request",
        f"The request is not valid: {where}.",
        "Correct the named fields.",
        errors=errors,
    )


def _codes(codes: object) -> set[object]:
    """All codes of a validation error, however deep."""
    if isinstance(codes, Mapping):
        return {code for value in codes.values() for code in _codes(value)}
    if isinstance(codes, list):
        return {code for value in codes for code in _codes(value)}
    return {codes}


def _field_errors(detail: object, pointer: str = "") -> Iterator[FieldError]:
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            yield from _field_errors(value, pointer if key == "non_field_errors" else f"{pointer}/{_escaped(str(key))}")
    elif isinstance(detail, list) and any(isinstance(item, Mapping | list) for item in detail):
        for index, value in enumerate(detail):
            yield from _field_errors(value, f"{pointer}/{index}")
    elif isinstance(detail, list):
        yield FieldError(pointer, " ".join(str(item) for item in detail))
    else:
        yield FieldError(pointer, str(detail))


def _escaped(token: str) -> str:
    """A reference token of a JSON pointer (RFC 6901, clause 3)."""
    return token.replace("~", "~0").replace("/", "~1")


_DIGEST = re.compile(r'\.[0-9a-f]{16}"$')


def etag(version: int) -> str:
    """The entity tag of version `version` of a resource (SOL013 5.3: optimistic concurrency)."""
    return f'"{version}"'


def require_match(request: Request, version: int) -> None:
    """Raise 412 when the client's If-Match names another version than the stored one.

    A tag of ETSI's resources has a digest behind the version, which is about what is observed: it does not count.
    """
    wanted = request.headers.get("If-Match")
    versions = {_DIGEST.sub('"', tag.strip()) for tag in (wanted or "").split(",")}
    if wanted is not None and wanted != "*" and etag(version) not in versions:
        raise ProblemError(
            Problem(
                412,
                "PRECONDITION_FAILED",
                "Precondition failed",
                f"The resource has changed since you read it: it has version {version} now.",
                "Read it again, look at what changed, and repeat the request.",
            )
        )


def json_size(value: object) -> int:
    """Bytes of the compact JSON form, to bound what clients may store with us."""
    return len(json.dumps(value, separators=(",", ":")).encode())

"""Every kind of error leaves the API as application/problem+json that says what, where and what to do."""

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404
from rest_framework import exceptions, serializers

from vnfm.kit.problem import Cause, FieldError, Problem, ProblemError, unprocessable
from vnfm.kit.web.http import problem_handler


def handle(error: Exception):
    response = problem_handler(error, {})
    assert response is not None
    assert response.content_type == "application/problem+json"
    return response


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "NOT_FOUND"),
        (PermissionDenied(), 403, "PERMISSION_DENIED"),
        (exceptions.NotAuthenticated(), 401, "NOT_AUTHENTICATED"),
        (exceptions.MethodNotAllowed("PUT"), 405, "METHOD_NOT_ALLOWED"),
        (exceptions.UnsupportedMediaType("text/csv"), 415, "UNSUPPORTED_MEDIA_TYPE"),
        (exceptions.ParseError(), 400, "PARSE_ERROR"),
        (OperationalError("gone"), 503, "DATABASE_UNAVAILABLE"),
        (psycopg.OperationalError("gone"), 503, "DATABASE_UNAVAILABLE"),
        (KeyError("x"), 500, "INTERNAL_ERROR"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_status_and_code(error: Exception, status: int, code: str) -> None:
    response = handle(error)
    assert (response.status_code, response.data["status"], response.data["code"]) == (status, status, code)
    assert response.data["detail"]


def test_an_unforeseen_error_reveals_nothing() -> None:
    assert "hunter2" not in str(handle(RuntimeError("password hunter2")).data)


def test_a_problem_keeps_its_chain_of_causes() -> None:
    problem = Problem(502, "VIM_FAILED", "No", "Why", "Do", (Cause("heat", "h"), Cause("nova", "No valid host")))
    data = handle(ProblemError(problem)).data
    assert data["causes"][-1] == {"source": "nova", "message": "No valid host"}
    assert Problem.from_json(data) == problem


def test_retry_after_becomes_a_header() -> None:
    assert handle(ProblemError(Problem(429, "X", "x", "x", extra={"retryAfter": 30})))["Retry-After"] == "30"


def test_field_errors_point_into_the_body() -> None:
    class Port(serializers.Serializer):
        number = serializers.IntegerField()

    class Body(serializers.Serializer):
        name = serializers.CharField()
        ports = Port(many=True)
        limits = serializers.DictField(child=serializers.IntegerField())

    body = Body(data={"ports": [{"number": 1}, {"number": "x"}], "limits": {"a": "b"}})
    body.is_valid()
    errors = handle(exceptions.ValidationError(body.errors)).data["errors"]
    assert {error["field"] for error in errors} == {"/name", "/ports/1/number", "/limits/a"}


def test_errors_of_the_whole_body_point_to_the_whole_body() -> None:
    data = handle(exceptions.ValidationError({"non_field_errors": ["Either a or b."]})).data
    assert data["errors"] == [{"field": "", "message": "Either a or b."}]


def test_a_pointer_escapes_the_reserved_characters() -> None:
    errors = handle(exceptions.ValidationError({"a/b": ["no"], "c~d": ["no"]})).data["errors"]
    assert [error["field"] for error in errors] == ["/a~1b", "/c~0d"]


def test_unprocessable_names_the_field() -> None:
    error = unprocessable("BAD_CIDR", "10.0.0.0/33 is no CIDR.", [FieldError("/additionalParams/cidr", "no CIDR")])
    assert handle(error).data["errors"] == [{"field": "/additionalParams/cidr", "message": "no CIDR"}]

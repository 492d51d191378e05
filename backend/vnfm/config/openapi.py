"""Complete the OpenAPI document for the whole API: how to authenticate, and that every failure is a problem."""

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import force_instance, get_lib_doc_excludes
from rest_framework import serializers

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import X_AUTH_TOKEN
from vnfm.config.openapi_editions import add_editions
from vnfm.kit.web.http import CONTENT_TYPE
from vnfm.kit.web.idempotency import HEADER
from vnfm.kit.web.wire import AnswerSerializer, JsonSerializer, StrictSerializer
from vnfm.lcm.wire.editions import EditionSerializer


class ProgramScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular's subclass hook
    target_class = "vnfm.accounts.api.authentication.ProgramAuthentication"
    name = ["bearer", "oauth2", "basic", "xAuthToken"]  # noqa: RUF012 - as drf-spectacular has it

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[Any]]]:
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:
        scopes = {role.value: f"What the role {role.label} may do" for role in Role}
        return [
            {"type": "http", "scheme": "bearer"},
            {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/oauth/token", "scopes": scopes}}},
            {"type": "http", "scheme": "basic", "description": "Id and secret of an API client."},
            {"type": "apiKey", "in": "header", "name": X_AUTH_TOKEN, "description": "A bearer token."},
        ]


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # as above
    target_class = "vnfm.accounts.api.authentication.SessionAuthentication"
    name = "session"
    priority = 1  # before drf-spectacular's own for the parent class

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        description = "The name ends in the port, where the URL has one. Writes need X-CSRFToken as well."
        return {"type": "apiKey", "in": "cookie", "name": "vnfm_session", "description": description}


class Schema(AutoSchema):
    """Adds constraints of our serializers: lists that must not be empty, texts that must not be of spaces alone, and
    the attributes of a body that refuses unknown ones.
    """

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        serializer = force_instance(serializer)  # type: ignore[no-untyped-call]  # untyped there
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # untyped there
        if isinstance(serializer, StrictSerializer) and direction == "request":
            for name, reason in serializer.cannot.items():
                schema.setdefault("properties", {})[name] = {"description": f"422 unless empty: {reason}"}
            schema["additionalProperties"] = False
        return schema

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        schema = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]  # untyped there
        if getattr(field, "allow_empty", True) is False and schema.get("type") == "array":
            schema["minItems"] = 1
        if direction == "request" and _wants_more_than_spaces(field) and "format" not in schema:
            schema["pattern"] = NOT_BLANK
        return schema


NOT_BLANK = r"[^\s\x1c-\x1f\x85]"
"""A character that `str.strip` leaves: to it, and not to JSON Schema's \\s, five control characters are spaces, too."""


def _wants_more_than_spaces(field: Any) -> bool:
    """True if spaces at its ends are removed, something must be left, and it has no pattern of its own."""
    if not isinstance(field, serializers.CharField) or field.allow_blank or not field.trim_whitespace:
        return False
    return not any(isinstance(validator, RegexValidator) for validator in field.validators)


WHOLE_PATCHES = {
    "PatchedAlarmMatchWriteRequest": ["action", "asOf", "confirmed"],
    "PatchedAlarmModificationsRequest": ["ackState"],
    "PatchedTopologyPositionsRequest": ["positions"],
    "PatchedVnfSnapshotInfoModificationRequestRequest": ["vnfSnapshotPkgId"],
}
"""Bodies of PATCH → attributes that must be given; in all others any may be left out."""


def _strings(*names: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
    }


PROBLEM = {
    "type": "object",
    "description": "RFC 7807 problem details (SOL013 6.3), extended.",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, for people."},
        "instance": {"type": "string", "format": "uri-reference"},
        "code": {"type": "string", "description": "What is wrong, for programs: stable."},
        "nextStep": {"type": "string", "description": "What the user can do about it."},
        "causes": {
            "type": "array",
            "items": _strings("source", "message"),
            "description": "Who said what, outermost first, in their own words.",
        },
        "errors": {
            "type": "array",
            "items": _strings("field", "message"),
            "description": "`field` is a JSON pointer into the request body.",
        },
    },
    "required": ["type", "title", "status", "detail", "code", "nextStep", "causes", "errors"],
}


EVENTS = {
    "get": {
        "operationId": "event_stream",
        "description": "What changes, as it changes. `id` is to be sent back as Last-Event-ID after a break; `event` "
        "is the topic, or `reset` when it cannot be said what was missed; `data` holds topic, id and version as JSON. "
        "A comment comes every 15 s; after 10 min the stream ends, to be opened again.",
        "tags": ["events"],
        "security": [{name: []} for name in (*ProgramScheme.name, "session")],
        "parameters": [{"in": "header", "name": "Last-Event-ID", "schema": {"type": "string"}}],
        "responses": {
            "200": {"description": "The stream", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
        },
    }
}
"""A plain Django view, which drf-spectacular does not see."""


IDEMPOTENCY_KEY = {
    "in": "header",
    "name": HEADER,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    "description": "A repeated request with the same key and body gets the answer of the first, for 24 hours.",
}


def base_classes() -> list[type]:
    """Their docstrings are for us, and describe no type of the API."""
    return [*get_lib_doc_excludes(), EditionSerializer, AnswerSerializer, JsonSerializer]  # type: ignore[no-untyped-call]


def complete(result: dict[str, Any], generator: SchemaGenerator, request: object, public: bool) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: what all operations share, and the event stream."""
    result["paths"]["/api/v1/events"] = EVENTS
    result["components"]["schemas"]["ProblemDetails"] = PROBLEM
    answer = {
        "description": "Anything that went wrong",
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
    }
    _allow_any_value(result["components"]["schemas"])
    for name, required in WHOLE_PATCHES.items():
        result["components"]["schemas"][name]["required"] = required
    for methods in result["paths"].values():
        for method, operation in methods.items():
            operation["responses"].setdefault("default", answer)
            if method in ("patch", "put") and "requestBody" in operation:
                # openapi-python-client makes of an optional body modules that cannot be imported.
                operation["requestBody"]["required"] = True
            if method == "post":
                operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
    add_editions(result)
    return result


def _allow_any_value(schema: Any) -> None:
    """Change the schema: a nullable JSON field has no `oneOf` of any value and null, which null would match twice."""
    if isinstance(schema, list):
        for each in schema:
            _allow_any_value(each)
    elif isinstance(schema, dict):
        if schema.get("oneOf") == [{}, {"type": "null"}]:
            del schema["oneOf"]
        for each in schema.values():
            _allow_any_value(each)

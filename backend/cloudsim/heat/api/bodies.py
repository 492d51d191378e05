"""Reads request bodies and query strings, with Heat's errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault
from cloudsim.heat.engine.blueprint import Blueprint
from cloudsim.heat.engine.service import Wanted
from cloudsim.heat.errors import StackValidationFailed
from cloudsim.heat.hot.environment import Environment
from cloudsim.heat.hot.template import Template, parse_text

if TYPE_CHECKING:
    from cloudsim.core.service import Request

_TAG_LENGTH = 80


def bad_request(message: str) -> ApiFault:
    return ApiFault(400, "HTTPBadRequest", message)


class StackBody:
    """The body of create, update, preview and validate."""

    def __init__(self, request: Request) -> None:
        if not isinstance(request.json, dict):
            raise bad_request("Malformed JSON in request body.")
        self._body: Mapping[str, Any] = request.json

    @property
    def name(self) -> str:
        if "stack_name" not in self._body:
            raise bad_request("No stack name specified")
        name: str = self._body["stack_name"]
        return name

    def template(self) -> Template | None:
        """Return the template, None if the body has none. Raises ApiFault or a Heat error."""
        raw = self._body.get("template")
        if raw in (None, "", {}):
            if self._body.get("template_url"):
                raise bad_request(f"Could not retrieve template: Invalid URL scheme in {self._body['template_url']}")
            return None
        try:
            return parse_text(raw) if isinstance(raw, str) else Template(raw)
        except StackValidationFailed as problem:
            if problem.message == "Template format version not found.":
                raise bad_request(f"Template not in valid format: {problem.message}") from None
            raise
        except ValueError as problem:
            raise bad_request(f"Template not in valid format: {problem}") from None

    def environment(self) -> Environment:
        """Return the environment, overridden by the body's `parameters`."""
        try:
            environment = Environment.parse(self._body.get("environment"))
        except ValueError as problem:
            raise bad_request(f"Environment not in valid format: {problem}") from None
        parameters = self._body.get("parameters") or {}
        if not isinstance(parameters, dict):
            raise bad_request(f"Unexpected type for parameters: {type(parameters).__name__}")
        return environment.merged(Environment(parameters=parameters))

    def files(self) -> dict[str, str]:
        files = self._body.get("files") or {}
        return {str(key): text if isinstance(text, str) else str(text) for key, text in files.items()}

    def blueprint(self) -> Blueprint:
        """Return template, environment and files of a full request."""
        template = self.template()
        if template is None:
            raise bad_request("No template specified")
        return Blueprint(template, self.environment(), self.files())

    def wanted(self, blueprint: Blueprint) -> Wanted:
        """Return the engine's form of the request."""
        return Wanted(blueprint, self._timeout(), self._flag("disable_rollback"), self._tags())

    def patched(self, stored: Blueprint) -> Blueprint:
        """Return the stack's stored blueprint, overridden by a PATCH request."""
        environment = stored.environment.merged(self.environment())
        template = self.template() or stored.template
        dropped = set(self._body.get("clear_parameters") or ())
        kept = {
            name: value
            for name, value in environment.parameters.items()
            if name not in dropped and (name in template.parameters or name in self.environment().parameters)
        }
        environment = Environment(kept, environment.defaults, environment.registry)
        return Blueprint(template, environment, {**stored.files, **self.files()})

    def _timeout(self) -> int | None:
        value = self._body.get("timeout_mins")
        if value in (None, ""):
            return None
        try:
            minutes = int(str(value))
        except ValueError:
            raise bad_request(
                f"Only integer is allowed for timeout_mins: invalid literal for int() with base 10: '{value}'"
            ) from None
        if minutes <= 0:
            raise bad_request(f"Invalid timeout value {minutes}")
        return minutes

    def _flag(self, name: str) -> bool | None:
        value = self._body.get(name)
        if value is None:
            return None
        word = str(value).lower()
        if word not in ("true", "false"):
            raise bad_request(f'Unrecognized value "{value}" for "{name}", acceptable values are: true, false')
        return word == "true"

    def _tags(self) -> list[str] | None:
        value = self._body.get("tags")
        if value is None:
            return None
        tags = value.split(",") if isinstance(value, str) else value
        if not isinstance(tags, list):
            raise bad_request(f"Invalid tags, not a list: {value}")
        for tag in tags:
            if not isinstance(tag, str):
                raise bad_request(f'Invalid tag, "{tag}" is not a string')
            if len(tag) > _TAG_LENGTH:
                raise bad_request(f'Invalid tag, "{tag}" is longer than 80 characters')
        return [tag for tag in tags if tag]


def flag(request: Request, name: str, *, default: bool = False) -> bool:
    """Return a boolean of the query string."""
    value = request.query.get(name)
    if value is None or value == "":
        return default
    if value.lower() not in ("true", "false", "1", "0", "yes", "no"):
        raise bad_request(f'Unrecognized value "{value}" for "{name}", acceptable values are: true, false')
    return value.lower() in ("true", "1", "yes")


def number(request: Request, name: str) -> int | None:
    """Return a number of the query string, None if it is missing."""
    value = request.query.get(name)
    if value in (None, ""):
        return None
    try:
        return int(str(value))
    except ValueError:
        raise bad_request(
            f"Only integer is allowed for {name}: invalid literal for int() with base 10: '{value}'"
        ) from None

"""A HOT template: sections, resource definitions, outputs and references."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import yaml

from cloudsim.heat.errors import InvalidTemplateVersion, StackValidationFailed
from cloudsim.heat.hot.environment import load_yaml
from cloudsim.heat.hot.parameters import Parameter
from hot.functions import Json, calls
from hot.language import LIBERTY_VERSIONS

SECTIONS = (
    "heat_template_version", "description", "parameter_groups", "parameters", "resources", "outputs",
)  # fmt: skip
RESOURCE_KEYS = (
    "type", "properties", "metadata", "depends_on", "deletion_policy", "update_policy",
)  # fmt: skip
OUTPUT_KEYS = ("description", "value")
DELETION_POLICIES = {"Delete": "Delete", "Retain": "Retain", "Snapshot": "Snapshot"}
TEMPLATE_LIMIT = 524288


@dataclass(frozen=True)
class Definition:
    """An entry of `resources` with unresolved functions."""

    name: str
    type: str
    properties: dict[str, Json]
    metadata: Json
    depends_on: tuple[str, ...]
    deletion_policy: str
    update_policy: dict[str, Json]

    @classmethod
    def parse(cls, name: str, raw: dict[str, Json]) -> "Definition":
        """Parse an entry. Raises StackValidationFailed with Heat's message."""
        if "/" in name:
            raise StackValidationFailed('Resource name may not contain "/"')
        depends = raw.get("depends_on") or ()
        policy = raw.get("deletion_policy") or "Delete"
        if policy not in DELETION_POLICIES:
            raise StackValidationFailed(f'Invalid deletion policy "{policy}"')
        for key, kinds in (("properties", "object"), ("update_policy", "object")):
            if raw.get(key) is not None and not isinstance(raw[key], dict):
                raise StackValidationFailed(f'Resource {name} {key} type must be a mapping, got "{kinds}"')
        return cls(
            name,
            raw["type"],
            raw.get("properties") or {},
            raw.get("metadata") or {},
            (depends,) if isinstance(depends, str) else tuple(depends),
            policy,
            raw.get("update_policy") or {},
        )


class Template:
    """An immutable parsed template; `raw` is the client's."""

    def __init__(self, raw: Mapping[str, Json]) -> None:
        """Check version and sections. Raises the Heat error of the first defect."""
        self.raw = dict(raw)
        self.version = _version_of(self.raw)
        for section in self.raw:
            if section not in SECTIONS:
                raise StackValidationFailed(f"The template section is invalid: {section}")
        _check_section("resources", "type", self.section("resources"), RESOURCE_KEYS)
        _check_section("outputs", "value", self.section("outputs"), OUTPUT_KEYS)

    def section(self, name: str) -> dict[str, Json]:
        """Return a section as a mapping, which is empty if the template does not have it."""
        body = self.raw.get(name) or {}
        if not isinstance(body, dict):
            raise StackValidationFailed(f'The "{name}" section must be a mapping')
        return body

    @property
    def description(self) -> str:
        return str(self.raw.get("description") or "No description")

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        return {name: Parameter.parse(name, raw) for name, raw in self.section("parameters").items()}

    @cached_property
    def resources(self) -> dict[str, Definition]:
        return {str(name): Definition.parse(str(name), raw) for name, raw in self.section("resources").items()}

    @property
    def outputs(self) -> dict[str, Json]:
        return self.section("outputs")

    def requires(self, name: str) -> set[str]:
        """Return the names of the resources that `name` must wait for."""
        definition = self.resources[name]
        needs = {need for need in definition.depends_on if need in self.resources}
        for snippet in (definition.properties, definition.metadata):
            needs |= set(self.referred(snippet))
        return needs

    def referred(self, snippet: Json) -> Iterator[str]:
        """Yield the resources that a snippet names by get_resource or get_attr, if known before resolving."""
        for call in calls(snippet, self.version):
            if call.name in ("get_resource", "Ref") and isinstance(call.argument, str):
                target = call.argument
            elif call.name == "get_attr":
                first = call.argument[0] if isinstance(call.argument, list) and call.argument else call.argument
                target = first if isinstance(first, str) else ""
            else:
                continue
            if target in self.resources:
                yield target


def _version_of(raw: Mapping[str, Json]) -> str:
    version = raw.get("heat_template_version")
    if not isinstance(version, str):
        raise StackValidationFailed("Template format version not found.")
    if version not in LIBERTY_VERSIONS:
        available = ", ".join(LIBERTY_VERSIONS)
        raise InvalidTemplateVersion(
            f'"heat_template_version: {version}". "heat_template_version" should be one of: {available}'
        )
    return version


def _check_section(section: str, needed: str, body: dict[str, Json], keys: tuple[str, ...]) -> None:
    singular = section[:-1]
    for name in sorted(body, key=str):
        attributes = body[name]
        if not attributes:
            raise StackValidationFailed(f"Each {singular} must contain a {needed} key.")
        if not isinstance(attributes, dict):
            found = type(attributes).__name__
            raise StackValidationFailed(
                f"\"{section}\" must contain a map of {singular} maps. Found a [<class '{found}'>] instead"
            )
        for key in attributes:
            if key not in keys:
                raise StackValidationFailed(f'"{key}" is not a valid keyword inside a {singular} definition')
        if needed not in attributes:
            raise StackValidationFailed(f"Each {singular} must contain a {needed} key.")


@lru_cache(maxsize=256)
def parse_text(text: str, url: str = "[root stack]") -> Template:
    """Parse a template's text; results are shared. Raises ValueError for invalid YAML, or the Heat error."""
    if len(text) > TEMPLATE_LIMIT:
        raise ValueError(f"Template size ({len(text)} bytes) exceeds maximum allowed size ({TEMPLATE_LIMIT} bytes).")
    try:
        raw = load_yaml(text)
    except yaml.YAMLError:
        raise ValueError(f"Error parsing template {url} {_explained(text)}") from None
    if not isinstance(raw, dict):
        raise ValueError("The template is not a JSON object or YAML mapping.")
    return Template(json.loads(json.dumps(raw)))


def _explained(text: str) -> str:
    """Return the YAML error with an excerpt of the text, which only the slow loader gives."""
    try:
        yaml.safe_load(text)
    except yaml.YAMLError as problem:
        return str(problem)
    return ""

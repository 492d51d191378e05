"""The environment of a request: parameters, defaults and the resource registry."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from hot.functions import Json

SECTIONS = ("parameters", "resource_registry", "parameter_defaults", "encrypted_param_names")


class HotLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Loads YAML as Heat does: dates stay text (`heat_template_version: 2015-10-15`)."""


def _text(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


HotLoader.add_constructor("tag:yaml.org,2002:timestamp", _text)


def load_yaml(text: str) -> Json:
    """Parse YAML or JSON; raises yaml.YAMLError."""
    return yaml.load(text, Loader=HotLoader)  # noqa: S506 - HotLoader derives from the safe loader


@dataclass(frozen=True)
class Environment:
    """The environment of a template; nested stacks share its registry and defaults, but not its parameters."""

    parameters: dict[str, Json] = field(default_factory=dict)
    defaults: dict[str, Json] = field(default_factory=dict)
    registry: dict[str, Json] = field(default_factory=dict)

    @classmethod
    def parse(cls, raw: Json) -> "Environment":
        """Parse YAML text or a mapping. Raises ValueError with Heat's message."""
        if isinstance(raw, str):
            try:
                raw = load_yaml(raw)
            except yaml.YAMLError as problem:
                raise ValueError(str(problem)) from None
        raw = {} if raw is None else raw
        if not isinstance(raw, dict):
            raise ValueError("The environment is not a valid YAML mapping data type.")
        for section, body in raw.items():
            if section not in SECTIONS:
                raise ValueError(f'environment has wrong section "{section}"')
            if body is None:
                raise ValueError(f'environment has empty section "{section}"')
        return cls(
            dict(raw.get("parameters") or {}),
            dict(raw.get("parameter_defaults") or {}),
            dict(raw.get("resource_registry") or {}),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the stored form, which `parse` accepts."""
        return {
            "parameters": self.parameters,
            "parameter_defaults": self.defaults,
            "resource_registry": self.registry,
        }

    def merged(self, newer: "Environment") -> "Environment":
        """Return the stored environment merged with a PATCH request's."""
        return Environment(
            {**self.parameters, **newer.parameters},
            {**self.defaults, **newer.defaults},
            _merged_registry(self.registry, newer.registry),
        )

    def for_nested(self, parameters: Mapping[str, Json], parent_resource: str) -> "Environment":
        """Return the environment of the stack of `parent_resource`, with its `resources` branch of the registry."""
        registry = {name: target for name, target in self.registry.items() if name != "resources"}
        branch = dict((self.registry.get("resources") or {}).get(parent_resource) or {})
        inner = branch.pop("resources", None)
        registry |= {name: target for name, target in branch.items() if name not in ("hooks", "restricted_actions")}
        if inner:
            registry["resources"] = inner
        return Environment(dict(parameters), self.defaults, registry)

    def implementations(self, type_name: str, resource_name: str) -> Iterator[str]:
        """Yield the types or template files to which the registry maps a type, in Heat's order.

        Entries of this resource alone come first. The others are sorted by name, so that a wildcard comes before the
        names that it matches (ResourceInfo.__lt__, in Liberty as today).
        """
        specific = (self.registry.get("resources") or {}).get(resource_name) or {}
        if isinstance(specific.get(type_name), str):
            yield specific[type_name]
        for name, target in sorted(self.registry.items()):
            if not isinstance(target, str):
                continue
            if name == type_name:
                yield target
            elif name.endswith("*") and target != type_name and type_name.startswith(name[:-1]):
                yield target[:-1] + type_name[len(name) - 1 :] if target.endswith("*") else target


def _merged_registry(old: Mapping[str, Json], new: Mapping[str, Json]) -> dict[str, Json]:
    merged = {**old, **new}
    if "resources" in old and "resources" in new:
        merged["resources"] = {**old["resources"], **new["resources"]}
    return merged

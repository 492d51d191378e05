"""Reads the resource types of an importable Heat: properties, attributes and the old names that it translates."""

import importlib
import inspect
import logging
import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from typing import Any
from unittest.mock import MagicMock

Row = dict[str, Any]
_LETTERS = {"String": "s", "Integer": "i", "Number": "n", "Boolean": "b", "Map": "m", "List": "l", "Any": "a"}
_BOUNDS = {"Range": "n", "Length": "l"}


def read_types() -> dict[str, Row]:
    """Return the row of every type under OS::, as `heat_schemas` merges them."""
    warnings.simplefilter("ignore")
    logging.disable()
    importlib.import_module("oslo_config.cfg").CONF([], project="heat", default_config_files=[])
    return {name: _type(kind) for name, kind in _classes() if name.startswith("OS::")}


def _classes() -> Iterator[tuple[str, Any]]:
    package = importlib.import_module("heat.engine.resources")
    for found in pkgutil.walk_packages(package.__path__, "heat.engine.resources."):
        module = importlib.import_module(found.name)
        for mapping in ("available_resource_mapping", "resource_mapping"):
            yield from getattr(module, mapping, dict)().items()


def _type(kind: Any) -> Row:
    base = importlib.import_module("heat.engine.resource").Resource
    reader = "get_attribute" if hasattr(base, "get_attribute") else "FnGetAtt"
    properties = {name: _property(schema) for name, schema in kind.properties_schema.items() if schema.implemented}
    for old, new in _translations(kind, base):
        row: Row = {"p": properties}
        for step in old[:-1]:
            row = row["p"][step].get("e") or row["p"][step]
        row.get("p", {}).get(old[-1], {})["for"] = new
    return {
        "s": _since(kind.support_status),
        "hidden": kind.support_status.status == "HIDDEN",
        "x": kind.default_client_name == "neutron" and getattr(kind, "required_service_extension", ""),
        "p": properties,
        "a": {
            name: _since(schema.support_status)
            for name, schema in {**kind.base_attributes_schema, **kind.attributes_schema}.items()
        },
        # OS::Heat::None takes all properties and reads none of them.
        "free": not properties and kind.reparse is not base.reparse,
        # A type with its own reader accepts any attribute at validation.
        "any": getattr(kind, reader) is not getattr(base, reader),
    }


def _property(schema: Any) -> Row:
    row: Row = {"t": _LETTERS[schema.type], "r": bool(schema.required), "s": _since(schema.support_status)}
    for constraint in schema.constraints:
        name = type(constraint).__name__
        if name == "AllowedValues":
            row["v"] = list(constraint.allowed)
        elif name == "AllowedPattern":
            row["x"] = constraint.pattern
        elif name in _BOUNDS:
            row[_BOUNDS[name]] = [constraint.min, constraint.max]
    inner = schema.schema
    if schema.type == "Map" and inner:
        row["p"] = {name: _property(child) for name, child in inner.items() if child.implemented}
    elif schema.type == "List" and inner is not None:
        row["e"] = _property(inner["*"] if isinstance(inner, Mapping) else inner)
    return row


def _since(status: Any) -> int:
    """Return the release that introduced it, 0 if none is stated; a deprecation's own version is not that release."""
    while status.previous_status is not None:
        status = status.previous_status
    version = str(status.version or "") if status.status == "SUPPORTED" else ""
    return int(version.split(".")[0]) if version[:1].isdigit() else 0


def _translations(kind: Any, base: Any) -> Iterator[tuple[list[str], str]]:
    """Yield the path of each old name, and the name that it is translated to (`translation_rules`, since Mitaka)."""
    rules = getattr(kind, "translation_rules", None)
    if rules is None or rules is base.translation_rules or inspect.signature(rules).parameters.keys() == {"self"}:
        return  # Liberty's rules take no arguments; the installed release has the same rules in today's form.

    class Stub(kind):  # type: ignore[misc]  # known when it runs
        def client_plugin(self, *names: str) -> MagicMock:
            return MagicMock(name=str(names))

    stub = object.__new__(Stub)
    stub.stack = MagicMock()
    for rule in rules(stub, MagicMock()) or ():
        if rule.rule == "Replace" and not rule.custom_value_path:
            path = rule.translation_path
            yield rule.value_path or [*path[:-1], rule.value_name], path[-1]

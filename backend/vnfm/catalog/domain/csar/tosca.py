"""Topology templates as SOL001 uses them: nodes, policies and groups, with the values of inputs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.csar.definitions import Definitions, mapping
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.kit.patterns import pattern

_UNITS: Mapping[str, int] = {
    unit: 1024**power
    for power, names in enumerate((("B",), ("KB", "KIB"), ("MB", "MIB"), ("GB", "GIB"), ("TB", "TIB")))
    for unit in names
}
"""Binary, also where TOSCA means decimal: 512 MB in a VNFD means Nova's unit, MiB."""
_NUMBER = pattern("[0-9]{1,9}")
_SIZE = pattern(r"\s*([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([A-Za-z]+)\s*")


@dataclass(frozen=True, slots=True)
class Entity:
    """A node template or a policy, with its place."""

    name: str
    type: str
    """Its nearest type or ancestor that the reader knows, else its own type."""
    data: Mapping[str, Any]
    topology: "TopologyTemplate"
    where: Path

    def get(self, *keys: str) -> Any:
        """A value below its properties."""
        value: Any = self.topology.resolved(self.data.get("properties"))
        for key in keys:
            value = self.topology.resolved(value.get(key)) if isinstance(value, Mapping) else None
        return value

    def mapping(self, *keys: str) -> Mapping[str, Any]:
        found = self.get(*keys)
        return found if isinstance(found, Mapping) else {}

    def targets(self) -> list[str]:
        found = self.data.get("targets")
        return [str(target) for target in found] if isinstance(found, list) else []

    def requirements(self, name: str) -> list[str]:
        """The nodes of the requirements with that name."""
        written = self.data.get("requirements")
        entries = written if isinstance(written, list) else [written]
        pairs = [pair for entry in entries if isinstance(entry, Mapping) for pair in entry.items()]
        nodes = [target.get("node") if isinstance(target, Mapping) else target for key, target in pairs if key == name]
        return [node for node in nodes if isinstance(node, str)]

    def finding(self, severity: Severity, code: str, message: str, *more: str | int) -> Finding:
        return Finding.of(severity, code, self.topology.document.fault((*self.where, *more), message))


@dataclass(frozen=True, slots=True)
class TopologyTemplate:
    document: Document

    @property
    def data(self) -> Mapping[str, Any]:
        return mapping(self.document.data, "topology_template")

    @property
    def substitution(self) -> Mapping[str, Any]:
        return mapping(self.data, "substitution_mappings")

    def resolved(self, value: Any) -> Any:
        """The value; of an input its default. None for inputs without default and for other functions."""
        if not isinstance(value, Mapping) or len(value) != 1:
            return value
        function, argument = next(iter(value.items()))
        if function == "get_input":
            return mapping(self.data, "inputs", str(argument)).get("default")
        return None if isinstance(function, str) and function.startswith("get_") else value

    def nodes(self, definitions: Definitions, known: Mapping[str, Any]) -> Iterator[Entity]:
        for name, raw in mapping(self.data, "node_templates").items():
            if isinstance(raw, Mapping):
                written = str(raw.get("type", ""))
                kind = next((k for k in definitions.ancestry(written) if k in known), written)
                yield Entity(str(name), kind, raw, self, (*_HERE, "node_templates", str(name)))

    def policies(self) -> Iterator[Entity]:
        """From a list of single-key mappings, or from one mapping."""
        written = self.data.get("policies")
        entries: list[tuple[Path, Any]] = [((), written)]
        if isinstance(written, list):
            entries = [((index,), entry) for index, entry in enumerate(written)]
        for step, entry in entries:
            for name, raw in entry.items() if isinstance(entry, Mapping) else ():
                if isinstance(raw, Mapping):
                    yield Entity(str(name), str(raw.get("type", "")), raw, self, (*_HERE, "policies", *step, str(name)))

    def group_members(self, name: str) -> list[str]:
        members = mapping(self.data, "groups", name).get("members")
        return [str(member) for member in members] if isinstance(members, list) else []


_HERE = ("topology_template",)


def size_in(unit: str, written: Any) -> int | None:
    """Read a TOSCA size ("512 MB") in whole units, rounded up; None for other text."""
    match = _SIZE.fullmatch(str(written))
    factor = _UNITS.get(match[2].upper()) if match else None
    return math.ceil(float(match[1]) * factor / _UNITS[unit]) if match and factor else None


def whole_number(value: Any) -> int | None:
    """A whole number, not negative; None for anything else."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def text(value: Any) -> str:
    """A scalar as text; "" for anything else."""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""

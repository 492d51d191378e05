"""Topology templates as SOL001 uses them: nodes, policies and groups, with values of inputs put in."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vnfm.catalog.domain.csar.definitions import Definitions, mapping
from vnfm.catalog.domain.documents import Document, Path
from vnfm.catalog.domain.findings import Finding, Severity

_UNITS: Mapping[str, int] = {
    unit: 1024**power
    for power, names in enumerate((("B",), ("KB", "KIB"), ("MB", "MIB"), ("GB", "GIB"), ("TB", "TIB")))
    for unit in names
}
"""Binary also where TOSCA means decimal: who writes 512 MB means Nova's, which are MiB."""
_SIZE = re.compile(r"\s*([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([A-Za-z]+)\s*")


@dataclass(frozen=True, slots=True)
class Part:
    """A node or a policy, where it stands."""

    name: str
    type: str
    """The nearest type of its ancestry that the reader knows, else the written one."""
    data: Mapping[str, Any]
    topology: "Topology"
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
        """The nodes that the requirements of that name lead to."""
        written = self.data.get("requirements")
        entries = written if isinstance(written, list) else [written]
        pairs = [pair for entry in entries if isinstance(entry, Mapping) for pair in entry.items()]
        nodes = [target.get("node") if isinstance(target, Mapping) else target for key, target in pairs if key == name]
        return [node for node in nodes if isinstance(node, str)]

    def say(self, severity: Severity, code: str, message: str, *more: str | int) -> Finding:
        return Finding.of(severity, code, self.topology.document.fault((*self.where, *more), message))


@dataclass(frozen=True, slots=True)
class Topology:
    document: Document

    @property
    def data(self) -> Mapping[str, Any]:
        return mapping(self.document.data, "topology_template")

    @property
    def substitution(self) -> Mapping[str, Any]:
        return mapping(self.data, "substitution_mappings")

    def resolved(self, value: Any) -> Any:
        """The value; that of an input by its default, None when it has none. Other functions are not known."""
        if not isinstance(value, Mapping) or len(value) != 1:
            return value
        function, argument = next(iter(value.items()))
        if function == "get_input":
            return mapping(self.data, "inputs", str(argument)).get("default")
        return None if isinstance(function, str) and function.startswith("get_") else value

    def nodes(self, definitions: Definitions, known: Mapping[str, Any]) -> Iterator[Part]:
        for name, raw in mapping(self.data, "node_templates").items():
            if isinstance(raw, Mapping):
                written = str(raw.get("type", ""))
                kind = next((k for k in definitions.ancestry(written) if k in known), written)
                yield Part(str(name), kind, raw, self, (*_HERE, "node_templates", str(name)))

    def policies(self) -> Iterator[Part]:
        """Written as a list of single ones, or as a mapping."""
        written = self.data.get("policies")
        entries: list[tuple[Path, Any]] = [((), written)]
        if isinstance(written, list):
            entries = [((index,), entry) for index, entry in enumerate(written)]
        for step, entry in entries:
            for name, raw in entry.items() if isinstance(entry, Mapping) else ():
                if isinstance(raw, Mapping):
                    yield Part(str(name), str(raw.get("type", "")), raw, self, (*_HERE, "policies", *step, str(name)))

    def group_members(self, name: str) -> list[str]:
        members = mapping(self.data, "groups", name).get("members")
        return [str(member) for member in members] if isinstance(members, list) else []


_HERE = ("topology_template",)


def size_in(unit: str, written: Any) -> int | None:
    """A TOSCA size ("512 MB") in whole units, rounded up; None when it is no size."""
    match = _SIZE.fullmatch(str(written))
    factor = _UNITS.get(match[2].upper()) if match else None
    return math.ceil(float(match[1]) * factor / _UNITS[unit]) if match and factor else None


def whole(value: Any) -> int | None:
    """A number of things; None when it is none."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def text(value: Any) -> str:
    """A scalar as text; "" for everything else."""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""

"""Values inside a parameter of type json that another manager would fill, as parameters of their own."""

import re
from collections.abc import Mapping
from typing import Any

from vnfm.catalog.domain.documents import Document
from vnfm.catalog.domain.findings import Finding
from vnfm.kit.patterns import pattern

Json = dict[str, Any]
JsonPath = tuple[Any, ...]
"""A json parameter of the root and the steps into it: names, indexes, and functions that give them."""
_COUNTS = pattern(r"(?i)desired_capacity|count|number_of_instances?")
_OPTIONAL = pattern(r"(?i)locationConstraints|availability_?zone|zone|az_?id|computeName|name|shelf|card")
"""Keys whose value may be empty."""
_LISTS = pattern(r"(?i)blacklist|removals?")
_OWN_NAMES: Mapping[str, str] = {"vnfId": "vnf_id"}
"""Keys that stand for what the manager itself knows."""
_WORDS: Mapping[str, str] = {
    "computeFlavourId": "flavor",
    "flavourId": "flavor",
    "flavorId": "flavor",
    "vcImageId": "image",
    "imageId": "image",
    "networkId": "network",
    "network_id": "network",
    "fixed_ip_addresses": "address",
    "ip_address": "address",
    "locationConstraints": "availability zone",
    "azId": "availability zone",
}
"""Other managers' keys to labels in forms."""


def json_path(value: Any, bound: Mapping[str, JsonPath]) -> JsonPath | None:
    """Return the path from the root that a get_param of a bound parameter reads; None for other values."""
    if not (isinstance(value, Mapping) and len(value) == 1 and "get_param" in value):
        return None
    argument = value["get_param"]
    name, *steps = argument if isinstance(argument, list) and argument else [argument]
    return (*bound[name], *steps) if isinstance(name, str) and name in bound else None


class Declarations:
    """The parameters that the root gets."""

    def __init__(self, root: Document) -> None:
        self.root = root
        self.taken: set[str] = set()
        """Names of parameters and resources that the root has already."""
        self.declared: dict[str, Json] = {}
        self.findings: list[Finding] = []
        self.bounds: dict[str, Json] = {}
        """Path of a count, as text, to the bounds of its group."""
        self.numbers: dict[str, int] = {}
        """Name to the last number that was tried after it."""
        self.added: list[str] = []
        """Parameters for groups."""
        self.named: dict[str, str] = {}
        """Path, as text, to its parameter."""

    def declare(self, document: Document, steps: list[Any]) -> str:
        """The parameter for the value at these steps; a new one when it is read for the first time."""
        written = ".".join(map(str, steps))
        if written not in self.named:
            names = steps[2:] or steps[1:]
            name = re.sub(r"[^A-Za-z0-9_-]", "_", "_".join(map(str, names)))[:100]
            name = self.named[written] = self.free(_OWN_NAMES.get(name, name))
            declaration = {"label": _label(steps), "description": f"{written} of the original template."}
            self.declared[name] = {**self._typed(steps), **declaration}
            message = f"{written}, which another manager would fill, is now the parameter {name}."
            fault = document.fault(("parameters", steps[0]), message)
            self.findings.append(Finding.of("note", "CSAR_FLATTENED", fault))
        return self.named[written]

    def count(self, group: str, default: int, low: int, high: int) -> str:
        """A parameter for the size of a group."""
        about = {"label": f"Size of {group}", "description": f"Members of {group}."}
        return self._add(
            f"{group}_count",
            {"type": "number", "default": default, "constraints": [{"range": {"min": low, "max": high}}], **about},
        )

    def removals(self, group: str) -> str:
        """A parameter for the members that a scale-in removes."""
        about = {"description": f"Members to remove from {group}."}
        return self._add(f"{group}_removals", {"type": "comma_delimited_list", "default": [], **about})

    def free(self, name: str) -> str:
        """The name, with the next number where it is taken."""
        found = name
        while found in self.taken or found in self.declared:
            self.numbers[name] = self.numbers.get(name, 1) + 1
            found = f"{name}_{self.numbers[name]}"
        return found

    def _add(self, wanted: str, declaration: Json) -> str:
        name = self.free(re.sub(r"[^A-Za-z0-9_-]", "_", wanted)[:100])
        self.declared[name] = declaration
        self.added.append(name)
        return name

    def _typed(self, steps: list[Any]) -> Json:
        leaf = str(steps[-1])
        bounds = self.bounds.get(repr(steps))
        if bounds or _COUNTS.fullmatch(leaf):
            constraints = {"constraints": [{"range": bounds}]} if bounds else {}
            return {"type": "number", "default": bounds["min"] if bounds else 1, **constraints}
        if _LISTS.fullmatch(leaf):
            return {"type": "comma_delimited_list", "default": []}
        return {"type": "string", **({"default": ""} if _OPTIONAL.fullmatch(leaf) else {})}


def _label(steps: list[Any]) -> str:
    """firewall: flavor"""
    names = [step for step in steps[2:] or steps[1:] if isinstance(step, str)]
    leaf = _WORDS.get(names[-1], names[-1]) if names else str(steps[-1])
    return f"{names[0]}: {leaf}" if len(names) > 1 else leaf

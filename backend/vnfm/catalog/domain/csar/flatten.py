"""Templates that other managers fill: Tacker hands its HOTs one parameter of type json (`nfv`), Nokia's CBAM another
(`cbam`). Each value that such a template takes out of it becomes a parameter of its own, which an operator can set and
this manager can act by; groups that Heat would scale by itself become groups that the manager scales.

The rewritten root lies beside the original, which stays as it is.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename, dirname, join
from typing import Any

import yaml

from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.documents import Document
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.language import is_call
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES
from vnfm.catalog.domain.references import GROUP_TYPE
from vnfm.catalog.domain.sources import Content

SUFFIX = "-flat.yaml"
_AUTOSCALING = "OS::Heat::AutoScalingGroup"
_POLICY = "OS::Heat::ScalingPolicy"
_COUNTS = re.compile(r"(?i)desired_capacity|count|number_of_instances?")
_OPTIONAL = re.compile(r"(?i)locationConstraints|availability_?zone|zone|computeName|name")
"""Leaves that Heat takes empty."""
_LISTS = re.compile(r"(?i)blacklist|removals?")

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
}
"""What the other managers' names mean on a form."""

Json = dict[str, Any]


@dataclass(slots=True)
class Flattened:
    path: str
    """Of the rewritten root; of the original when there was nothing to rewrite."""
    text: bytes = b""
    findings: list[Finding] = field(default_factory=list)


def flatten(content: Content, root: str) -> Flattened:
    """Rewrite the root where another manager would have filled it; raises PackageError when it is no YAML."""
    document = content.yaml(root)
    result = Flattened(root)
    data: Json = copy.deepcopy(document.data)
    if not isinstance(data.get("resources"), dict):
        return result
    rewriting = _Rewriting(document, content, data, result.findings)
    rewriting.groups()
    rewriting.nested_names()
    rewriting.parameters()
    if result.findings:
        result.path = root.rpartition(".")[0] + SUFFIX
        head = f"# Made from {root}, which another manager would fill: see the validation report.\n"
        result.text = (head + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)).encode()
    return result


class _Rewriting:
    def __init__(self, document: Document, content: Content, data: Json, findings: list[Finding]) -> None:
        self.document, self.content, self.data, self.findings = document, content, data, findings
        self.resources: Json = data["resources"]
        if not isinstance(data.get("parameters"), dict):
            data["parameters"] = {}
        self.declared: Json = data["parameters"]
        self.ranges: dict[str, Json] = {}
        """Text of a count's path to the bounds of its group."""
        self.named: dict[str, str] = {}
        """Text of a path to the parameter that it has become."""

    def groups(self) -> None:
        """AutoScalingGroups become ResourceGroups; the policies by which Heat would scale them go."""
        scaled = {name for name, raw in self.resources.items() if mapping(raw).get("type") == _AUTOSCALING}
        for name in sorted(scaled):
            group = self.resources[name]
            group["type"], group["properties"] = GROUP_TYPE, self._group(name, mapping(group, "properties"))
            message = f"{name} was scaled by Heat itself; it has become an {GROUP_TYPE}, which the manager scales."
            self._say(name, message)
        for name in [n for n, raw in self.resources.items() if mapping(raw).get("type") == _POLICY]:
            group = mapping(self.resources[name], "properties").get("auto_scaling_group_id")
            if isinstance(group, Mapping) and set(map(str, group.values())) <= scaled:
                del self.resources[name]
                self._say(name, f"{name} is left out: nobody but the manager scales the group.")

    def _group(self, name: str, properties: Mapping[str, Any]) -> Json:
        low, high = properties.get("min_size", 1), properties.get("max_size", 1)
        count = properties.get("desired_capacity", low)
        if is_call(count) and isinstance(low, int) and isinstance(high, int):
            self.ranges[repr(count.get("get_param"))] = {"min": low, "max": high}
        group: Json = {"count": count, "resource_def": properties.get("resource", {})}
        if is_call(count):
            removals = self._free(f"{name}_removals")
            said = {"type": "comma_delimited_list", "default": [], "description": f"Who leaves {name}."}
            self.declared[removals] = said
            group["removal_policies"] = [{"resource_list": {"get_param": removals}}]
        return group

    def nested_names(self) -> None:
        """Tacker names the templates in `nested/` without their folder."""
        for where, made in _definitions(self.resources):
            kind = str(made.get("type", ""))
            folder = dirname(self.document.path)
            beside, below = join(folder, kind), join(folder, "nested", basename(kind))
            if kind.endswith(TEMPLATE_SUFFIXES) and beside not in self.content.files and below in self.content.files:
                made["type"] = f"nested/{basename(kind)}"
                self._say(where, f"{kind} of {where} is {below}.")

    def parameters(self) -> None:
        """Values out of a parameter of type json without a default become parameters of their own, unless something
        takes it whole.
        """
        used = [self.resources, self.data.get("outputs")]
        for name in [n for n, raw in self.declared.items() if mapping(raw).get("type") == "json"]:
            calls = [call for call in _calls(used) if _first(call) == name]
            known = "default" in self.declared[name] or _contains(used, {"get_param": name})
            if known or not calls or not all(_plain(call["get_param"]) for call in calls):
                continue
            del self.declared[name]
            for call in calls:
                way = call["get_param"]
                if isinstance(way, list):  # an alias of YAML is met more than once
                    call["get_param"] = self._declare(way)

    def _declare(self, way: list[Any]) -> str:
        name = "_".join(str(step) for step in way[2:] or way[1:])
        name = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:100]
        written = ".".join(map(str, way))
        if written not in self.named:
            self.named[written] = name = self._free(name)
            said = {"label": _label(way), "description": f"{written} of the original template."}
            self.declared[name] = {**self._typed(way), **said}
            message = f"{written}, which another manager would fill, has become the parameter {name}."
            fault = self.document.fault(("parameters", way[0]), message)
            self.findings.append(Finding.of("note", "CSAR_FLATTENED", fault))
        return self.named[written]

    def _typed(self, way: list[Any]) -> Json:
        leaf = str(way[-1])
        if _COUNTS.fullmatch(leaf):
            bounds = self.ranges.get(repr(way))
            constraints = {"constraints": [{"range": bounds}]} if bounds else {}
            return {"type": "number", "default": bounds["min"] if bounds else 1, **constraints}
        if _LISTS.fullmatch(leaf):
            return {"type": "comma_delimited_list", "default": []}
        return {"type": "string", **({"default": ""} if _OPTIONAL.fullmatch(leaf) else {})}

    def _free(self, name: str) -> str:
        taken = {*self.declared, *self.resources}
        return next(c for c in (name, *(f"{name}_{n}" for n in range(2, 10_000))) if c not in taken)

    def _say(self, resource: str, message: str) -> None:
        self.findings.append(
            Finding.of("note", "CSAR_FLATTENED", self.document.fault(("resources", resource), message))
        )


def _definitions(resources: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    """Resources and what groups make, each with the name of the resource."""
    for name, raw in resources.items():
        if isinstance(raw, dict):
            yield name, raw
            made = mapping(raw, "properties").get("resource_def")
            if isinstance(made, dict):
                yield name, made


def _calls(value: Any) -> Iterator[Json]:
    """Every get_param with a way into a parameter."""
    if isinstance(value, dict) and isinstance(value.get("get_param"), list) and len(value) == 1:
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from _calls(child)


def _label(way: list[Any]) -> str:
    """firewall: flavor"""
    names = [step for step in way[2:] or way[1:] if isinstance(step, str)]
    leaf = _WORDS.get(names[-1], names[-1]) if names else str(way[-1])
    return f"{names[0]}: {leaf}" if len(names) > 1 else leaf


def _contains(value: Any, wanted: Json) -> bool:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value == wanted or any(_contains(child, wanted) for child in children)


def _first(call: Json) -> Any:
    return call["get_param"][0] if call["get_param"] else None


def _plain(way: list[Any]) -> bool:
    """Names and indexes only: no function in the way."""
    return len(way) > 1 and all(isinstance(step, str | int) for step in way)

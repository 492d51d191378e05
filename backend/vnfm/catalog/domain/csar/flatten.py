"""Rewrites templates for other managers: Tacker passes one parameter of type json (`nfv`) to its HOTs, Nokia's CBAM
another (`cbam`). Each value that such a template reads from it becomes a parameter of its own, which operators can set;
groups that Heat would scale by itself become groups that the manager scales.

The rewritten root is a new file beside the original, which is not changed.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename, dirname, join
from typing import Any

import yaml

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.documents import Document
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.language import is_call
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES

SUFFIX = "-flat.yaml"
_AUTOSCALING = "OS::Heat::AutoScalingGroup"
_POLICY = "OS::Heat::ScalingPolicy"
_COUNTS = re.compile(r"(?i)desired_capacity|count|number_of_instances?")
_OPTIONAL = re.compile(r"(?i)locationConstraints|availability_?zone|zone|computeName|name")
"""Keys whose value may be empty."""
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
"""Other managers' keys to labels in forms."""

Json = dict[str, Any]


@dataclass(slots=True)
class Flattened:
    path: str
    """The rewritten root; the original when nothing was rewritten."""
    text: bytes = b""
    findings: list[Finding] = field(default_factory=list)


def flatten(content: Content, root: str) -> Flattened:
    """Rewrite the root where it expects another manager; raises PackageError when it is no YAML."""
    document = content.yaml(root)
    result = Flattened(root)
    data: Json = copy.deepcopy(document.data)
    if not isinstance(data.get("resources"), dict):
        return result
    rewriting = _Rewriter(document, content, data, result.findings)
    rewriting.groups()
    rewriting.nested_names()
    rewriting.parameters()
    if result.findings:
        result.path = root.rpartition(".")[0] + SUFFIX
        head = f"# Rewritten from {root}, which is for another manager: see the validation report.\n"
        result.text = (head + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)).encode()
    return result


class _Rewriter:
    def __init__(self, document: Document, content: Content, data: Json, findings: list[Finding]) -> None:
        self.document, self.content, self.data, self.findings = document, content, data, findings
        self.resources: Json = data["resources"]
        if not isinstance(data.get("parameters"), dict):
            data["parameters"] = {}
        self.declared: Json = data["parameters"]
        self.ranges: dict[str, Json] = {}
        """Path of a count, as text, to the bounds of its group."""
        self.named: dict[str, str] = {}
        """Path, as text, to the parameter that replaces it."""

    def groups(self) -> None:
        """AutoScalingGroups become ResourceGroups; Heat's scaling policies are removed."""
        scaled = {name for name, raw in self.resources.items() if mapping(raw).get("type") == _AUTOSCALING}
        for name in sorted(scaled):
            group = self.resources[name]
            group["type"], group["properties"] = GROUP_TYPE, self._group(name, mapping(group, "properties"))
            message = f"Heat would scale {name} itself; it is now an {GROUP_TYPE}, which the manager scales."
            self._report(name, message)
        for name in [n for n, raw in self.resources.items() if mapping(raw).get("type") == _POLICY]:
            group = mapping(self.resources[name], "properties").get("auto_scaling_group_id")
            if isinstance(group, Mapping) and set(map(str, group.values())) <= scaled:
                del self.resources[name]
                self._report(name, f"{name} is left out: only the manager scales the group.")

    def _group(self, name: str, properties: Mapping[str, Any]) -> Json:
        low, high = properties.get("min_size", 1), properties.get("max_size", 1)
        count = properties.get("desired_capacity", low)
        if is_call(count) and isinstance(low, int) and isinstance(high, int):
            self.ranges[repr(count.get("get_param"))] = {"min": low, "max": high}
        group: Json = {"count": count, "resource_def": properties.get("resource", {})}
        if is_call(count):
            removals = self._free(f"{name}_removals")
            declaration = {
                "type": "comma_delimited_list",
                "default": [],
                "description": f"Members to remove from {name}.",
            }
            self.declared[removals] = declaration
            group["removal_policies"] = [{"resource_list": {"get_param": removals}}]
        return group

    def nested_names(self) -> None:
        """Tacker names templates in `nested/` without the folder."""
        for where, made in _definitions(self.resources):
            kind = str(made.get("type", ""))
            folder = dirname(self.document.path)
            beside, below = join(folder, kind), join(folder, "nested", basename(kind))
            if kind.endswith(TEMPLATE_SUFFIXES) and beside not in self.content.files and below in self.content.files:
                made["type"] = f"nested/{basename(kind)}"
                self._report(where, f"{kind} of {where} is {below}.")

    def parameters(self) -> None:
        """Values of a json parameter without default become parameters, unless something uses the whole of it."""
        used = [self.resources, self.data.get("outputs")]
        for name in [n for n, raw in self.declared.items() if mapping(raw).get("type") == "json"]:
            calls = [call for call in _calls(used) if _parameter_name(call) == name]
            known = "default" in self.declared[name] or _contains_value(used, {"get_param": name})
            if known or not calls or not all(_is_static(call["get_param"]) for call in calls):
                continue
            del self.declared[name]
            for call in calls:
                path = call["get_param"]
                if isinstance(path, list):  # a YAML alias occurs more than once
                    call["get_param"] = self._declare(path)

    def _declare(self, path: list[Any]) -> str:
        name = "_".join(str(step) for step in path[2:] or path[1:])
        name = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:100]
        written = ".".join(map(str, path))
        if written not in self.named:
            self.named[written] = name = self._free(name)
            declaration = {"label": _label(path), "description": f"{written} of the original template."}
            self.declared[name] = {**self._typed(path), **declaration}
            message = f"{written}, which another manager would fill, is now the parameter {name}."
            fault = self.document.fault(("parameters", path[0]), message)
            self.findings.append(Finding.of("note", "CSAR_FLATTENED", fault))
        return self.named[written]

    def _typed(self, path: list[Any]) -> Json:
        leaf = str(path[-1])
        if _COUNTS.fullmatch(leaf):
            bounds = self.ranges.get(repr(path))
            constraints = {"constraints": [{"range": bounds}]} if bounds else {}
            return {"type": "number", "default": bounds["min"] if bounds else 1, **constraints}
        if _LISTS.fullmatch(leaf):
            return {"type": "comma_delimited_list", "default": []}
        return {"type": "string", **({"default": ""} if _OPTIONAL.fullmatch(leaf) else {})}

    def _free(self, name: str) -> str:
        taken = {*self.declared, *self.resources}
        return next(c for c in (name, *(f"{name}_{n}" for n in range(2, 10_000))) if c not in taken)

    def _report(self, resource: str, message: str) -> None:
        self.findings.append(
            Finding.of("note", "CSAR_FLATTENED", self.document.fault(("resources", resource), message))
        )


def _definitions(resources: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    """Resources and the members of groups, each with the name of the resource."""
    for name, raw in resources.items():
        if isinstance(raw, dict):
            yield name, raw
            made = mapping(raw, "properties").get("resource_def")
            if isinstance(made, dict):
                yield name, made


def _calls(value: Any) -> Iterator[Json]:
    """Every get_param with a path into a parameter."""
    if isinstance(value, dict) and isinstance(value.get("get_param"), list) and len(value) == 1:
        yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        yield from _calls(child)


def _label(path: list[Any]) -> str:
    """firewall: flavor"""
    names = [step for step in path[2:] or path[1:] if isinstance(step, str)]
    leaf = _WORDS.get(names[-1], names[-1]) if names else str(path[-1])
    return f"{names[0]}: {leaf}" if len(names) > 1 else leaf


def _contains_value(value: Any, wanted: Json) -> bool:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value == wanted or any(_contains_value(child, wanted) for child in children)


def _parameter_name(call: Json) -> Any:
    return call["get_param"][0] if call["get_param"] else None


def _is_static(path: list[Any]) -> bool:
    """Whether the path has names and indexes only, no functions."""
    return len(path) > 1 and all(isinstance(step, str | int) for step in path)

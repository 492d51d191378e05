"""Rewrites templates that another manager, or Heat itself, would run: Tacker passes one parameter of type json (`nfv`),
Nokia's CBAM another (`cbam`), down to nested templates. Each value that templates read from it becomes a parameter of
the root, which operators can set; groups that Heat would scale by itself become groups that the manager scales.

Each rewritten template is a new file next to the original, which is not changed.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from posixpath import basename, dirname, join
from typing import Any

import yaml

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.derive.json_parameters import Declarations, JsonPath, json_path
from vnfm.catalog.domain.derive.scaled_groups import (
    GroupSize,
    Json,
    Notes,
    group_copied,
    nest_stacks,
    scale_by_manager,
)
from vnfm.catalog.domain.descriptor_checks import GROUP_TYPE
from vnfm.catalog.domain.documents import Document
from vnfm.catalog.domain.errors import PackageError
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.template import TEMPLATE_SUFFIXES, size_faults
from vnfm.catalog.domain.hot.templates import find_files

SUFFIX = "-flat"
_DEEPEST = 5
NONE_COPIED: Mapping[str, GroupSize] = {}
Bound = Mapping[str, JsonPath]
"""Parameter of a template to what it stands for: a json parameter of the root, with a path into it."""


@dataclass(slots=True)
class Rewritten:
    path: str
    """The rewritten root; the original when nothing was rewritten."""
    files: dict[str, bytes] = field(default_factory=dict)
    originals: dict[str, tuple[Document, ...]] = field(default_factory=dict)
    """Path of a file to the documents from which it was rewritten."""
    findings: list[Finding] = field(default_factory=list)


def rewrite(content: Content, root: str, *, foreign: bool, copied: Mapping[str, GroupSize] = NONE_COPIED) -> Rewritten:
    """Rewrite the root, and what is nested in it, where they need it; raises PackageError when the root is not YAML.

    `foreign` templates are those of another manager: only its json parameters are taken apart. `copied`: resources of
    the root that it copies for each VNFC.
    """
    document = content.yaml(root)
    if size_faults(document):
        return Rewritten(root)
    declared = document.data.get("parameters")
    candidates = {
        name
        for name, raw in (declared.items() if foreign and isinstance(declared, Mapping) else ())
        if isinstance(raw, Mapping) and raw.get("type") == "json" and "default" not in raw
    }
    while True:
        tree = _Tree(content, document, copied)
        rewritten = tree.run(candidates)
        if not tree.used_whole:
            return rewritten
        candidates -= tree.used_whole


class _Tree:
    """All templates from one root, rewritten together."""

    def __init__(self, content: Content, root: Document, copied: Mapping[str, GroupSize]) -> None:
        self.content, self.root, self.copied = content, root, copied
        self.result = Rewritten(root.path)
        self.declarations = Declarations(root)
        self.used_whole: set[str] = set()
        """Json parameters of which something uses the whole: they stay, and all is rewritten again without them."""
        self.nested: dict[tuple[str, str], tuple[str, dict[str, str]]] = {}
        """Path and bound parameters to the suffix of the rewritten file, and its parameters, each with the root's."""

    def run(self, candidates: set[str]) -> Rewritten:
        """Take the json parameters among `candidates` apart."""
        data: Json = copy.deepcopy(self.root.data)
        if not isinstance(data.get("resources"), dict):
            return self.result
        self.declarations.taken |= {*(data.get("parameters") or ()), *data["resources"]}
        bound: Bound = {name: (name,) for name in sorted(candidates)}
        template = _Template(self, self.root, data, bound, ())
        needed = template.run()
        if needed and not isinstance(data.get("parameters"), dict):
            data["parameters"] = {}
        for name in needed:
            data["parameters"][name] = self.declarations.declared[name]
        self.result.findings += self.declarations.findings
        if data != self.root.data:
            self.result.path = _flat(self.root.path, self.suffix(self.root.path))
            self.result.files[self.result.path] = _text(self.root.path, data)
            self.result.originals[self.result.path] = (self.root,)
        return self.result

    def below(self, document: Document, data: Json, bound: Bound, above: tuple[str, ...]) -> tuple[str, dict[str, str]]:
        """Rewrite a nested template; the suffix of its new file ("" when it stays), and parameters that it needs."""
        key = (document.path, repr(sorted(bound.items())))
        if key not in self.nested:
            before = copy.deepcopy(data)
            needed = _Template(self, document, data, bound, above).run()
            for local, name in needed.items():
                data.setdefault("parameters", {})[local] = {"type": self.declarations.declared[name]["type"]}
            suffix = ""
            if data != before:
                suffix = self.suffix(document.path)
                self.result.files[_flat(document.path, suffix)] = _text(document.path, data)
                self.result.originals[_flat(document.path, suffix)] = (document,)
            self.nested[key] = suffix, needed
        return self.nested[key]

    def suffix(self, path: str) -> str:
        """For the rewritten file: none that was sent, in any folder, may have its name, or Heat would get that one."""
        taken = {basename(other) for other in (*self.content.files, *self.result.files)}
        suffixes = chain([SUFFIX], (f"{SUFFIX}-{number}" for number in count(2)))
        return next(suffix for suffix in suffixes if basename(_flat(path, suffix)) not in taken)


class _Template:
    """One template in the tree; `data` is changed in place."""

    def __init__(self, tree: _Tree, document: Document, data: Json, bound: Bound, above: tuple[str, ...]) -> None:
        self.tree, self.document, self.data, self.bound, self.above = tree, document, data, bound, above
        self.resources: Json = data["resources"]
        if bound and not isinstance(data.get("parameters"), dict):
            data["parameters"] = {}
        self.locals: dict[str, str] = {}
        """Parameter of this template to that of the root."""
        self.local_names: dict[str, str] = {}
        """The reverse."""

    @property
    def is_root(self) -> bool:
        return self.document is self.tree.root

    def run(self) -> dict[str, str]:
        """Rewrite it; returns its new parameters, each with the root's that it gets."""
        self._note("DERIVE_STACK", nest_stacks(self.data))
        own = self.tree.declarations if self.is_root else None
        self._note("DERIVE_AUTOSCALING", scale_by_manager(self.data, own))
        if own is not None:
            self._note("CSAR_FLATTENED", group_copied(self.data, self.tree.copied, own))
        for name, resource in definitions(self.resources):
            self._place(name, resource)
            self._nested(resource)
        for call in _calls(self.data):
            self._value(call)
        for name in self.bound:
            del self.data["parameters"][name]
        if self.is_root:
            self.locals |= {name: name for name in self.tree.declarations.added}
        return self.locals

    def _place(self, name: str, resource: Json) -> None:
        """Tacker names templates in `nested/` without the folder."""
        kind, folder = str(resource.get("type", "")), dirname(self.document.path)
        found, below = find_files(self.tree.content, self.document.path, kind), join("nested", basename(kind))
        if kind.endswith(TEMPLATE_SUFFIXES) and not found and join(folder, below) in self.tree.content.files:
            resource["type"] = below
            self._note("CSAR_FLATTENED", [(name, f"{kind} of {name} is {join(folder, below)}.")])

    def _nested(self, resource: Json) -> None:
        """Rewrite the template that the resource is, and pass on what it needs."""
        kind = str(resource.get("type", ""))
        found = find_files(self.tree.content, self.document.path, kind) if kind.endswith(TEMPLATE_SUFFIXES) else []
        if not found or found[0] in self.above or len(self.above) > _DEEPEST:
            return
        try:
            document = self.tree.content.yaml(found[0])
        except PackageError:
            return
        data: Json = copy.deepcopy(document.data)
        if not isinstance(data.get("resources"), dict):
            return
        given = resource.get("properties")
        properties: Json = given if isinstance(given, dict) else {}
        passed = dict(self._passed(properties, data))
        suffix, needed = self.tree.below(document, data, passed, (*self.above, self.document.path))
        for name in passed:
            del properties[name]
        properties |= {local: {"get_param": self._local(name)} for local, name in needed.items()}
        if needed:
            resource["properties"] = properties
        if suffix:
            resource["type"] = _flat(kind, suffix)

    def _passed(self, properties: Json, nested: Json) -> Iterator[tuple[str, JsonPath]]:
        """Parameters of the nested template that get a json parameter, or a part of one."""
        declared = nested.get("parameters")
        for name, value in properties.items():
            raw = declared.get(name) if isinstance(declared, dict) else None
            path = json_path(value, self.bound)
            if path and isinstance(raw, Mapping) and raw.get("type") == "json":
                yield name, path

    def _value(self, call: Json) -> None:
        """Replace a value from a json parameter by a parameter of its own."""
        path = json_path(call, self.bound)
        if path is None:
            return
        steps = [step for step in path if isinstance(step, str | int)]
        indexes = [step for step in path if not isinstance(step, str | int)]
        if len(steps) == 1 or any(not _is_index(step) for step in indexes):
            self.tree.used_whole.add(str(path[0]))
            return
        if indexes and steps[-1] == "_mappedIndex":  # CBAM's number of the member
            call.clear()
            call.update(indexes[0])
            return
        name = self.tree.declarations.declare(self.document if self.is_root else self.tree.root, steps)
        call["get_param"] = self._local(name)

    def _local(self, name: str) -> str:
        """The parameter of this template for the root's; another name where this one is used already."""
        if name not in self.local_names:
            taken = (self.data.get("parameters") or {}, self.resources, self.locals)
            names = [name] if self.is_root else chain([name], (f"{name}_{number}" for number in count(2)))
            free = (each for each in names if self.is_root or not any(each in group for group in taken))
            self.local_names[name] = next(free)
            self.locals[self.local_names[name]] = name
        return self.local_names[name]

    def _note(self, code: str, notes: Notes) -> None:
        for resource, message in notes:
            fault = self.document.fault(("resources", resource), message)
            self.tree.result.findings.append(Finding.of("note", code, fault))


def definitions(resources: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    """Resources and the members of groups, each with the name of the resource."""
    for name, raw in resources.items():
        if isinstance(raw, dict):
            yield name, raw
            properties = raw.get("properties")
            made = properties.get("resource_def") if isinstance(properties, dict) else None
            if isinstance(made, dict) and raw.get("type") == GROUP_TYPE:
                yield from definitions({name: made})


def _calls(data: Json) -> Iterator[Json]:
    """Every get_param outside of the declarations."""
    sections: list[Any] = [section for name, section in data.items() if name not in ("parameters", "parameter_groups")]
    while sections:
        value = sections.pop()
        if isinstance(value, dict) and len(value) == 1 and "get_param" in value:
            yield value
        sections += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _is_index(step: Any) -> bool:
    """Return whether a step of a path stands for the number of a group's member."""
    return isinstance(step, Mapping) and isinstance(step.get("get_param"), str)


def _flat(name: str, suffix: str) -> str:
    stem, _, ending = name.rpartition(".")
    return f"{stem}{suffix}.{ending}"


def _text(original: str, data: Json) -> bytes:
    head = f"# Rewritten from {original}, which is for another manager: see the validation report.\n"
    return (head + yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=110)).encode()

"""Configurations as trees of a schema: reads them from XML, edits them and writes them as XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
Tree = dict[str, Any]
"""A container's parts by name: a leaf is a str, a container a Tree, a list a Tree of its entries by key."""


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    pattern: str = r".*"


@dataclass(frozen=True, slots=True)
class Branch:
    """A container, or with `key` a list whose entries have that leaf as key."""

    name: str
    parts: tuple[Leaf | Branch, ...]
    key: str = ""
    namespace: str = ""
    """The namespace of it and its children; "" inherits the parent's."""
    presence: bool = False
    """Whether the container has a meaning without content (RFC 7950, 7.5.1)."""

    def part(self, name: str) -> Leaf | Branch | None:
        return next((part for part in self.parts if part.name == name), None)


class RpcError(Exception):
    """An rpc-error (RFC 6241, 4.3)."""

    def __init__(self, tag: str, message: str, path: str = "") -> None:
        super().__init__(message)
        self.tag, self.message, self.path = tag, message, path


def edit(schema: Branch, tree: Tree, config: Element, operation: str = "merge") -> None:
    """Apply an edit-config (RFC 6241, 7.2). Raises RpcError."""
    _edit(schema, tree, config, operation, "")


def _edit(branch: Branch, tree: Tree, given: Element, operation: str, path: str) -> None:
    for element in given:
        namespace, name = _named(element)
        part, here = branch.part(name), f"{path}/{name}"
        known = part is not None and (not isinstance(part, Branch) or part.namespace in ("", namespace))
        if part is None or not known:
            raise RpcError("unknown-element", f"An unexpected element {name!r} is present.", here)
        if name == branch.key:
            continue
        current = element.get(f"{{{BASE}}}operation", operation)
        if isinstance(part, Leaf):
            _edit_leaf(part, tree, element, current, here)
            continue
        within, key = tree, name
        if part.key:
            within, key = tree.setdefault(name, {}), _key(part, element, here)
            here = f"{here}[{part.key}='{key}']"
        if not _removed(within, key, current, here):
            if current == "replace":
                within[key] = {}
            inherited = "merge" if current in ("create", "replace") else current
            _edit(part, within.setdefault(key, {}), element, inherited, here)


def _named(element: Element) -> tuple[str, str]:
    found = re.fullmatch(r"(?:\{(.*)\})?(.*)", element.tag)
    assert found is not None
    return found[1] or "", found[2]


def _key(part: Branch, element: Element, path: str) -> str:
    for child in element:
        if _named(child)[1] == part.key and (child.text or "").strip():
            return (child.text or "").strip()
    raise RpcError("missing-element", f"The key {part.key!r} is missing.", path)


def _edit_leaf(leaf: Leaf, tree: Tree, element: Element, current: str, path: str) -> None:
    text = (element.text or "").strip()
    if _removed(tree, leaf.name, current, path):
        return
    if not re.fullmatch(leaf.pattern, text):
        raise RpcError("invalid-value", f"{text!r} is not a value of {leaf.name}.", path)
    tree[leaf.name] = text


def _removed(tree: Tree, key: str, current: str, path: str) -> bool:
    if current == "create" and key in tree:
        raise RpcError("data-exists", "The data exist already.", path)
    if current == "delete" and key not in tree:
        raise RpcError("data-missing", "The data do not exist.", path)
    if current in ("delete", "remove"):
        tree.pop(key, None)
    return current in ("delete", "remove")


def to_xml(branch: Branch, tree: Tree) -> str:
    """Return the tree as XML, in the schema's order."""
    return "".join(_to_xml(branch, tree))


def _to_xml(branch: Branch, tree: Tree) -> Iterator[str]:
    for part in branch.parts:
        meant = isinstance(part, Branch) and part.presence
        if part.name not in tree or not (tree[part.name] or meant):
            continue
        value = tree[part.name]
        if isinstance(part, Leaf):
            yield f"<{part.name}>{escape(value)}</{part.name}>"
            continue
        opened = f'{part.name} xmlns="{part.namespace}"' if part.namespace else part.name
        for inner in [{part.key: key, **entry} for key, entry in value.items()] if part.key else [value]:
            yield f"<{opened}>{to_xml(part, inner)}</{part.name}>"

"""Read the tree of stacks out of Heat's flat lists."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal
from urllib.parse import unquote

from vnfm.clouds.types import ResourceChange, StackProgress, StackResource

Row = Mapping[str, Any]
"""One element of Heat's resource list, as JSON."""
_STATE = ("resource_name", "resource_status", "physical_resource_id", "updated_time")


def resources(rows: Sequence[Row], root_id: str) -> list[StackResource]:
    """Return them with the path from the root, found by which resource's nested stack each one lies in.

    Heat also says `parent_resource`, but that is one name, and the same in every member of a group.
    """
    parents = {stack_id: row for row in rows if (stack_id := _nested_stack(row))}
    return [
        StackResource(
            name=row["resource_name"],
            type=row["resource_type"],
            physical_id=row.get("physical_resource_id") or "",
            status=_status(row),
            status_reason=row.get("resource_status_reason") or "",
            path=_path(row, parents, root_id),
        )
        for row in rows
    ]


def nested_identity(rows: Sequence[Row], path: Sequence[str], root_id: str) -> str | None:
    """name/id of the nested stack behind the resource at `path`; None when there is none."""
    parents = {stack_id: row for row in rows if (stack_id := _nested_stack(row))}
    for row in parents.values():
        if (*_path(row, parents, root_id), row["resource_name"]) == tuple(path):
            return "/".join(unquote(_link(row, "nested")).rstrip("/").rsplit("/", 2)[1:])
    return None


def progress(rows: Sequence[Row]) -> StackProgress:
    """A resource that Heat has only thought of counts as total, not as complete."""
    complete = sum(_status(row).endswith("_COMPLETE") and not _status(row).startswith("INIT") for row in rows)
    states = sorted([_owner_stack(row), *(str(row.get(key) or "") for key in _STATE)] for row in rows)
    return StackProgress(complete, len(rows), sha256(repr(states).encode()).hexdigest()[:16])


def created(previewed: Iterable[Any]) -> list[ResourceChange]:
    """A preview of a new stack shows a nested stack as the list of its resources, to any depth."""
    return [
        ResourceChange("create", row["resource_name"], row["resource_type"], str(row.get("parent_resource") or ""))
        for row in _flat(previewed)
    ]


_ACTIONS: tuple[tuple[str, Literal["create", "keep", "update", "replace", "delete"]], ...] = (
    ("added", "create"),
    ("unchanged", "keep"),
    ("updated", "update"),
    ("replaced", "replace"),
    ("deleted", "delete"),
)


def changed(changes: Mapping[str, Sequence[Row]]) -> list[ResourceChange]:
    return [
        ResourceChange(action, row["resource_name"], row["resource_type"])
        for key, action in _ACTIONS
        for row in changes.get(key, ())
    ]


def _flat(previewed: Iterable[Any]) -> Iterator[Row]:
    for item in previewed:
        if isinstance(item, Mapping):
            yield item
        else:
            yield from _flat(item)


def _path(row: Row, parents: Mapping[str, Row], root_id: str) -> tuple[str, ...]:
    path: list[str] = []
    stack_id = _owner_stack(row)
    while stack_id != root_id and stack_id in parents and len(path) < len(parents):
        parent = parents[stack_id]
        path.insert(0, parent["resource_name"])
        stack_id = _owner_stack(parent)
    return tuple(path)


def _status(row: Row) -> str:
    """Heat lists `resource_status` joined or bare depending on the call; `resource_action` is not always there."""
    return str(row.get("resource_status") or "")


def _owner_stack(row: Row) -> str:
    return _last_segment(_link(row, "stack"))


def _nested_stack(row: Row) -> str:
    return _last_segment(_link(row, "nested"))


def _link(row: Row, rel: str) -> str:
    return next((link["href"] for link in row.get("links", ()) if link.get("rel") == rel), "")


def _last_segment(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2]

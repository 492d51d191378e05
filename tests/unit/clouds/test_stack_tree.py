from typing import Any

import pytest

from vnfm.clouds.openstack.stack_tree import changed, created, nested_identity, progress, resources
from vnfm.clouds.types import ResourceChange

HEAT = "http://heat.example/v1/tenant/stacks"


def row(name: str, stack: str, nested: str = "", status: str = "CREATE_COMPLETE", kind: str = "T") -> dict[str, Any]:
    links = [
        {"rel": "self", "href": f"{HEAT}/s/{stack}/resources/{name}"},
        {"rel": "stack", "href": f"{HEAT}/s/{stack}"},
    ]
    if nested:
        links.append({"rel": "nested", "href": f"{HEAT}/n/{nested}"})
    return {"resource_name": name, "resource_type": kind, "resource_status": status, "links": links}


def test_paths_follow_the_nested_stacks_and_not_the_names() -> None:
    rows = [
        row("port", "member-1"),
        row("port", "member-0"),
        row("0", "group-b", "member-1"),
        row("0", "group-a", "member-0"),
        row("a", "root", "group-a"),
        row("b", "root", "group-b"),
        row("net", "root"),
    ]
    paths = [(*r.path, r.name) for r in resources(rows, "root")]
    assert paths == [("b", "0", "port"), ("a", "0", "port"), ("b", "0"), ("a", "0"), ("a",), ("b",), ("net",)]


def test_a_tree_that_bites_its_tail_ends() -> None:
    assert resources([row("a", "x", "x")], "root")[0].path == ("a",)


def test_a_resource_of_a_nested_stack_that_is_not_listed_counts_as_the_roots() -> None:
    assert resources([row("server", "elsewhere")], "root")[0].path == ()


@pytest.mark.parametrize(
    ("path", "identity"),
    [(("a",), "n/group-a"), (("b", "0"), "n/member-1"), (("b", "1"), None), (("0",), None), (("net",), None)],
)
def test_the_nested_stack_behind_a_path(path: tuple[str, ...], identity: str | None) -> None:
    rows = [
        row("0", "group-b", "member-1"),
        row("0", "group-a", "member-0"),
        row("a", "root", "group-a"),
        row("b", "root", "group-b"),
        row("net", "root"),
    ]
    assert nested_identity(rows, path, "root") == identity


@pytest.mark.parametrize(
    ("statuses", "counted"),
    [
        ([], (0, 0)),
        (["CREATE_COMPLETE", "CREATE_IN_PROGRESS", "INIT_COMPLETE", "CREATE_FAILED"], (1, 4)),
        (["UPDATE_COMPLETE", "CREATE_COMPLETE", "CHECK_COMPLETE"], (3, 3)),
    ],
)
def test_progress(statuses: list[str], counted: tuple[int, int]) -> None:
    found = progress([row("r", "root", status=status) for status in statuses])
    assert (found.complete, found.total) == counted


def test_the_mark_of_progress_changes_with_any_resource_and_not_with_their_order() -> None:
    rows = [row("a", "root", status="CREATE_COMPLETE"), row("b", "root", status="CREATE_IN_PROGRESS")]
    mark = progress(rows).mark
    assert progress(rows[::-1]).mark == mark
    assert progress([rows[0], {**rows[1], "updated_time": "2026-11-28T13:14:25Z"}]).mark != mark
    assert progress([rows[0], {**rows[1], "physical_resource_id": "s-1"}]).mark != mark


def test_a_preview_is_flattened_to_any_depth() -> None:
    net, port = row("net", "root", kind="Net"), row("port", "x", kind="Port")
    assert created([net, [[port], port]]) == [
        ResourceChange("create", "net", "Net"),
        ResourceChange("create", "port", "Port"),
        ResourceChange("create", "port", "Port"),
    ]


def test_changes_of_an_update() -> None:
    changes = {
        "unchanged": [row("a", "r")],
        "updated": [row("b", "r")],
        "replaced": [row("c", "r")],
        "added": [],
        "deleted": [row("d", "r")],
    }
    assert {(c.name, c.action) for c in changed(changes)} == {
        ("a", "keep"),
        ("b", "update"),
        ("c", "replace"),
        ("d", "delete"),
    }

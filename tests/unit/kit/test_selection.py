"""Attribute selectors (SOL013 5.3)."""

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from vnfm.kit.etsi.selection import selection
from vnfm.kit.problem import ProblemError

OPTIONAL = ("info", "info/nodes", "info/nodes/notes", "info/links", "metadata", "extra")
DEFAULT = ("info", "metadata")


def wanted(query: str) -> set[str]:
    chosen = selection(Request(APIRequestFactory().get(f"/?{query}")), optional=OPTIONAL, default=DEFAULT)
    return {path for path in OPTIONAL if chosen.wants(path)}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("", {"extra"}),
        ("exclude_default", {"extra"}),
        ("all_fields", set(OPTIONAL)),
        ("fields=metadata", {"metadata"}),
        ("fields=info/nodes", {"info", "info/nodes", "info/nodes/notes"}),
        ("fields=info, metadata", {"info", "info/nodes", "info/nodes/notes", "info/links", "metadata"}),
        ("exclude_default&fields=info/links", {"info", "info/links", "extra"}),
        ("exclude_fields=info/nodes,extra", {"info", "info/links", "metadata"}),
        ("exclude_fields=info/nodes/notes", {"info", "info/nodes", "info/links", "metadata", "extra"}),
        ("fields=info/nodes/id", {"info", "info/nodes", "info/nodes/notes"}),
        ("fields=", set()),
    ],
)
def test_selected_attributes(query: str, paths: set[str]) -> None:
    assert wanted(query) == paths


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("fields=colour", "Cannot select colour"),
        ("exclude_fields=id", "possible are extra, info"),
        ("exclude_fields=info/nodes/id", "Cannot select info/nodes/id"),
        ("all_fields&fields=info", "exclude each other"),
        ("fields=info&exclude_fields=extra", "fields and exclude_fields exclude each other"),
        ("exclude_fields=extra&exclude_default", "exclude each other"),
    ],
)
def test_invalid_selections_are_refused(query: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        wanted(query)
    assert (caught.value.problem.status, caught.value.problem.code) == (400, "INVALID_SELECTOR")
    assert words in caught.value.problem.detail

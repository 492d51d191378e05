"""The table of ETSI's resources in backend/docs/NORTHBOUND.md says what the URLs do."""

import re
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest
from django.conf import settings
from django.urls import get_resolver, resolve

DOCUMENT = Path(__file__).parents[3] / "backend/docs/NORTHBOUND.md"
_ROW = re.compile(r"^\| ([\w. ()]+) \| `(\w+)` \| `([^`]+)` \| ([A-Z, ]+) \| ([\w, ]+) \| (.+) \|$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)]+)\)")


class Resource(NamedTuple):
    clause: str
    api: str
    path: str
    methods: str
    served: str
    proof: str


RESOURCES = [Resource(*row.groups()) for row in _ROW.finditer(DOCUMENT.read_text())]


def methods(path: str) -> set[str]:
    """Return the methods of the view at the path; empty where there is none."""
    filled = re.sub(r"\{artifactPath\}", "a/b", path)
    view = resolve("/" + re.sub(r"\{\w+\}", str(UUID(int=7)), filled)).func
    cls = getattr(view, "cls", None)
    return {name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(cls, name)}


def versions(resource: Resource) -> list[str]:
    return [] if resource.served == "no" else resource.served.split(", ")


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda each: f"{each.clause} {each.path}")
def test_a_row_is_true(resource: Resource) -> None:
    known = versions(resource)
    for version in settings.ETSI_APIS.get(resource.api, {"v1": []}):
        same = [each for each in RESOURCES if (each.api, each.path) == (resource.api, resource.path)]
        if version in known:
            assert methods(f"{resource.api}/{version}/{resource.path}") == set(resource.methods.split(", "))
        elif not any(version in versions(each) for each in same):
            assert methods(f"{resource.api}/{version}/{resource.path}") == set()
    if known:
        links = _LINK.findall(resource.proof)
        assert links
        assert all((DOCUMENT.parent / link).is_file() for link in links)
    else:
        assert resource.proof


def test_every_resource_has_a_row() -> None:
    """Everything that we serve below ETSI's interfaces is in the table, under the same names."""
    documented = {
        (each.api, version, re.sub(r"\{\w+\}", "{}", each.path)) for each in RESOURCES for version in versions(each)
    }
    served = set()
    for pattern in _patterns():
        api, _, rest = pattern.partition("/")
        version, _, path = rest.partition("/")
        if version in settings.ETSI_APIS.get(api, {}) and path != "api_versions":
            served.add((api, version, re.sub(r"<[^>]+>", "{}", path)))
    assert served == documented


def _patterns() -> list[str]:
    found = []
    for entry in get_resolver().url_patterns:
        inner = getattr(entry, "url_patterns", [entry])
        found += [str(each.pattern) for each in inner]
    return found


_CALL = re.compile(r"^\| ([A-Z, ]+) `([a-z]+/v\d/[^`]+)` \| (works|no: .+) \|$", re.MULTILINE)
CALLS = [match.groups() for match in _CALL.finditer(DOCUMENT.read_text())]


def test_the_calls_of_other_clients_work_as_their_table_says() -> None:
    assert len(CALLS) > 30
    for names, path, result in CALLS:
        found = methods(path)
        assert (set(names.split(", ")) <= found) == (result == "works"), path

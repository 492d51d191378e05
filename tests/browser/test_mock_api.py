"""The console's mock API answers as backend/openapi.yaml says, or what is tried on it proves nothing."""

import re
from functools import cache
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.browser.console import Console
from tests.support.installation import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DESCRIPTION = ROOT / "backend/openapi.yaml"
UNLISTED = {
    "/api/v1/vnf_lcm_op_occs": "/vnflcm/v2/vnf_lcm_op_occs",
    "/api/v1/packages": "/vnfpkgm/v2/vnf_packages",
    "/vnflcm/v2/vnf_instances": "/api/v1/vnf_instances",
}
"""Views of objects whose list is elsewhere."""
IDS = ("id", "vnfdId", "path", "name")
QUERIES = {"/api/v1/search": "?q=edge"}
"""These paths cannot be read without words."""


@cache
def _description() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(DESCRIPTION.read_text(), Loader=yaml.CSafeLoader)
    return found


def _readable() -> dict[str, dict[str, Any]]:
    """Paths that are read as JSON, and the schema of what comes."""
    found = {}
    for path, operations in _description()["paths"].items():
        content = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if "application/json" in content:
            found[path] = content["application/json"]["schema"]
    return found


def _validator(schema: dict[str, Any]) -> Draft202012Validator:
    resource = Resource(contents=_description(), specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:api", resource)
    absolute = yaml.safe_load(yaml.safe_dump(schema).replace("#/components", "urn:api#/components"))
    return Draft202012Validator(absolute, registry=registry)


class Walk:
    """Finds an object for every path: the last of the list that it stands under, which has what was added most."""

    def __init__(self, console: Console, state: str) -> None:
        self._console, self._state = console, state
        self._lists: dict[str, Any] = {}

    def address(self, path: str) -> str | None:
        """The path with ids in it; None where there is nothing of the kind."""
        before, brace, after = path.partition("{")
        if not brace:
            return path
        parent = before.rstrip("/")
        rows = self._rows(UNLISTED.get(parent, parent))
        name = next((each for each in IDS if rows and each in rows[0]), None)
        if name is None:
            return None
        return self.address(f"{before}{rows[0][name]}{after.partition('}')[2]}")

    @staticmethod
    def _is_list(path: str) -> bool:
        """Things that are created and read one by one, as plans are, have none."""
        patterns = (re.sub(r"\{\w+\}", "[^/]+", known) for known in _readable())
        return any(re.fullmatch(pattern, path) for pattern in patterns)

    def _rows(self, parent: str) -> list[Any]:
        if parent not in self._lists:
            rows = self._console.get(parent, self._state) if self._is_list(parent) else []
            self._lists[parent] = rows if isinstance(rows, list) else []
        found: list[Any] = self._lists[parent]
        return found


NOT_READ = frozenset(
    {
        "/api/v1/restoration",
        "/vnflcm/v2/vnf_instances",
        *(f"/{one}/subscriptions/{{subscription_id}}" for one in ("vnflcm/v2", "vnffm/v1", "vnfpkgm/v1")),
    }
)
"""404 in an installation that was never restored, as all that the mock has; and what the console only creates or
deletes."""


@pytest.mark.parametrize("state", ["usual", "empty", "many"])
def test_every_answer_is_as_described(console: Console, state: str) -> None:
    walk, wrong, checked = Walk(console, state), [], 0
    for path, schema in _readable().items():
        if path in NOT_READ or not _used(path) or (address := walk.address(path)) is None:
            continue
        answer = console.get(address + QUERIES.get(path, ""), state)
        checked += 1
        errors = list(_validator(schema).iter_errors(answer))[:2]
        wrong += [f"{address}: {error.json_path}: {error.message[:160]}" for error in errors]
    assert wrong == [], wrong
    assert checked > (15 if state == "empty" else 45)


@cache
def _sources() -> str:
    source = ROOT / "frontend/src"
    texts = [path.read_text() for path in source.rglob("*.ts*") if "__generated__" not in path.parts]
    return re.sub(r'api\.(?:POST|PUT|PATCH|DELETE)\(\s*"[^"]+"', "", "\n".join(texts))


def _used(path: str) -> bool:
    """Return whether the console asks for it: with the same words, or with others in the place of ids."""
    parts = [re.escape(part) for part in re.split(r"\{\w+\}", path)]
    return re.search(r"""["`]""" + r"\$?\{[^}]*\}".join(parts) + r"""["`?]""", _sources()) is not None

"""The list of the product's parts: by the schema of CycloneDX, and all that the locks pin."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from launcher.cli import main
from launcher.layout import Checkout
from launcher.sbom import document, node_parts, python_parts

CHECKOUT = Checkout.here()


@pytest.fixture(scope="module")
def sbom() -> dict[str, Any]:
    return document(CHECKOUT, "app")


def test_it_keeps_the_schema(sbom: dict[str, Any]) -> None:
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert validator.validate_str(json.dumps(sbom)) is None
    sbom_of_nonsense = sbom | {"components": [{"type": "library"}]}
    assert validator.validate_str(json.dumps(sbom_of_nonsense)) is not None


def test_it_has_exactly_the_pinned_packages_of_the_product(sbom: dict[str, Any]) -> None:
    refs = {part["bom-ref"] for part in sbom["components"]}
    pinned = re.findall(r"^([a-z0-9-]+)==", CHECKOUT.lock_file("app").read_text(), re.MULTILINE)
    assert len(pinned) > 50
    assert {f"pkg:pypi/{name}" for name in pinned} == {r.partition("@")[0] for r in refs if r.startswith("pkg:pypi/")}
    names = {part["name"] for part in sbom["components"]}
    assert {"react", "@patternfly/react-core", "django"} <= names
    assert not {"pytest", "vitest", "eslint"} & names
    known = refs | {"vnfm"}
    assert all(set(entry["dependsOn"]) <= known and entry["ref"] in known for entry in sbom["dependencies"])


def test_dependencies_between_parts() -> None:
    text = "b==2 \\\n    --hash=sha256:00\n    # via\n    #   a\n    #   -r app.in\na==1\n    # via -r app.in\n"
    _, python = python_parts(text)
    assert python == {"pkg:pypi/b@2": [], "pkg:pypi/a@1": ["pkg:pypi/b@2"]}
    packages = {
        "": {"dependencies": {"a": "1"}},
        "node_modules/a": {"version": "1", "dependencies": {"@s/b": "1", "c": "1"}},
        "node_modules/a/node_modules/c": {"version": "1"},
        "node_modules/c": {"version": "2", "integrity": "sha512-AAAA", "license": "MIT"},
        "node_modules/@s/b": {"version": "1", "dependencies": {"c": "2"}},
        "node_modules/d": {"version": "1", "dev": True},
    }
    parts, node = node_parts(packages)
    assert node["pkg:npm/a@1"] == ["pkg:npm/%40s/b@1", "pkg:npm/c@1"]
    assert node["pkg:npm/%40s/b@1"] == ["pkg:npm/c@2"]
    assert len(parts) == 4
    assert next(part for part in parts if part["version"] == "2")["hashes"] == [{"alg": "SHA-512", "content": "000000"}]


def test_the_command_writes_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert main(["sbom", str(tmp_path / name)]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert json.loads((tmp_path / "one").read_text())["specVersion"] == "1.6"

"""A release changes more than the version (`tests/unit/deploy/test_helm.py`)."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tools import release
from tools.release import released_changelog
from tools.release_data import remove_unused_packages


def test_the_unreleased_section_gets_version_and_date_once(tmp_path: Path) -> None:
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text("# Changelog\n\n## Unreleased (1.0.0)\n\n- new\n\n## 0.9.0 (2026-01-02)\n")
    for _ in range(2):
        changelog.write_text(released_changelog("1.0.0", changelog))
    titles = re.findall(r"(?m)^## ([\d.]+) \(20\d\d-\d\d-\d\d\)$", changelog.read_text())
    assert titles == ["1.0.0", "0.9.0"]
    with pytest.raises(RuntimeError, match=r"neither a section for 1\.1\.0"):
        released_changelog("1.1.0", changelog)


def test_a_release_that_fails_leaves_the_changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changelog, versions = tmp_path / "CHANGELOG.md", []
    monkeypatch.setattr(release, "CHANGELOG", changelog)
    monkeypatch.setattr(release, "set_version", versions.append)
    monkeypatch.setattr(release, "store_contracts", lambda: None)
    monkeypatch.setattr(sys, "argv", ["release", "1.0.0", "--backup", str(tmp_path / "absent")])
    changelog.write_text("# Changelog\n")
    with pytest.raises(RuntimeError, match="neither a section"):
        release.main()
    assert versions == [], "nothing changes before the changelog is checked"
    changelog.write_text("# Changelog\n\n## Unreleased\n")
    with pytest.raises(FileNotFoundError):
        release.main()
    assert versions == ["1.0.0"]
    assert "## Unreleased\n" in changelog.read_text()


class Packages:
    """Only a used part of the API exists; deleting one that is enabled is refused."""

    def __init__(self) -> None:
        self.states = dict.fromkeys(("used", "unused", "broken"), "ENABLED")

    def pages(self, path: str) -> list[dict[str, Any]]:
        if path.endswith("vnf_instances"):
            return [{"vnfdId": "vnfd-used"}]
        return [{"id": name} | ({"vnfdId": f"vnfd-{name}"} if name != "broken" else {}) for name in self.states]

    def patch(self, path: str, body: dict[str, str]) -> None:
        self.states[path.rpartition("/")[2]] = body["operationalState"]

    def delete(self, path: str) -> None:
        assert self.states.pop(path.rpartition("/")[2]) == "DISABLED"


def test_packages_of_no_instance_are_removed() -> None:
    packages = Packages()
    remove_unused_packages(packages)  # type: ignore[arg-type] # as Api
    assert packages.states == {"used": "ENABLED"}

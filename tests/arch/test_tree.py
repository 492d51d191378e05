"""The shape of the repository."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BACKEND = ROOT / "backend"
LONGEST = 400

TOP_LEVEL = {
    "vnfm",
    "pyproject.toml",
    "backend",
    "frontend",
    "heat_templates",
    "catalog",
    "alembic",
    "tests",
    "docker-compose.yml",
    "README.md",
    "LICENSE",
}
"""Fixed. What else a tool needs at the root is a dotfile."""


def tracked() -> list[str]:
    """Return what is committed or staged; other files are work in progress or ignored."""
    run = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        pytest.skip("not a git checkout")
    return run.stdout.strip("\0").split("\0")


def test_top_level_entries_are_known() -> None:
    names = {path.split("/")[0] for path in tracked()}
    assert {name for name in names if not name.startswith(".")} == TOP_LEVEL


def test_alembic_is_no_package() -> None:
    """If it had an __init__.py, the folder would hide the library of its name from every program started at the
    root.
    """
    assert not list((ROOT / "alembic").rglob("__init__.py"))


def test_no_file_of_the_backend_is_longer_than_one_reads() -> None:
    lines = {path: path.read_text().count("\n") for path in BACKEND.rglob("*.py") if "migrations" not in path.parts}
    assert {str(path.relative_to(ROOT)): count for path, count in lines.items() if count > LONGEST} == {}


def test_no_test_module_imports_another() -> None:
    """Helpers of two test modules are in a module of their own: a reader expects only tests in a test module."""
    imported = re.compile(r"^\s*(?:from|import) (tests[.\w]*[.]test_\w+)", re.MULTILINE)
    found = {str(path.relative_to(ROOT)): imported.findall(path.read_text()) for path in (ROOT / "tests").rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("lock", sorted((BACKEND / "requirements").glob("*.lock")), ids=lambda path: path.name)
def test_locks_have_hashes_and_no_addresses(lock: Path) -> None:
    """Where packages come from is a matter of the machine, not of the repository."""
    text = lock.read_text()
    assert not re.findall(r"^.*https?://.*$|^--(?:index|extra|find|trusted).*$", text, re.MULTILINE)
    pinned = re.findall(r"^\S+==\S+.*$", text, re.MULTILINE)
    assert pinned
    assert all(line.endswith("\\") for line in pinned), "every pin is followed by its hashes"


def test_the_npm_lock_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "frontend" / "package-lock.json").read_text()


def test_modules_of_tests_have_a_folder() -> None:
    assert {path.name for path in (ROOT / "tests").glob("*.py")} == {"conftest.py"}

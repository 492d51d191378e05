"""Documents that stay true: links lead somewhere, indexes and tables are complete."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "backend" / "docs"
LONGEST_README = 150
_LINK = re.compile(r"\]\((?!https?://|mailto:|#)([^)#\s]+)[^)]*\)")
_NAMED_TESTS = re.compile(r"\]\(([^)\s]+\.py)\)((?:,? `test_\w+`)+)")
_VARIABLE = re.compile(r"\bVNFM_[A-Z_]+\b")


def documents() -> list[Path]:
    run = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        pytest.skip("not a git checkout", allow_module_level=True)
    return [ROOT / name for name in run.stdout.strip("\0").split("\0")]


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(document: Path) -> None:
    links = {link for link in _LINK.findall(document.read_text()) if not link.startswith("/")}
    assert {link for link in links if not (document.parent / link).exists()} == set()


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_named_tests_are_in_the_file_before_them(document: Path) -> None:
    named = [
        (document.parent / file, name)
        for file, names in _NAMED_TESTS.findall(document.read_text())
        for name in re.findall(r"\w+", names)
    ]
    assert [name for file, name in named if not re.search(rf"^def {name}\(", file.read_text(), re.MULTILINE)] == []


def test_every_finding_of_the_attack_has_a_test() -> None:
    rows = re.findall(r"^\| (\d+) \|.*\| (.+) \|$", (DOCS / "ATTACK.md").read_text(), re.MULTILINE)
    assert [number for number, tests in rows if _LINK.search(tests)] == [str(number) for number in range(1, 23)]


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= LONGEST_README


def test_the_index_of_decisions_has_every_title() -> None:
    decisions = sorted((DOCS / "adr").glob("0*.md"))
    titles = {path.name: path.read_text().splitlines()[0].removeprefix("# ") for path in decisions}
    index = (DOCS / "adr" / "README.md").read_text()
    rows = re.findall(r"^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$", index, re.MULTILINE)
    assert {file: f"{number} {title}" for number, file, title in rows} == titles


def test_the_path_of_each_verb_leads_to_its_code_in_three_hops() -> None:
    rows = re.findall(r"^\| ([^|]+) \| (\[`.+) \|$", (DOCS / "ARCHITECTURE.md").read_text(), re.MULTILINE)
    assert len(rows) == 12
    for verb, path in rows:
        places = re.findall(r"\[`(\w+)`\]\(([^)]+)\)", path)
        assert len(places) == path.count("→") + 1 <= 4, verb
        for name, file in places:
            assert re.search(rf"^(class|def|async def) {name}\b", (DOCS / file).read_text(), re.MULTILINE), (verb, name)


def test_the_table_of_settings_is_complete() -> None:
    settings = "".join(file.read_text() for file in (ROOT / "backend" / "vnfm" / "config").glob("*settings.py"))
    used = set(_VARIABLE.findall(settings)) | set(_VARIABLE.findall((ROOT / "docker-compose.yml").read_text()))
    listed = set(_VARIABLE.findall((DOCS / "SETTINGS.md").read_text()))
    assert used - listed == set()

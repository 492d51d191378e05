"""`./vnfm test --changed` selects tests, and reports the others."""

import subprocess
from pathlib import Path

import pytest

from launcher.changed import changed_files, default_base, describe
from launcher.import_graph import module_of, read_graph
from launcher.selection import Selection, folders_of, importers, select

PLAN, HEAL, API = "backend/vnfm/lcm/domain/plan.py", "backend/vnfm/lcm/sagas/heal.py", "backend/vnfm/lcm/api/heal.py"
HELPER, UNIT, SERVICE = "tests/factories/plans.py", "tests/unit/lcm/test_plan.py", "tests/service/lcm/test_heal.py"
KIT, TOPOLOGY = "tests/unit/kit/test_ids.py", "tests/service/topology/test_graph.py"
SHIPPED = "tests/unit/catalog/test_shipped.py"
GRAPH = {
    PLAN: frozenset[str](),
    HEAL: frozenset({PLAN}),
    API: frozenset({HEAL}),
    HELPER: frozenset({HEAL}),
    UNIT: frozenset({PLAN}),
    SERVICE: frozenset({API}),
    TOPOLOGY: frozenset({HELPER}),
    KIT: frozenset[str](),
    SHIPPED: frozenset[str](),
}
SECONDS = {UNIT: 1.0, SERVICE: 50.0, TOPOLOGY: 20.0, KIT: 1.0, SHIPPED: 4.0}


def chosen(*changed: str, budget: float = 1000.0) -> Selection:
    return select(changed, GRAPH, {"docker-compose.yml": [KIT]}, SECONDS, budget)


def test_tests_near_a_module_are_selected_nearest_first() -> None:
    assert dict(chosen(PLAN).tests) == {
        UNIT: "has the name of vnfm.lcm.domain.plan",
        TOPOLOGY: "imports what imports vnfm.lcm.domain.plan",
        SERVICE: "in the folder of vnfm.lcm.domain.plan",
    }
    assert list(chosen(PLAN).tests) == [UNIT, TOPOLOGY, SERVICE]


def test_helpers_of_tests_are_no_distance() -> None:
    assert importers(HEAL, GRAPH) == {API: 1, HELPER: 1, TOPOLOGY: 1, SERVICE: 2}
    assert chosen(HELPER).tests == {TOPOLOGY: "imports tests.factories.plans"}


def test_tests_beyond_the_budget_are_left_out_except_changed_ones() -> None:
    selection = chosen(PLAN, budget=22)
    assert list(selection.tests) == [UNIT, TOPOLOGY]
    assert selection.left_out == {SERVICE: 50.0}
    assert list(chosen(SERVICE, budget=1).tests) == [SERVICE]
    text = describe(selection, SECONDS)
    assert "2 test files, about 21 s" in text
    assert "tests/service/lcm: heal" in text


@pytest.mark.parametrize(
    ("changed", "tests"),
    [("catalog/nokia/vsr/1/vnfd.yaml", SHIPPED), ("docker-compose.yml", KIT), ("heat_templates/a.yaml", SHIPPED)],
)
def test_files_that_are_no_python(changed: str, tests: str) -> None:
    assert list(chosen(changed).tests) == [tests]


@pytest.mark.parametrize("changed", ["pyproject.toml", "tests/conftest.py", "backend/requirements/dev.lock"])
def test_a_change_of_common_files_runs_everything(changed: str) -> None:
    assert changed in chosen(PLAN, changed).everything


def test_changed_pages_need_the_frontends_checks() -> None:
    assert chosen("frontend/src/main.tsx").frontend
    assert not chosen(PLAN).frontend


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        (PLAN, "tests/unit/lcm/"),
        ("backend/launcher/ports.py", "tests/unit/launcher/"),
        ("backend/cloudsim/nova/servers.py", "tests/unit/cloudsim/"),
        (HELPER, "tests/unit/-/"),
    ],
)
def test_the_folder_of_a_context(path: str, unit: str) -> None:
    assert folders_of(path)[0] == unit


def test_the_graph_of_sources(tmp_path: Path) -> None:
    sources = {
        "backend/vnfm/__init__.py": "",
        "backend/vnfm/a.py": "def f():\n    from vnfm.b import B\n    import json",
        "backend/vnfm/b.py": "",
        "tests/unit/conftest.py": "",
        "tests/unit/test_a.py": "from vnfm import a, gone",
    }
    for path, source in sources.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    graph = read_graph(tmp_path, sources, removed=["backend/vnfm/gone.py"])
    assert graph["backend/vnfm/a.py"] == {"backend/vnfm/b.py"}
    assert graph["tests/unit/test_a.py"] == {"backend/vnfm/a.py", "backend/vnfm/gone.py", "tests/unit/conftest.py"}
    assert module_of("backend/vnfm/__init__.py") == "vnfm"


def test_changes_since_the_branch_left_main(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
        run = subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
        return run.stdout.strip()

    git("init", "-q", "-b", "main")
    for name in ("kept", "removed"):
        (tmp_path / name).touch()
        git("add", name)
        git("commit", "-qm", name)
    assert default_base(tmp_path) == git("rev-parse", "HEAD~1"), "on main: the last commit"
    left = git("rev-parse", "HEAD")
    git("checkout", "-qb", "branch")
    (tmp_path / "committed").touch()
    git("add", "committed")
    git("rm", "-q", "removed")
    git("commit", "-qm", "work")
    (tmp_path / "new file").touch()
    (tmp_path / "kept").write_text("edited")
    assert default_base(tmp_path) == left
    assert changed_files(tmp_path, left) == ["committed", "kept", "new file", "removed"]

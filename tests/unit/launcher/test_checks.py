"""`./vnfm test` prints what a check said."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from launcher.checks import (
    Background,
    CheckRunner,
    failed_files,
    frontend_changed,
    nearest_component_tests,
    python_changed,
    side_by_side,
    suite_options,
)
from launcher.console import Console
from launcher.layout import Checkout


@pytest.mark.parametrize(
    ("program", "passes", "words"),
    [
        ("print('fine')", True, "done: lint"),
        ("print('fine\\n closes a panel (retry x1)')", True, "closes a panel (retry x1)"),
        ("exit('wrong: line 3')", False, "line 3"),
    ],
)
def test_a_check_is_quiet_unless_it_fails(program: str, passes: bool, words: str, tmp_path: Path) -> None:
    stream = io.StringIO()
    env = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath])}
    command = (Path(sys.executable).name, "-c", program)
    assert CheckRunner(env, Console(stream), Background()).passes("lint", command, tmp_path) is passes
    assert words in stream.getvalue()
    assert "fine" not in stream.getvalue()
    assert ("failed: lint" in stream.getvalue()) is not passes


def test_a_check_in_the_background_gives_way_to_the_tests(tmp_path: Path) -> None:
    stream = io.StringIO()
    env = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath])}
    ours = os.nice(0)
    wait = f"import os, time\nwhile os.nice(0) == {ours}: time.sleep(0.01)\nexit(f'now {{os.nice(0)}}')"
    command = (Path(sys.executable).name, "-c", wait)
    assert not CheckRunner(env, Console(stream), Background(niceness=2)).passes("lint", command, tmp_path)
    assert f"now {ours + 2}" in stream.getvalue()


def test_no_check_begins_after_ctrl_c(tmp_path: Path) -> None:
    background = Background()
    background.stop.set()
    runner = CheckRunner({"PATH": "/usr/bin"}, Console(io.StringIO()), background)
    assert not runner.passes("lint", ("touch", "begun"), tmp_path)
    assert not (tmp_path / "begun").exists()


def test_failed_tests_run_again_by_whole_files(tmp_path: Path) -> None:
    assert failed_files(Checkout(tmp_path)) == []
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    for name in ("a", "b"):
        (tmp_path / "tests" / f"{name}.py").touch()
    failed = {"tests/b.py::test_two[x::y]": True, "tests/b.py::test_one": True, "tests/a.py": True}
    failed |= {"tests/of_another_branch.py::test_three": True}
    (cache / "lastfailed").write_text(json.dumps(failed))
    assert failed_files(Checkout(tmp_path)) == ["tests/a.py", "tests/b.py"]


@pytest.mark.parametrize(
    ("words", "parallel"),
    [
        (["tests/unit", "tests/arch"], True),
        (["tests/unit/test_a.py"], False),
        (["-k", "name", "tests/unit"], False),
        (["--lf"], False),
    ],
    ids=str,
)
def test_long_named_tests_run_on_two_workers(words: list[str], parallel: bool) -> None:
    seconds = {"tests/unit/test_a.py": 9.0, "tests/arch/test_b.py": 8.0, "tests/service/test_c.py": 90.0}
    assert (side_by_side(words, seconds)[:2] == ("-n", "2")) is parallel


def test_only_changed_files_of_the_frontend_are_linted() -> None:
    checks = frontend_changed(["frontend/src/ui/Card.tsx", "frontend/README.md"], ["src/ui/tree.test.tsx"])
    assert checks["eslint"][-1:] == ("src/ui/Card.tsx",)
    assert checks["component tests"][-1] == "src/ui/tree.test.tsx"
    assert checks.keys() == {"component tests", "tsc", "eslint", "prettier"}
    assert frontend_changed([], []).keys() == {"tsc"}


@pytest.mark.parametrize(
    ("changed", "nearest"),
    [
        ("src/pages/MapPage.tsx", ["src/pages/MapPage.test.tsx"]),
        ("src/pages/MapPage.test.tsx", ["src/pages/MapPage.test.tsx"]),
        ("src/pages/Map.tsx", ["src/pages/AlarmsPage.test.tsx", "src/pages/MapPage.test.tsx"]),
        ("src/map/Box.tsx", ["src/map/canvas/box.test.ts", "src/map/map.test.tsx"]),
        ("src/words/en.ts", []),
    ],
)
def test_component_tests_nearest_to_a_change(changed: str, nearest: list[str]) -> None:
    tests = ["src/pages/AlarmsPage.test.tsx", "src/pages/MapPage.test.tsx", "src/map/map.test.tsx"]
    assert nearest_component_tests([changed], [*tests, "src/map/canvas/box.test.ts"]) == nearest


def test_python_is_checked_when_a_file_of_it_changed():
    assert "mypy" in python_changed(["README.md", "backend/vnfm/kit/ids.py"])
    assert "mypy" in python_changed(["vnfm"])
    assert python_changed(["README.md", "frontend/src/ui/Card.tsx"]) == {}


def test_slow_tests_are_left_to_all() -> None:
    assert suite_options(["--all"]) == []
    assert suite_options(["--timings"]) == ["--store-timings"]
    option, expression = suite_options([])
    assert (option, expression.endswith("(not slow or essential)")) == ("-m", True)
    for marker in ("bench", "chaos", "long", "containers"):
        assert f"not {marker}" in expression

"""Set-up steps: done once, done again when their sources changed, never half."""

from collections.abc import Callable
from pathlib import Path

import pytest

from launcher.steps import ensure, files_below, fingerprint

SKIP = frozenset({"node_modules"})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "frontend"
    (tree / "src").mkdir(parents=True)
    (tree / "node_modules" / "react").mkdir(parents=True)
    (tree / "src" / "main.ts").write_text("1")
    (tree / "package.json").write_text("{}")
    (tree / "node_modules" / "react" / "index.js").write_text("big")
    return tree


def key(tree: Path) -> str:
    return fingerprint(tree, files_below(tree, skip=SKIP), "word")


def change_content(tree: Path) -> None:
    (tree / "src" / "main.ts").write_text("2")


def add_file(tree: Path) -> None:
    (tree / "src" / "new.ts").touch()


def rename_file(tree: Path) -> None:
    (tree / "src" / "main.ts").rename(tree / "src" / "other.ts")


@pytest.mark.parametrize("change", [change_content, add_file, rename_file])
def test_the_key_changes_with_the_sources(tree: Path, change: Callable[[Path], None]) -> None:
    before = key(tree)
    change(tree)
    assert key(tree) != before


def test_the_key_depends_on_sources_alone(tree: Path, tmp_path: Path) -> None:
    before = key(tree)
    (tree / "node_modules" / "react" / "index.js").write_text("bigger")
    moved = tree.rename(tmp_path / "moved")
    assert key(moved) == before


def test_words_are_part_of_the_key_and_do_not_run_together(tree: Path) -> None:
    assert fingerprint(tree, [], "ab", "c") != fingerprint(tree, [], "a", "bc")


def test_a_step_runs_once_for_each_key(tmp_path: Path) -> None:
    runs: list[str] = []
    stamp, result = tmp_path / "stamp", tmp_path / "result"

    def make() -> None:
        runs.append("made")
        result.touch()

    assert ensure(stamp, "one", result, make)
    assert not ensure(stamp, "one", result, make)
    assert ensure(stamp, "two", result, make)
    result.unlink()
    assert ensure(stamp, "two", result, make), "its result is gone"
    assert len(runs) == 3


def test_a_step_that_failed_is_not_done(tmp_path: Path) -> None:
    stamp, result = tmp_path / "stamp", tmp_path / "result"

    def fail_after_half() -> None:
        result.touch()
        raise OSError

    with pytest.raises(OSError):
        ensure(stamp, "one", result, fail_after_half)
    assert ensure(stamp, "one", result, lambda: None)

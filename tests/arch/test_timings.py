"""A parallel run begins with the longest tests, which `--store-timings` measures."""

import json
from pathlib import Path

from tests.support import timings
from tests.support.xdist_groups import PRODUCT, REAL_CLOUD


def test_big_groups_come_first_then_the_longest_and_unknown_files_are_average() -> None:
    seconds = {"a.py": 1.0, "b.py": 9.0, PRODUCT: 2.0, "b.py::test_slow": 9.0}
    names = ["a.py", "new.py", "b.py", PRODUCT, REAL_CLOUD]
    ordered = sorted(names, key=lambda name: timings.start_order(name, seconds))
    assert ordered == [REAL_CLOUD, PRODUCT, "b.py", "new.py", "a.py"]


def test_new_figures_replace_old_ones_and_lost_files_go(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).touch()
    known = {"a.py": 1.0, "b.py": 2.0, "gone.py": 3.0, REAL_CLOUD: 4.0}
    text = timings.merged(known, {"b.py": 5.04, "new.py": 1.0}, tmp_path)
    assert json.loads(text) == {"a.py": 1.0, "b.py": 5.0, REAL_CLOUD: 4.0}


def test_slow_tests_have_figures_of_their_own(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).touch()
    known = {"a.py::test_other_file": 20.0, "b.py::test_quick_now": 11.0, "gone.py::test_lost": 30.0}
    text = timings.merged(known, {"b.py": 14.0, "b.py::test_quick_now": 2.0, "b.py::test_slow": 12.0}, tmp_path)
    assert json.loads(text) == {"a.py::test_other_file": 20.0, "b.py": 14.0, "b.py::test_slow": 12.0}


def test_slow_tests_are_known_most_of_which_exist() -> None:
    """Without them `./vnfm test` would run all; `./vnfm test --timings` finds them."""
    root = Path(__file__).parents[2]
    slow = [name.partition("[")[0].partition("::") for name in timings.read() if "::" in name]
    existing = [f"def {test}(" in (root / file).read_text() for file, _, test in slow if (root / file).exists()]
    assert sum(existing) > len(slow) / 2 > 0


def test_most_figures_are_of_files_that_exist() -> None:
    """A renamed file counts as average until `./vnfm test --timings` runs again."""
    root = Path(__file__).parents[2]
    known = [name for name in timings.read() if name not in timings.FIRST and "::" not in name]
    assert sum((root / name).exists() for name in known) > len(known) / 2

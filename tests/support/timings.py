"""Seconds of each test file, committed in timings.json: a parallel run begins with the longest.

Tests that one xdist worker keeps together (`tests.support.xdist_groups`) are one entry, under the group's name. A slow
test has an entry of its own: `./vnfm test` leaves it out unless it is marked `essential`. `pytest --store-timings`
records what runs, and forgets files that are gone.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.xdist_groups import CHAOS, CONSOLE, OPERATIONS, PRODUCT, REAL_CLOUD, group

FILE = Path(__file__).parents[1] / "timings.json"
FIRST = (REAL_CLOUD, OPERATIONS, PRODUCT, CHAOS, CONSOLE)
"""Groups of many files; the longest of all, also while timings.json has no figure for them."""
SLOW_SECONDS = 3.0
"""The time of a test between the others of a whole run, on two cores; alone it takes a third of that."""


def read() -> dict[str, float]:
    """Return the seconds of groups and files, and of slow tests by their node id."""
    seconds: dict[str, float] = json.loads(FILE.read_text())
    return seconds


def start_order(name: str, seconds: Mapping[str, float]) -> tuple[int, float]:
    """Sort key of a group: the big groups, then the longest; a file without a figure takes the average time."""
    of_files = [value for key, value in seconds.items() if "::" not in key]
    average = sum(of_files) / max(len(of_files), 1)
    place = FIRST.index(name) if name in FIRST else len(FIRST)
    return place, -seconds.get(name, average)


class TimingRecorder:
    """A pytest plugin of the process that reports: without xdist the only one, else the controller."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[group(report.nodeid)] += report.duration
        self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        FILE.write_text(merged(read(), self._seconds, self._root))


def merged(known: Mapping[str, float], measured: Mapping[str, float], root: Path) -> str:
    """The new text of timings.json. A file that was measured has no other slow tests than those found now."""
    files = {name.partition("::")[0] for name in measured if "::" in name}
    seconds = {name: value for name, value in known.items() if "::" not in name or name.partition("::")[0] not in files}
    seconds |= {name: round(s, 1) for name, s in measured.items() if "::" not in name or s >= SLOW_SECONDS}
    existing = {name: s for name, s in seconds.items() if name in FIRST or (root / name.partition("::")[0]).exists()}
    return json.dumps(existing, indent=0, sort_keys=True) + "\n"

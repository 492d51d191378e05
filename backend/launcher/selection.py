"""Selects the tests nearest to a change, by the changed files, the import graph and the tests' seconds. Pure."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from launcher.import_graph import Graph, module_of

LAYERS = 2
"""A test is near a changed module if it imports it, or imports a module that imports it."""
_CANDIDATES = ("tests/unit/", "tests/arch/", "tests/service/", "tests/contract/")
_OF_FRONTEND = ("frontend/", "backend/openapi.yaml")
_FOR_EVERYTHING = ("pyproject.toml", "tests/conftest.py", "backend/requirements/")
_OF_EACH_MODULE = ("tests/arch/test_house_rules.py", "tests/arch/test_names.py")
_READERS = {
    "catalog/": ("tests/unit/catalog/test_shipped.py", "tests/unit/catalog/hot/"),
    "heat_templates/": ("tests/unit/catalog/test_shipped.py", "tests/unit/catalog/hot/"),
    "alembic/": ("tests/service/history/",),
    ".md": ("tests/arch/test_documents.py",),
}
"""The tests that read files whose path begins or ends with the key."""
_CHANGED, _NAMED, _DIRECT, _UNIT, _INDIRECT, _SERVICE = range(6)
"""The kinds of nearness, the nearest first."""


@dataclass(frozen=True)
class Selection:
    """Test files with the reason for each; `everything` is the reason why no selection is possible."""

    tests: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, float] = field(default_factory=dict)
    frontend: bool = False
    everything: str = ""


def select(
    changed: Collection[str],
    graph: Graph,
    mentions: Mapping[str, Collection[str]],
    seconds: Mapping[str, float],
    budget: float,
) -> Selection:
    """Select tests within `budget` seconds; changed tests are always selected.

    `mentions` has, by changed file other than Python, the test files that contain its name.
    """
    for path in sorted(changed):
        if path.startswith(_FOR_EVERYTHING):
            return Selection(everything=f"{path} is part of every test")
    best: dict[str, tuple[int, str]] = {}
    for test, rank, reason in _near(changed, graph, mentions):
        best[test] = min(best.get(test, (rank, reason)), (rank, reason))
    average = sum(seconds.values()) / max(len(seconds), 1)
    costs = {test: seconds.get(test, average) for test in best}
    tests: dict[str, str] = {}
    left_out: dict[str, float] = {}
    for test in sorted(best, key=lambda test: (best[test][0], costs[test], test)):
        rank, reason = best[test]
        if rank == _CHANGED or costs[test] <= budget:
            tests[test] = reason
            budget -= costs[test]
        else:
            left_out[test] = costs[test]
    return Selection(tests, left_out, any(path.startswith(_OF_FRONTEND) for path in changed))


def _near(
    changed: Collection[str], graph: Graph, mentions: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, int, str]]:
    tests = [path for path in graph if path.startswith(_CANDIDATES) and _is_test(path)]
    for path in sorted(changed):
        if path in tests:
            yield path, _CHANGED, "changed"
        named_in = mentions.get(path, ())
        readers = (*_readers(path), *named_in, *(test for file in named_in for test in importers(file, graph)))
        yield from ((test, _DIRECT, f"reads {path}") for test in tests if test.startswith(readers))
        if path.endswith(".py"):
            yield from ((test, _DIRECT, "holds for every module") for test in tests if test in _OF_EACH_MODULE)
            yield from _near_module(path, tests, graph)


def _readers(path: str) -> tuple[str, ...]:
    found = [tests for place, tests in _READERS.items() if path.startswith(place) or path.endswith(place)]
    return tuple(test for tests in found for test in tests)


def _near_module(path: str, tests: list[str], graph: Graph) -> Iterator[tuple[str, int, str]]:
    module = module_of(path)
    distances = importers(path, graph)
    unit, service = folders_of(path)
    for test in tests:
        distance = distances.get(test)
        if test.startswith((unit, service)) and PurePosixPath(test).stem == f"test_{PurePosixPath(path).stem}":
            yield test, _NAMED, f"has the name of {module}"
        if distance is not None and test != path:
            reason = f"imports {module}" if distance < LAYERS else f"imports what imports {module}"
            yield test, _DIRECT if distance < LAYERS else _INDIRECT, reason
        if test.startswith((unit, service)):
            yield test, _UNIT if test.startswith(unit) else _SERVICE, f"in the folder of {module}"


def importers(path: str, graph: Graph) -> dict[str, int]:
    """Return the files that import this one with their distance, up to LAYERS; helpers of tests are left out."""
    found: dict[str, int] = {path: 0}
    waiting = [path]
    while waiting:
        imported = waiting.pop()
        distance = found[imported] + (not imported.startswith("tests/"))
        for file, imports in graph.items():
            if imported in imports and distance <= LAYERS and distance < found.get(file, LAYERS + 1):
                found[file] = distance
                waiting.append(file)
    return {file: distance for file, distance in found.items() if file != path}


def folders_of(path: str) -> tuple[str, str]:
    """Return the folders of the unit and service tests of a file's context or simulator."""
    parts = PurePosixPath(path).parts
    name = parts[2] if parts[:2] == ("backend", "vnfm") and len(parts) > 3 else parts[1] if len(parts) > 1 else ""  # noqa: PLR2004
    folder = name if parts[0] == "backend" else "-"
    return f"tests/unit/{folder}/", f"tests/service/{folder}/"


def _is_test(path: str) -> bool:
    return PurePosixPath(path).name.startswith("test_")

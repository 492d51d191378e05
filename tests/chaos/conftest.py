"""One product, for all cases; what they came to is told at the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.chaos.stage import Stage
    from tests.chaos.waves import Case
    from tests.installation import Product

CASES = pytest.StashKey[list["Case"]]()
FOLDER = pytest.StashKey[Path]()


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Product]":
    from tests.installation import Product

    with Product(Path(tmp_path_factory.mktemp("product"))) as running:
        yield running


@pytest.fixture(scope="session")
def stage(product: "Product") -> "Stage":
    from tests.chaos.stage import Stage

    return Stage(product)


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> "list[Case]":
    """Where runs are counted; written down after each test, so that an interrupted matrix has told what it found."""
    pytestconfig.stash[FOLDER] = tmp_path_factory.mktemp("chaos")
    return pytestconfig.stash.setdefault(CASES, [])


def pytest_runtest_teardown(item: pytest.Item) -> None:
    from tests.chaos.tally import write

    if cases := item.config.stash.get(CASES, []):
        write(cases, item.config.stash[FOLDER])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    from tests.chaos.tally import summary

    if cases := config.stash.get(CASES, []):
        terminalreporter.section("chaos")
        terminalreporter.write_line(summary(cases))
        terminalreporter.write_line(f"Every run: {config.stash[FOLDER]}")

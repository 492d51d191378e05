"""One product, for all cases; what they came to is told at the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.chaos.stage import Stage
    from tests.chaos.tally import Tally

TALLY = pytest.StashKey["Tally"]()


@pytest.fixture(scope="package")
def stage(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Stage]":
    from tests.chaos.clock import Clock
    from tests.chaos.stage import Stage
    from tests.installation import Product

    clock = Clock(tmp_path_factory.mktemp("clock"))
    with Product(Path(tmp_path_factory.mktemp("product")), env=clock.environment) as product:
        yield Stage(product, clock)


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> "Tally":
    from tests.chaos.tally import Tally

    return pytestconfig.stash.setdefault(TALLY, Tally(tmp_path_factory.mktemp("chaos")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    from tests.chaos.tally import summary

    if tally := config.stash.get(TALLY, None):
        terminalreporter.section("chaos")
        terminalreporter.write_line(summary(tally.cases))
        terminalreporter.write_line(f"Every run: {tally.folder}")

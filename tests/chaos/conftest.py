"""One product for all cases; the report is printed at the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.chaos.harness import Harness
    from tests.chaos.report import Report

REPORT = pytest.StashKey["Report"]()
IMPATIENT = {
    "VNFM_LEASE_SECONDS": "6",
    # No process is killed for its silence while a fault or `Harness.quiet` stops it.
    "VNFM_PROCESS_SILENT_SECONDS": "86400",
    "VNFM_PROCESS_RESTART_SECONDS": "86400",
}


@pytest.fixture(scope="package")
def harness(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Harness]":
    from tests.chaos.clock import Clock
    from tests.chaos.harness import Harness
    from tests.support.installation import Product

    clock = Clock(tmp_path_factory.mktemp("clock"))
    with Product(Path(tmp_path_factory.mktemp("product")), env=clock.environment | IMPATIENT) as product:
        yield Harness(product, clock)


@pytest.fixture(scope="module")
def quiet(harness: "Harness") -> "Iterator[Harness]":
    """With only the processes that drive operations; at the end the pooled instances are terminated."""
    with harness.quiet():
        yield harness
        assert harness.terminated(harness.pool.drain()) == []
        assert harness.findings() == []


@pytest.fixture(scope="session")
def report(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> "Report":
    from tests.chaos.report import Report

    return pytestconfig.stash.setdefault(REPORT, Report(tmp_path_factory.mktemp("chaos")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    from tests.chaos.report import summary

    if report := config.stash.get(REPORT, None):
        terminalreporter.section("chaos")
        terminalreporter.write_line(summary(report.cases))
        terminalreporter.write_line(f"Every run: {report.folder}")

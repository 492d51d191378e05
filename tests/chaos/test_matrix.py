"""The whole matrix: every operation, at every step boundary, at every moment, meets every fault.

Its batches come in a random order, the same each time: services that are killed again and again without a rest between
are started again after ever longer pauses, and would make the matrix take hours. Therefore, too, it is cut into parts.
"""

import logging
import re
import time
from collections.abc import Iterator
from random import Random

import pytest

from tests.chaos.batches import Case, batched, run_to_the_end
from tests.chaos.faults import FAULTS, Moment
from tests.chaos.harness import Harness
from tests.chaos.ledger import Ledger, shard_of
from tests.chaos.operations import OPERATIONS
from tests.chaos.report import Report, reason

PARTS = 12
SEED = 5620

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(3600)]


@pytest.fixture(scope="package")
def all_batches(harness: Harness) -> list[list[Case]]:
    """All cases, with retry and rollback in turn as the first recovery task."""
    places = {
        at_a_call: [
            (operation, at)
            for operation in OPERATIONS
            for at in (harness.boundaries(operation) if at_a_call else [None])
        ]
        for at_a_call in (False, True)
    }
    found = [
        batch
        for fault in FAULTS
        for moment in fault.moments
        for batch in batched(
            [
                Case(operation, boundary, moment, fault, ("retry", "rollback")[number % 2])
                for number, (operation, boundary) in enumerate(places[moment != Moment.ACCEPTED])
            ]
        )
    ]
    Random(SEED).shuffle(found)
    return found


@pytest.fixture(scope="package")
def shard(pytestconfig: pytest.Config, all_batches: list[list[Case]]) -> list[list[Case]]:
    index, number = shard_of(pytestconfig.getoption("--shard"))
    rows = re.compile(pytestconfig.getoption("--rows"))
    chosen = [[case for case in batch if rows.search(str(case))] for batch in all_batches[index::number]]
    return [batch for batch in chosen if batch]


@pytest.fixture(scope="package")
def ledger(pytestconfig: pytest.Config, all_batches: list[list[Case]]) -> Iterator[Ledger]:
    ledger = Ledger(pytestconfig.getoption("--ledger"))
    yield ledger
    log.info("%s", ledger.summary(sum(map(len, all_batches))))


@pytest.mark.parametrize("part", range(PARTS), ids=lambda part: f"part-{part + 1}")
def test_every_operation_survives_every_fault(
    quiet: Harness, shard: list[list[Case]], ledger: Ledger, report: Report, part: int
) -> None:
    met = [left for batch in shard[part::PARTS] if (left := ledger.missing(batch))]
    for batch in met:
        started = time.monotonic()
        run_to_the_end(quiet, batch)
        ledger.add(batch)
        report.add(batch)
        log.info("%d runs of %s, %.0f s", len(batch), batch[0], time.monotonic() - started)
    failed = [f"{case}: {reason(case)}" for batch in met for case in batch if not case.survived]
    assert not failed, "\n".join(failed)

"""A short selection of the matrix, the same each time, for every run of the suite."""

from random import Random

import pytest

from tests.chaos.batches import Case, run
from tests.chaos.faults import FAULTS, Fault, Moment
from tests.chaos.harness import Harness
from tests.chaos.operations import OPERATIONS
from tests.chaos.report import Report, reason

SEED = 12
COUNT = 4
BATCHES = (
    ("worker killed", Moment.AFTER),
    ("cloud answers 500", Moment.AFTER),
    ("token expired", Moment.BEFORE),
    ("broker wiped", Moment.RECEIVED),
)

pytestmark = [pytest.mark.essential, pytest.mark.timeout(600)]

_BY_NAME = {fault.name: fault for fault in FAULTS}


@pytest.mark.parametrize(
    ("fault", "moment"),
    [(_BY_NAME[name], moment) for name, moment in BATCHES],
    ids=lambda value: str(value).replace(" ", "-"),
)
def test_operations_survive(quiet: Harness, report: Report, fault: Fault, moment: Moment) -> None:
    chance = Random(SEED)
    calling = [operation for operation in OPERATIONS if operation.task]  # an edit changes nothing in the cloud
    cases = [
        Case(operation, chance.choice(quiet.boundaries(operation)), moment, fault)
        for operation in chance.sample(calling, k=COUNT)
    ]
    run(quiet, cases)
    report.add(cases)
    assert not [f"{case}: {reason(case)}" for case in cases if not case.survived]

"""A short selection of the matrix, the same each time, for every run of the suite."""

from random import Random

import pytest

from tests.chaos.disasters import DISASTERS, Disaster, Moment
from tests.chaos.operations import DEEDS
from tests.chaos.stage import Stage
from tests.chaos.tally import Tally, why
from tests.chaos.waves import Case, run

SEED = 12
OPERATIONS = 4
WAVES = (
    ("worker killed", Moment.AFTER),
    ("cloud answers 500", Moment.AFTER),
    ("token expired", Moment.BEFORE),
    ("broker wiped", Moment.RECEIVED),
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_BY_NAME = {disaster.name: disaster for disaster in DISASTERS}


@pytest.mark.parametrize(
    ("disaster", "moment"),
    [(_BY_NAME[name], moment) for name, moment in WAVES],
    ids=lambda value: str(value).replace(" ", "-"),
)
def test_operations_survive(stage: Stage, tally: Tally, disaster: Disaster, moment: Moment) -> None:
    chance = Random(SEED)
    calling = [deed for deed in DEEDS if deed.task]  # an edit changes nothing in the cloud
    cases = [
        Case(deed, chance.choice(stage.boundaries(deed)), moment, disaster)
        for deed in chance.sample(calling, k=OPERATIONS)
    ]
    run(stage, cases)
    tally.count(cases)
    assert not [f"{case}: {why(case)}" for case in cases if not case.survived]

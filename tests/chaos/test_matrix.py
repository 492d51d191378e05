"""The whole matrix: every operation, at every step boundary, at every moment, meets every disaster.

Its waves come in a random order, the same each time: services that are killed again and again without a rest between
are started again after ever longer pauses, and would make the matrix take hours. Therefore, too, it is cut into parts.
"""

from random import Random

import pytest

from tests.chaos.disasters import DISASTERS, Moment
from tests.chaos.operations import DEEDS
from tests.chaos.stage import Stage
from tests.chaos.tally import Tally, why
from tests.chaos.waves import Case, packed, run

PARTS = 12
SEED = 5620

pytestmark = [pytest.mark.chaos, pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture(scope="package")
def waves(stage: Stage) -> list[list[Case]]:
    """Every case there is; what is tried first when an operation asks for help alternates."""
    places = {
        at_a_call: [(deed, at) for deed in DEEDS for at in (stage.boundaries(deed) if at_a_call else [None])]
        for at_a_call in (False, True)
    }
    found = [
        wave
        for disaster in DISASTERS
        for moment in disaster.moments
        for wave in packed(
            [
                Case(deed, boundary, moment, disaster, ("retry", "rollback")[number % 2])
                for number, (deed, boundary) in enumerate(places[moment != Moment.ACCEPTED])
            ]
        )
    ]
    Random(SEED).shuffle(found)
    return found


@pytest.mark.parametrize("part", range(PARTS), ids=lambda part: f"part-{part + 1}")
def test_every_operation_survives_every_disaster(
    stage: Stage, waves: list[list[Case]], tally: Tally, part: int
) -> None:
    met = waves[part::PARTS]
    for wave in met:
        run(stage, wave)
        tally.count(wave)
    failed = [f"{case}: {why(case)}" for wave in met for case in wave if not case.survived]
    assert not failed, "\n".join(failed)

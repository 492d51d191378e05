"""Plans for VNFs that name a foreign EM, by the records of two route reflectors."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.service.lcm.drain_pair import DRAIN, UNDRAIN, VERIFY, pair_of_records, session_of  # noqa: F401 - a fixture
from tests.support.em_standin import EmStandIn
from vnfm.elements.models import NetworkElement
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.domain.plan import Stage
from vnfm.lcm.domain.requests import ChangeCurrentVnfPkgRequest, ScaleVnfRequest
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.router_steps.coordinate import Coordinate
from vnfm.lcm.sagas.coordination import with_coordination
from vnfm.lcm.sagas.drain_steps import with_drain
from vnfm.lcm.sagas.planning import Planned, Planning, unchanged_plan
from vnfm.lcm.sagas.router_stages import with_stage_steps
from vnfm.lcm.sagas.stack_update import stack_update_steps
from vnfm.nfvo import registry
from vnfm.nfvo.coordination import HttpElementManager

pytestmark = pytest.mark.django_db(transaction=True)

Pair = tuple[VnfInstance, list[NetworkElement]]
SCALE_IN = ScaleVnfRequest(aspect_id="redundancy", type="SCALE_IN")


@pytest.fixture
def pair(pair_of_records: Pair) -> Iterator[Pair]:  # noqa: F811 - the fixture
    """The VNF names the EM."""
    instance, elements = pair_of_records
    instance.metadata = {"lcmCoordination": "EM"}
    with EmStandIn() as standin:
        registry.install_em(HttpElementManager(standin.url))
        yield instance, elements
        registry.install_em(None)
        assert standin.requests == [], "a plan sends no request"


def kinds(steps: list[StepSpec]) -> list[str]:
    return [step.kind.partition("@")[0] for step in steps]


def test_the_em_decides_in_place_of_our_drain_and_neighbours_are_verified(pair: Pair) -> None:
    """A neighbour without another path is its decision, too."""
    instance, elements = pair
    session_of(elements[1], "10.9.9.9", 65009)
    session_of(elements[0], "10.9.8.8", 65008)
    planning = Planning(SCALE_IN, instance)
    planned = Planned(replace(unchanged_plan(instance), removed={"router": ("2",)}), [])
    result, after = with_drain(planning, planned, elements)
    assert [*result.steps] == []
    assert [step.kind for step in after] == [VERIFY]
    (step,) = with_coordination(planning, result).steps
    assert step.kind == Coordinate.kind
    assert step.params["vnfcs"] == [str(instance.vnfcs.get(slot="2").id)]
    instance.metadata = {}
    assert with_coordination(planning, planned) is planned


def test_each_stage_of_a_new_package_is_coordinated(pair: Pair) -> None:
    instance, elements = pair
    stages = tuple(Stage(f"Rebuild {slot}", rebuilt={"router": (slot,)}) for slot in "21")
    plan = replace(unchanged_plan(instance), stages=stages, rebuilt={"router": ("1", "2")})
    planning = Planning(ChangeCurrentVnfPkgRequest(vnfd_id=instance.package.vnfd_id), instance)
    planned = with_stage_steps(planning, Planned(plan, stack_update_steps(plan, "")), elements)
    steps = [*with_coordination(planning, planned).steps]
    assert not {DRAIN, UNDRAIN} & {step.kind for step in steps}
    of_interest = [step for step in steps if step.kind.partition("@")[0] in ("coordinate", "update_stack")]
    assert kinds(of_interest) == ["coordinate", "update_stack"] * 2
    asked = [step.params["vnfcs"] for step in of_interest if step.kind == Coordinate.kind]
    assert asked == [[str(instance.vnfcs.get(slot=slot).id)] for slot in "21"]
    assert steps[0].kind == Coordinate.kind

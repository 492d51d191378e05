"""A load beyond its bounds scales an aspect by one step, where a source tells of it; else nothing is done."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from tests.factories.elements import make_element
from tests.service.automation.scale_policies import condition, scaling
from tests.service.automation.scenario import Scenario
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.automation.domain.load import Load, Sample
from vnfm.automation.domain.policy import LoadSourceKind
from vnfm.automation.models import AutomationDecision, AutomationStatus
from vnfm.automation.reconcilers.evaluation import due_instances
from vnfm.automation.selectors import load_sources
from vnfm.automation.selectors.element_counter_source import ElementCounterSource
from vnfm.counters.domain.counters import SYSTEM
from vnfm.elements.models import NetworkElement
from vnfm.history import counters
from vnfm.inventory.models import VnfInstance

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> Scenario:
    return Scenario(lifecycle, lifecycle.instantiated(), cloudsim)


class Meter:
    """A source with one metric, set by the test."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    def shows(self, at: datetime, value: float | None) -> None:
        self.samples.append(Sample(at, value))

    def load(self, *, instance: VnfInstance, metric: str, since: datetime, now: datetime) -> Load:
        return Load(tuple(self.samples)) if metric == "cpu" else Load((), f"There is no metric {metric!r}.")


@pytest.fixture
def meter() -> Iterator[Meter]:
    made = Meter()
    load_sources.install({LoadSourceKind.ELEMENT_COUNTER: made})
    yield made
    load_sources.install({})


def test_it_scales_out_and_back_by_one_step_each(world: Scenario, meter: Meter) -> None:
    policy = scaling(world)
    assert condition(policy)[:2] == ("Unknown", "NotLookedYet")
    meter.shows(world.now, 50)
    world.passes(100)
    assert (world.scalings(), world.trail()) == ([], [])
    meter.shows(world.now, 95)
    world.passes(59)
    assert world.scalings() == []
    world.passes(1)
    (out,) = world.scalings()
    assert (out.params, out.started_by) == (
        {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1},
        "automation:scale",
    )
    assert world.life.run(out.id).state == "COMPLETED"
    world.passes(300)
    assert len(world.scalings()) == 1, "the load is still high, but it cools down"
    meter.shows(world.now, 5)
    world.passes(299)
    assert len(world.scalings()) == 1
    world.passes(301)
    back = world.scalings()[-1]
    assert back.params["type"] == "SCALE_IN"
    assert world.life.run(back.id).state == "COMPLETED"
    assert world.life.servers_of(world.instance) == world.before
    world.passes(3000)
    assert len(world.scalings()) == 2, "one level is the least"
    assert world.trail()[-1] == "HELD_BACK NOT_ALLOWED"


@pytest.fixture
def counted() -> Iterator[None]:
    """The source of the product."""
    load_sources.install({LoadSourceKind.ELEMENT_COUNTER: ElementCounterSource()})
    yield
    load_sources.install({})


def cpu(element: NetworkElement, at: datetime, percent: float) -> counters.ElementSample:
    """The processor's load in the minute that begins then."""
    return element.id, SYSTEM, at, 60.0, {"cpu": percent * 60}


@pytest.mark.usefixtures("telemetry", "counted")
def test_counters_of_the_network_elements_scale_by_their_mean(world: Scenario) -> None:
    first, second = (make_element(vnf_instance=world.instance) for _ in range(2))
    scaling(world, in_below=None, in_after_seconds=None)
    counters.write([cpu(first, world.now, 95), cpu(second, world.now, 50)])
    world.passes(60)
    assert (world.scalings(), world.trail()) == ([], [])
    counters.write([cpu(first, world.now, 95), cpu(second, world.now, 75)])
    world.passes(60)
    assert len(world.scalings()) == 1


@pytest.mark.usefixtures("telemetry", "counted")
@pytest.mark.parametrize(
    ("metric", "managed", "words"),
    [
        ("cpu", False, "No managed network element belongs to the instance."),
        ("cpu", True, "No network element has delivered cpu within 150 seconds."),
        ("utilisationOut", True, "There is no metric 'utilisationOut': name cpu, memory, or a counter"),
        ("mood 1/1/1", True, "There is no metric 'mood 1/1/1'"),
    ],
)
def test_a_metric_without_values_is_unknown(world: Scenario, metric: str, managed: bool, words: str) -> None:
    if managed:
        element = make_element(vnf_instance=world.instance)
        counters.write([cpu(element, world.later(-600), 95)])
    policy = scaling(world, metric=metric)
    world.passes(60)
    status, reason, message = condition(policy)
    assert (world.scalings(), status, reason) == ([], "Unknown", "SourceUnknown")
    assert words in message


def test_between_the_bounds_nothing_is_done(world: Scenario, meter: Meter) -> None:
    scaling(world)
    meter.shows(world.now, 79)
    world.passes(3600)
    meter.shows(world.now, 21)
    world.passes(3600)
    assert (world.scalings(), world.trail()) == ([], [])


def test_a_load_without_source_is_unknown_and_nothing_is_done(world: Scenario) -> None:
    load_sources.install({})
    policy = scaling(world)
    world.passes(60)
    world.passes(600)
    assert world.scalings() == []
    assert world.trail() == ["HELD_BACK SOURCE_UNKNOWN"]
    status, reason, message = condition(policy)
    assert (status, reason) == ("Unknown", "SourceUnknown")
    assert "No source delivers values of ELEMENT_COUNTER" in message
    assert f"unknown since {policy.created_at:%Y-%m-%d %H:%M:%S} UTC" in message


def test_a_metric_unknown_to_the_source_is_unknown_since_the_policy_was_created(world: Scenario, meter: Meter) -> None:
    policy = scaling(world, metric="mood")
    meter.shows(world.now, 95)
    world.passes(3600)
    status, reason, message = condition(policy)
    assert (world.scalings(), status, reason) == ([], "Unknown", "SourceUnknown")
    assert f"unknown since {policy.created_at:%Y-%m-%d %H:%M:%S} UTC. There is no metric 'mood'." in message


def test_a_source_that_falls_silent_does_not_go_on_counting(world: Scenario, meter: Meter) -> None:
    scaling(world)
    meter.shows(world.now, 95)
    world.passes(30)
    meter.shows(world.now, None)
    world.passes(600)
    assert (world.scalings(), world.trail()) == ([], ["HELD_BACK NOT_YET", "HELD_BACK SOURCE_UNKNOWN"])
    meter.shows(world.now, 95)
    world.passes(59)
    assert world.scalings() == []
    world.passes(1)
    assert len(world.scalings()) == 1


def test_a_dry_run_scales_nothing(world: Scenario, meter: Meter) -> None:
    scaling(world, dry_run=True)
    meter.shows(world.now, 95)
    world.passes(90)
    world.passes(3600)
    assert world.scalings() == []
    assert world.trail() == ["WOULD_ACT DUE", "HELD_BACK WOULD_HAVE_ACTED"]
    assert AutomationDecision.objects.get(outcome="WOULD_ACT").action == "SCALE_OUT"


def test_loads_ring_no_bell_so_the_sweep_looks_by_itself(world: Scenario, meter: Meter) -> None:
    scaling(world)
    meter.shows(world.now, 50)
    assert due_instances(world.now) == [world.instance.id]
    world.passes(1)
    assert due_instances(world.now) == []
    assert due_instances(world.later(15)) == [world.instance.id]
    assert AutomationStatus.objects.get().outcome == "AT_REST"

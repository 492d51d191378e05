"""An alarm of the cloud's telemetry scales, by its webhook, as long as it is told."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.cloudsim_process import CloudsimProcess
from tests.service.automation.test_scale import condition, scaling
from tests.service.automation.world import World
from tests.service.lcm.driving import Lifecycle
from tests.validating_client import ValidatingClient
from vnfm.automation import sources
from vnfm.automation.cloud_alarms import CloudAlarms
from vnfm.automation.domain.policy import Source
from vnfm.automation.models import AutomationPolicy
from vnfm.inventory.models import CloudAlarm

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    sources.install({Source.CLOUD_ALARM: CloudAlarms()})
    yield
    sources.install({})


@pytest.fixture
def world(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> World:
    return World(lifecycle, lifecycle.instantiated(), cloudsim)


def by_alarm(world: World, **more: Any) -> AutomationPolicy:
    rule = {"source": "CLOUD_ALARM", "metric": "busy {vnfInstance}", "out_above": 0.5, "in_below": None}
    return scaling(world, **{**rule, "in_after_seconds": None, **more})


def told(world: World, state: str, name: str = "") -> None:
    """As the webhook keeps it."""
    name = name or f"busy {world.instance.name}"
    values = {"state": state, "severity": "MINOR", "since": world.now, "received_at": world.now, "name": name}
    CloudAlarm.objects.update_or_create(vim=world.life.vim, alarm_id=name, defaults=values)


def repeated(world: World) -> None:
    CloudAlarm.objects.update(received_at=world.now)


def test_a_raised_alarm_scales_out(world: World) -> None:
    by_alarm(world)
    told(world, "ok")
    world.passes(300)
    told(world, "alarm")
    world.passes(59)
    assert world.scalings() == []
    world.passes(1)
    (op,) = world.scalings()
    assert op.params["type"] == "SCALE_OUT"


def test_an_alarm_that_its_stack_made_is_named_by_what_the_template_calls_it(world: World) -> None:
    by_alarm(world, metric="cpu_high", out_after_seconds=0)
    made = f"{world.instance.stack_name}-cpu_high-k3jx5vqrx7wd"
    told(world, "alarm", name=made)
    world.passes(1)
    assert world.scalings() == [], "nobody knows yet of whom it speaks"
    CloudAlarm.objects.filter(name=made).update(instance=world.instance)
    world.passes(60)
    assert len(world.scalings()) == 1


def test_an_alarm_of_another_instance_is_none_of_its_business(world: World) -> None:
    policy = by_alarm(world)
    told(world, "alarm", name="busy other")
    world.passes(300)
    assert (world.scalings(), condition(policy)[1]) == ([], "SourceUnknown")


@pytest.mark.parametrize("state", ["insufficient data"])
def test_what_the_telemetry_does_not_know_is_unknown(world: World, state: str) -> None:
    policy = by_alarm(world)
    told(world, state)
    world.passes(300)
    assert (world.scalings(), condition(policy)[1]) == ([], "SourceUnknown")


def test_an_alarm_that_is_told_no_longer_is_not_believed(world: World) -> None:
    policy = by_alarm(world, out_after_seconds=1200)
    told(world, "alarm")
    world.passes(601)
    assert condition(policy)[1] == "SourceUnknown"
    repeated(world)
    world.passes(598)
    assert world.scalings() == []
    world.passes(1)
    assert len(world.scalings()) == 1, "told again, it has lasted all along"


def test_the_webhook_of_a_vim_leads_there(world: World, api: ValidatingClient) -> None:
    by_alarm(world, out_after_seconds=0)
    url = api.post(f"/api/v1/vims/{world.life.vim.id}/webhooks", format="json").json()["aodhUrl"]
    body = {"alarm_id": "a-1", "alarm_name": f"busy {world.instance.name}", "current": "alarm", "previous": "ok"}
    assert ValidatingClient().post(url, body, format="json").status_code == 204
    world.now += timedelta(seconds=30)
    world.passes(1)
    assert len(world.scalings()) == 1

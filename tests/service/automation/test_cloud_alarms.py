"""An alarm of the cloud's telemetry scales, by its webhook, as long as it is repeated."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.service.automation.scale_policies import condition, scaling
from tests.service.automation.scenario import Scenario
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.validating_client import ValidatingClient
from vnfm.automation.domain.policy import LoadSourceKind
from vnfm.automation.models import AutomationPolicy
from vnfm.automation.selectors import load_sources
from vnfm.automation.selectors.cloud_alarm_source import CloudAlarmSource
from vnfm.inventory.models import CloudAlarm

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    load_sources.install({LoadSourceKind.CLOUD_ALARM: CloudAlarmSource()})
    yield
    load_sources.install({})


@pytest.fixture
def world(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> Scenario:
    return Scenario(lifecycle, lifecycle.instantiated(), cloudsim)


def by_alarm(world: Scenario, **more: Any) -> AutomationPolicy:
    rule = {"source": "CLOUD_ALARM", "metric": "busy {vnfInstance}", "out_above": 0.5, "in_below": None}
    return scaling(world, **{**rule, "in_after_seconds": None, **more})


def receive_alarm(world: Scenario, state: str, name: str = "") -> None:
    """Store it as the webhook keeps it."""
    name = name or f"busy {world.instance.name}"
    values = {"state": state, "severity": "MINOR", "since": world.now, "received_at": world.now, "name": name}
    CloudAlarm.objects.update_or_create(vim=world.life.vim, alarm_id=name, defaults=values)


def repeated(world: Scenario) -> None:
    CloudAlarm.objects.update(received_at=world.now)


def test_a_raised_alarm_scales_out(world: Scenario) -> None:
    by_alarm(world)
    receive_alarm(world, "ok")
    world.passes(300)
    receive_alarm(world, "alarm")
    world.passes(59)
    assert world.scalings() == []
    world.passes(1)
    (op,) = world.scalings()
    assert op.params["type"] == "SCALE_OUT"


def test_an_alarm_of_the_stack_matches_by_its_name_in_the_template(world: Scenario) -> None:
    by_alarm(world, metric="cpu_high", out_after_seconds=0)
    made = f"{world.instance.stack_name}-cpu_high-k3jx5vqrx7wd"
    receive_alarm(world, "alarm", name=made)
    world.passes(1)
    assert world.scalings() == [], "its instance is unknown"
    CloudAlarm.objects.filter(name=made).update(instance=world.instance)
    world.passes(60)
    assert len(world.scalings()) == 1


def test_an_alarm_of_another_instance_is_none_of_its_business(world: Scenario) -> None:
    policy = by_alarm(world)
    receive_alarm(world, "alarm", name="busy other")
    world.passes(300)
    assert (world.scalings(), condition(policy)[1]) == ([], "SourceUnknown")


@pytest.mark.parametrize("state", ["insufficient data"])
def test_counters_without_telemetry_are_unknown(world: Scenario, state: str) -> None:
    policy = by_alarm(world)
    receive_alarm(world, state)
    world.passes(300)
    assert (world.scalings(), condition(policy)[1]) == ([], "SourceUnknown")


def test_an_alarm_that_is_no_longer_repeated_becomes_unknown(world: Scenario) -> None:
    policy = by_alarm(world, out_after_seconds=1200)
    receive_alarm(world, "alarm")
    world.passes(601)
    assert condition(policy)[1] == "SourceUnknown"
    repeated(world)
    world.passes(598)
    assert world.scalings() == []
    world.passes(1)
    assert len(world.scalings()) == 1, "repeated, it has lasted all along"


def test_the_webhook_of_a_vim_leads_there(world: Scenario, api: ValidatingClient) -> None:
    by_alarm(world, out_after_seconds=0)
    url = api.post(f"/api/v1/vims/{world.life.vim.id}/webhooks", format="json").json()["aodhUrl"]
    body = {"alarm_id": "a-1", "alarm_name": f"busy {world.instance.name}", "current": "alarm", "previous": "ok"}
    assert ValidatingClient().post(url, body, format="json").status_code == 204
    world.now += timedelta(seconds=30)
    world.passes(1)
    assert len(world.scalings()) == 1

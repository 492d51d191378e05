"""The product's own processes run: nova stop, and no other call until the VNFC runs again."""

import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from tests.service.automation.scenario import Scenario
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.product import running, worker_of
from tests.support.waiting import until
from vnfm.automation.models import AutomationDecision

pytestmark = pytest.mark.django_db(transaction=True)

WORKER = worker_of(4)
PROCESSES = (
    (WORKER, r" ready\."),
    (("manage.py", "relay"), r"listen\.ready"),
    (("manage.py", "watch"), r"watch\.ready"),
)
AFTER = 2


def test_a_stopped_vnfc_runs_again_by_itself(
    lifecycle: Lifecycle,
    cloudsim: CloudsimProcess,
    product_env: dict[str, str],
    record_property: Callable[[str, object], None],
) -> None:
    """There is no beat, so the bells alone lead there."""
    world = Scenario(lifecycle, lifecycle.instantiated(), cloudsim)
    policy = world.policy(heal_after_seconds=AFTER)
    with ExitStack() as stack:
        for command, ready in PROCESSES:
            process = stack.enter_context(running(*command, env=product_env | {"VNFM_POLL_SECONDS": "1"}))
            process.expect(ready)
        world.nova_stop("1")
        began = time.monotonic()
        until(lambda: [op for op in world.heals() if op.state == "COMPLETED"], "the heal", seconds=60)
        took = time.monotonic() - began
        record_property("seconds_from_nova_stop_to_active", round(took, 1))
        until(lambda: AutomationDecision.objects.filter(policy=policy, outcome="AT_REST").exists(), "rest", seconds=60)
    assert world.life.cloud.servers.show(world.before["1"]).status == "ACTIVE"
    assert world.life.servers_of(world.instance) == world.before
    assert len(world.heals()) == 1
    assert took >= AFTER
    assert "ACTED DUE" in world.trail()

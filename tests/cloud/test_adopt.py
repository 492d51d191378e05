"""On a real OpenStack: a stack made by hand from the package's own HOT is adopted, scaled, healed and terminated; what
ran before keeps its servers."""

from collections.abc import Iterator
from contextlib import suppress
from uuid import uuid4

import pytest

from tests.service.lcm.adoption import SCALE_IN, SCALE_OUT, by_hand, direct
from tests.service.lcm.lifecycle import Lifecycle
from tests.service.watching import poll
from tests.support.waiting import until
from vnfm.clouds.errors import NotFound
from vnfm.inventory.domain.conditions import in_sync
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.element_config import NO_POLICY, NOT_MANAGED
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.selectors.instance_status import instance_status

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(1500),
]


@pytest.fixture
def name(life: Lifecycle) -> Iterator[str]:
    """Yield the name of the stack and its servers; whatever is left of it in the end goes."""
    name = f"adopt-{uuid4().hex[:6]}"
    yield name
    left = life.cloud.stacks.find(name)
    if left is not None:
        life.cloud.stacks.delete(left.id)
        with suppress(NotFound):
            until(lambda: life.cloud.stacks.find(name) is None, "the stack to go", seconds=300)


def servers(life: Lifecycle, name: str) -> dict[str, str]:
    found = life.cloud.servers.list()
    return {server.metadata["slot"]: server.id for server in found if server.name.startswith(f"{name}-")}


def test_an_unmanaged_stack_is_adopted_and_loses_no_server(life: Lifecycle, name: str) -> None:
    stack_id = by_hand(life, name, vnf_name=name)
    before, stack_before = servers(life, name), life.cloud.stacks.show(stack_id)
    assert set(before) == {"A", "B", "3", "4"}
    op = direct(life, stack_id)
    assert op.state == "COMPLETED", life.story(op)
    assert op.plan is not None
    assert op.plan["warnings"] == [NOT_MANAGED.format(why=NO_POLICY)]
    instance = VnfInstance.objects.get(id=op.instance_uuid)
    assert {v.slot: v.server_id for v in instance.vnfcs.all()} == before
    assert life.cloud.stacks.show(stack_id) == stack_before, "nothing in the cloud is changed"

    life.done(instance, Operation.SCALE, SCALE_OUT)
    after = servers(life, name)
    assert before.items() <= after.items(), "a server was replaced"
    assert after.keys() - before.keys() == {"1"}
    life.done(instance, Operation.SCALE, SCALE_IN)
    assert servers(life, name).keys() == {"A", "B", "1", "3"}
    assert servers(life, name).items() <= after.items()
    running = servers(life, name)
    life.done(instance, Operation.HEAL, {"additionalParams": {"vnfcToHeal": ["3"], "method": "recreate"}})
    healed = servers(life, name)
    assert healed.keys() == running.keys()
    assert {slot for slot in healed if healed[slot] != running[slot]} == {"3"}
    assert poll(life.vim, life.cloud).error == ""
    condition, differences = in_sync(instance_status(instance_id=instance.id).view, clock.now())
    assert (condition.status, differences) == ("True", [])
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert servers(life, name) == {}

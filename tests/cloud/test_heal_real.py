"""On a real OpenStack: healing by Liberty's means (check) and by today's (mark), gently and by a new server.

Ids of servers, ports and VNFCs are compared before and after; the duration of each heal is printed.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import shipped_zip
from tests.service.lcm.heals import assert_healed, heal_request, took, wiring
from tests.service.lcm.lifecycle import Lifecycle
from tests.service.lcm.vnfc_status import STOP, statuses, vnfc_id
from tests.support.waiting import until
from vnfm.clouds import registry
from vnfm.clouds.errors import NotFound
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.real_cloud,
    pytest.mark.long,
    pytest.mark.timeout(1500),
]


@pytest.fixture(params=["marks", "checks"])
def life(request: pytest.FixtureRequest, real_vim: Vim) -> Lifecycle:
    """A current Heat can mark a resource; without that capability we heal as on Liberty's."""
    probe_vim(real_vim.id, registry.provider(), clock.now())
    real_vim.refresh_from_db()
    assert real_vim.capabilities["heat_mark_unhealthy"] is True
    if request.param == "checks":
        real_vim.capabilities["heat_mark_unhealthy"] = False
        real_vim.save()
    return Lifecycle(real_vim, onboarded(shipped_zip()), patience=600)


@pytest.fixture
def instance(life: Lifecycle) -> Iterator[VnfInstance]:
    """Two control and two data path VMs, as small as the cloud has them; whatever is left of them in the end goes."""
    image = life.cloud.images.find("tiny")
    assert image is not None
    instance = life.create()
    small = {"control_flavor": "m1.tiny", "data_path_flavor": "m1.tiny", "image": image.id}
    request = life.instantiate_request(anti_affinity=False, data_vnic_type="normal", fabric_mtu=1500, **small)
    try:
        life.done(instance, Operation.INSTANTIATE, request)
        life.done(instance, Operation.SCALE, SCALE_OUT)
        yield instance
    finally:
        for name in life.stacks_of(instance):
            left = life.cloud.stacks.find(name)
            if left is not None:
                life.cloud.stacks.delete(left.id)
                with suppress(NotFound):
                    until(lambda name=name: life.cloud.stacks.find(name) is None, "the stack to go", seconds=300)


def test_heals_on_a_real_cloud(
    life: Lifecycle,
    instance: VnfInstance,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, Any], None],
) -> None:
    before = life.servers_of(instance)
    wires = {slot: wiring(instance, slot) for slot in before}
    way = request.node.callspec.params["life"]

    def healed(what: str, *slots: str, **params: Any) -> None:
        op = life.done(instance, Operation.HEAL, heal_request(*slots, **params))
        record_property(f"heal_by_a_heat_that_{way}: {what}", took(op))

    life.cloud.servers.stop(before["1"])
    until(lambda: life.cloud.servers.show(before["1"]).status == "SHUTOFF", "Nova to stop it")
    healed("start", "1")
    assert life.servers_of(instance) == before
    healed("hard reboot", "A")
    assert life.servers_of(instance) == before

    life.done(instance, Operation.OPERATE, {**STOP, "vnfcInstanceId": [vnfc_id(instance, "1")]})
    life.cloud.servers.delete(before["B"])
    healed("root member, sibling stopped", "B")
    assert_healed(life, instance, before, "B")
    assert statuses(life, instance) == {"1": "SHUTOFF", "2": "ACTIVE", "A": "ACTIVE", "B": "ACTIVE"}

    between = life.servers_of(instance)
    healed("group member that runs", "2", method="recreate")
    assert_healed(life, instance, between, "2")
    assert statuses(life, instance)["1"] == "SHUTOFF"

    between = life.servers_of(instance)
    for slot in ("B", "2"):
        life.cloud.servers.delete(between[slot])
    healed("two at once, none named")
    assert_healed(life, instance, between, "B", "2")
    assert {slot: wiring(instance, slot) for slot in before} == wires
    life.done(instance, Operation.SCALE, SCALE_OUT)
    assert {slot: server for slot, server in life.servers_of(instance).items() if slot != "3"} == {
        vnfc.slot: vnfc.server_id for vnfc in instance.vnfcs.exclude(slot="3")
    }
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    assert life.servers_of(instance) == {}

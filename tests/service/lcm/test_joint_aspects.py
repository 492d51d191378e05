"""One scaling aspect of several VDUs: they come, go, and are healed together, whatever group of Heat each is in, also
where they are servers of the same members of one group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories.catalog import onboarded
from tests.factories.corpus import joint_masters_and_workers
from tests.factories.packages import zipped
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation

if TYPE_CHECKING:
    from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = {
    "masterNode_flavor": "m1.tiny",
    "masterNode_image": "tiny",
    "masterNode_CP1_network": "public",
    "workerNode_flavor": "m1.tiny",
    "workerNode_image": "tiny",
    "workerNode_CP2_network": "public",
}
OUT = {"type": "SCALE_OUT", "aspectId": "master_instance", "numberOfSteps": 1}
IN = {**OUT, "type": "SCALE_IN"}


@pytest.fixture
def life(vim: Vim) -> Lifecycle:
    return Lifecycle(vim, onboarded(zipped(joint_masters_and_workers())))


def numbers(instance: VnfInstance) -> tuple[int, int]:
    """Masters and workers."""
    rows = list(Vnfc.objects.filter(instance=instance).values_list("vdu_id", flat=True))
    return rows.count("masterNode"), rows.count("workerNode")


def test_both_are_scaled_healed_and_scaled_back(life: Lifecycle) -> None:
    instance = life.create()
    request = {**life.instantiate_request(**SETTINGS), "flavourId": "simple"}
    life.done(instance, Operation.INSTANTIATE, request)
    assert numbers(instance) == (1, 2)
    op = life.done(instance, Operation.SCALE, OUT)
    assert numbers(instance) == (2, 4)
    assert {key: len(slots) for key, slots in op.plan["added"].items()} == {"masterNode": 1, "workerNode": 2}
    worker = Vnfc.objects.filter(instance=instance, vdu_id="workerNode").latest("slot")
    recreate = {"cause": "test", "vnfcInstanceId": [str(worker.id)], "additionalParams": {"method": "recreate"}}
    life.done(instance, Operation.HEAL, recreate)
    assert numbers(instance) == (2, 4)
    life.done(instance, Operation.SCALE_TO_LEVEL, {"scaleInfo": [{"aspectId": "master_instance", "scaleLevel": 0}]})
    assert numbers(instance) == (1, 2)


def test_named_vnfcs_that_go_are_of_all_its_vdus(life: Lifecycle) -> None:
    instance = life.create()
    life.done(instance, Operation.INSTANTIATE, {**life.instantiate_request(**SETTINGS), "flavourId": "simple"})
    life.done(instance, Operation.SCALE, OUT)
    named = [f"{vdu}/{slot}" for vdu, slot in (("masterNode", "1"), ("workerNode", "1"), ("workerNode", "3"))]
    with pytest.raises(ProblemError, match="1 VNFCs of workerNode are named, and the request removes 2"):
        life.start(instance, Operation.SCALE, {**IN, "additionalParams": {"vnfcToRemove": named[:2]}})
    life.done(instance, Operation.SCALE, {**IN, "additionalParams": {"vnfcToRemove": named}})
    left = sorted(Vnfc.objects.filter(instance=instance).values_list("vdu_id", "slot"))
    assert left == [("masterNode", "2"), ("workerNode", "2"), ("workerNode", "4")]


MEMBER = """\
heat_template_version: 2015-10-15
parameters: {net: {type: string}, image: {type: string}, flavor: {type: string}}
resources:
  front_port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  front:
    type: OS::Nova::Server
    properties:
      {image: {get_param: image}, flavor: {get_param: flavor}, networks: [{port: {get_resource: front_port}}]}
  back_port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  back:
    type: OS::Nova::Server
    properties:
      {image: {get_param: image}, flavor: {get_param: flavor}, networks: [{port: {get_resource: back_port}}]}
"""
GROUP = """\
heat_template_version: 2015-10-15
parameters:
  net: {type: string, constraints: [{custom_constraint: neutron.network}]}
  image: {type: string}
  flavor: {type: string}
  size: {type: number, default: 1, constraints: [{range: {min: 1, max: 4}}]}
  gone: {type: comma_delimited_list, default: ""}
resources:
  nodes:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      removal_policies: [{resource_list: {get_param: gone}}]
      resource_def:
        type: member.yaml
        properties: {net: {get_param: net}, image: {get_param: image}, flavor: {get_param: flavor}}
"""
NODES = {"type": "SCALE_OUT", "aspectId": "nodes", "numberOfSteps": 2}


def placed(instance: VnfInstance) -> dict[str, set[str]]:
    """Slots of the VNFCs with servers, by VDU."""
    found: dict[str, set[str]] = {"front": set(), "back": set()}
    for vdu, slot in Vnfc.objects.filter(instance=instance).exclude(server_id="").values_list("vdu_id", "slot"):
        found[vdu].add(slot)
    return found


def test_servers_of_the_same_members_of_a_group_are_scaled_and_healed(vim: Vim) -> None:
    life = Lifecycle(vim, onboarded(zipped({"base.yaml": GROUP.encode(), "member.yaml": MEMBER.encode()})))
    instance = life.create()
    settings = {"net": "public", "image": "tiny", "flavor": "m1.tiny"}
    life.done(instance, Operation.INSTANTIATE, life.instantiate_request(**settings))
    assert placed(instance) == {"front": {"1"}, "back": {"1"}}
    assert all(len(vnfc.ports.all()) == 1 for vnfc in Vnfc.objects.filter(instance=instance))
    life.done(instance, Operation.SCALE, NODES)
    assert placed(instance) == {"front": {"1", "2", "3"}, "back": {"1", "2", "3"}}
    front, back = (Vnfc.objects.get(instance=instance, vdu_id=vdu, slot="2") for vdu in ("front", "back"))
    recreate = {"cause": "test", "vnfcInstanceId": [str(front.id)], "additionalParams": {"method": "recreate"}}
    life.done(instance, Operation.HEAL, recreate)
    assert Vnfc.objects.get(instance=instance, vdu_id="front", slot="2").server_id != front.server_id
    assert Vnfc.objects.get(instance=instance, vdu_id="back", slot="2").server_id == back.server_id
    one_in = {**NODES, "type": "SCALE_IN", "numberOfSteps": 1}
    with pytest.raises(ProblemError, match="2 VNFCs of back are named, and the request removes 1"):
        life.start(instance, Operation.SCALE, {**one_in, "additionalParams": {"vnfcToRemove": ["front/1", "back/2"]}})
    life.done(instance, Operation.SCALE, {**one_in, "additionalParams": {"vnfcToRemove": ["front/2"]}})
    assert placed(instance) == {"front": {"1", "3"}, "back": {"1", "3"}}, "a member goes with both of its servers"
    life.done(instance, Operation.SCALE, {**NODES, "numberOfSteps": 1})
    assert placed(instance) == {"front": {"1", "2", "3"}, "back": {"1", "2", "3"}}, "a free slot is used again"
    life.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})

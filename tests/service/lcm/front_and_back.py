"""A VNF whose group has two servers in each member, through its life on a simulated or a real cloud."""

import pytest

from tests.service.lcm.lifecycle import Lifecycle
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation

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


FILES = {"base.yaml": GROUP.encode(), "member.yaml": MEMBER.encode()}


def placed(instance: VnfInstance) -> dict[str, set[str]]:
    """Slots of the VNFCs with servers, by VDU."""
    found: dict[str, set[str]] = {"front": set(), "back": set()}
    for vdu, slot in Vnfc.objects.filter(instance=instance).exclude(server_id="").values_list("vdu_id", "slot"):
        found[vdu].add(slot)
    return found


def front_and_back_live(life: Lifecycle) -> None:
    """Instantiated, scaled out, healed, scaled in by name, scaled out again, and terminated."""
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

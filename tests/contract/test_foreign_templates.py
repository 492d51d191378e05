"""Templates as strangers write them: no depends_on where Heat finds the order itself, old names, rarer types."""

from typing import Any

from tests.contract.conftest import Yard, until
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.types import StackInput

WITHOUT_ORDER = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
resources:
  a_server:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      networks: [{network: {get_resource: net}}]
  a_port: {type: OS::Neutron::Port, properties: {network_id: {get_resource: net}}}
  reached:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, fixed_ips: [{subnet_id: {get_resource: subnet}}]}
  floating: {type: OS::Neutron::FloatingIP, properties: {floating_network: public, port_id: {get_resource: reached}}}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {router_id: {get_resource: router}, subnet_id: {get_resource: subnet}}
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  subnet: {type: OS::Neutron::Subnet, properties: {network_id: {get_resource: net}, cidr: 198.18.21.0/24}}
  net: {type: OS::Neutron::Net}
outputs:
  port: {value: {get_attr: [a_port, fixed_ips, 0, ip_address]}}
  server: {value: {get_attr: [a_server, first_address]}}
  floating: {value: {get_attr: [floating, fixed_ip_address]}}
"""


def heat(cloud: OpenStackCloud, path: str) -> Any:
    """GET of Heat's API below the project: what the product's own port does not tell."""
    root = cloud.account.url(cloud.session, "orchestration")
    return cloud.session.get(f"{root}/{path}").json()


def test_heat_finds_the_order_that_a_template_does_not_say(
    cloud: OpenStackCloud, yard: Yard, image: str, flavor: str, prefix: str
) -> None:
    given = StackInput(WITHOUT_ORDER, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,), timeout_minutes=5)
    stack_id = yard.create("unordered", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    outputs = cloud.stacks.show(stack_id).outputs
    assert all(str(outputs[name]).startswith("198.18.21.") for name in ("port", "server", "floating")), outputs
    required_by = {
        one["resource_name"]: set(one["required_by"])
        for one in heat(cloud, f"stacks/{yard.name('unordered')}/{stack_id}/resources")["resources"]
    }
    assert required_by["subnet"] == {"a_port", "a_server", "leg", "reached"}
    assert required_by["router"] == {"floating", "leg"}
    assert required_by["leg"] == {"floating"}
    cloud.stacks.delete(stack_id)
    until(lambda: yard.gone(stack_id), "the stack to be deleted")

import json

import pytest
from heatclient import exc
from openstack.connection import Connection

from tests.service.cloudsim_heat.orchestra import Orchestra

V = "heat_template_version: 2015-10-15\n"
NETWORK = (
    V
    + """
resources:
  net: {type: OS::Neutron::Net, properties: {name: lan}}
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network_id: {get_resource: net}
      cidr: 192.0.2.0/24
      allocation_pools: [{start: 192.0.2.10, end: 192.0.2.20}]
      dns_nameservers: [192.0.2.1]
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {router_id: {get_resource: router}, subnet_id: {get_resource: subnet}}
  group:
    type: OS::Neutron::SecurityGroup
    properties:
      rules:
        - {protocol: tcp, port_range_min: 22, port_range_max: 22}
        - {protocol: icmp, remote_mode: remote_group_id}
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_resource: net}
      fixed_ips: [{subnet_id: {get_resource: subnet}, ip_address: 192.0.2.15}]
      security_groups: [{get_resource: group}]
      allowed_address_pairs: [{ip_address: 192.0.2.99}]
  floating:
    type: OS::Neutron::FloatingIP
    depends_on: leg
    properties: {floating_network: public, port_id: {get_resource: port}}
outputs:
  address: {value: {get_attr: [port, fixed_ips, 0, ip_address]}}
  cidr: {value: {get_attr: [port, subnets, 0, cidr]}}
  floating: {value: {get_attr: [floating, floating_ip_address]}}
  show: {value: {get_attr: [net, show, name]}}
"""
)


def test_a_routed_network(heat):
    ident = heat.create(NETWORK)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    outputs = heat.outputs(ident)
    assert (outputs["address"], outputs["cidr"], outputs["show"]) == ("192.0.2.15", "192.0.2.0/24", "lan")
    assert outputs["floating"].startswith("203.0.113.")
    group = heat.connection.network.get_security_group(heat.resources(ident)["group"].physical_resource_id)
    ingress = [rule for rule in group.security_group_rules if rule["direction"] == "ingress"]
    assert {rule["protocol"] for rule in ingress} == {"tcp", "icmp"}
    assert heat.update(ident, NETWORK.replace("name: lan", "name: wan")).stack_status == "UPDATE_COMPLETE"
    assert heat.outputs(ident)["show"] == "wan"
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert [net.name for net in heat.connection.network.networks() if net.name in ("lan", "wan")] == []


def test_text_for_user_data(heat):
    template = (
        V
        + """
resources:
  script: {type: OS::Heat::SoftwareConfig, properties: {config: "#!/bin/sh\\necho hi"}}
  cloud: {type: OS::Heat::CloudConfig, properties: {cloud_config: {hostname: vsr}}}
  both:
    type: OS::Heat::MultipartMime
    properties: {parts: [{config: {get_resource: script}}, {config: {get_resource: cloud}}]}
  vm:
    type: OS::Nova::Server
    properties: {image: tiny, flavor: m1.tiny, user_data_format: RAW, user_data: {get_resource: both}}
outputs:
  text: {value: {get_attr: [both, config]}}
"""
    )
    ident = heat.create(template)
    text = heat.outputs(ident)["text"]
    assert "echo hi" in text
    assert "hostname: vsr" in text
    assert heat.client.stacks.get(ident).stack_status == "CREATE_COMPLETE"


def test_a_policy_scales_its_group(heat):
    template = (
        V
        + """
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 1, max_size: 3, resource: {type: OS::Heat::RandomString, properties: {length: 8}}}
  out:
    type: OS::Heat::ScalingPolicy
    properties:
      auto_scaling_group_id: {get_resource: group}
      adjustment_type: change_in_capacity
      scaling_adjustment: 1
outputs:
  size: {value: {get_attr: [group, current_size]}}
  values: {value: {get_attr: [group, outputs_list, value]}}
"""
    )
    ident = heat.create(template)
    first = heat.outputs(ident)["values"]
    heat.client.resources.signal(ident, "out")
    heat.until(lambda: heat.outputs(ident)["size"] == 2)
    assert set(first) < set(heat.outputs(ident)["values"])
    for _ in range(3):
        heat.client.resources.signal(ident, "out")
    heat.until(lambda: heat.outputs(ident)["size"] == 3)


def test_a_flavor_needs_the_rights_of_its_owner(cloud, heat, admin: Connection):
    template = (
        V
        + """
resources:
  flavor: {type: OS::Nova::Flavor, properties: {ram: 512, vcpus: 1, disk: 1, extra_specs: {"hw:cpu_policy": dedicated}}}
"""
    )
    assert heat.refusal(template) == (403, "Forbidden", "You are not authorized to use OS::Nova::Flavor.")
    nested = V + f"resources: {{inner: {{type: OS::Heat::Stack, properties: {{template: {json.dumps(template)}}}}}}}\n"
    denied = heat.client.stacks.get(heat.create(nested))
    assert "You are not authorized to use OS::Nova::Flavor." in denied.stack_status_reason

    root = Orchestra(admin)
    ident = root.create(template)
    flavor = admin.compute.get_flavor(root.resources(ident)["flavor"].physical_resource_id, get_extra_specs=True)
    assert flavor.extra_specs == {"hw:cpu_policy": "dedicated"}
    assert root.delete(ident).stack_status == "DELETE_COMPLETE"
    cloud.control("PUT", "/settings", {"flavor_create_role": "member"})
    assert heat.client.stacks.get(heat.create(template, name="own")).stack_status == "CREATE_COMPLETE"


def test_an_image_with_an_unreachable_location_fails(heat):
    template = (
        V
        + """
resources:
  image:
    type: OS::Glance::Image
    properties: {disk_format: raw, container_format: bare, location: "http://127.0.0.1:1/x.img"}
"""
    )
    ident = heat.create(template)
    assert heat.client.stacks.get(ident).stack_status == "CREATE_FAILED"
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert [image.name for image in heat.connection.image.images()] == ["tiny"]


def test_nested_stacks_by_text_and_the_old_language(heat):
    inner = """
heat_template_version: 2013-05-23
parameters: {n: {type: string}}
outputs: {o: {value: {"Fn::Join": ["-", [{get_param: n}, b]]}}}
"""
    template = (
        V
        + f"""
resources:
  inner: {{type: OS::Heat::Stack, properties: {{template: {json.dumps(inner)}, parameters: {{n: a}}}}}}
  off: {{type: OS::Heat::None, properties: {{whatever: 1}}}}
outputs:
  o: {{value: {{get_attr: [inner, outputs, o]}}}}
"""
    )
    assert heat.outputs(heat.create(template))["o"] == "a-b"


def test_no_signal_for_a_resource_that_takes_none(heat):
    heat.create(V + "resources: {r: {type: OS::Heat::RandomString}}\n")
    with pytest.raises(exc.HTTPBadRequest, match=r"Signal is not supported for resource."):
        heat.client.resources.signal("router", "r")


def test_an_output_of_a_nested_template_is_its_reference(heat):
    nested = (
        "heat_template_version: 2015-10-15\nresources:\n  net: {type: OS::Neutron::Net}\n"
        'outputs:\n  "OS::stack_id": {value: {get_resource: net}}\n'
    )
    template = (
        "heat_template_version: 2015-10-15\nresources:\n  inner: {type: net.yaml}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: {get_resource: inner}}}\n"
        "outputs:\n  net: {value: {get_attr: [inner, 'OS::stack_id']}}\n  same: {value: {get_resource: inner}}\n"
    )
    made = heat.client.stacks.create(stack_name="referred", template=template, files={"net.yaml": nested})
    stack = heat.ended(made["stack"]["id"])
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    outputs = heat.outputs(stack.id)
    assert outputs["same"] == outputs["net"] == heat.connection.network.find_network(outputs["net"]).id

"""Types that templates of strangers use: those without a service here, floating IPs, routes, old names."""

import pytest

V = "heat_template_version: 2015-10-15\n"
ACCEPTED = f"""{V}
resources:
  config: {{type: OS::Heat::StructuredConfig, properties: {{config: {{address: 192.0.2.1}}}}}}
  deployment:
    type: OS::Heat::StructuredDeployment
    properties: {{config: {{get_resource: config}}, server: a-server, input_values: {{who: NAME}}}}
  handle: {{type: OS::Heat::WaitConditionHandle}}
  wait: {{type: OS::Heat::WaitCondition, properties: {{handle: {{get_resource: handle}}, timeout: 60, count: 2}}}}
  old: {{type: "AWS::CloudFormation::WaitConditionHandle"}}
  waits: {{type: "AWS::CloudFormation::WaitCondition", properties: {{Handle: {{get_resource: old}}, Timeout: 60}}}}
  monitor: {{type: OS::Neutron::HealthMonitor, properties: {{type: TCP, delay: 5, max_retries: 5, timeout: 5}}}}
  pool:
    type: OS::Neutron::Pool
    properties:
      protocol: HTTP
      lb_method: ROUND_ROBIN
      subnet_id: a-subnet
      monitors: [{{get_resource: monitor}}]
      vip: {{protocol_port: 80}}
  floating: {{type: OS::Nova::FloatingIP, properties: {{pool: public}}}}
outputs:
  result: {{value: {{get_attr: [deployment, result]}}}}
  data: {{value: {{get_attr: [waits, Data]}}}}
  vip: {{value: {{get_attr: [pool, vip, address]}}}}
  pool: {{value: {{get_resource: pool}}}}
"""


def test_types_without_a_service_complete_at_once(heat):
    ident = heat.create(ACCEPTED.replace("NAME", "one"))
    before = heat.resources(ident)
    assert heat.outputs(ident) == {
        "result": None,
        "data": None,
        "vip": None,
        "pool": before["pool"].physical_resource_id,
    }
    heat.client.resources.signal(ident, "handle", data={"status": "SUCCESS"})
    assert heat.update(ident, ACCEPTED.replace("NAME", "two")).stack_status == "UPDATE_COMPLETE"
    after = heat.resources(ident)
    assert after["deployment"].physical_resource_id == before["deployment"].physical_resource_id
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        (
            "type: OS::Neutron::HealthMonitor, properties: {type: SCTP, delay: 3, max_retries: 5, timeout: 5}",
            '"SCTP" is not an allowed value',
        ),
        ("type: OS::Neutron::HealthMonitor, properties: {interval: 5}", "Unknown Property interval"),
        ("type: OS::Heat::WaitCondition, properties: {timeout: 60}", "Property handle not assigned"),
        (
            "type: OS::Neutron::PoolMember, properties: {pool_id: a, address: b, protocol_port: 65536}",
            "is out of range",
        ),
    ],
)
def test_they_check_their_properties_as_heat_does(heat, properties, words):
    _, _, message = heat.refusal(f"{V}resources:\n  thing: {{{properties}}}\n")
    assert words in message


REACHED = f"""{V}
resources:
  net: {{type: OS::Neutron::Net}}
  subnet: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: net}}, cidr: 192.0.2.0/24}}}}
  router: {{type: OS::Neutron::Router}}
  gateway:
    type: OS::Neutron::RouterGateway
    properties: {{router_id: {{get_resource: router}}, network_id: public}}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {{router_id: {{get_resource: router}}, subnet_id: {{get_resource: subnet}}}}
  route:
    type: OS::Neutron::ExtraRoute
    properties: {{router_id: {{get_resource: router}}, destination: 198.51.100.0/24, nexthop: 192.0.2.9}}
  port:
    type: OS::Neutron::Port
    properties: {{network: {{get_resource: net}}, fixed_ips: [{{subnet: {{get_resource: subnet}}}}]}}
  server:
    type: OS::Nova::Server
    properties: {{image: tiny, flavor: m1.tiny, networks: [{{port: {{get_resource: port}}}}]}}
"""
BY_NEUTRON = """
  address: {type: OS::Neutron::FloatingIP, properties: {floating_network_id: public}}
  bond:
    type: OS::Neutron::FloatingIPAssociation
    properties: {floatingip_id: {get_resource: address}, port_id: {get_resource: port}}
"""


def test_a_server_is_reached_from_outside(heat):
    ident = heat.create(REACHED + BY_NEUTRON)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    resources = heat.resources(ident)
    floating = heat.connection.network.get_ip(resources["address"].physical_resource_id)
    assert floating.port_id == resources["port"].physical_resource_id
    router = heat.connection.network.get_router(resources["router"].physical_resource_id)
    assert router.routes == [{"destination": "198.51.100.0/24", "nexthop": "192.0.2.9"}]
    assert set(resources["leg"].required_by) == {"gateway", "bond", "route"}
    stack = heat.update(ident, REACHED)
    assert stack.stack_status == "UPDATE_COMPLETE", stack.stack_status_reason
    assert [*heat.connection.network.ips()] == []
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert [*heat.connection.network.routers()] == []


def test_a_port_is_replaced_by_each_update_that_finds_its_policy(heat):
    template = REACHED.replace("subnet: {get_resource: subnet}}]}", "subnet: {get_resource: subnet}}], POLICY}")
    kept = template.replace("POLICY", "replacement_policy: AUTO")
    ident = heat.create(kept)
    first = heat.resources(ident)["port"].physical_resource_id
    assert heat.update(ident, kept).stack_status == "UPDATE_COMPLETE"
    assert heat.resources(ident)["port"].physical_resource_id == first
    stack = heat.update(ident, template.replace("POLICY", "replacement_policy: REPLACE_ALWAYS"))
    assert stack.stack_status == "UPDATE_COMPLETE", stack.stack_status_reason
    assert heat.resources(ident)["port"].physical_resource_id != first


SERVER = "{type: OS::Nova::Server, properties: {image: tiny, flavor: m1.tiny, BODY}}"
LEG = "{type: OS::Neutron::RouterInterface, properties: {BODY}}"
PORT = "{type: OS::Neutron::Port, properties: {BODY}}"


@pytest.mark.parametrize(
    ("resource", "body", "words"),
    [
        (
            SERVER,
            "security_groups: [a], networks: [{port: {get_resource: port}}]",
            "time: security_groups, networks/port.",
        ),
        (SERVER, "networks: [{fixed_ip: 192.0.2.1}]", '"network", "port", "uuid" or "subnet" should be set'),
        (SERVER, "networks: [{uuid: public, network: public}]", 'Properties "uuid" and "network" are both set'),
        (LEG, "subnet: x", "At least one of the following properties must be specified: router, router_id"),
        (LEG, "router: x, router_id: y, subnet: z", "at the same time: router, router_id."),
        (PORT, "name: x", "At least one of the following properties must be specified: network, network_id"),
        (PORT, "network: public, network_id: public", "at the same time: network, network_id."),
        (PORT, "network: public, replacement_policy: NEVER", '"NEVER" is not an allowed value'),
        ("{type: OS::Neutron::Subnet, properties: {BODY}}", "network: public", "Property cidr not assigned"),
        (
            "{type: OS::Neutron::FloatingIP, properties: {BODY}}",
            "floating_network: public, fixed_ip_address: 192.0.2.7",
            "fixed_ip_address cannot be specified without port_id.",
        ),
    ],
)
def test_invalid_properties_are_refused(heat, resource, body, words):
    port = "  port: {type: OS::Neutron::Port, properties: {network: public}}\n"
    _, _, message = heat.refusal(f"{V}resources:\n{port}  thing: {resource.replace('BODY', body)}\n")
    assert words in message


def test_a_provider_network_is_for_administrators(heat):
    ident = heat.create(
        f"{V}resources:\n  wan: {{type: OS::Neutron::ProviderNet, properties: "
        "{network_type: vlan, physical_network: physnet1, segmentation_id: 7}}\n"
    )
    stack = heat.client.stacks.get(ident)
    assert (stack.stack_status, "is disallowed by policy" in stack.stack_status_reason) == ("CREATE_FAILED", True)


def test_hidden_types_work_without_being_listed(heat):
    listed = {one.resource_type for one in heat.client.resource_types.list()}
    assert "OS::Neutron::RouterGateway" not in listed
    assert {"OS::Heat::SoftwareDeployments", "OS::Neutron::ExtraRoute", "OS::Cinder::Volume"} <= listed
    asked = heat.client.resource_types.list(filters={"name": "OS::Cinder"})
    assert {one.resource_type for one in asked} == {"OS::Cinder::Volume", "OS::Cinder::VolumeAttachment"}
    asked = heat.client.resource_types.list(filters={"support_status": "DEPRECATED"})
    assert {one.resource_type for one in asked} == {"OS::Heat::SoftwareDeployments", "OS::Heat::StructuredDeployments"}
    assert heat.client.resource_types.get("OS::Nova::FloatingIP")["support_status"]["version"] == "2014.1"


def test_a_port_has_names_in_the_network_s_dns(user):
    network = user.network.create_network(name="n")
    user.network.create_subnet(network_id=network.id, ip_version=4, cidr="192.0.2.0/24")
    port = user.network.create_port(network_id=network.id, fixed_ips=[{"ip_address": "192.0.2.7"}], dns_name="vsr")
    assert port.dns_assignment == [{"ip_address": "192.0.2.7", "hostname": "vsr", "fqdn": "vsr.openstacklocal."}]
    port = user.network.create_port(network_id=network.id, fixed_ips=[{"ip_address": "192.0.2.8"}])
    assert port.dns_assignment[0]["fqdn"] == "host-192-0-2-8.openstacklocal."


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ("type: OS::Neutron::ProviderNet, properties: {router_external: true}", "Unknown Property router_external"),
        ("type: OS::Glance::Image, properties: {extra_properties: {}}", "Unknown Property extra_properties"),
        (
            "type: OS::Heat::SoftwareDeployment, properties: {server: x, actions: [CREATE, BOOT]}",
            '["CREATE", "BOOT"] is not an allowed value',
        ),
        ("type: OS::Heat::RandomString, properties: {sequence: runes}", '"runes" is not an allowed value'),
    ],
)
def test_unknown_and_newer_properties_are_refused(heat, properties, words):
    _, _, message = heat.refusal(f"{V}resources:\n  thing: {{{properties}}}\n")
    assert words in message

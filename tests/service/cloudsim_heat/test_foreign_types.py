"""Types that templates of strangers use: software deployments, floating IPs of both kinds, routes, old names."""

import urllib.request

import pytest

V = "heat_template_version: 2015-10-15\n"
DEPLOYED = (
    V
    + """
resources:
  script:
    type: OS::Heat::SoftwareConfig
    properties:
      config: "#!/bin/sh\\necho $who > $heat_outputs_path.result"
      inputs: [{name: who, default: world}]
      outputs: [{name: result}, {name: problem, error_output: true}]
  server:
    type: OS::Nova::Server
    properties: {image: tiny, flavor: m1.tiny, user_data_format: SOFTWARE_CONFIG}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties:
      config: {get_resource: script}
      server: {get_resource: server}
      input_values: {who: operator}
      signal_transport: HEAT_SIGNAL
outputs:
  result: {value: {get_attr: [deployment, result]}}
  code: {value: {get_attr: [deployment, deploy_status_code]}}
"""
)


def under_way(heat, template: str, resource: str) -> str:
    """Begin, and wait until the resource waits for its guest."""
    ident = heat.create(template, wait=False)

    def waits() -> bool:
        found = heat.resources(ident).get(resource)
        return bool(found and found.resource_status == "CREATE_IN_PROGRESS" and found.physical_resource_id)

    heat.until(waits)
    return ident


def test_a_deployment_waits_for_its_guest_and_keeps_its_outputs(heat):
    ident = under_way(heat, DEPLOYED, "deployment")
    server = heat.servers(ident)["server"]
    (given,) = heat.client.software_deployments.metadata(server)
    values = {one["name"]: one["value"] for one in given["inputs"]}
    assert (values["who"], values["deploy_action"], values["deploy_server_id"]) == ("operator", "CREATE", server)
    assert "echo $who" in given["config"]
    heat.client.resources.signal(ident, "deployment", {"deploy_status_code": 0, "result": "hello", "more": "lost"})
    assert heat.ended(ident).stack_status == "CREATE_COMPLETE"
    assert heat.outputs(ident) == {"result": "hello", "code": 0}
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert heat.client.software_deployments.metadata(server) == []


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({"deploy_status_code": 3}, "deploy_status_code : Deployment exited with non-zero status code: 3"),
        ({"problem": "no disk"}, "problem : no disk"),
    ],
)
def test_a_deployment_fails_with_the_guests_message(heat, details, words):
    ident = under_way(heat, DEPLOYED, "deployment")
    heat.client.resources.signal(ident, "deployment", details)
    reason = heat.ended(ident).stack_status_reason
    assert reason == f"Resource CREATE failed: Error: resources.deployment: Deployment to server failed: {words}"


def test_a_guest_signals_without_a_token(heat):
    ident = under_way(heat, DEPLOYED.replace("HEAT_SIGNAL", "CFN_SIGNAL"), "deployment")
    (given,) = heat.client.software_deployments.metadata(heat.servers(ident)["server"])
    url = next(one["value"] for one in given["inputs"] if one["name"] == "deploy_signal_id")
    urllib.request.urlopen(urllib.request.Request(url, b"{}", {"Content-Type": "application/json"}, method="POST"))
    assert heat.ended(ident).stack_status == "CREATE_COMPLETE"


def test_a_server_with_deployments_takes_software_configs(heat):
    _, _, message = heat.refusal(DEPLOYED.replace("SOFTWARE_CONFIG", "RAW"))
    assert "Resource server's property user_data_format should be set to SOFTWARE_CONFIG" in message


def test_guests_answer_where_the_control_api_says_so(cloud, heat):
    cloud.control("PUT", "/settings", {"guest_signals": True})
    waits = """
  handle: {type: OS::Heat::WaitConditionHandle}
  wait: {type: OS::Heat::WaitCondition, properties: {handle: {get_resource: handle}, timeout: 60, count: 2}}
"""
    ident = heat.create(DEPLOYED.replace("outputs:\n  result", f"{waits}outputs:\n  result"))
    assert heat.client.stacks.get(ident).stack_status == "CREATE_COMPLETE"
    assert heat.outputs(ident) == {"result": None, "code": 0}


def test_a_group_of_structured_deployments(cloud, heat):
    cloud.control("PUT", "/settings", {"guest_signals": True})
    template = f"""{V}
resources:
  config:
    type: OS::Heat::StructuredConfig
    properties: {{config: {{hosts: [{{get_input: address}}], fixed: 1}}}}
  one: {{type: OS::Nova::Server, properties: {{image: tiny, flavor: m1.tiny, user_data_format: SOFTWARE_CONFIG}}}}
  two: {{type: OS::Nova::Server, properties: {{image: tiny, flavor: m1.tiny, user_data_format: SOFTWARE_CONFIG}}}}
  all:
    type: OS::Heat::StructuredDeploymentGroup
    properties:
      config: {{get_resource: config}}
      servers: {{first: {{get_resource: one}}, second: {{get_resource: two}}}}
      input_values: {{address: 192.0.2.1}}
outputs:
  codes: {{value: {{get_attr: [all, deploy_status_codes]}}}}
"""
    ident = heat.create(template)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    assert heat.outputs(ident)["codes"] == {"first": 0, "second": 0}
    (given,) = heat.client.software_deployments.metadata(heat.servers(ident)["one"])
    assert given["config"] == {"hosts": ["192.0.2.1"], "fixed": 1}


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
BY_NOVA = """
  address: {type: OS::Nova::FloatingIP, properties: {pool: public}}
  bond:
    type: OS::Nova::FloatingIPAssociation
    depends_on: [leg, gateway]
    properties: {floating_ip: {get_resource: address}, server_id: {get_resource: server}}
"""


@pytest.mark.parametrize("reached", [BY_NEUTRON, BY_NOVA], ids=["neutron", "nova"])
def test_a_server_is_reached_from_outside(heat, reached):
    ident = heat.create(REACHED + reached)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    resources = heat.resources(ident)
    floating = heat.connection.network.get_ip(resources["address"].physical_resource_id)
    assert floating.port_id == resources["port"].physical_resource_id
    router = heat.connection.network.get_router(resources["router"].physical_resource_id)
    assert router.routes == [{"destination": "198.51.100.0/24", "nexthop": "192.0.2.9"}]
    if reached == BY_NEUTRON:
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


def test_a_handle_that_is_new_with_each_update(heat):
    template = f"""{V}
resources:
  handle: {{type: OS::Heat::UpdateWaitConditionHandle}}
  wait: {{type: OS::Heat::WaitCondition, properties: {{handle: {{get_resource: handle}}, timeout: 60}}}}
outputs:
  url: {{value: {{get_resource: handle}}}}
  data: {{value: {{get_attr: [wait, data]}}}}
"""
    urls = []
    ident = under_way(heat, template, "wait")
    for step in ("CREATE", "UPDATE"):
        urls.append(heat.outputs(ident)["url"])
        body = f'{{"Status": "SUCCESS", "UniqueId": "vm", "Reason": "up", "Data": "{step}"}}'.encode()
        urllib.request.urlopen(urllib.request.Request(urls[-1], body, {"Content-Type": "application/json"}))
        assert heat.ended(ident).stack_status == f"{step}_COMPLETE"
        assert heat.outputs(ident)["data"] == f'{{"vm": "{step}"}}'
        if step == "CREATE":
            heat.client.stacks.update(ident, template=template, **heat._body({}))
            heat.until(lambda: heat.resources(ident)["wait"].resource_status == "CREATE_IN_PROGRESS")
    assert urls[0] != urls[1]


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

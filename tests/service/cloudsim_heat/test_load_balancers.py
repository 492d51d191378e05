"""LBaaS v1 in templates: a pool with its address, members by address and by server."""

import pytest

V = "heat_template_version: 2015-10-15\n"
BALANCED = (
    V
    + """
parameters:
  delay: {type: number, default: 5}
  monitors: {type: number, default: 1}
resources:
  member:
    type: OS::Neutron::PoolMember
    properties: {pool_id: {get_resource: pool}, address: {get_attr: [one, first_address]}, protocol_port: 8080}
  balanced:
    type: OS::Neutron::LoadBalancer
    properties: {pool_id: {get_resource: pool}, protocol_port: 80, members: [{get_resource: one}, {get_resource: two}]}
  pool:
    type: OS::Neutron::Pool
    properties:
      protocol: HTTP
      subnet_id: {get_resource: subnet}
      lb_method: ROUND_ROBIN
      monitors: [{get_resource: monitor}]
      vip: {protocol_port: 80, session_persistence: {type: SOURCE_IP}}
  monitor:
    type: OS::Neutron::HealthMonitor
    properties: {type: TCP, delay: {get_param: delay}, max_retries: 3, timeout: 4}
  one:
    type: OS::Nova::Server
    properties: {image: tiny, flavor: m1.tiny, networks: [{network: {get_resource: net}}]}
  two:
    type: OS::Nova::Server
    properties: {image: tiny, flavor: m1.tiny, networks: [{network: {get_resource: net}}]}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 192.0.2.0/24}}
  net: {type: OS::Neutron::Net}
outputs:
  address: {value: {get_attr: [pool, vip, address]}}
  name: {value: {get_attr: [pool, vip, name]}}
  delay: {value: {get_attr: [monitor, delay]}}
  port: {value: {get_attr: [member, protocol_port]}}
"""
)


def lb(heat, path: str):
    return next(iter(heat.connection.network.get(f"/lb/{path}").json().values()))


def test_a_pool_balances_servers(heat):
    ident = heat.create(BALANCED)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_COMPLETE", stack.stack_status_reason
    outputs = heat.outputs(ident)
    assert outputs["address"].startswith("192.0.2.")
    assert (outputs["name"], outputs["delay"], outputs["port"]) == ("pool.vip", 5, 8080)
    (pool,) = lb(heat, "pools")
    assert (pool["status"], len(pool["health_monitors"])) == ("ACTIVE", 1)
    assert heat.client.resources.metadata(ident, "pool") == {"vip": pool["vip_id"]}
    assert sorted(one["protocol_port"] for one in lb(heat, "members")) == [80, 80, 8080]

    kept = heat.resources(ident)["pool"].physical_resource_id
    without = BALANCED.replace("monitors: [{get_resource: monitor}]", "monitors: []")
    stack = heat.update(ident, without.replace(", {get_resource: two}]", "]"), parameters={"delay": 9})
    assert stack.stack_status == "UPDATE_COMPLETE", stack.stack_status_reason
    assert heat.outputs(ident)["delay"] == 9
    (pool,) = lb(heat, "pools")
    assert (pool["id"], pool["health_monitors"]) == (kept, [])
    assert sorted(one["protocol_port"] for one in lb(heat, "members")) == [80, 8080]

    stack = heat.update(ident, without.replace("vip: {protocol_port: 80,", "vip: {protocol_port: 81,"))
    assert stack.stack_status == "UPDATE_COMPLETE", stack.stack_status_reason
    assert heat.resources(ident)["pool"].physical_resource_id != kept
    assert [one["protocol_port"] for one in lb(heat, "vips")] == [81]

    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert [lb(heat, kind) for kind in ("pools", "vips", "members", "health_monitors")] == [[], [], [], []]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("type: SOURCE_IP", "type: APP_COOKIE", "Property cookie_name is required"),
        ("subnet_id: {get_resource: subnet}", "name: x", "At least one of the following properties must be specified"),
        ("lb_method: ROUND_ROBIN", "lb_method: RANDOM", "is not an allowed value"),
        ("protocol_port: 8080", "protocol_port: 65536", "65536 is out of range"),
        ("type: TCP", "type: UDP", "is not an allowed value"),
    ],
)
def test_a_wrong_balancer_is_refused(heat, old, new, words):
    _, _, message = heat.refusal(BALANCED.replace(old, new))
    assert words in message


def test_a_pool_that_neutron_refuses_fails(heat):
    ident = heat.create(BALANCED.replace("delay: {get_param: delay}", "delay: 1"))
    reason = heat.client.stacks.get(ident).stack_status_reason
    assert "Delay must be greater than or equal to timeout" in reason

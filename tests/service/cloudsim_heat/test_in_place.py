"""Updates that keep the server, and updates that Nova or Neutron refuses."""

import pytest
from heatclient import exc

NETWORKS = """
heat_template_version: 2015-10-15
resources:
  net_a: {type: OS::Neutron::Net}
  net_b: {type: OS::Neutron::Net}
  subnet_a: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net_a}, cidr: 10.1.0.0/24}}
  subnet_b: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net_b}, cidr: 10.2.0.0/24}}
"""
SERVER = """
heat_template_version: 2015-10-15
parameters:
  network: {type: string, default: ""}
  flavor: {type: string, default: m1.small}
  image: {type: string, default: tiny}
  policy: {type: string, default: REBUILD}
  label: {type: string, default: one}
resources:
  first: {type: Link::First, properties: {network: {get_param: network}}}
  first_port: {type: OS::Neutron::Port, properties: {network: {get_attr: [first, network]}}}
  second: {type: Link::Second}
  second_port: {type: OS::Neutron::Port, properties: {network: {get_attr: [second, network]}}}
  server:
    type: OS::Nova::Server
    properties:
      name: {get_param: label}
      image: {get_param: image}
      image_update_policy: {get_param: policy}
      flavor: {get_param: flavor}
      metadata: {label: {get_param: label}}
      networks: [{port: {get_resource: first_port}}, {port: {get_resource: second_port}}]
"""
CREATED = """
heat_template_version: 2015-10-15
parameters:
  network: {type: string, default: ""}
resources:
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.3.0.0/24}}
outputs:
  network: {value: {get_resource: net}}
"""
EXISTING = """
heat_template_version: 2015-10-15
parameters:
  network: {type: string}
outputs:
  network: {value: {get_param: network}}
"""
FILES = {"made.yaml": CREATED, "given.yaml": EXISTING}


class One:
    """The stack of one server on two links."""

    def __init__(self, heat, cloud):
        self.heat, self.cloud = heat, cloud
        networks = heat.resources(heat.create(NETWORKS, "networks"))
        self.a, self.b = (networks[name].physical_resource_id for name in ("net_a", "net_b"))
        self.parameters, self.link = {"network": self.a}, "given.yaml"
        self.ident = heat.create(SERVER, "one", **self.body())
        assert self.resource("server").resource_status == "CREATE_COMPLETE"

    def body(self):
        registry = {"Link::First": self.link, "Link::Second": "made.yaml"}
        return {"files": FILES, "environment": {"parameters": self.parameters, "resource_registry": registry}}

    def put(self, **parameters):
        self.parameters = {**self.parameters, **parameters}
        return self.heat.update(self.ident, SERVER, **self.body())

    def resource(self, name):
        return self.heat.resources(self.ident)[name]

    @property
    def server(self):
        return self.heat.connection.compute.get_server(self.resource("server").physical_resource_id)

    def nics(self):
        """Network ids in the order in which Nova holds the NICs."""
        held = self.cloud.control("GET", f"/servers/{self.server.id}")["server"]["ports"]
        return [self.heat.connection.network.get_port(port).network_id for port in held]

    def until_status(self, status):
        self.heat.until(lambda: self.server.status == status)


@pytest.fixture
def one(heat, cloud):
    return One(heat, cloud)


@pytest.fixture
def second_image(user):
    return user.image.create_image("second", data=b"x" * 64, disk_format="raw", container_format="bare", wait=True)


def test_a_flavor_is_resized_and_confirmed(one, user):
    before = one.server
    assert one.put(flavor="m1.medium").stack_status == "UPDATE_COMPLETE"
    after = one.server
    assert (after.id, after.status) == (before.id, "ACTIVE")
    assert after.flavor.id == user.compute.find_flavor("m1.medium").id
    assert [one.action for one in user.compute.server_actions(after.id)][:2] == ["confirmResize", "resize"]


def test_an_image_is_rebuilt_or_the_server_replaced_by_its_policy(one, second_image):
    before = one.server
    assert one.put(image="second").stack_status == "UPDATE_COMPLETE"
    assert (one.server.id, one.server.image.id) == (before.id, second_image.id)
    port = one.resource("first_port").physical_resource_id
    assert one.put(image="tiny", policy="REPLACE").stack_status == "UPDATE_COMPLETE"
    assert one.server.id != before.id
    assert one.resource("first_port").physical_resource_id == port


def test_name_and_metadata_change_in_place(one):
    before = one.server
    assert one.put(label="two").stack_status == "UPDATE_COMPLETE"
    assert (one.server.id, one.server.name, dict(one.server.metadata)) == (before.id, "two", {"label": "two"})


def test_a_stopped_server_is_rebuilt_but_heat_does_not_believe_its_resize(one, user, second_image):
    ident = one.server.id
    user.compute.stop_server(ident)
    one.until_status("SHUTOFF")
    assert one.put(image="second").stack_status == "UPDATE_COMPLETE"
    one.until_status("SHUTOFF")
    stack = one.put(flavor="m1.medium")
    assert stack.stack_status == "UPDATE_FAILED"
    words = f"Confirm resize for server {ident} failed - Unknown status SHUTOFF"
    assert stack.stack_status_reason.startswith(f"ResourceUnknownStatus: resources.server: {words}")
    one.put()
    assert one.server.id != ident, "a resource whose update failed is replaced by the next PUT"


def test_a_resize_that_nova_takes_back_is_waited_for(one, cloud):
    ident = one.server.id
    cloud.control("PUT", "/settings", {"boot_seconds": 2})  # long enough to be observed
    one.parameters = {**one.parameters, "flavor": "m1.tiny"}
    one.heat.client.stacks.update(one.ident, template=SERVER, **one.body())
    one.until_status("RESIZE")
    one.until_status("ACTIVE")
    assert cloud.control("GET", f"/servers/{ident}")["server"]["flavor"]["name"] == "m1.small"
    assert one.heat.client.stacks.get(one.ident).stack_status == "UPDATE_IN_PROGRESS"


def test_a_flavor_without_room_fails_the_update(one, admin):
    admin.compute.create_flavor(name="huge", vcpus=2000, ram=2048, disk=20)
    stack = one.put(flavor="huge")
    assert stack.stack_status == "UPDATE_FAILED"
    assert "BadRequest: resources.server: No valid host was found. No valid host found for resize" in (
        stack.stack_status_reason
    )


def test_another_network_replaces_the_port_and_its_nic_becomes_the_last(one):
    server, old = one.server.id, one.resource("first_port").physical_resource_id
    second = one.resource("second_port").physical_resource_id
    assert one.nics()[0] == one.a
    assert one.put(network=one.b).stack_status == "UPDATE_COMPLETE"
    assert one.server.id == server
    assert one.resource("first_port").physical_resource_id != old
    assert one.resource("second_port").physical_resource_id == second
    assert one.nics()[1] == one.b
    assert one.heat.connection.network.find_port(old) is None


def test_the_registry_may_replace_an_existing_network_by_a_new_one_but_not_back(one):
    server = one.server.id
    one.link = "made.yaml"
    assert one.put().stack_status == "UPDATE_COMPLETE"
    assert one.server.id == server
    made = one.nics()[1]
    assert made not in {one.a, one.b}
    one.link = "given.yaml"
    stack = one.put()
    assert stack.stack_status == "UPDATE_FAILED"
    assert "One or more ports have an IP allocation from this subnet" in stack.stack_status_reason
    assert one.nics()[1] == made


def test_liberty_cannot_mark_a_resource_unhealthy(one):
    with pytest.raises(exc.HTTPMethodNotAllowed):
        one.heat.client.resources.mark_unhealthy(one.ident, "server", True, "dead")
    assert one.resource("server").resource_status == "CREATE_COMPLETE"
    known = {version.version for version in one.heat.client.template_versions.list()}
    assert "heat_template_version.2016-04-08" not in known


def test_a_later_heat_can_and_the_next_update_replaces_that_one(one, cloud):
    cloud.control("PUT", "/settings", {"heat_mark_unhealthy": True})
    known = {version.version for version in one.heat.client.template_versions.list()}
    assert "heat_template_version.2016-04-08" in known
    before, ports = one.server.id, one.nics()
    mark = one.heat.client.resources.mark_unhealthy
    mark(one.ident, "server", True, "dead")
    marked = one.resource("server")
    assert (marked.resource_status, marked.resource_status_reason) == ("CHECK_FAILED", "dead")
    mark(one.ident, "server", False, "alive after all")
    assert one.resource("server").resource_status == "CHECK_COMPLETE"
    mark(one.ident, "server", True, "dead")
    assert one.put().stack_status == "UPDATE_COMPLETE"
    assert one.server.id != before
    assert one.nics() == ports
    with pytest.raises(exc.HTTPNotFound):
        mark(one.ident, "unknown", True, "dead")
    with pytest.raises(exc.HTTPBadRequest):
        mark(one.ident, "server", "perhaps", "dead")

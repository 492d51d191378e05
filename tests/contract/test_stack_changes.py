"""A PUT changes some in place, and replaces others, and the traps on the way: Heat's part in every change of a VNF."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard, put_in_error, scaled, server_comes_to, until
from tests.contract.stack_members import members
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.errors import NotFound, Rejected
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Flavor, Image, StackInput

FILES = {"made.yaml": templates.LINK_CREATED, "given.yaml": templates.LINK_EXISTING}


@dataclass
class Linked:
    """The stack of one server on two links; `put` changes parameters and keeps the others."""

    yard: Yard
    stack_id: str
    given: StackInput
    networks: tuple[str, str]

    def put(self, status: str = "UPDATE_COMPLETE", *, link: str = "given.yaml", **parameters: str) -> str:
        registry = {"Contract::Link": link, "Contract::Own": "made.yaml"}
        self.given = replace(
            self.given,
            environment={"resource_registry": registry},
            parameters={**self.given.parameters, **parameters},
        )
        return self.yard.updated(self.stack_id, self.given, status).status_reason

    def physical(self, name: str) -> str:
        return self.yard.physical(self.stack_id)[name,]

    def networks_of_server(self) -> set[str]:
        return {port.network_id for port in self.yard.cloud.networks.ports([self.physical("server")])}


@pytest.fixture(scope="module")
def linked(yard: Yard, image: str, flavor: str, prefix: str) -> Iterator[Linked]:
    nets = yard.create("networks", StackInput(templates.TWO_NETWORKS, {}, {}, {}, tags=(prefix,)))
    yard.settled(nets, "CREATE_COMPLETE")
    found = yard.physical(nets)
    given = StackInput(
        templates.LINKED,
        {"resource_registry": {"Contract::Link": "given.yaml", "Contract::Own": "made.yaml"}},
        {"image": image, "flavor": flavor, "label": f"{prefix}-one", "network": found["net_a",]},
        FILES,
        tags=(prefix,),
        timeout_minutes=10,
    )
    stack_id = yard.create("linked", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    yield Linked(yard, stack_id, given, (found["net_a",], found["net_b",]))
    # Before the networks, for Neutron does not let them go while its ports are on them.
    yard.cloud.stacks.delete(stack_id)
    until(lambda: yard.gone(stack_id), "the server on the networks to be gone")


def test_show_gives_parameters_as_texts_and_hidden_ones_masked(cloud: Cloud, linked: Linked) -> None:
    given = linked.given.parameters
    assert cloud.stacks.show(linked.stack_id).parameters == {
        **given,
        "image_policy": "REBUILD",
        "secret": "******",
        "names": "a,b",
        "sizes": '{"a": 1}',
        "spare": "3",
    }
    assert cloud.stacks.status(linked.stack_id).parameters == {}


def test_the_template_is_returned_unchanged(cloud: Cloud, linked: Linked) -> None:
    template = cloud.stacks.template(linked.stack_id)
    assert template["heat_template_version"] == "2015-10-15"
    assert set(template["resources"]) == {"first", "first_port", "second", "second_port", "server"}
    assert template["resources"]["server"]["properties"]["flavor"] == {"get_param": "flavor"}
    with pytest.raises(NotFound):
        cloud.stacks.template("00000000-0000-4000-8000-000000000000")


def test_another_flavor_resizes(cloud: Cloud, linked: Linked, larger: Flavor) -> None:
    before = linked.physical("server")
    linked.put(flavor=larger.name)
    assert linked.physical("server") == before
    assert server_comes_to(cloud, before, "ACTIVE").flavor == larger.id


def test_another_image_rebuilds_or_replaces_by_its_policy(
    cloud: Cloud, linked: Linked, image: str, second_image: Image
) -> None:
    before, port = linked.physical("server"), linked.physical("first_port")
    linked.put(image=second_image.name)
    assert linked.physical("server") == before
    assert server_comes_to(cloud, before, "ACTIVE").image == second_image.id
    linked.put(image=image, image_policy="REPLACE")
    assert linked.physical("server") != before
    assert linked.physical("first_port") == port
    server_comes_to(cloud, linked.physical("server"), "ACTIVE")


def test_another_name_and_metadata_change_in_place(cloud: Cloud, linked: Linked, prefix: str) -> None:
    before = linked.physical("server")
    linked.put(label=f"{prefix}-two")
    server = cloud.servers.show(before)
    assert (linked.physical("server"), server.name) == (before, f"{prefix}-two")
    assert server.metadata == {"contract_label": f"{prefix}-two"}


def test_another_network_replaces_the_port_and_keeps_the_server(cloud: Cloud, linked: Linked) -> None:
    first, second = linked.networks
    server, port, other = linked.physical("server"), linked.physical("first_port"), linked.physical("second_port")
    linked.put(network=second)
    assert linked.physical("server") == server
    assert linked.physical("second_port") == other
    assert linked.physical("first_port") != port
    assert second in linked.networks_of_server()
    assert first not in linked.networks_of_server()
    assert port not in {one.id for one in cloud.networks.ports()}


@pytest.mark.matrix(1)
def test_the_registry_replaces_an_existing_network_by_a_new_one_and_not_back(linked: Linked) -> None:
    server = linked.physical("server")
    linked.put(link="made.yaml")
    made = linked.yard.physical(linked.stack_id)["first", "net"]
    assert linked.physical("server") == server
    assert made in linked.networks_of_server()
    words = linked.put("UPDATE_FAILED", link="given.yaml")
    assert "One or more ports have an IP allocation from this subnet" in words
    assert made in linked.networks_of_server()


@pytest.fixture(scope="module")
def trapped(yard: Yard, group: StackInput) -> tuple[str, StackInput]:
    given = replace(group, parameters={**group.parameters, "cidr": "198.18.14.0/24"})
    stack_id = yard.create("trapped", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    return stack_id, given


def lose(cloud: Cloud, server_id: str) -> None:
    cloud.servers.delete(server_id)
    until(lambda: server_id not in {server.id for server in cloud.servers.list()}, "the server to be gone")


@pytest.mark.matrix(1)
def test_trap_a_without_a_check_missing_servers_stay_missing(
    cloud: Cloud, yard: Yard, trapped: tuple[str, StackInput]
) -> None:
    stack_id, given = trapped
    before = members(cloud, stack_id)
    lose(cloud, before["1"])
    yard.updated(stack_id, scaled(given, 3))
    grown = members(cloud, stack_id)
    assert set(grown) == {"0", "1", "2"}
    assert before.items() <= grown.items()
    yard.checked(stack_id, "CHECK_FAILED")
    yard.updated(stack_id, scaled(given, 3))
    healed = members(cloud, stack_id)
    assert {index for index in grown if healed[index] != grown[index]} == {"1"}


@pytest.mark.matrix(1)
def test_trap_b_a_check_fails_servers_that_are_only_stopped(
    cloud: Cloud, yard: Yard, trapped: tuple[str, StackInput]
) -> None:
    stack_id, given = trapped
    before = members(cloud, stack_id)
    cloud.servers.stop(before["0"])
    server_comes_to(cloud, before["0"], "SHUTOFF")
    yard.checked(stack_id, "CHECK_FAILED")
    failed = {(*r.path, r.name) for r in cloud.stacks.resources(stack_id) if r.status == "CHECK_FAILED"}
    assert {path for path in failed if path[-1] == "server"} == {("members", "0", "server")}
    cloud.servers.start(before["0"])
    server_comes_to(cloud, before["0"], "ACTIVE")
    yard.checked(stack_id, "CHECK_COMPLETE")
    yard.updated(stack_id, scaled(given, len(before)))
    assert members(cloud, stack_id) == before
    cloud.servers.stop(before["0"])
    server_comes_to(cloud, before["0"], "SHUTOFF")
    yard.checked(stack_id, "CHECK_FAILED")
    yard.updated(stack_id, scaled(given, len(before)))
    after = members(cloud, stack_id)
    assert {index for index in before if after[index] != before[index]} == {"0"}


@pytest.mark.matrix(1)
def test_trap_c_a_server_in_error_holds_its_port_until_nova_has_deleted_it(
    cloud: Cloud, admin: OpenStackCloud, yard: Yard, trapped: tuple[str, StackInput]
) -> None:
    stack_id, given = trapped
    before = members(cloud, stack_id)
    put_in_error(admin, before["0"])
    yard.checked(stack_id, "CHECK_FAILED")
    stack = yard.updated(stack_id, scaled(given, len(before)), "UPDATE_FAILED")
    assert "still in use" in stack.status_reason
    lose(cloud, before["0"])
    yard.updated(stack_id, scaled(given, len(before)))
    after = members(cloud, stack_id)
    assert {index for index in before if after[index] != before[index]} == {"0"}


@pytest.fixture
def markable(is_real: bool, request: pytest.FixtureRequest) -> Iterator[None]:
    """A Heat that can mark: a current one, or cloudsim with what it has beyond Liberty switched on."""
    if is_real:
        yield
        return
    sim: CloudsimProcess = request.getfixturevalue("cloudsim")
    sim.control("PUT", "/settings", {"heat_mark_unhealthy": True})
    yield
    sim.control("PUT", "/settings", {"heat_mark_unhealthy": False})


@pytest.mark.matrix(1)
@pytest.mark.usefixtures("markable")
def test_a_marked_member_is_replaced_and_its_siblings_are_not(
    cloud: Cloud, yard: Yard, trapped: tuple[str, StackInput]
) -> None:
    stack_id, given = trapped
    before = members(cloud, stack_id)
    assert cloud.probe().capabilities["heat_mark_unhealthy"] is True
    cloud.stacks.mark_unhealthy(stack_id, ("members", "1"), "server", "its card is dead")
    marked = {(*r.path, r.name): r for r in cloud.stacks.resources(stack_id) if r.status == "CHECK_FAILED"}
    assert set(marked) == {("members", "1", "server")}
    assert marked["members", "1", "server"].status_reason == "its card is dead"
    yard.updated(stack_id, scaled(given, len(before)))
    after = members(cloud, stack_id)
    assert {index for index in before if after[index] != before[index]} == {"1"}
    for path in (("members", "77"), ("unknown",)):
        with pytest.raises(NotFound):
            cloud.stacks.mark_unhealthy(stack_id, path, "server", "not there")
    with pytest.raises(NotFound):
        cloud.stacks.mark_unhealthy(stack_id, (), "unknown", "not there")


def test_heat_of_liberty_cannot_mark(cloud: Cloud, group_stack: str, is_real: bool) -> None:
    if is_real:
        pytest.skip("a current Heat can")
    with pytest.raises(Rejected) as caught:
        cloud.stacks.mark_unhealthy(group_stack, ("members", "1"), "server", "its card is dead")
    assert caught.value.http_status == 405
    assert cloud.probe().capabilities["heat_mark_unhealthy"] is False

"""Stacks as the lifecycle uses them: a ResourceGroup that grows, shrinks and heals, by Liberty's means."""

from dataclasses import replace
from ipaddress import ip_address, ip_network

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard, scaled, until
from tests.contract.stack_members import members
from vnfm.clouds.errors import Conflict, NotFound, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import StackInput, StackResource


def network_only(prefix: str, **parameters: object) -> StackInput:
    return StackInput(templates.NETWORK, {}, parameters, {}, tags=(prefix,), timeout_minutes=5)


def created_again(yard: Yard, prefix: str) -> str | None:
    """Heat says DELETE_COMPLETE a moment before it gives the name back."""
    try:
        return yard.create("deleted", network_only(prefix, cidr="198.18.13.0/24"))
    except Conflict:
        return None


def test_a_created_stack_is_found_by_name_tag_and_id(cloud: Cloud, yard: Yard, group_stack: str, prefix: str) -> None:
    name = yard.name("group")
    found = cloud.stacks.find(name)
    assert found is not None
    assert (found.id, found.name) == (group_stack, name)
    assert set(found.tags) == {"contract", prefix}
    tagged = {stack.id: stack for stack in cloud.stacks.list(tag=prefix)}
    assert tagged[group_stack].name == name
    assert all(prefix in stack.tags for stack in tagged.values())
    assert group_stack in {stack.id for stack in cloud.stacks.list()}
    assert cloud.stacks.list(tag=f"{prefix}-unused") == []
    assert cloud.stacks.find(f"{name}-other") is None


def test_show_gives_outputs_and_status_does_not(cloud: Cloud, group_stack: str) -> None:
    shown = cloud.stacks.show(group_stack)
    assert shown.status == "CREATE_COMPLETE"
    assert shown.status_reason
    assert sorted(shown.outputs["servers"]) == sorted(members(cloud, group_stack).values())
    assert shown.outputs["cidr"] == "198.18.7.0/24"
    assert cloud.stacks.status(group_stack).outputs == {}


def test_resources_carry_their_path_through_nested_stacks(cloud: Cloud, group_stack: str) -> None:
    found: dict[tuple[str, ...], StackResource] = {(*r.path, r.name): r for r in cloud.stacks.resources(group_stack)}
    assert set(found) == {
        ("net",),
        ("subnet",),
        ("members",),
        *((("members", index)) for index in "01"),
        *(("members", index, leaf) for index in "01" for leaf in ("port", "server")),
    }
    assert found["members",].type == "OS::Heat::ResourceGroup"
    assert found["members", "1"].type == "Contract::Member"
    assert found["members", "1", "server"].type == "OS::Nova::Server"
    assert all(r.physical_id and r.status == "CREATE_COMPLETE" for r in found.values())


def test_resources_to_depth_zero_are_those_of_the_root(cloud: Cloud, group_stack: str) -> None:
    assert {r.name for r in cloud.stacks.resources(group_stack, depth=0)} == {"net", "subnet", "members"}


def test_progress_counts_nested_resources(cloud: Cloud, group_stack: str) -> None:
    progress = cloud.stacks.progress(group_stack)
    assert (progress.complete, progress.total) == (9, 9)
    assert cloud.stacks.progress(group_stack) == progress
    assert cloud.stacks.last_event(group_stack) == cloud.stacks.last_event(group_stack) != ""


def test_servers_and_ports_of_the_stack(cloud: Cloud, group_stack: str, prefix: str) -> None:
    servers = members(cloud, group_stack)
    seen = {server.id: server for server in cloud.servers.list()}
    for index, server_id in servers.items():
        server = seen[server_id]
        assert (server.name, server.status) == (f"{prefix}-{index}", "ACTIVE")
        assert server.metadata["contract_index"] == index
        assert server.created_at is not None
        assert server.created_at.tzinfo is not None
        assert cloud.flavors.find(server.flavor) or server.flavor in {flavor.id for flavor in cloud.flavors.list()}
        assert cloud.servers.show(server_id).name == server.name
    ports = cloud.networks.ports(list(servers.values()))
    assert sorted(port.server_id for port in ports) == sorted(servers.values())
    for port in ports:
        assert port.vnic_type == "normal"
        assert port.status == "ACTIVE"
        assert port.mac_address
        assert ip_address(port.ip_addresses[0]) in ip_network("198.18.7.0/24")
    assert {port.id for port in ports} <= {port.id for port in cloud.networks.ports()}
    assert cloud.networks.ports([]) == []


def test_the_network_of_the_stack_is_listed_with_its_subnet(cloud: Cloud, group_stack: str) -> None:
    net = next(r.physical_id for r in cloud.stacks.resources(group_stack, depth=0) if r.name == "net")
    network = next(network for network in cloud.networks.list() if network.id == net)
    assert not network.external
    assert [(net.cidr, net.ip_version, net.dhcp) for net in network.subnets] == [("198.18.7.0/24", 4, False)]


def test_preview_of_a_new_stack_names_nested_resources_and_makes_nothing(
    cloud: Cloud, yard: Yard, group: StackInput
) -> None:
    changes = cloud.stacks.preview_create(yard.name("previewed"), group)
    assert {change.action for change in changes} == {"create"}
    types = [change.type for change in changes]
    assert types.count("OS::Nova::Server") == types.count("OS::Neutron::Port") == 2
    assert types.count("OS::Neutron::Net") == 1
    assert cloud.stacks.find(yard.name("previewed")) is None


@pytest.mark.parametrize(("count", "removed"), [(2, ()), (3, ()), (1, ("1",))])
def test_preview_of_an_update_names_the_resources_of_the_root(
    cloud: Cloud, group_stack: str, group: StackInput, count: int, removed: tuple[str, ...]
) -> None:
    changes = {c.name: c.action for c in cloud.stacks.preview_update(group_stack, scaled(group, count, removed))}
    assert set(changes) == {"net", "subnet", "members"}
    assert changes["net"] == "keep"
    assert changes["members"] in {"keep", "update"}
    assert cloud.stacks.status(group_stack).status == "CREATE_COMPLETE"


def test_preview_of_an_update_lists_added_and_deleted_resources(
    cloud: Cloud, yard: Yard, group_stack: str, group: StackInput, prefix: str
) -> None:
    changes = cloud.stacks.preview_update(group_stack, network_only(prefix))
    assert [(c.action, c.type) for c in changes if c.name == "members"] == [("delete", "OS::Heat::ResourceGroup")]
    spare = "resources:\n  spare: {type: OS::Neutron::Net}\n"
    more = replace(group, template=group.template.replace("resources:\n", spare))
    created = [c for c in cloud.stacks.preview_update(group_stack, more) if c.action == "create"]
    assert [(c.name, c.type) for c in created] == [("spare", "OS::Neutron::Net")]


@pytest.mark.matrix(1)
def test_scale_out_then_in_by_name_keeps_the_others(cloud: Cloud, yard: Yard, group: StackInput) -> None:
    stack_id = yard.create("scaled", replace(group, parameters={**group.parameters, "cidr": "198.18.10.0/24"}))
    yard.settled(stack_id, "CREATE_COMPLETE")
    group = replace(group, parameters={**group.parameters, "cidr": "198.18.10.0/24"})
    two = members(cloud, stack_id)

    yard.updated(stack_id, scaled(group, 3))
    three = members(cloud, stack_id)
    assert set(three) == {"0", "1", "2"}
    assert two.items() <= three.items()

    yard.updated(stack_id, scaled(group, 2, removed=("1",)))
    left = members(cloud, stack_id)
    assert left == {"0": three["0"], "2": three["2"]}
    assert three["1"] not in {server.id for server in cloud.servers.list()}

    # Heat never uses a removed name again: the next member is 3.
    yard.updated(stack_id, scaled(group, 3, removed=("1",)))
    assert set(members(cloud, stack_id)) == {"0", "2", "3"}

    cloud.stacks.delete(stack_id)
    until(lambda: yard.gone(stack_id), "the stack to be gone")
    assert not {server.id for server in cloud.servers.list()} & set(three.values())


@pytest.mark.matrix(1)
def test_heal_by_deleting_checking_and_putting_again(cloud: Cloud, yard: Yard, group: StackInput) -> None:
    given = replace(group, parameters={**group.parameters, "cidr": "198.18.11.0/24"})
    stack_id = yard.create("healed", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    before = members(cloud, stack_id)

    cloud.servers.delete(before["1"])
    until(lambda: before["1"] not in {server.id for server in cloud.servers.list()}, "the server to be gone")
    with pytest.raises(NotFound):
        cloud.servers.show(before["1"])
    yard.checked(stack_id, "CHECK_FAILED")
    failed = {(*r.path, r.name) for r in cloud.stacks.resources(stack_id) if r.status == "CHECK_FAILED"}
    assert {path for path in failed if path[-1] == "server"} == {("members", "1", "server")}

    yard.updated(stack_id, given)
    after = members(cloud, stack_id)
    assert after["0"] == before["0"]
    assert after["1"] != before["1"]


def test_check_of_a_healthy_stack(yard: Yard, cloud: Cloud, prefix: str) -> None:
    stack_id = yard.create("checked", network_only(prefix, cidr="198.18.12.0/24"))
    yard.settled(stack_id, "CREATE_COMPLETE")
    yard.checked(stack_id, "CHECK_COMPLETE")


def test_a_used_name_is_a_conflict(cloud: Cloud, yard: Yard, group_stack: str, prefix: str) -> None:
    with pytest.raises(Conflict) as caught:
        cloud.stacks.create(yard.name("group"), network_only(prefix))
    assert yard.name("group") in caught.value.message
    assert caught.value.source == "heat"
    assert caught.value.http_status == 409


def test_deleting_is_idempotent_and_then_the_stack_is_not_found(cloud: Cloud, yard: Yard, prefix: str) -> None:
    stack_id = yard.create("deleted", network_only(prefix, cidr="198.18.13.0/24"))
    yard.settled(stack_id, "CREATE_COMPLETE")
    cloud.stacks.delete(stack_id)
    until(lambda: yard.gone(stack_id), "the stack to be gone")
    for look in (cloud.stacks.status, cloud.stacks.show):
        with pytest.raises(NotFound):
            look(stack_id)
    cloud.stacks.delete(stack_id)
    assert cloud.stacks.find(yard.name("deleted")) is None
    assert until(lambda: created_again(yard, prefix), "the name to be free") != stack_id


def test_a_stack_that_never_was(cloud: Cloud) -> None:
    stranger = "00000000-0000-4000-8000-000000000000"
    with pytest.raises(NotFound) as caught:
        cloud.stacks.status(stranger)
    assert stranger in caught.value.message
    cloud.stacks.delete(stranger)
    with pytest.raises(NotFound):
        cloud.stacks.resources(stranger)
    with pytest.raises(NotFound):
        cloud.stacks.check(stranger)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        (templates.UNKNOWN_TYPE, "NoSuchThing"),
        (templates.UNKNOWN_REFERENCE, "missing"),
        (templates.NO_TEMPLATE, ""),
    ],
)
def test_a_template_that_heat_refuses(cloud: Cloud, yard: Yard, prefix: str, template: str, words: str) -> None:
    given = StackInput(template, {}, {}, {}, tags=(prefix,))
    for attempt in (
        lambda: cloud.stacks.create(yard.name("refused"), given),
        lambda: cloud.stacks.preview_create(yard.name("refused"), given),
    ):
        with pytest.raises(Rejected) as caught:
            attempt()
        assert caught.value.source == "heat"
        assert caught.value.http_status == 400
        assert words in caught.value.message
    assert cloud.stacks.find(yard.name("refused")) is None


def test_a_missing_nested_file_is_refused(cloud: Cloud, yard: Yard, group: StackInput) -> None:
    with pytest.raises(Rejected) as caught:
        cloud.stacks.create(yard.name("refused"), replace(group, files={}))
    assert "member.yaml" in caught.value.message
    assert cloud.stacks.find(yard.name("refused")) is None


def test_an_unknown_flavor_is_refused_before_anything_is_created(
    cloud: Cloud, yard: Yard, image: str, prefix: str
) -> None:
    given = StackInput(templates.SERVER, {}, {"image": image, "flavor": "no-such-flavor"}, {}, tags=(prefix,))
    with pytest.raises(Rejected) as caught:
        cloud.stacks.create(yard.name("refused"), given)
    assert "no-such-flavor" in caught.value.message
    assert cloud.stacks.find(yard.name("refused")) is None


def test_a_bad_cidr_is_refused_before_anything_is_created(cloud: Cloud, yard: Yard, prefix: str) -> None:
    with pytest.raises(Rejected) as caught:
        cloud.stacks.create(yard.name("refused"), network_only(prefix, cidr="198.18.300.0/24"))
    assert "198.18.300.0/24" in caught.value.message
    assert cloud.stacks.find(yard.name("refused")) is None


def test_an_unknown_parameter_is_refused(cloud: Cloud, yard: Yard, prefix: str) -> None:
    with pytest.raises(Rejected) as caught:
        cloud.stacks.create(yard.name("refused"), network_only(prefix, colour="red"))
    assert "colour" in caught.value.message


def test_a_refused_update_leaves_the_stack_alone(cloud: Cloud, group_stack: str, group: StackInput) -> None:
    with pytest.raises(Rejected):
        cloud.stacks.update(group_stack, replace(group, template=templates.UNKNOWN_TYPE))
    assert cloud.stacks.status(group_stack).status == "CREATE_COMPLETE"


def test_heat_validates_templates_without_their_values(cloud: Cloud, yard: Yard, group: StackInput) -> None:
    cloud.stacks.validate(replace(group, parameters={}))
    assert cloud.stacks.find(yard.name("validated")) is None


@pytest.mark.parametrize("call", ["get_param", "get_resource"])
def test_heat_does_not_see_that_an_output_is_of_nothing(cloud: Cloud, call: str) -> None:
    template = f"heat_template_version: 2015-10-15\noutputs: {{x: {{value: {{{call}: nowhere}}}}}}\n"
    cloud.stacks.validate(StackInput(template, {}, {}, {}))


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("heat_template_version: 2015-10-15\nresources: {x: {type: OS::No::Such}}\n", "OS::No::Such"),
        (
            "heat_template_version: 2015-10-15\nresources: {x: {type: OS::Neutron::Net, properties: {flavour: y}}}\n",
            "flavour",
        ),
        (
            "heat_template_version: 2015-10-15\noutputs: {x: {value: {get_attr: [nowhere, name]}}}\n",
            "nowhere",
        ),
        ("heat_template_version: 2099-01-01\nresources: {}\n", "2099-01-01"),
    ],
)
def test_heats_validation_errors_have_its_words(cloud: Cloud, template: str, words: str) -> None:
    with pytest.raises((Rejected, NotFound)) as caught:
        cloud.stacks.validate(StackInput(template, {}, {}, {}))
    assert caught.value.source == "heat"
    assert words in caught.value.message


def test_stacks_that_a_killed_run_left_are_deleted_and_those_of_runs_under_way_stay(
    cloud: Cloud, yard: Yard, prefix: str
) -> None:
    old = yard.create("left", network_only(prefix, cidr="198.18.14.0/24"), prefix="contract-6000000000ff")
    young = yard.create("under-way", network_only(prefix, cidr="198.18.14.0/24"))
    for stack_id in (old, young):
        yard.settled(stack_id, "CREATE_COMPLETE")
    yard.clear_leftovers()
    until(lambda: yard.gone(old), "the old stack to be gone")
    assert not yard.gone(young)

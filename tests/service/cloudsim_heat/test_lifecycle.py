import pytest
from heatclient import exc

from tests.service.cloudsim_heat.orchestra import ROUTER

V = "heat_template_version: 2015-10-15\n"
TWO = V + "resources: {a: {type: OS::Heat::RandomString}, b: {type: OS::Heat::RandomString, depends_on: a}}\n"


def test_a_router_comes_up_and_goes_without_a_trace(heat):
    ident = heat.create(tags="vnf,lab", parameters={"count": 3})
    stack = heat.client.stacks.get(ident)
    assert (stack.stack_status, stack.stack_status_reason) == ("CREATE_COMPLETE", "Stack CREATE completed successfully")
    assert stack.tags == ["vnf", "lab"]
    outputs = heat.outputs(ident)
    assert outputs["iom_slots"] == {"0": "1", "1": "2", "2": "3"}
    assert outputs["first_slot"] == "1"
    servers = heat.servers(ident)
    assert outputs["iom_ids"] == [servers[f"{index}/server"] for index in range(3)]
    vm = heat.connection.compute.get_server(servers["1/server"])
    assert vm.metadata == {"slot": "2"}
    ports = list(heat.connection.network.ports(device_id=vm.id))
    assert [port.binding_vnic_type for port in ports] == ["direct"]
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert list(heat.connection.compute.servers()) == []
    assert [port for port in heat.connection.network.ports() if port.device_owner.startswith("compute")] == []
    assert heat.connection.network.find_network("router-fabric") is None
    assert list(heat.client.stacks.list()) == []


def test_events_are_in_order(heat):
    ident = heat.create(TWO)
    story = [(one.resource_name, one.resource_status) for one in heat.client.events.list(ident)]
    assert story == [
        ("router", "CREATE_IN_PROGRESS"),
        ("a", "CREATE_IN_PROGRESS"),
        ("a", "CREATE_COMPLETE"),
        ("b", "CREATE_IN_PROGRESS"),
        ("b", "CREATE_COMPLETE"),
        ("router", "CREATE_COMPLETE"),
    ]
    last = heat.client.events.list(ident, resource_name="b")[-1]
    assert heat.client.events.get(ident, "b", last.id).resource_type == "OS::Heat::RandomString"


def test_a_name_leads_to_the_canonical_address(heat, cloud):
    ident = heat.create(TWO)
    headers = {"X-Auth-Token": heat.connection.session.get_token()}
    project = heat.connection.current_project_id
    status, _ = cloud.request("GET", f"/orchestration/v1/{project}/stacks/router", headers=headers)
    assert status == 302
    assert heat.client.stacks.get("router").id == ident
    assert heat.connection.orchestration.find_stack("router").id == ident
    with pytest.raises(exc.HTTPNotFound, match=r"The Stack \(nope\) could not be found."):
        heat.client.stacks.get("nope")


def test_listing_filters_sorts_and_pages(heat):
    for name, tags in (("one", "a"), ("two", "a,b"), ("three", "c")):
        heat.create(TWO, name=name, tags=tags)
    names = lambda **query: [stack.stack_name for stack in heat.client.stacks.list(**query)]  # noqa: E731
    assert names() == ["three", "two", "one"]
    assert names(sort_keys=["stack_name"], sort_dir="asc") == ["one", "three", "two"]
    assert names(filters={"name": "two"}) == ["two"]
    assert names(filters={"status": "COMPLETE"}) == ["three", "two", "one"]
    assert names(filters={"status": "FAILED"}) == []
    assert names(tags="a") == ["two", "one"]
    assert names(tags="a,b") == ["two"]
    assert names(tags_any="b,c") == ["three", "two"]
    assert names(limit=2) == ["three", "two"]
    assert names(limit=1, marker=heat.client.stacks.get("two").id) == ["one"]


def test_preview_makes_nothing(heat):
    preview = heat.client.stacks.preview(stack_name="p", template=TWO)
    assert [one["resource_name"] for one in preview.resources] == ["a", "b"]
    assert preview.resources[0]["resource_status"] == "INIT_COMPLETE"
    assert list(heat.client.stacks.list()) == []


def test_validate_describes_the_parameters(heat):
    template = (
        V
        + "parameters: {n: {type: number, default: 2, label: N, constraints: [{range: {min: 1}}]}}\n"
        + ("resources: {a: {type: OS::Heat::RandomString}}\n")
    )
    view = heat.client.stacks.validate(template=template)
    assert view["Parameters"]["n"] == {
        "Type": "Number", "Description": "", "NoEcho": "false", "Label": "N", "Default": 2, "MinValue": 1,
    }  # fmt: skip


def test_suspend_and_resume_reach_the_servers(heat):
    ident = heat.create(parameters={"count": 1})
    assert heat.act(ident, "suspend").stack_status == "SUSPEND_COMPLETE"
    server = heat.connection.compute.get_server(heat.servers(ident)["0/server"])
    assert server.status == "SUSPENDED"
    with pytest.raises(exc.HTTPBadRequest, match="Updating a stack when it is suspended is not supported"):
        heat.update(ident)
    assert heat.act(ident, "resume").stack_status == "RESUME_COMPLETE"
    assert heat.connection.compute.get_server(server.id).status == "ACTIVE"


def test_deleting_tolerates_missing_resources_and_stops_a_create(heat, cloud):
    ident = heat.create(parameters={"count": 1})
    heat.lose(heat.servers(ident)["cpm"])
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    cloud.control("PUT", "/settings", {"boot_seconds": 600})
    running = heat.create(name="slow", wait=False)
    heat.until(lambda: "cpm" in heat.servers(running) and heat.servers(running)["cpm"])
    assert heat.delete(running).stack_status == "DELETE_COMPLETE"
    assert list(heat.connection.compute.servers()) == []


def test_resource_types_of_this_heat(heat):
    types = [one.resource_type for one in heat.client.resource_types.list()]
    assert "OS::Heat::ResourceGroup" in types
    assert "OS::Aodh::EventAlarm" not in types
    schema = heat.client.resource_types.get("OS::Neutron::Port")
    assert schema["properties"]["network"]["required"] is False  # since its old name serves as well
    assert {"network_id", "replacement_policy"} <= set(schema["properties"])
    assert "subnet_id" in schema["properties"]["fixed_ips"]["schema"]["*"]["schema"]
    assert "fixed_ips" in schema["attributes"]
    assert heat.client.build_info.build_info()["api"]["revision"]
    versions = [one.version for one in heat.client.template_versions.list()]
    assert versions[-1] == "heat_template_version.2015-10-15"
    functions = {one.functions for one in heat.client.template_versions.get(versions[-1])}
    assert {"repeat", "digest", "str_split"} <= functions
    assert "map_merge" not in functions


def test_preview_shows_nested_resources_as_lists(heat):
    preview = heat.client.stacks.preview(stack_name="p", template=ROUTER, **heat._body({"parameters": {"count": 2}}))
    nested = [one for one in preview.resources if isinstance(one, list)]
    fabric, ioms = nested
    assert [one["resource_type"] for one in fabric] == ["OS::Neutron::Net", "OS::Neutron::Subnet"]
    assert [[one["resource_name"] for one in member] for member in ioms] == [["port", "server"], ["port", "server"]]

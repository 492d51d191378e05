import pytest
from heatclient import exc

from tests.service.cloudsim_heat.orchestra import ROUTER


def test_scaling_out_and_in_by_name_leaves_the_others(heat):
    ident = heat.create()
    before = heat.servers(ident)
    assert heat.update(ident, parameters={"count": 3}).stack_status == "UPDATE_COMPLETE"
    grown = heat.servers(ident)
    assert {place: grown[place] for place in before} == before
    assert set(grown) - set(before) == {"2/server"}
    heat.update(ident, parameters={"count": 2, "removed": ["1"]})
    assert heat.servers(ident) == {place: grown[place] for place in ("cpm", "0/server", "2/server")}
    heat.update(ident, parameters={"count": 2, "removed": ["1"]})
    assert set(heat.servers(ident)) == {"cpm", "0/server", "2/server"}
    heat.update(ident, parameters={"count": 3})
    assert set(heat.servers(ident)) == {"cpm", "0/server", "2/server", "3/server"}
    assert heat.outputs(ident)["iom_slots"] == {"0": "1", "2": "3", "3": "4"}


def test_a_removal_is_destructive_even_with_the_same_count(heat):
    ident = heat.create()
    before = heat.servers(ident)
    heat.update(ident, parameters={"count": 2, "removed": [0]})
    after = heat.servers(ident)
    assert set(after) == {"cpm", "1/server", "2/server"}
    assert after["1/server"] == before["1/server"]


def test_the_same_again_changes_nothing(heat):
    ident = heat.create()
    before = heat.resources(ident, 5)
    assert heat.update(ident).stack_status == "UPDATE_COMPLETE"
    after = heat.resources(ident, 5)
    assert {place: one.physical_resource_id for place, one in after.items()} == {
        place: one.physical_resource_id for place, one in before.items()
    }
    assert after["cpm"].resource_status == "CREATE_COMPLETE"


def test_a_name_changes_in_place_and_a_hint_replaces_with_the_same_port(heat):
    ident = heat.create()
    before = heat.resources(ident)
    heat.update(ident, parameters={"cpm_name": "cpm-b"})
    cpm = heat.resources(ident)["cpm"]
    assert cpm.physical_resource_id == before["cpm"].physical_resource_id
    assert heat.connection.compute.get_server(cpm.physical_resource_id).name == "cpm-b"
    other = ROUTER.replace("anti-affinity", "affinity")
    assert heat.update(ident, other).stack_status == "UPDATE_COMPLETE"
    after = heat.resources(ident)
    assert after["apart"].physical_resource_id != before["apart"].physical_resource_id
    assert after["cpm"].physical_resource_id != before["cpm"].physical_resource_id
    assert after["cpm_port"].physical_resource_id == before["cpm_port"].physical_resource_id
    port = heat.connection.network.get_port(after["cpm_port"].physical_resource_id)
    assert port.device_id == after["cpm"].physical_resource_id
    assert heat.connection.compute.find_server(before["cpm"].physical_resource_id) is None


def test_patch_keeps_other_fields(heat):
    ident = heat.create(parameters={"cpm_name": "kept", "count": 1})
    heat.client.stacks.update(ident, existing=True, parameters={"count": 2})
    stack = heat.ended(ident)
    assert (stack.stack_status, stack.parameters["cpm_name"]) == ("UPDATE_COMPLETE", "kept")
    assert len(heat.servers(ident)) == 3


def test_preview_of_an_update(heat):
    ident = heat.create()
    changed = ROUTER.replace("slot: A", "slot: B").replace(
        "outputs:", "  more: {type: OS::Heat::RandomString}\noutputs:", 1
    )
    changes = heat.client.stacks.preview_update(ident, template=changed, **heat._body({}))["resource_changes"]
    named = {kind: sorted(one["resource_name"] for one in some) for kind, some in changes.items()}
    assert named["added"] == ["more"]
    assert named["deleted"] == []
    assert "apart" in named["unchanged"]
    assert "cpm" in named["replaced"]  # its hint names another resource: Heat cannot tell before it is made
    assert heat.client.stacks.get(ident).stack_status == "CREATE_COMPLETE"


def test_a_failed_update_is_reported_and_repaired(heat):
    ident = heat.create()
    bad = ROUTER.replace("get_attr: [fabric, network]}}}\n  cpm:", "get_attr: [fabric, nope]}}}\n  cpm:")
    with pytest.raises(exc.HTTPBadRequest, match=r"The Referenced Attribute \(fabric nope\) is incorrect."):
        heat.update(ident, bad)
    address = "fixed_ips: [{ip_address: 99.0.0.1}], network: {get_attr: [fabric, network]}}}\n  cpm:"
    bad = ROUTER.replace("network: {get_attr: [fabric, network]}}}\n  cpm:", address)
    stack = heat.update(ident, bad)
    assert stack.stack_status == "UPDATE_FAILED"
    assert stack.stack_status_reason == (
        "InvalidIpForNetworkClient: resources.cpm_port: "
        "IP address 99.0.0.1 is not a valid IP for any of the subnets on the specified network."
    )
    with pytest.raises(exc.HTTPBadRequest, match="PATCH update to non-COMPLETE stack is not supported"):
        heat.client.stacks.update(ident, existing=True, parameters={"count": 1})
    assert heat.update(ident).stack_status == "UPDATE_COMPLETE"


def test_a_failed_update_rolls_back(heat):
    ident = heat.create(disable_rollback=False)
    before = heat.servers(ident)
    bad = ROUTER.replace("outputs:", (
        "  bad:\n    type: OS::Neutron::Port\n    depends_on: ioms\n"
        "    properties: {network: {get_attr: [fabric, network]}, fixed_ips: [{ip_address: 99.0.0.1}]}\noutputs:"
    ), 1)  # fmt: skip
    stack = heat.update(ident, bad, parameters={"count": 3}, disable_rollback=False)
    assert stack.stack_status == "ROLLBACK_COMPLETE"
    assert heat.servers(ident) == before


def test_cancelling_an_update_rolls_back(heat, cloud):
    ident = heat.create()
    before = heat.servers(ident)
    with pytest.raises(exc.HTTPBadRequest, match="Cancelling update when stack is"):
        heat.client.actions.cancel_update(ident)
    cloud.control("PUT", "/settings", {"boot_seconds": 600})
    heat.client.stacks.update(ident, template=ROUTER, **heat._body({"parameters": {"count": 3}}))
    heat.until(lambda: heat.servers(ident).get("2/server"))
    with pytest.raises(exc.HTTPConflict, match=r"Stack router already has an action \(UPDATE\) in progress."):
        heat.update(ident)
    heat.client.actions.cancel_update(ident)
    assert heat.ended(ident).stack_status == "ROLLBACK_COMPLETE"
    assert heat.servers(ident) == before

"""Healing by Liberty's means: facts and traps measured on a real Heat."""

from openstack.connection import Connection


def test_a_lost_member_comes_back_with_its_port_and_index(heat):
    ident = heat.create()
    before, servers = heat.resources(ident, 5), heat.servers(ident)
    lost = servers["0/server"]
    heat.lose(lost)
    stack = heat.act(ident, "check")
    assert stack.stack_status == "CHECK_FAILED"
    assert f"resources.ioms.resources[0].resources.server: Instance {lost} could not be found" in (
        stack.stack_status_reason
    )
    checked = heat.resources(ident, 5)
    assert checked["0/server"].resource_status == "CHECK_FAILED"
    assert checked["1/server"].resource_status == "CHECK_COMPLETE"
    assert checked["0/port"].resource_status_reason == "CHECK not supported for OS::Neutron::Port"
    assert heat.update(ident).stack_status == "UPDATE_COMPLETE"
    after, healed = heat.resources(ident, 5), heat.servers(ident)
    assert healed["0/server"] != lost
    assert {place: ident for place, ident in healed.items() if place != "0/server"} == {
        place: ident for place, ident in servers.items() if place != "0/server"
    }
    assert after["0/port"].physical_resource_id == before["0/port"].physical_resource_id


def test_trap_a_without_check_nothing_is_replaced(heat):
    ident = heat.create()
    servers = heat.servers(ident)
    heat.lose(servers["cpm"])
    assert heat.update(ident, parameters={"count": 3}).stack_status == "UPDATE_COMPLETE"
    assert heat.servers(ident)["cpm"] == servers["cpm"]


def test_trap_b_check_condemns_a_stopped_server(heat):
    ident = heat.create()
    stopped = heat.servers(ident)["cpm"]
    compute = heat.connection.compute
    compute.stop_server(stopped)
    heat.until(lambda: compute.get_server(stopped).status == "SHUTOFF")
    stack = heat.act(ident, "check")
    assert stack.stack_status_reason == (
        "Resource CHECK failed: [\"Error: resources.cpm: 'status': expected 'ACTIVE', got 'SHUTOFF'\"]. "
        "'CHECK' not fully supported (see resources)"
    )
    heat.update(ident)
    assert heat.servers(ident)["cpm"] != stopped


def test_trap_c_a_server_in_error_holds_its_port_until_it_is_deleted(heat, admin: Connection):
    ident = heat.create()
    broken = heat.servers(ident)["cpm"]
    admin.compute.reset_server_state(broken, "error")
    assert heat.act(ident, "check").stack_status == "CHECK_FAILED"
    stack = heat.update(ident)
    assert stack.stack_status == "UPDATE_FAILED"
    assert "is still in use. (HTTP 409)" in stack.stack_status_reason
    heat.lose(broken)
    assert heat.update(ident).stack_status == "UPDATE_COMPLETE"
    assert heat.servers(ident)["cpm"] != broken


def test_check_of_a_sound_stack(heat):
    stack = heat.act(heat.create(), "check")
    assert (stack.stack_status, stack.stack_status_reason) == (
        "CHECK_COMPLETE",
        "Stack CHECK completed successfully. 'CHECK' not fully supported (see resources)",
    )

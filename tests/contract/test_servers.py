"""Servers behind Heat's back: stop, start, delete, and hearing of it in bulk."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard, until
from tests.contract.stack_members import members
from vnfm.clouds.errors import Conflict, NotFound
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Flavor, StackInput

STRANGER = "00000000-0000-4000-8000-000000000000"


def test_stop_and_start_are_in_changes_since(cloud: Cloud, group_stack: str) -> None:
    server_id = members(cloud, group_stack)["1"]
    noted = cloud.servers.show(server_id).updated_at
    assert noted is not None
    cloud.servers.stop(server_id)

    def stopped() -> bool:
        changed = {server.id: server for server in cloud.servers.list(changes_since=noted)}
        return server_id in changed and changed[server_id].status == "SHUTOFF"

    until(stopped, "the server to be SHUTOFF")
    assert members(cloud, group_stack)["0"] in {server.id for server in cloud.servers.list()}
    with pytest.raises(Conflict) as caught:
        cloud.servers.stop(server_id)
    assert caught.value.source == "nova"
    assert server_id in caught.value.message

    cloud.servers.start(server_id)
    until(lambda: cloud.servers.show(server_id).status == "ACTIVE", "the server to be ACTIVE again")
    with pytest.raises(Conflict):
        cloud.servers.start(server_id)


def test_changes_since_the_future_are_none(cloud: Cloud, group_stack: str) -> None:
    assert not cloud.servers.list(changes_since=datetime.now(UTC) + timedelta(hours=1))


def test_a_deleted_server_is_only_in_changes_since(
    cloud: Cloud, yard: Yard, image: str, flavor: str, prefix: str
) -> None:
    given = StackInput(templates.SERVER, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,))
    stack_id = yard.create("single", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    server_id = next(r.physical_id for r in cloud.stacks.resources(stack_id) if r.name == "server")
    noted = cloud.servers.show(server_id).updated_at
    cloud.servers.delete(server_id)
    until(lambda: server_id not in {server.id for server in cloud.servers.list()}, "the server to be gone")
    changed = {server.id: server.status for server in cloud.servers.list(changes_since=noted)}
    assert changed[server_id] == "DELETED"
    with pytest.raises(NotFound):
        cloud.servers.show(server_id)
    cloud.servers.delete(server_id)


@pytest.mark.parametrize("verb", ["show", "start", "stop"])
def test_a_server_that_never_was(cloud: Cloud, verb: str) -> None:
    with pytest.raises(NotFound) as caught:
        getattr(cloud.servers, verb)(STRANGER)
    assert STRANGER in caught.value.message
    assert caught.value.request_id.startswith("req-")


@pytest.mark.matrix(1)
def test_no_valid_host_is_in_heats_reason_and_in_the_servers_fault(
    admin: Cloud, yard: Yard, image: str, prefix: str, request: pytest.FixtureRequest
) -> None:
    cloud = yard.cloud
    flavor_id = admin.flavors.create(Flavor("", f"{prefix}-huge", vcpus=2000, memory_mib=512, disk_gib=1))
    request.addfinalizer(lambda: admin.flavors.delete(flavor_id))
    given = StackInput(templates.SERVER, {}, {"image": image, "flavor": f"{prefix}-huge"}, {}, tags=(prefix,))
    stack_id = yard.create("huge", given)
    stack = yard.settled(stack_id, "CREATE_FAILED")
    assert stack.failed
    assert "No valid host" in stack.status_reason
    failed = next(r for r in cloud.stacks.resources(stack_id) if r.name == "server")
    assert failed.status == "CREATE_FAILED"
    assert failed.physical_id in {server.id for server in cloud.servers.list() if server.status == "ERROR"}
    server = cloud.servers.show(failed.physical_id)
    assert server.status == "ERROR"
    assert server.fault is not None
    assert server.fault.code == 500
    assert "No valid host" in server.fault.message

"""Only the watcher reads these of a cloud: ports that are not at rest, who is to be apart, who is on one host."""

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import StackInput


@pytest.fixture(scope="module")
def apart(yard: Yard, image: str, flavor: str, prefix: str) -> dict[tuple[str, ...], str]:
    """Ids by name: a server in an anti-affinity group, and a port without owner."""
    given = StackInput(templates.APART, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,))
    stack_id = yard.create("apart", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    return yard.physical(stack_id)


def test_ports_that_are_not_active_are_listed_by_themselves(cloud: Cloud, apart: dict[tuple[str, ...], str]) -> None:
    not_active = {port.id: port for port in cloud.networks.ports_not_active()}
    spare = not_active[apart["spare",]]
    assert (spare.status, spare.server_id) == ("DOWN", "")
    assert set(not_active) == {port.id for port in cloud.networks.ports() if port.status != "ACTIVE"}


def test_an_administrator_does_not_list_other_projects_ports(
    cloud: Cloud, admin: Cloud, apart: dict[tuple[str, ...], str]
) -> None:
    theirs = {port.id for port in admin.networks.ports_not_active()}
    assert apart["spare",] not in theirs
    assert theirs.isdisjoint(port.id for port in cloud.networks.ports_not_active())


def test_a_server_group_has_its_policy_and_members(cloud: Cloud, apart: dict[tuple[str, ...], str]) -> None:
    group = next(group for group in cloud.server_groups() if group.id == apart["apart",])
    assert (group.policies, group.members) == (("anti-affinity",), (apart["server",],))


def test_every_user_gets_a_hash_of_the_host(cloud: Cloud, apart: dict[tuple[str, ...], str]) -> None:
    server = cloud.servers.show(apart["server",])
    assert server.host == ""
    assert server.host_hash
    assert server.host_hash == next(one for one in cloud.servers.list() if one.id == server.id).host_hash

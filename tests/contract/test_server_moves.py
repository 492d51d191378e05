"""Server actions that recover or resize a VNFC and keep its id and ports."""

from collections.abc import Callable

import pytest

from tests.contract import templates
from tests.contract.conftest import Yard, put_in_error, server_comes_to, until
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.errors import CloudError, Conflict, Denied, NotFound, Rejected
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Flavor, Image, StackInput

STRANGER = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def server_id(yard: Yard, image: str, flavor: str, prefix: str) -> str:
    given = StackInput(templates.SERVER, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,))
    stack_id = yard.create("moved", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    return yard.physical(stack_id)["server",]


@pytest.fixture
def running(cloud: Cloud, server_id: str) -> str:
    """Return that server, ACTIVE, whatever the test before left it in."""
    if cloud.servers.show(server_id).status != "ACTIVE":
        cloud.servers.reboot(server_id)
    server_comes_to(cloud, server_id, "ACTIVE")
    return server_id


def stopped(cloud: Cloud, server_id: str) -> None:
    cloud.servers.stop(server_id)
    server_comes_to(cloud, server_id, "SHUTOFF")


def ports(cloud: Cloud, server_id: str) -> list[str]:
    return sorted(port.id for port in cloud.networks.ports([server_id]))


def test_a_hard_reboot_brings_it_back_from_anywhere(cloud: Cloud, admin: OpenStackCloud, running: str) -> None:
    before = ports(cloud, running)
    cloud.servers.reboot(running)
    server_comes_to(cloud, running, "ACTIVE")
    stopped(cloud, running)
    cloud.servers.reboot(running)
    server_comes_to(cloud, running, "ACTIVE")
    put_in_error(admin, running)
    server_comes_to(cloud, running, "ERROR")
    with pytest.raises(Conflict):
        cloud.servers.start(running)
    cloud.servers.reboot(running)
    server_comes_to(cloud, running, "ACTIVE")
    assert ports(cloud, running) == before


def test_a_rebuild_puts_another_image_on_the_same_server(
    cloud: Cloud, admin: OpenStackCloud, running: str, second_image: Image
) -> None:
    before, host = ports(cloud, running), admin.servers.show(running).host
    first = cloud.servers.show(running).image
    assert first
    assert first != second_image.id
    cloud.servers.rebuild(running, second_image.id)
    assert server_comes_to(cloud, running, "ACTIVE").image == second_image.id
    stopped(cloud, running)
    cloud.servers.rebuild(running, first)
    assert server_comes_to(cloud, running, "SHUTOFF").image == first
    put_in_error(admin, running)
    cloud.servers.rebuild(running, first)
    server_comes_to(cloud, running, "ACTIVE")
    assert ports(cloud, running) == before
    assert admin.servers.show(running).host == host


def test_an_image_that_is_not_there(cloud: Cloud, running: str) -> None:
    with pytest.raises(Rejected) as caught:
        cloud.servers.rebuild(running, STRANGER)
    assert "image" in caught.value.message


def test_a_resize_waits_to_be_confirmed(
    cloud: Cloud, admin: OpenStackCloud, running: str, flavor: str, larger: Flavor
) -> None:
    before, host = ports(cloud, running), admin.servers.show(running).host
    with pytest.raises(Conflict):
        cloud.servers.confirm_resize(running)
    least = cloud.flavors.find(flavor)
    assert least is not None
    with pytest.raises(Rejected):
        cloud.servers.resize(running, least.id)
    with pytest.raises(Rejected):
        cloud.servers.resize(running, "no-such-flavor")
    cloud.servers.resize(running, larger.id)
    assert server_comes_to(cloud, running, "VERIFY_RESIZE").flavor == larger.id
    assert admin.servers.show(running).host != host
    for forbidden in (cloud.servers.stop, cloud.servers.reboot):
        with pytest.raises(Conflict):
            forbidden(running)
    cloud.servers.confirm_resize(running)
    assert server_comes_to(cloud, running, "ACTIVE").flavor == larger.id
    assert ports(cloud, running) == before


def test_a_stopped_server_stays_off_through_a_resize(cloud: Cloud, running: str, admin: Cloud, prefix: str) -> None:
    now = next(f for f in cloud.flavors.list() if f.id == cloud.servers.show(running).flavor)
    bigger = Flavor("", f"{prefix}-bigger", now.vcpus, now.memory_mib * 2, now.disk_gib)
    flavor_id = admin.flavors.create(bigger)
    try:
        stopped(cloud, running)
        cloud.servers.resize(running, flavor_id)
        server_comes_to(cloud, running, "VERIFY_RESIZE")
        cloud.servers.confirm_resize(running)
        assert server_comes_to(cloud, running, "SHUTOFF").flavor == flavor_id
    finally:
        admin.flavors.delete(flavor_id)


def test_a_name(cloud: Cloud, running: str, prefix: str) -> None:
    cloud.servers.rename(running, f"{prefix}-renamed")
    assert cloud.servers.show(running).name == f"{prefix}-renamed"
    with pytest.raises(Rejected):
        cloud.servers.rename(running, "")


def test_the_hosts_are_an_administrators_to_see(cloud: Cloud, admin: Cloud, running: str) -> None:
    hosts = {host.name: host for host in admin.hosts()}
    host = hosts[admin.servers.show(running).host]
    assert (host.up, host.enabled, host.zone) == (True, True, "nova")
    assert (host.hypervisor_up, host.forced_down, host.disabled_reason) == (True, False, "")
    assert host.vcpus > 0
    assert host.vcpus_used >= 1
    assert 0 < host.memory_mib_used <= host.memory_mib
    with pytest.raises(Denied) as caught:
        cloud.hosts()
    assert caught.value.source == "nova"


def test_only_an_administrator_evacuates_and_only_from_a_dead_host(cloud: Cloud, admin: Cloud, running: str) -> None:
    with pytest.raises(Denied):
        cloud.servers.evacuate(running, on_shared_storage=False)
    with pytest.raises(Rejected) as caught:
        admin.servers.evacuate(running, on_shared_storage=False)
    assert "still in use" in caught.value.message


def test_evacuation_from_a_dead_host(
    cloud: Cloud, admin: Cloud, running: str, is_real: bool, request: pytest.FixtureRequest
) -> None:
    if is_real:
        pytest.skip("a current Nova lets a host that was evacuated come up again only when its service is restarted")
    sim: CloudsimProcess = request.getfixturevalue("cloudsim")
    host, before = admin.servers.show(running).host, ports(cloud, running)
    sim.control("POST", f"/hosts/{host}/kill")
    request.addfinalizer(lambda: sim.control("POST", f"/hosts/{host}/revive"))
    assert not next(one for one in admin.hosts() if one.name == host).up
    admin.servers.evacuate(running, on_shared_storage=False)
    server_comes_to(cloud, running, "ACTIVE")
    assert admin.servers.show(running).host != host
    assert ports(cloud, running) == before


REQUESTS: dict[str, Callable[[Cloud], None]] = {
    "reboot": lambda cloud: cloud.servers.reboot(STRANGER),
    "rebuild": lambda cloud: cloud.servers.rebuild(STRANGER, STRANGER),
    "resize": lambda cloud: cloud.servers.resize(STRANGER, "1"),
    "confirm_resize": lambda cloud: cloud.servers.confirm_resize(STRANGER),
    "rename": lambda cloud: cloud.servers.rename(STRANGER, "unknown"),
}


@pytest.mark.parametrize("verb", REQUESTS)
def test_a_server_that_never_was(cloud: Cloud, verb: str) -> None:
    with pytest.raises(NotFound) as caught:
        REQUESTS[verb](cloud)
    assert STRANGER in caught.value.message


def test_two_words_at_once_are_a_conflict(cloud: Cloud, running: str) -> None:
    cloud.servers.reboot(running)

    def refused() -> CloudError | None:
        try:
            cloud.servers.stop(running)
        except Conflict as error:
            return error
        return None

    assert refused() or until(lambda: cloud.servers.show(running).status == "SHUTOFF", "the reboot to have been over")

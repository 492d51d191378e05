"""Servers with a guest, by openstacksdk: one contract for every hypervisor that the simulated cloud has."""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from openstack import exceptions
from openstack.connection import Connection

from tests.service.cloudsim.conftest import connect
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.guest_images import boot_sector, lacking_namespaces, processes_of, require_qemu, root_file_system
from tests.support.waiting import until

HELLO, OTHER, NAME = "router ready", "new release", "vnfm-guest-test"
HYPERVISORS = ("qemu", pytest.param("qemu-bridges", marks=pytest.mark.long), "namespaces")


class Guests:
    """A cloud with one of the hypervisors, and what it can boot."""

    def __init__(self, hypervisor: str, process: CloudsimProcess, folder: Path) -> None:
        self.hypervisor, self.process, self._folder = hypervisor, process, folder

    def image(self, words: str, *, power_off: bool = False) -> bytes:
        if self.hypervisor == "namespaces":
            return root_file_system(self._folder / "image", words, power_off=power_off)
        return boot_sector(words, power_off=power_off)

    @property
    def servers(self) -> Path:
        return self.process.state_dir / "guests" / "servers"

    @staticmethod
    def processes(server: Any) -> set[int]:
        return {*processes_of(server.id)}


def _devices(state: Path) -> list[str]:
    """Network devices and namespaces that the cloud with this state has made."""
    mark = hashlib.sha256(str(state / "guests").encode()).hexdigest()[:4]
    places = [*Path("/sys/class/net").iterdir(), *Path("/run/netns").glob("*")]
    return [place.name for place in places if place.name[:1] == "v" and place.name[2:6] == mark]


@pytest.fixture(scope="module", params=HYPERVISORS)
def guests(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guests]:
    require_qemu()
    if request.param != "qemu" and (why := lacking_namespaces()):
        pytest.skip(why)
    state = tmp_path_factory.mktemp("guests")
    with CloudsimProcess(state, guests=request.param) as running:
        yield Guests(request.param, running, state)
    assert _devices(state) == []
    assert str(state) not in Path("/proc/mounts").read_text()


@pytest.fixture
def user(guests: Guests) -> Iterator[Connection]:
    guests.process.control("POST", "/reset")
    yield connect(guests.process)
    guests.process.control("POST", "/reset")
    assert processes_of(NAME) == []
    assert [*guests.servers.iterdir()] == []


@pytest.fixture
def boot(user: Connection) -> Callable[..., Any]:
    """`boot(contents)`: a server from an image with these contents, as soon as it has left BUILD."""

    def boot(contents: bytes, disk_format: str = "raw", **attrs: Any) -> Any:
        image = user.image.create_image(
            name="image", disk_format=disk_format, container_format="bare", data=contents, allow_duplicates=True,
            os_shutdown_timeout="5",
        )  # fmt: skip
        networks = attrs.pop("networks", [{"uuid": user.network.find_network("public").id}])
        flavor = user.compute.find_flavor("m1.tiny").id
        server = user.compute.create_server(name=NAME, image_id=image.id, flavor_id=flavor, networks=networks, **attrs)
        until(lambda: user.compute.get_server(server.id).status != "BUILD", "the end of the build")
        return user.compute.get_server(server.id)

    return boot


def console(user: Connection, server: Any) -> str:
    output: str = user.compute.get_server_console_output(server.id)["output"]
    return output


def idle(user: Connection, server: Any) -> None:
    until(lambda: user.compute.get_server(server.id).task_state is None, "the end of the action")


def says(user: Connection, server: Any, words: str) -> None:
    until(lambda: words in console(user, server), f"{words} on the console")


def test_the_console_shows_the_guests_output(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(guests.image(HELLO))
    assert server.status == "ACTIVE"
    says(user, server, HELLO)
    lines = console(user, server).splitlines()
    assert user.compute.get_server_console_output(server.id, length=1)["output"] == lines[-1]


def test_power_actions_reach_the_guest(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(guests.image(HELLO))
    says(user, server, HELLO)
    first = guests.processes(server)
    user.compute.stop_server(server)
    user.compute.wait_for_server(server, status="SHUTOFF", interval=0.05)
    assert guests.processes(server) == set()
    user.compute.start_server(server)
    user.compute.wait_for_server(server, interval=0.05)
    second = guests.processes(server)
    user.compute.reboot_server(server, "HARD")
    idle(user, server)
    third = guests.processes(server)
    assert first
    assert second - first
    assert third - second - first
    says(user, server, HELLO)


def test_a_paused_guest_runs_on_after_that(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(guests.image(HELLO))
    before = guests.processes(server)
    user.compute.pause_server(server)
    user.compute.wait_for_server(server, status="PAUSED", interval=0.05)
    user.compute.unpause_server(server)
    user.compute.wait_for_server(server, interval=0.05)
    says(user, server, HELLO)
    assert guests.processes(server) & before


def test_a_guest_that_switches_itself_off_leaves_its_server_shut_off(
    guests: Guests, user: Connection, boot: Callable[..., Any]
) -> None:
    server = boot(guests.image(HELLO, power_off=True))
    user.compute.wait_for_server(server, status="SHUTOFF", interval=0.05)
    assert HELLO in console(user, server)
    assert guests.processes(server) == set()


def test_a_deleted_server_leaves_neither_process_nor_disk(
    guests: Guests, user: Connection, boot: Callable[..., Any]
) -> None:
    server = boot(guests.image(HELLO))
    assert (guests.servers / server.id).is_dir()
    user.compute.delete_server(server)
    user.compute.wait_for_delete(server, interval=0.05)
    assert guests.processes(server) == set()
    assert not (guests.servers / server.id).exists()


def test_a_rebuilt_server_boots_the_other_image(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(guests.image(HELLO))
    other = user.image.create_image(name="other", disk_format="raw", container_format="bare", data=guests.image(OTHER))
    user.compute.rebuild_server(server, image=other.id, name=NAME)
    idle(user, server)
    says(user, server, OTHER)


def test_an_image_that_is_no_disk_ends_in_error(boot: Callable[..., Any]) -> None:
    server = boot(b"QFI\xfb" + b"no disk at all" * 99, "qcow2")
    assert server.status == "ERROR"
    assert "Unsupported qcow2 version" in server.fault["message"]


def test_an_image_that_reads_other_files_is_refused(boot: Callable[..., Any], tmp_path: Path) -> None:
    file, secret = tmp_path / "image", tmp_path / "secret"
    secret.write_bytes(b"secret" * 1000)
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(secret), str(file)], check=True)
    subprocess.run(["qemu-io", "-f", "qcow2", "-c", "write 0 4k", str(file)], check=True, capture_output=True)
    server = boot(file.read_bytes(), "qcow2")
    assert server.status == "ERROR"
    assert "refers to another file" in server.fault["message"]


def test_a_disk_without_a_system_says_so(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(bytes(1 << 20))
    if guests.hypervisor == "namespaces":
        assert server.status == "ERROR"
        assert "no file system that this machine reads" in server.fault["message"]
    else:
        assert server.status == "ACTIVE"
        says(user, server, "No bootable device")


def test_a_placeholder_stays_simulated(user: Connection) -> None:
    server = user.compute.create_server(
        name=NAME, image_id=user.image.find_image("tiny").id, flavor_id=user.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": user.network.find_network("public").id}],
    )  # fmt: skip
    user.compute.wait_for_server(server, interval=0.05)
    assert processes_of(server.id) == []
    assert "cloudsim" in console(user, server)


def test_guests_end_with_a_killed_cloud_and_come_back_with_it(
    guests: Guests, user: Connection, boot: Callable[..., Any]
) -> None:
    server = boot(guests.image(HELLO))
    assert guests.processes(server)
    guests.process.kill()
    until(lambda: guests.processes(server) == set(), "the end of the guest")
    guests.process.start()
    assert guests.processes(server)
    again = connect(guests.process)
    assert again.compute.get_server(server.id).status == "ACTIVE"
    says(again, server, HELLO)


def test_a_host_without_power_has_no_guests(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server, control = boot(guests.image(HELLO)), guests.process.control
    host = control("GET", f"/servers/{server.id}")["server"]["host"]
    control("POST", f"/hosts/{host}/kill")
    assert guests.processes(server) == set()
    assert user.compute.get_server(server.id).status == "ACTIVE"
    control("POST", f"/hosts/{host}/revive")
    assert user.compute.get_server(server.id).status == "SHUTOFF"


def test_nics_come_and_go_while_the_guest_runs(guests: Guests, user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(guests.image(HELLO))
    network = user.network.create_network(name="more")
    user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.231.9.0/24")
    first = user.compute.create_server_interface(server, net_id=network.id)
    user.compute.delete_server_interface(first, server=server)
    second = user.compute.create_server_interface(server, net_id=network.id)
    assert second.mac_addr != first.mac_addr
    with pytest.raises(exceptions.NotFoundException):
        user.compute.get_server_interface(first.port_id, server=server)


def test_this_machine_reaches_guests_on_bridges_by_the_gateway(
    guests: Guests, user: Connection, boot: Callable[..., Any]
) -> None:
    if guests.hypervisor == "qemu":
        pytest.skip("an ordinary user has no bridges")
    network = user.network.create_network(name="management")
    user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.231.7.0/28")
    server = boot(guests.image(HELLO), networks=[{"uuid": network.id}])
    held = [one for link in _addresses() for one in link["addr_info"] if one["local"] == "10.231.7.1"]
    assert [one["prefixlen"] for one in held] == [28]
    if guests.hypervisor == "namespaces":  # a boot sector has no IP
        (address,) = server.addresses["management"]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((address["addr"], 9), timeout=10)


def test_a_network_that_lost_its_last_guest_leaves_its_addresses_to_others(
    guests: Guests, user: Connection, boot: Callable[..., Any]
) -> None:
    if guests.hypervisor == "qemu":
        pytest.skip("an ordinary user has no bridges")
    bridges = []
    for name in ("first", "second"):
        network = user.network.create_network(name=name)
        user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.231.7.0/28")
        server = boot(guests.image(HELLO), networks=[{"uuid": network.id}])
        bridges += [link["ifname"] for link in _addresses() if "10.231.7.1" in _locals(link)]
        user.compute.delete_server(server)
        user.compute.wait_for_delete(server, interval=0.05)
        assert [link["ifname"] for link in _addresses() if link["ifname"] in bridges] == []
    assert len(set(bridges)) == 2


def _locals(link: Any) -> list[str]:
    return [one["local"] for one in link["addr_info"]]


def _addresses() -> Any:
    return json.loads(subprocess.run(["ip", "-json", "address"], check=True, capture_output=True).stdout)


def test_a_lost_link_takes_the_carrier_from_the_guest(
    guests: Guests, user: Connection, boot: Callable[..., Any]
) -> None:
    server, control = boot(guests.image(HELLO)), guests.process.control
    (port,) = user.network.ports(device_id=server.id)
    for action, status in (("down", "DOWN"), ("up", "ACTIVE")):
        assert control("POST", f"/ports/{port.id}/{action}")["port"]["status"] == status
        if guests.hypervisor == "namespaces":
            assert _carrier(guests.process.state_dir) == {"down": [False], "up": [True]}[action]


def _carrier(state: Path) -> list[bool]:
    """Return the addresses of each NIC in the only namespace of a guest."""
    (space,) = [name for name in _devices(state) if name.startswith("vs")]
    shown = subprocess.run(["ip", "-n", space, "-json", "link"], check=True, capture_output=True).stdout
    return ["NO-CARRIER" not in link["flags"] for link in json.loads(shown) if link["ifname"] != "lo"]

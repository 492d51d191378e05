"""Servers with a guest, by openstacksdk: images that boot, and images that do not."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from openstack import exceptions
from openstack.connection import Connection

from tests.cloudsim_process import CloudsimProcess
from tests.guest_images import boot_sector, processes_of, require_qemu
from tests.service.cloudsim.conftest import connect
from tests.waiting import until

HELLO = "router ready"


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    require_qemu()
    with CloudsimProcess(tmp_path_factory.mktemp("guests"), guests="qemu") as running:
        yield running


@pytest.fixture
def user(process: CloudsimProcess) -> Iterator[Connection]:
    process.control("POST", "/reset")
    yield connect(process)
    process.control("POST", "/reset")
    assert processes_of("vnfm-guest-test") == []


@pytest.fixture
def boot(user: Connection) -> Callable[..., Any]:
    """`boot(contents)`: a server from an image with these contents, as soon as it has left BUILD."""

    def boot(contents: bytes, disk_format: str = "raw", **properties: str) -> Any:
        image = user.image.create_image(
            name="image", disk_format=disk_format, container_format="bare", data=contents, allow_duplicates=True,
            **{"os_shutdown_timeout": "0", **properties},
        )  # fmt: skip
        server = user.compute.create_server(
            name="vnfm-guest-test", image_id=image.id, flavor_id=user.compute.find_flavor("m1.tiny").id,
            networks=[{"uuid": user.network.find_network("public").id}],
        )  # fmt: skip
        until(lambda: user.compute.get_server(server.id).status != "BUILD", "the end of the build")
        return user.compute.get_server(server.id)

    return boot


def console(user: Connection, server: Any) -> str:
    output: str = user.compute.get_server_console_output(server.id)["output"]
    return output


def test_the_console_shows_what_the_guest_writes(user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(boot_sector(HELLO))
    assert server.status == "ACTIVE"
    until(lambda: HELLO in console(user, server), "words on the console")
    assert "SeaBIOS" in console(user, server)
    assert user.compute.get_server_console_output(server.id, length=1)["output"].endswith(HELLO)


def test_power_actions_reach_the_guest(user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(boot_sector(HELLO))
    (first,) = processes_of(server.id)
    user.compute.stop_server(server)
    user.compute.wait_for_server(server, status="SHUTOFF", interval=0.05)
    assert processes_of(server.id) == []
    user.compute.start_server(server)
    user.compute.wait_for_server(server, interval=0.05)
    (second,) = processes_of(server.id)
    user.compute.reboot_server(server, "HARD")
    until(lambda: user.compute.get_server(server.id).task_state is None, "the end of the action")
    (third,) = processes_of(server.id)
    assert len({first, second, third}) == 3
    until(lambda: HELLO in console(user, server), "words on the console")


def test_a_paused_guest_stands_still_and_goes_on(user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(boot_sector(HELLO))
    user.compute.pause_server(server)
    user.compute.wait_for_server(server, status="PAUSED", interval=0.05)
    assert len(processes_of(server.id)) == 1
    user.compute.unpause_server(server)
    user.compute.wait_for_server(server, interval=0.05)
    until(lambda: HELLO in console(user, server), "words on the console")


def test_a_guest_that_switches_itself_off_leaves_its_server_shut_off(
    user: Connection, boot: Callable[..., Any]
) -> None:
    server = boot(boot_sector(HELLO, power_off=True))
    user.compute.wait_for_server(server, status="SHUTOFF", interval=0.05)
    assert HELLO in console(user, server)
    assert processes_of(server.id) == []


def test_a_deleted_server_leaves_neither_process_nor_disk(
    user: Connection, boot: Callable[..., Any], process: CloudsimProcess
) -> None:
    server = boot(boot_sector(HELLO))
    disk = process.state_dir / "guests" / "servers" / server.id
    assert disk.is_dir()
    user.compute.delete_server(server)
    user.compute.wait_for_delete(server, interval=0.05)
    assert processes_of(server.id) == []
    assert not disk.exists()


def test_a_rebuilt_server_boots_the_other_image(user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(boot_sector(HELLO))
    other = user.image.create_image(
        name="other", disk_format="raw", container_format="bare", data=boot_sector("new release")
    )
    user.compute.rebuild_server(server, image=other.id, name="vnfm-guest-test")
    until(lambda: user.compute.get_server(server.id).task_state is None, "the end of the action")
    until(lambda: "new release" in console(user, server), "words on the console")


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


def test_a_disk_without_system_says_so_on_its_console(user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(bytes(1024))
    assert server.status == "ACTIVE"
    until(lambda: "No bootable device" in console(user, server), "words on the console")


def test_a_placeholder_stays_simulated(user: Connection) -> None:
    server = user.compute.create_server(
        name="vnfm-guest-test", image_id=user.image.find_image("tiny").id,
        flavor_id=user.compute.find_flavor("m1.tiny").id,
        networks=[{"uuid": user.network.find_network("public").id}],
    )  # fmt: skip
    user.compute.wait_for_server(server, interval=0.05)
    assert processes_of(server.id) == []
    assert "cloudsim" in console(user, server)


def test_guests_end_with_a_killed_cloud_and_come_back_with_it(
    process: CloudsimProcess, user: Connection, boot: Callable[..., Any]
) -> None:
    server = boot(boot_sector(HELLO))
    assert len(processes_of(server.id)) == 1
    process.kill()
    until(lambda: processes_of(server.id) == [], "the end of the guest")
    process.start()
    assert len(processes_of(server.id)) == 1
    again = connect(process)
    assert again.compute.get_server(server.id).status == "ACTIVE"
    until(lambda: HELLO in console(again, server), "words on the console")


def test_a_host_without_power_has_no_guests(
    process: CloudsimProcess, user: Connection, boot: Callable[..., Any]
) -> None:
    server = boot(boot_sector(HELLO))
    host = process.control("GET", f"/servers/{server.id}")["server"]["host"]
    process.control("POST", f"/hosts/{host}/kill")
    assert processes_of(server.id) == []
    assert user.compute.get_server(server.id).status == "ACTIVE"
    process.control("POST", f"/hosts/{host}/revive")
    assert user.compute.get_server(server.id).status == "SHUTOFF"


def test_a_nic_that_is_attached_is_there_after_a_detachment_too(user: Connection, boot: Callable[..., Any]) -> None:
    server = boot(boot_sector(HELLO))
    network = user.network.create_network(name="more")
    user.network.create_subnet(network_id=network.id, ip_version=4, cidr="10.9.0.0/24")
    first = user.compute.create_server_interface(server, net_id=network.id)
    user.compute.delete_server_interface(first, server=server)
    second = user.compute.create_server_interface(server, net_id=network.id)
    assert second.mac_addr != first.mac_addr
    with pytest.raises(exceptions.NotFoundException):
        user.compute.get_server_interface(first.port_id, server=server)

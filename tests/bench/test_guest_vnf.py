"""A VNF of one router as a guest: with eight data ports, from a plain Debian image that installs its software, and
with faults under QEMU, BENCH_QEMU_ROUNDS runs of each (5), where a policy heals it.

VNFM_TEST_FRR_IMAGE names the router's image. VNFM_TEST_DEBIAN_IMAGE names the plain one (qcow2), and
VNFM_TEST_DEBIAN_ARCHIVE a folder with the packages that it installs and their index, which its apt finds at port 8099
of the management network's gateway, 10.119.55.1.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from gufo.snmp import SnmpError, SnmpVersion
from gufo.snmp.sync import SnmpSession

from demo.api import Api
from demo.cloud import CloudSide
from demo.guest_flow import FLAVOR, PRODUCT, SNMP, SSH
from demo.surroundings import COMMUNITY, PASSWORD, USER, VNF_PLACES, Surroundings
from tests.support.guest_images import lacking_namespaces, require_qemu
from tests.support.installation import VIM_TYPE, Product, until

pytestmark = [pytest.mark.bench, pytest.mark.timeout(3600)]

ARCHIVE_PORT = 8099
PORTS, DEBIAN, HEALED = 56, 55, 57
"""These numbers keep the management networks of the tests apart, so that they may run side by side."""
SYS_NAME = "1.3.6.1.2.1.1.5.0"
BOOT_SECONDS = 3000.0
ROUNDS = int(os.environ.get("BENCH_QEMU_ROUNDS", "5"))
TOO_SLOW = {"NOT_SERVING", "CONFIGURATION_NOT_LOADED", "SNMP_NOT_SET_UP"}
"""Codes of an operation that has waited for a router that does not answer."""


@contextmanager
def archive(folder: str) -> Iterator[None]:
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("", ARCHIVE_PORT), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


def _answers(address: str) -> bool:
    try:
        with SnmpSession(addr=address, version=SnmpVersion.v2c, community=COMMUNITY, timeout=0.5) as session:
            return session.get(SYS_NAME) is not None
    except (SnmpError, TimeoutError, OSError):
        return False


def _state(product: Product, location: str) -> str:
    """Return the state of the operation; one that gave a slow guest up after the package's `secondsToServe` is
    retried.
    """
    op: dict[str, Any] = product.get(location)
    state, error = str(op["operationState"]), op.get("error") or {}
    if state == "FAILED_TEMP" and error.get("code") in TOO_SLOW:
        product.post(f"{location.removeprefix(product.url)}/retry", {})
        return "PROCESSING"
    assert state not in {"FAILED_TEMP", "ROLLING_BACK", "ROLLED_BACK", "FAILED"}, json.dumps(error)
    return state


def _policies(api: Api) -> None:
    reached = {"networks": ["10.64.0.0/10"]}
    snmp = {"name": SNMP, "protocol": "SNMPv2c", "port": 161, "community": COMMUNITY}
    ssh = {"name": SSH, "protocol": "SSH", "port": 22, "username": USER, "password": PASSWORD}
    for body in (snmp, ssh):
        api.post("/api/v1/mediation_policies", {**body, **reached})


def instantiated(product: Product, image: str, number: int, **chosen: Any) -> tuple[str, Mapping[str, Any]]:
    """One router: its instance, and seconds from the request to its first SNMP answer and to the end."""
    status = product.status()
    api = Api(product.url, product.session.headers["Authorization"].removeprefix("Bearer "))
    around = Surroundings(CloudSide(status["cloud"], status["clouds_yaml"]).connection, "vnf", number)
    around.image(image)
    around.make_networks()
    _policies(api)
    instance_id = product.create("one-router", product.vnfd_id(PRODUCT))
    settings = {**around.settings(), "router_flavor": FLAVOR, "peers": "", "snmpPolicy": SNMP, "sshPolicy": SSH}
    body = {
        "flavourId": "default",
        "instantiationLevelId": "single",
        "vimConnectionInfo": {"vim1": {"vimId": product.vim_id(), "vimType": VIM_TYPE}},
        "additionalParams": {**settings, **chosen},
    }
    began = time.perf_counter()
    op = product.post(f"/vnflcm/v2/vnf_instances/{instance_id}/instantiate", body).headers["Location"]
    address = f"{settings['management_gateway'].rpartition('.')[0]}.{VNF_PLACES[0]}"
    until(lambda: (_state(product, op) and _answers(address)) or None, BOOT_SECONDS, "the first SNMP answer", every=0.5)
    figures: dict[str, Any] = {"snmp_seconds": round(time.perf_counter() - began, 1)}
    until(lambda: _state(product, op) == "COMPLETED" or None, BOOT_SECONDS, "the end of the operation", every=0.5)
    figures["instantiated_seconds"] = round(time.perf_counter() - began, 1)
    print(figures, "load", os.getloadavg()[0], flush=True)
    return instance_id, figures


def require_image(name: str) -> str:
    require_qemu()
    image = os.environ.get(name, "")
    if not image or lacking_namespaces():
        pytest.skip(lacking_namespaces() or f"{name} names no image")
    return image


def test_a_router_with_eight_data_ports(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    image = require_image("VNFM_TEST_FRR_IMAGE")
    with Product(tmp_path, "--guests", "namespaces") as product:
        instance_id, figures = instantiated(product, image, PORTS, data_ports=8)
        record_property("eight_ports", figures)
        (vnfc,) = product.get(f"/api/v1/vnf_instances/{instance_id}")["vnfcs"]
        assert len(vnfc["ports"]) == 9
        element = next(one for one in product.get("/api/v1/elements") if one["vnfInstanceId"] == instance_id)

        def interfaces() -> dict[str, list[str]]:
            rows = product.get(f"/api/v1/elements/{element['id']}/interfaces")
            return {row["name"]: row["addresses"] for row in rows if row["name"].startswith("eth")}

        found = until(lambda: ((rows := interfaces()) and len(rows) == 9 and rows) or None, 60, "its interfaces")
        for place in range(1, 9):
            assert f"172.16.{place}.{VNF_PLACES[0]}/24" in found[f"eth{place}"], found


def test_a_plain_debian_becomes_a_router(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    image, packages = require_image("VNFM_TEST_DEBIAN_IMAGE"), os.environ.get("VNFM_TEST_DEBIAN_ARCHIVE", "")
    if not packages:
        pytest.skip("VNFM_TEST_DEBIAN_ARCHIVE names no folder")
    with Product(tmp_path, "--guests", "qemu-bridges") as product, archive(packages):
        _, figures = instantiated(product, image, DEBIAN, software="debian")
        record_property("plain_debian", figures)


Act = Callable[[Product, str], object]


def _server(action: str) -> Act:
    return lambda product, server_id: product.control("POST", f"/servers/{server_id}/{action}")


def _data_port(action: str) -> Act:
    def act(product: Product, server_id: str) -> None:
        status = product.status()
        cloud = CloudSide(status["cloud"], status["clouds_yaml"]).connection.network
        network = cloud.find_network("vnf-data1", ignore_missing=False)
        (port,) = cloud.ports(device_id=server_id, network_id=network.id)
        product.control("POST", f"/ports/{port.id}/{action}")

    return act


def _nothing(_product: Product, _server_id: str) -> None:
    """The policy mends it."""


FAULTS: Mapping[str, tuple[Act, Act, bool]] = {
    "VM stopped": (_server("stop"), _nothing, True),
    "VM deleted": (_server("delete"), _nothing, True),
    "port down": (_data_port("down"), _data_port("up"), False),
}
"""Fault → what injects it, what a person does once the alarm is there, whether the policy heals the router."""


@pytest.fixture(scope="module")
def under_qemu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Product, str]]:
    image = require_image("VNFM_TEST_FRR_IMAGE")
    with Product(tmp_path_factory.mktemp("qemu"), "--guests", "qemu-bridges") as product:
        instance_id, _ = instantiated(product, image, HEALED)
        policy = {"name": "heal", "kind": "HEAL", "vnfInstanceId": instance_id, "heal": {"forSeconds": 0}}
        product.post("/api/v1/automation_policies", {**policy, "coolDownSeconds": 0, "actionsPerHour": 60})
        yield product, instance_id


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_router_under_qemu(
    under_qemu: tuple[Product, str], name: str, record_property: Callable[[str, object], None]
) -> None:
    rounds = []
    for number in range(ROUNDS):
        rounds.append(_round(*under_qemu, *FAULTS[name]))
        load = round(os.getloadavg()[0], 1)
        print(name, number, {title: round(value, 1) for title, value in rounds[-1].items()}, "load", load, flush=True)
    record_property(name, rounds)


def _round(product: Product, instance_id: str, inject: Act, restore: Act, heals: bool) -> Mapping[str, float]:
    """Seconds from a fault to its alarm, to the first SNMP answer, and until no alarm is open and it is healed."""
    usual = {alarm["id"] for alarm in product.get("/api/v1/alarms")}
    before = {op["id"] for op in product.get("/vnflcm/v2/vnf_lcm_op_occs")}
    (vnfc,) = product.get(f"/api/v1/vnf_instances/{instance_id}")["vnfcs"]
    (address,) = (
        one["managementAddress"] for one in product.get("/api/v1/elements") if one["vnfInstanceId"] == instance_id
    )

    def new_alarms() -> bool:
        return any(alarm["id"] not in usual for alarm in product.get("/api/v1/alarms"))

    def over() -> bool:
        ops = [op for op in product.get("/vnflcm/v2/vnf_lcm_op_occs") if op["id"] not in before]
        states = [_state(product, f"{product.url}/vnflcm/v2/vnf_lcm_op_occs/{op['id']}") for op in ops]
        return bool(states) == heals and set(states) <= {"COMPLETED"}

    began = time.perf_counter()
    inject(product, vnfc["serverId"])
    until(lambda: new_alarms() or None, 60, "an alarm", every=0.05)
    seconds = {"alarm": time.perf_counter() - began}
    restore(product, vnfc["serverId"])
    until(lambda: (over(), _answers(address))[1] or None, BOOT_SECONDS, "the first SNMP answer", every=0.5)
    seconds["snmp"] = time.perf_counter() - began
    until(lambda: (over() and not new_alarms()) or None, BOOT_SECONDS, "all is well", every=0.5)
    seconds["well"] = time.perf_counter() - began
    return seconds

"""kill -9 of the worker while instantiations are at their network elements: each is registered and configured once."""

from typing import Any

import pytest
import requests

from tests.chaos.harness import Harness
from tests.chaos.operations import BY_NAME, DEFAULT
from tests.support.installation import VIM_TYPE, until

COUNT = 3
ELEMENT_STEPS = ("register_element@1", "set_up_snmp@1", "load_configuration@1")

pytestmark = [pytest.mark.timeout(600)]


def control(harness: Harness, path: str) -> Any:
    """GET of the simulated routers' control API, as soon as it answers."""
    port = (harness.product.state_dir / "routersim" / "port").read_text().strip()

    def look() -> Any:
        try:
            return requests.get(f"http://127.0.0.1:{port}/control/v1{path}", timeout=30)
        except requests.ConnectionError:
            return None

    answer = until(look, 60, "the simulated routers answer")
    assert answer.ok, answer.text
    return answer.json()


def policies(harness: Harness) -> dict[str, str]:
    """Mediation policies for the simulated routers."""
    router = control(harness, "/elements")["elements"][0]
    snmp = {"name": "chaos-snmp", "protocol": "SNMPv2c", "port": router["snmpPort"], "community": "public"}
    ssh = {"name": "chaos-ssh", "protocol": "SSH", "port": router["sshPort"], "username": "admin", "password": "admin"}
    for policy in ({**each, "networks": ["127.0.0.0/8"]} for each in (snmp, ssh)):
        harness.product.post("/api/v1/mediation_policies", policy)
    return {"snmpPolicy": "chaos-snmp", "sshPolicy": "chaos-ssh"}


def instantiate(harness: Harness, instance: str, number: int, chosen: dict[str, str]) -> str:
    """As a router on the loopback network; the op occ's id."""
    network = f"127.61.{number}"
    addresses = {
        "management_cidr": f"{network}.0/24",
        "management_gateway": f"{network}.1",
        "management_ip_active": f"{network}.10",
        "management_ip_standby": f"{network}.11",
    }
    body = {
        "flavourId": "default",
        "vimConnectionInfo": {"vim1": {"vimId": harness.vim, "vimType": VIM_TYPE}},
        "additionalParams": {**addresses, **chosen},
    }
    answer = harness.product.post(BY_NAME["INSTANTIATE"].path(instance), body)
    return str(answer.headers["Location"].rsplit("/", 1)[-1])


def test_each_is_registered_and_configured_once(harness: Harness) -> None:
    chosen = policies(harness)
    ids = [harness.create(DEFAULT) for _ in range(COUNT)]
    operations = [instantiate(harness, instance, number, chosen) for number, instance in enumerate(ids)]

    def is_at_the_element() -> bool | None:
        steps = [step for op in operations for step in harness.op_occ(op)["steps"]]
        return any(step["name"] in ELEMENT_STEPS and step["state"] in ("RUNNING", "WAITING") for step in steps) or None

    until(is_at_the_element, 120, "an operation is at its element", every=0.02)
    harness.product.kill("worker")
    assert [harness.ended(op)["operationState"] for op in operations] == ["COMPLETED"] * COUNT
    for instance in ids:
        (element,) = harness.get(f"/api/v1/elements?filter=(eq,vnfInstanceId,{instance})")
        shown = control(harness, "/elements")["elements"]
        name = next(one["name"] for one in shown if one["address"] == element["managementAddress"])
        lines = str(control(harness, f"/elements/{name}/config"))
        assert lines.count("data 1 of ") == 1
    assert harness.findings() == []
    assert harness.terminated(ids) == []
    assert [one for one in harness.get("/api/v1/elements") if one["vnfInstanceId"] in ids] == []

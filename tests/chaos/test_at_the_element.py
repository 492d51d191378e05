"""kill -9 of the worker while instantiations are at their network elements: each is adopted and configured once."""

from typing import Any

import pytest
import requests

from tests.chaos.operations import BY_NAME, DEFAULT
from tests.chaos.stage import Stage
from tests.installation import VIM_TYPE, until

COUNT = 3
AT_THE_ELEMENT = ("adopt_element@1", "load_configuration@1")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def control(stage: Stage, path: str) -> Any:
    """GET of the simulated routers' control API, once they are there: nobody has waited for them."""
    port = (stage.product.state_dir / "routersim" / "port").read_text().strip()

    def look() -> Any:
        try:
            return requests.get(f"http://127.0.0.1:{port}/control/v1{path}", timeout=30)
        except requests.ConnectionError:
            return None

    answer = until(look, 60, "the simulated routers answer")
    assert answer.ok, answer.text
    return answer.json()


def policies(stage: Stage) -> dict[str, str]:
    """By which the simulated routers are spoken to."""
    router = control(stage, "/elements")["elements"][0]
    snmp = {"name": "chaos-snmp", "protocol": "SNMPv2c", "port": router["snmpPort"], "community": "public"}
    ssh = {"name": "chaos-ssh", "protocol": "SSH", "port": router["sshPort"], "username": "admin", "password": "admin"}
    for policy in (snmp, ssh):
        stage.product.post("/api/v1/mediation_policies", policy)
    return {"snmpPolicy": "chaos-snmp", "sshPolicy": "chaos-ssh"}


def instantiate(stage: Stage, instance: str, number: int, chosen: dict[str, str]) -> str:
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
        "vimConnectionInfo": {"vim1": {"vimId": stage.vim, "vimType": VIM_TYPE}},
        "additionalParams": {**addresses, **chosen},
    }
    answer = stage.product.post(BY_NAME["INSTANTIATE"].path(instance), body)
    return str(answer.headers["Location"].rsplit("/", 1)[-1])


def test_each_is_adopted_and_configured_once(stage: Stage) -> None:
    chosen = policies(stage)
    ids = [stage.create(DEFAULT) for _ in range(COUNT)]
    operations = [instantiate(stage, instance, number, chosen) for number, instance in enumerate(ids)]

    def at_the_element() -> bool | None:
        steps = [step for op in operations for step in stage.operation(op)["steps"]]
        return any(step["name"] in AT_THE_ELEMENT and step["state"] in ("RUNNING", "WAITING") for step in steps) or None

    until(at_the_element, 120, "an operation is at its element", every=0.02)
    stage.product.kill("worker")
    assert [stage.rested(op)["operationState"] for op in operations] == ["COMPLETED"] * COUNT
    for instance in ids:
        (element,) = stage.get(f"/api/v1/elements?filter=(eq,vnfInstanceId,{instance})")
        shown = control(stage, "/elements")["elements"]
        name = next(one["name"] for one in shown if one["address"] == element["managementAddress"])
        lines = str(control(stage, f"/elements/{name}/config"))
        assert lines.count("data 1 of ") == 1
    assert stage.findings() == []
    assert stage.cleared(ids) == []
    assert [one for one in stage.get("/api/v1/elements") if one["vnfInstanceId"] in ids] == []

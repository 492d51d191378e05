"""OperateVnf: the validation of requests, and the power action for each server."""

from typing import Any
from uuid import uuid4

import pytest

from tests.unit.lcm.examples import fields, vdu, vnfc, vnfd
from vnfm.lcm.domain.operation_request import InstanceState, OperationRequest
from vnfm.lcm.domain.power import PowerChange, power_action
from vnfm.lcm.domain.requests import OperateVnfRequest, Power
from vnfm.lcm.domain.validation import validate

A, B = vnfc("A"), vnfc("B")


def validated(**request: Any) -> Any:
    return validate(OperationRequest(OperateVnfRequest.of(request), vnfd(vdu("cpm")), InstanceState(vnfcs=(A, B))))


def test_the_whole_vnf_where_no_vnfc_is_named() -> None:
    assert validated(changeStateTo="STARTED") == PowerChange("STARTED", (A, B))
    assert validated(changeStateTo="STOPPED", vnfcInstanceId=[]) == PowerChange("STOPPED", (A, B))


def test_named_vnfcs_alone() -> None:
    assert validated(changeStateTo="STOPPED", stopType="FORCEFUL", vnfcInstanceId=[str(B.id)]) == PowerChange(
        "STOPPED", (B,)
    )


def test_a_graceful_stop_is_waited_for_so_long() -> None:
    request = {"changeStateTo": "STOPPED", "stopType": "GRACEFUL", "gracefulStopTimeout": 5}
    assert validated(**request) == PowerChange("STOPPED", (A, B), 5)


@pytest.mark.parametrize(
    ("request_", "wrong"),
    [
        ({"changeStateTo": "STOPPED", "vnfcInstanceId": [str(A.id), str(uuid4())]}, ["/vnfcInstanceId/1"]),
        ({"changeStateTo": "STOPPED", "additionalParams": {"x": 1}}, ["/additionalParams/x"]),
    ],
)
def test_every_reason_against_is_at_its_field(request_: dict[str, Any], wrong: list[str]) -> None:
    assert fields(validated(**request_)) == wrong


@pytest.mark.parametrize(
    ("status", "target", "busy", "action"),
    [
        ("ACTIVE", "STARTED", False, "reached"),
        ("ACTIVE", "STOPPED", False, "request"),
        ("ACTIVE", "STOPPED", True, "in progress"),
        ("SHUTOFF", "STARTED", False, "request"),
        ("ERROR", "STARTED", False, "impossible"),
        ("MISSING", "STOPPED", False, "impossible"),
        ("PAUSED", "STARTED", False, "impossible"),
    ],
)
def test_power_action(status: str, target: Power, busy: bool, action: str) -> None:
    assert power_action(status, target, busy=busy) == action

"""Starting and stopping: what may be asked, and what each server needs."""

from typing import Any
from uuid import uuid4

import pytest

from tests.unit.lcm.examples import fields, vdu, vnfc, vnfd
from vnfm.lcm.domain.power import Switching, operate, turn
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.target import Asking, Power, Refused, Standing

A, B = vnfc("A"), vnfc("B")


def asked(**request: Any) -> Switching | Refused:
    return operate(Asking(Operation.OPERATE, request, vnfd(vdu("cpm")), Standing(vnfcs=(A, B))))


def test_the_whole_vnf_where_nobody_is_named() -> None:
    assert asked(changeStateTo="STARTED") == Switching("STARTED", (A, B))
    assert asked(changeStateTo="STOPPED", vnfcInstanceId=[]) == Switching("STOPPED", (A, B))


def test_named_vnfcs_alone() -> None:
    assert asked(changeStateTo="STOPPED", stopType="FORCEFUL", vnfcInstanceId=[str(B.id)]) == Switching("STOPPED", (B,))


def test_a_graceful_stop_is_waited_for_so_long() -> None:
    request = {"changeStateTo": "STOPPED", "stopType": "GRACEFUL", "gracefulStopTimeout": 5}
    assert asked(**request) == Switching("STOPPED", (A, B), 5)


@pytest.mark.parametrize(
    ("request_", "wrong"),
    [
        ({"changeStateTo": "STOPPED", "vnfcInstanceId": [str(A.id), str(uuid4())]}, ["/vnfcInstanceId/1"]),
        ({"changeStateTo": "STOPPED", "additionalParams": {"x": 1}}, ["/additionalParams/x"]),
    ],
)
def test_every_reason_against_is_at_its_field(request_: dict[str, Any], wrong: list[str]) -> None:
    assert fields(asked(**request_)) == wrong


@pytest.mark.parametrize(
    ("status", "wanted", "busy", "needs"),
    [
        ("ACTIVE", "STARTED", False, "as wanted"),
        ("ACTIVE", "STOPPED", False, "to be asked"),
        ("ACTIVE", "STOPPED", True, "on its way"),
        ("SHUTOFF", "STARTED", False, "to be asked"),
        ("ERROR", "STARTED", False, "unfit"),
        ("MISSING", "STOPPED", False, "unfit"),
        ("PAUSED", "STARTED", False, "unfit"),
    ],
)
def test_what_a_server_needs(status: str, wanted: Power, busy: bool, needs: str) -> None:
    assert turn(status, wanted, busy=busy) == needs

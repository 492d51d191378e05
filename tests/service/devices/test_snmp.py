"""The SNMP adapter against a simulated router, faulty agents and packet loss."""

import asyncio
import os
import time
from typing import Any

import pytest

from tests.routersim_process import RoutersimProcess
from tests.service.devices.agents import Answer, endless, losing, roundabout, udp
from vnfm.devices.errors import DeviceError, Garbled, Unreachable
from vnfm.devices.provider import Devices
from vnfm.devices.snmp.client import AUTH, PRIV
from vnfm.devices.types import Bounds, Community, SnmpTarget, SnmpUser

SYS_DESCR, SYS_NAME, NOT_THERE = "1.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.1.5.0", "1.3.6.1.2.1.99.1.0"
IF_DESCR, IF_OPER = "1.3.6.1.2.1.2.2.1.2", "1.3.6.1.2.1.2.2.1.8"
BOUNDS = Bounds()


@pytest.fixture(scope="module")
def agent(routersim: RoutersimProcess) -> dict[str, Any]:
    return routersim.add(name="sr", kind="7750-SR-12", address="127.0.0.1", cards=3, ports=40)


def target(port: int, community: str = "public", **pace: Any) -> SnmpTarget:
    return SnmpTarget("127.0.0.1", port, Community(community), **{"timeout": 0.3, **pace})


def get(to: SnmpTarget, *names: str) -> Any:
    async def ask() -> Any:
        async with Devices().snmp(to) as snmp:
            return await snmp.get(names)

    return asyncio.run(ask())


def columns(to: SnmpTarget, *names: str, bounds: Bounds = BOUNDS) -> Any:
    async def ask() -> Any:
        async with Devices().snmp(to) as snmp:
            return await snmp.columns(names, bounds)

    return asyncio.run(ask())


def test_missing_instances_are_left_out(agent: dict[str, Any]) -> None:
    found = get(target(agent["snmpPort"]), SYS_NAME, NOT_THERE, SYS_DESCR)
    assert found[SYS_NAME] == b"sr"
    assert set(found) == {SYS_NAME, SYS_DESCR}


@pytest.mark.parametrize("repetitions", [1, 40, 200])
def test_columns_are_complete_for_any_size_of_answers(agent: dict[str, Any], repetitions: int) -> None:
    table = columns(target(agent["snmpPort"], repetitions=repetitions), IF_DESCR, IF_OPER, "1.3.6.1.2.1.99.1")
    assert len(table[IF_DESCR]) == 120
    assert table[IF_DESCR].keys() == table[IF_OPER].keys()
    assert all(isinstance(value, int) for value in table[IF_OPER].values())
    assert table["1.3.6.1.2.1.99.1"] == {}


def test_a_lost_packet_is_repeated(agent: dict[str, Any]) -> None:
    with udp(losing(agent["snmpPort"], every=2)) as port:
        assert get(target(port), SYS_NAME) == {SYS_NAME: b"sr"}
    with udp(losing(agent["snmpPort"], every=4)) as port:
        assert len(columns(target(port, retries=2), IF_DESCR)[IF_DESCR]) == 120


@pytest.mark.parametrize("community", ["public", "wrong"])
def test_no_answer_is_unreachable_after_the_timeouts(agent: dict[str, Any], community: str) -> None:
    """SNMPv2c agents do not answer a wrong community either."""
    began = time.monotonic()
    with udp(lambda _: None) as silent:
        port = agent["snmpPort"] if community == "wrong" else silent
        with pytest.raises(Unreachable, match="2 requests"):
            get(target(port, community), SYS_NAME)
    assert time.monotonic() - began < 2
    with pytest.raises(Unreachable):
        get(target(1), SYS_NAME)


@pytest.mark.parametrize("answer", [endless, roundabout], ids=lambda answer: answer.__name__)
def test_endless_tables_are_garbled(answer: Answer) -> None:
    with udp(answer) as port, pytest.raises(Garbled):
        columns(target(port), IF_DESCR, bounds=Bounds(seconds=5, rows=300))


def test_reading_ends_at_the_time_limit(agent: dict[str, Any]) -> None:
    with udp(losing(agent["snmpPort"], every=2)) as port, pytest.raises(Garbled, match=r"1 s"):
        columns(target(port, repetitions=1, timeout=0.2), *[IF_DESCR] * 20, bounds=Bounds(seconds=1))


@pytest.mark.parametrize("answer", [b"\x30\x82", b"hello", os.urandom(64)], ids=["cut", "words", "noise"])
def test_answers_that_are_no_snmp(answer: bytes) -> None:
    with udp(lambda _: answer) as port, pytest.raises(DeviceError):
        get(target(port), SYS_NAME)


@pytest.mark.parametrize("auth", AUTH)
@pytest.mark.parametrize("priv", ["", *PRIV])
def test_every_pair_of_snmpv3s_protocols_twice(routersim: RoutersimProcess, auth: str, priv: str) -> None:
    """The second time with keys that are remembered; another agent has the same password, but keys of its own."""
    user = SnmpUser("poller", auth, "a good password", priv, "another password" if priv else "")
    spec = {"name": user.name, "auth": auth, "authPassword": user.auth_password}
    spec |= {"priv": priv, "privPassword": user.priv_password} if priv else {}
    for name in (f"{auth}-{priv}-1", f"{auth}-{priv}-2"):
        made = routersim.add(name=name, kind="7750-SR-12", address="127.0.0.1", cards=1, ports=1, snmpUser=spec)
        assert get(SnmpTarget("127.0.0.1", made["snmpPort"], user, timeout=1.0), SYS_NAME) == {SYS_NAME: name.encode()}

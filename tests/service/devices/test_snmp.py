"""The SNMP adapter against a simulated router, faulty agents and packet loss."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service.devices.agents import Answer, endless, forwarding, losing, roundabout, udp
from tests.support.routersim_process import RoutersimProcess
from vnfm.devices.errors import DeviceError, Unreachable
from vnfm.devices.provider import Devices
from vnfm.devices.snmp.client import AUTH, PRIV
from vnfm.devices.types import Bounds, Community, SnmpTarget, SnmpUser, Unread

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


def table(to: SnmpTarget, *names: str, bounds: Bounds = BOUNDS) -> Any:
    read = columns(to, *names, bounds=bounds)
    assert read.unread == {}
    return read.table


def test_missing_instances_are_left_out(agent: dict[str, Any]) -> None:
    found = get(target(agent["snmpPort"]), SYS_NAME, NOT_THERE, SYS_DESCR)
    assert found[SYS_NAME] == b"sr"
    assert set(found) == {SYS_NAME, SYS_DESCR}


@pytest.mark.parametrize("repetitions", [1, 40, 200])
def test_columns_are_complete_for_any_size_of_answers(agent: dict[str, Any], repetitions: int) -> None:
    found = table(target(agent["snmpPort"], repetitions=repetitions), IF_DESCR, IF_OPER, "1.3.6.1.2.1.99.1")
    assert len(found[IF_DESCR]) == 120
    assert found[IF_DESCR].keys() == found[IF_OPER].keys()
    assert all(isinstance(value, int) for value in found[IF_OPER].values())
    assert found["1.3.6.1.2.1.99.1"] == {}


def test_a_lost_packet_is_repeated(agent: dict[str, Any]) -> None:
    with udp(losing(agent["snmpPort"], every=2)) as port:
        assert get(target(port), SYS_NAME) == {SYS_NAME: b"sr"}
    with udp(losing(agent["snmpPort"], every=4)) as port:
        assert len(table(target(port, retries=2), IF_DESCR)[IF_DESCR]) == 120


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


@pytest.mark.parametrize(
    ("answer", "reason", "cut"),
    [(endless, "it has more than 300 rows", True), (roundabout, "it repeats a row", False)],
    ids=["endless", "roundabout"],
)
def test_endless_tables_end_and_are_named(answer: Answer, reason: str, cut: bool) -> None:
    with udp(answer) as port:
        read = columns(target(port), IF_DESCR, bounds=Bounds(seconds=5, rows=300))
    assert read.unread == {IF_DESCR: Unread(reason, cut)}
    assert len(read.table.get(IF_DESCR, {})) == (300 if cut else 0)


def test_octets_of_tables_are_bounded(agent: dict[str, Any]) -> None:
    read = columns(target(agent["snmpPort"]), IF_DESCR, IF_OPER, bounds=Bounds(octets=100 * 64))
    assert [read.unread[name].large for name in (IF_DESCR, IF_OPER)] == [True, True]
    assert read.table == {}, "a column with some rows would have the others look removed"


def test_reading_ends_at_the_time_limit(agent: dict[str, Any]) -> None:
    with udp(losing(agent["snmpPort"], every=2)) as port:
        read = columns(target(port, repetitions=1, timeout=0.2), *[IF_DESCR, IF_OPER] * 10, bounds=Bounds(seconds=1))
    assert {each.reason for each in read.unread.values()} == {"it was not read within 1 s"}


@pytest.fixture
def faulty(routersim: RoutersimProcess) -> Iterator[Callable[..., SnmpTarget]]:
    """A router of its own with a fault of its agent; its target."""
    names = []

    def work(fault: str, **body: Any) -> SnmpTarget:
        names.append(f"faulty-{len(names)}-{os.getpid()}")
        added = routersim.add(name=names[-1], kind="7750-SR-12", address="127.0.0.1", cards=1, ports=3)
        routersim.fault(names[-1], fault, **body)
        return target(added["snmpPort"], timeout=0.2)

    yield work
    for name in names:
        routersim.control("DELETE", f"/elements/{name}")


def first_row(routers: SnmpTarget) -> str:
    return f"{IF_DESCR}.{next(iter(table(routers, IF_DESCR)[IF_DESCR]))[0]}"


def test_a_row_that_is_repeated_once_costs_nothing(faulty: Callable[..., SnmpTarget]) -> None:
    to = faulty("repair-agent")
    again = faulty("repeat-row", oid=first_row(to), times=1)
    assert table(again, IF_DESCR)[IF_DESCR].keys() == table(to, IF_DESCR)[IF_DESCR].keys()


def test_a_row_that_is_repeated_for_ever_costs_its_column(faulty: Callable[..., SnmpTarget]) -> None:
    to = faulty("repair-agent")
    read = columns(faulty("repeat-row", oid=first_row(to)), IF_DESCR, IF_OPER)
    assert read.unread == {IF_DESCR: Unread("it repeats a row")}
    assert len(read.table[IF_OPER]) >= 3


def test_an_agent_without_getbulk_is_walked_by_getnext(faulty: Callable[..., SnmpTarget]) -> None:
    to = faulty("no-getbulk")
    assert len(table(to, IF_DESCR, IF_OPER)[IF_DESCR]) >= 3
    began = time.monotonic()
    assert len(table(to, IF_DESCR, IF_OPER)[IF_OPER]) >= 3
    assert time.monotonic() - began < 2 * to.timeout, "that it has no GETBULK is remembered"


@pytest.mark.parametrize(
    ("answers", "reason"),
    [(0, "the element does not answer for it"), (1, "the element answers with an error")],
    ids=["hangs", "genErr"],
)
def test_a_table_that_is_not_answered_costs_no_other(
    faulty: Callable[..., SnmpTarget], answers: int, reason: str
) -> None:
    entry = IF_DESCR.rpartition(".")[0]
    names = [f"{entry}.{number}" for number in (2, 3, 7, 8)]
    other = "1.3.6.1.2.1.31.1.1.1.1"
    read = columns(faulty("break-table", oid=entry, answers=answers), *names, other)
    assert {name: each.reason for name, each in read.unread.items()} == dict.fromkeys(names, reason)
    assert len(read.table[other]) >= 3


def test_an_agent_that_answers_one_variable_in_a_message(agent: dict[str, Any]) -> None:
    """It drops requests for several: each is asked for by itself."""
    alone = forwarding(agent["snmpPort"], only=lambda request: request.count(b"\x06\x08\x2b\x06\x01\x02\x01\x01") < 2)
    with udp(alone) as port:
        assert set(get(target(port), SYS_NAME, NOT_THERE, SYS_DESCR)) == {SYS_NAME, SYS_DESCR}
        began = time.monotonic()
        assert set(get(target(port), SYS_NAME, SYS_DESCR)) == {SYS_NAME, SYS_DESCR}
        assert time.monotonic() - began < 0.3, "that it does is remembered"


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
        assert get(SnmpTarget("127.0.0.1", made["snmpPort"], user, timeout=5.0), SYS_NAME) == {SYS_NAME: name.encode()}

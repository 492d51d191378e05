"""Elements and their notifications over the network, with an SNMP library of another make."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from gufo.snmp import SnmpVersion
from gufo.snmp.sync import SnmpSession

from tests.service.routersim.traps import TrapSocket
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until

Make = Callable[..., dict[str, Any]]
NEIGHBOUR_NAMES = "1.0.8802.1.1.2.1.4.1.1.9"
OSPF_STATES = "1.3.6.1.2.1.14.10.1.6"
HW = "1.3.6.1.4.1.6527.3.1.2.2.1.8.1"
IF_OPER = "1.3.6.1.2.1.2.2.1.8"
CARD_REMOVED = "1.3.6.1.4.1.6527.3.1.3.2.1.0.9"
CARD_INSERTED = "1.3.6.1.4.1.6527.3.1.3.2.1.0.8"
LINK_DOWN, LINK_UP, COLD_START = (f"1.3.6.1.6.3.1.1.5.{number}" for number in (3, 4, 1))


def session(element: dict[str, Any], community: str = "public", timeout: float = 5.0) -> SnmpSession:
    return SnmpSession(
        addr=element["address"], port=element["snmpPort"], community=community, version=SnmpVersion.v2c, timeout=timeout
    )


def test_the_hardware_of_a_7750(make: Make) -> None:
    element = make(cards=2, ports=3)
    with session(element) as manager:
        assert b"7750 SR" in manager.get("1.3.6.1.2.1.1.1.0")  # type: ignore[operator]
        names = {value for _, value in manager.getbulk(f"{HW}.8")}
        assert {b"Chassis 1", b"Slot A", b"Slot B", b"Slot 1", b"MDA 2/1", b"Fan 1", b"Power Supply 2"} <= names
        assert {value for _, value in manager.getbulk(f"{HW}.16")} == {2}
        assert len(list(manager.getbulk(IF_OPER))) == 6


def test_a_removed_card_shows_at_once_and_sends_traps(
    make: Make, routersim: RoutersimProcess, traps: TrapSocket
) -> None:
    element = make(cards=2, ports=1)
    card = f"{HW}.16.1.{8 << 24 | 2}"
    with session(element) as manager:
        assert manager.get(card) == 2
        routersim.fault(element["name"], "card-out", slot="2")
        removed = traps.until(CARD_REMOVED)
        assert removed.source == element["address"]
        assert removed.has(f"{HW}.7.1.{8 << 24 | 2}")
        traps.until(LINK_DOWN)
        assert manager.get(card) == 8
        routersim.fault(element["name"], "card-in", slot="2")
        traps.until(CARD_INSERTED)
        assert manager.get(card) in (6, 2)
        traps.until(LINK_UP)
        assert manager.get(card) == 2


def test_alarm_mib_lists_faults(make: Make, routersim: RoutersimProcess) -> None:
    element = make(cards=1, ports=1)
    column = "1.3.6.1.2.1.118.1.2.2.1.11"
    with session(element) as manager:
        assert list(manager.getbulk(column)) == []
        routersim.fault(element["name"], "port-down", port="1/1/1")
        assert [value for _, value in manager.getbulk(column)] == [b"major: port-down: 1/1/1: the link is down"]


def test_lost_notifications_are_found_by_sequence_numbers(
    make: Make, routersim: RoutersimProcess, traps: TrapSocket
) -> None:
    element = make(cards=1, ports=2)
    logged = "1.3.6.1.2.1.92.1.2.1.0"
    routersim.fault(element["name"], "port-down", port="1/1/1")
    first = traps.until(LINK_DOWN)
    routersim.fault(element["name"], "lose-traps")
    routersim.fault(element["name"], "port-down", port="1/1/2")
    routersim.fault(element["name"], "deliver-traps")
    routersim.fault(element["name"], "port-up", port="1/1/1")
    second = traps.until(LINK_UP)
    assert second.message.request_id - first.message.request_id == 2
    with session(element) as manager:
        assert manager.get(logged) == second.message.request_id
        assert len(list(manager.getbulk("1.3.6.1.2.1.92.1.3.1.1.9"))) == 3


def test_an_ne9000_shares_its_boards_between_virtual_systems(
    make: Make, routersim: RoutersimProcess, traps: TrapSocket
) -> None:
    host = make("NE9000", cards=2, ports=2, virtualSystems=[
        {"name": "VS1", "address": "127.31.0.1"}, {"name": "VS2", "address": "127.31.0.2"},
    ])  # fmt: skip
    systems = [routersim.element(f"{host['name']}-VS{number}") for number in (1, 2)]
    ports = [[value for _, value in session(one).getbulk("1.3.6.1.2.1.31.1.1.1.1")] for one in systems]
    assert ports == [[b"100GE1/0/0", b"100GE1/0/1"], [b"100GE2/0/0", b"100GE2/0/1"]]
    boards = [{value for _, value in session(one).getbulk("1.3.6.1.2.1.47.1.1.1.1.7")} for one in (host, *systems)]
    assert all({b"LPU Board 1", b"LPU Board 2", b"MPU Board 21"} <= names for names in boards)
    routersim.fault(systems[0]["name"], "fib-overload", routes=6_000_000)
    overload = traps.until("1.3.6.1.4.1.2011.5.25.129.2.9.1")
    assert overload.source == "127.31.0.1"
    routersim.fault(systems[0]["name"], "fib-resume")
    traps.until("1.3.6.1.4.1.2011.5.25.129.2.9.2")


def test_a_reboot_ends_with_a_cold_start(make: Make, routersim: RoutersimProcess, traps: TrapSocket) -> None:
    element = make(cards=1, ports=1, bootSeconds=0.5)
    routersim.fault(element["name"], "reboot")
    with session(element, timeout=0.2) as manager, pytest.raises((TimeoutError, OSError)):
        manager.get("1.3.6.1.2.1.1.3.0")
    traps.until(COLD_START)
    with session(element) as manager:
        uptime = manager.get("1.3.6.1.2.1.1.3.0")
        assert isinstance(uptime, int)
        assert uptime < 2000
        until(lambda: not routersim.element(element["name"])["conditions"], "all cards")
        assert manager.get(f"{HW}.16.1.{8 << 24 | 1}") == 2


def test_silent_and_slow_elements(make: Make, routersim: RoutersimProcess) -> None:
    element = make(cards=0)
    routersim.fault(element["name"], "slow", seconds=0.3)
    with session(element) as manager:
        began = time.monotonic()
        manager.get("1.3.6.1.2.1.1.3.0")
        assert time.monotonic() - began >= 0.3
    routersim.fault(element["name"], "slow", seconds=0)
    routersim.fault(element["name"], "silent")
    with session(element, timeout=0.2) as manager, pytest.raises((TimeoutError, OSError)):
        manager.get("1.3.6.1.2.1.1.3.0")
    routersim.fault(element["name"], "answering")
    with session(element) as manager:
        assert manager.get("1.3.6.1.2.1.1.5.0") == element["name"].encode()


def test_a_wrong_community_gets_no_answer(make: Make) -> None:
    with session(make(cards=0), "wrong", timeout=0.2) as manager, pytest.raises((TimeoutError, OSError)):
        manager.get("1.3.6.1.2.1.1.3.0")


def test_informs_are_repeated_until_they_are_acknowledged(make: Make, routersim: RoutersimProcess) -> None:
    with TrapSocket(acknowledge=False) as deaf, TrapSocket() as polite:
        element = make(cards=1, ports=1, informs=True, trapTargets=[deaf.target, polite.target])
        routersim.fault(element["name"], "port-down", port="1/1/1")
        polite.until(LINK_DOWN)
        numbers = [deaf.until(LINK_DOWN).message.request_id for _ in range(3)]
        assert len(set(numbers)) == 1
        assert polite.none_for(0.7)
        assert routersim.control("GET", f"/elements/{element['name']}/notifications")["unacknowledged"] == 1


def test_a_link_between_two_elements_goes_down_at_both_ends(
    make: Make, routersim: RoutersimProcess, traps: TrapSocket
) -> None:
    near = make(cards=1, ports=2)
    cable = {"port": "1/1/2", "neighbour": near["name"], "neighbourPort": "1/1/1"}
    far = make(cards=1, ports=2, links=[cable], lldpHoldSeconds=0)
    with session(far) as manager, session(near) as patient:
        assert [value for _, value in manager.getbulk(NEIGHBOUR_NAMES)] == [near["name"].encode()]
        assert [value for _, value in patient.getbulk(NEIGHBOUR_NAMES)] == [far["name"].encode()]
        assert [value for _, value in patient.getbulk(OSPF_STATES)] == [8]
        routersim.fault(far["name"], "port-down", port="1/1/2")
        assert traps.until(LINK_DOWN).source == far["address"]
        assert [value for _, value in manager.getbulk(NEIGHBOUR_NAMES)] == []
        assert [value for _, value in patient.getbulk(NEIGHBOUR_NAMES)] == [
            far["name"].encode()
        ]  # within its hold time
        assert [value for _, value in patient.getbulk(OSPF_STATES)] == []
    assert [port["up"] for port in routersim.element(near["name"])["ports"]] == [False, True]
    assert traps.until(LINK_DOWN).source == near["address"]
    routersim.fault(far["name"], "port-up", port="1/1/2")
    assert {traps.until(LINK_UP).source for _ in range(2)} == {near["address"], far["address"]}
    assert routersim.element(near["name"])["conditions"] == []


def test_a_storm_is_even_and_complete(make: Make, routersim: RoutersimProcess, traps: TrapSocket) -> None:
    names = [make(cards=1, ports=1)["name"] for _ in range(2)]
    began = time.monotonic()
    routersim.control("POST", "/storms", {"rate": 100, "seconds": 1, "elements": names})
    for _ in range(100):  # as many as a socket holds without reading
        traps.until_any()
    assert 0.8 < time.monotonic() - began < 10
    assert {one.oid for one in traps.received} == {LINK_DOWN, LINK_UP}
    assert traps.none_for(0.1)


def test_elements_survive_a_killed_process(tmp_path: Any) -> None:
    process = RoutersimProcess(tmp_path).start()
    try:
        made = process.add(name="pe1", kind="7750-SR-12", address="127.30.1.1", cards=1, ports=1)
        process.fault("pe1", "card-fail", slot="1", reason="burnt")
        before = process.element("pe1")
        process.kill()
        process.start()
        after = process.element("pe1")
        assert after == before
        with session(made) as manager:
            assert manager.get(f"{HW}.30.1.{8 << 24 | 1}") == b"burnt"
    finally:
        process.stop()


def test_invalid_requests_name_their_error(routersim: RoutersimProcess, make: Make) -> None:
    element = make(cards=0)
    for method, path, body, status, words in (
        ("POST", "/elements", {"name": element["name"], "kind": "VSR", "address": "127.30.2.1"}, 400, "already"),
        ("POST", "/elements", {"name": "x", "kind": "VSR", "address": "1.2.3.4"}, 400, "127.0.0.0/8"),
        ("POST", "/fleets", {"count": 5, "kind": "VSR", "network": "127.32.0.0/30"}, 400, "no room"),
        ("GET", "/elements/unknown", None, 404, "no element"),
        ("POST", f"/elements/{element['name']}/faults/nonsense", {}, 400, "unknown fault"),
        ("PUT", "/clouds/x", {"cloudsYaml": "/nowhere.yaml"}, 400, "cloud x"),
    ):
        answer = routersim.request(method, f"/control/v1{path}", body)
        assert answer[0] == status, answer
        assert words in answer[1]["error"]

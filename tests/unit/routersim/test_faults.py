"""Faults: resulting states and notifications."""

import asyncio

import pytest

from routersim.faults import InvalidFault, inject
from routersim.model.parts import Oper, card_state
from tests.unit.routersim.elements import PEERS, Lab

SR, NE = "7750-SR-12", "NE9000"
CHASSIS = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 2, 1, 0)
SYSTEM = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 1, 0)
BGP = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 3, 14, 0)
LINK = (1, 3, 6, 1, 6, 3, 1, 1, 5)
HUAWEI_BOARD = (1, 3, 6, 1, 4, 1, 2011, 5, 25, 219, 2, 2)
HUAWEI_FIB = (1, 3, 6, 1, 4, 1, 2011, 5, 25, 129, 2, 9)


@pytest.mark.parametrize(
    ("kind", "raise_", "clear", "body", "began", "ended"),
    [
        (SR, "card-out", "card-in", {"slot": 2}, [(*CHASSIS, 9), (*LINK, 3)], [(*CHASSIS, 8), (*LINK, 4)]),
        (SR, "card-fail", "card-repair", {"slot": 2}, [(*CHASSIS, 7), (*LINK, 3)], [(*CHASSIS, 25), (*LINK, 4)]),
        (SR, "mda-out", "mda-in", {"slot": 2, "mda": 1}, [(*CHASSIS, 9), (*LINK, 3)], [(*CHASSIS, 8), (*LINK, 4)]),
        (SR, "port-down", "port-up", {"port": "1/1/1"}, [(*LINK, 3), (*BGP, 8)], [(*LINK, 4), (*BGP, 7)]),
        (SR, "peer-down", "peer-up", {"peer": "127.0.9.1"}, [(*BGP, 8)], [(*BGP, 7)]),
        (SR, "license-invalid", "license-valid", {}, [(*SYSTEM, 59)], []),
        (SR, "fan-fail", "fan-repair", {"number": 2}, [(*CHASSIS, 6)], [(*CHASSIS, 25)]),
        (SR, "power-fail", "power-repair", {"number": 1}, [(*CHASSIS, 3)], [(*CHASSIS, 25)]),
        (NE, "card-out", "card-in", {"slot": 2}, [(*HUAWEI_BOARD, 1), (*LINK, 3)], [(*HUAWEI_BOARD, 2), (*LINK, 4)]),
        (NE, "card-fail", "card-repair", {"slot": 2},
         [(*HUAWEI_BOARD, 3), (*LINK, 3)], [(*HUAWEI_BOARD, 4), (*LINK, 4)]),
        (NE, "fib-overload", "fib-resume", {}, [(*HUAWEI_FIB, 1)] * 2, [(*HUAWEI_FIB, 2)] * 2),
    ],
)  # fmt: skip
def test_a_fault_sends_notifications_when_it_begins_and_ends(
    kind: str, raise_: str, clear: str, *, body: dict[str, object], began: list[object], ended: list[object]
) -> None:
    lab = Lab(kind, cards=2, ports=1, peers=PEERS)
    assert lab.router.conditions() == []
    inject(lab.router, raise_, body)
    assert lab.notified() == began
    assert lab.router.conditions()
    inject(lab.router, clear, body)
    assert lab.notified() == ended
    assert lab.router.conditions() == []


def test_an_empty_slot_is_provisioned_and_its_ports_are_ghosts() -> None:
    lab = Lab(cards=1, ports=2)
    inject(lab.router, "card-out", {"slot": "1"})
    (card,) = (card for card in lab.element.chassis.cards if card.slot == "1")
    assert card_state(card, lab.clock.time()) is Oper.PROVISIONED
    assert not any(port.up for _, _, port in lab.element.ports())


def test_the_standby_takes_over_from_a_removed_control_card() -> None:
    lab = Lab()
    inject(lab.router, "card-out", {"slot": "A"})
    assert lab.element.chassis.active_control == "B"
    assert lab.notified() == [(*CHASSIS, 21), (*SYSTEM, 27), (*CHASSIS, 9)]
    inject(lab.router, "card-in", {"slot": "A"})
    assert lab.notified() == [(*SYSTEM, 25), (*CHASSIS, 8)]
    assert lab.element.chassis.active_control == "B"


def test_an_element_without_control_cards_is_down_until_a_cold_start() -> None:
    lab = Lab()
    inject(lab.router, "card-out", {"slot": "A"})
    inject(lab.router, "card-out", {"slot": "B"})
    lab.notified()
    assert not lab.element.answers(lab.clock.time())
    inject(lab.router, "card-in", {"slot": "B"})
    assert lab.element.answers(lab.clock.time())
    assert lab.notified()[0] == (*LINK, 1)
    assert lab.element.booted == lab.clock.time()


def test_a_requested_switchover_reboots_the_other_card() -> None:
    async def switch() -> None:
        lab = Lab(bootSeconds=5.0)
        inject(lab.router, "switch-over", {})
        assert lab.element.chassis.active_control == "B"
        assert lab.notified()[0] == (*SYSTEM, 27)
        with pytest.raises(InvalidFault, match="no standby"):
            inject(lab.router, "switch-over", {})
        lab.clock.advance(6)
        lab.router.changed()
        assert lab.notified() == [(*SYSTEM, 25)]
        lab.router.stop()

    asyncio.run(switch())


def test_lost_notifications_are_logged_and_leave_a_gap() -> None:
    lab = Lab()
    inject(lab.router, "port-down", {"port": "1/1/1"})
    inject(lab.router, "lose-traps", {})
    inject(lab.router, "port-down", {"port": "1/1/2"})
    inject(lab.router, "deliver-traps", {})
    inject(lab.router, "port-up", {"port": "1/1/1"})
    assert [logged.sequence for logged in lab.router.notifier.log] == [1, 2, 3]
    assert (lab.router.notifier.sent, lab.router.notifier.lost, len(lab.notified())) == (2, 1, 2)


def test_virtual_systems_share_the_boards_and_have_ports_of_their_own() -> None:
    lab = Lab("NE9000", cards=2, ports=1, virtualSystems=[
        {"name": "VS1", "address": "127.0.1.2"}, {"name": "VS2", "address": "127.0.1.3"},
    ])  # fmt: skip
    host, first, second = lab.routers
    ports = [[port.name for _, _, port in router.element.ports()] for router in (host, first, second)]
    assert ports == [[], ["100GE1/0/0"], ["100GE2/0/0"]]
    inject(host, "card-out", {"slot": "2"})
    assert [[c.name for c in router.conditions()] for router in lab.routers] == [
        ["card-removed"], ["card-removed"], ["card-removed", "port-down"],
    ]  # fmt: skip
    assert len(lab.notified()) == 4


@pytest.mark.parametrize(
    ("fault", "body", "words"),
    [
        ("no-such", {}, "unknown fault"),
        ("card-out", {"slot": "9"}, "no slot"),
        ("card-out", {}, "missing"),
        ("port-down", {"port": "9/9/9"}, "no port"),
        ("peer-down", {"peer": "1.2.3.4"}, "no peer"),
        ("mda-out", {"slot": "1", "mda": 7}, "no adapter"),
        ("slow", {"seconds": -1}, "at least 0"),
        ("fib-overload", {}, "only VRP"),
    ],
)
def test_an_invalid_fault_is_refused(fault: str, body: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidFault, match=words):
        inject(Lab().router, fault, body)

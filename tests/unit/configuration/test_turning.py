"""The lines that turn one configuration into another; switching parts; when jobs begin."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from vnfm.configuration.domain.dialects import FRR, SROS, VRP
from vnfm.configuration.domain.dialects.base import Dialect
from vnfm.configuration.domain.jobs import again_after, next_due, problem_of
from vnfm.configuration.domain.parts import admin_text, managed_by
from vnfm.configuration.domain.turning import turned
from vnfm.devices.errors import Busy, DeviceRejected, Unreachable

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def lines(dialect: Dialect, now: str, then: str, *, explicit: bool = False) -> list[str]:
    return [line.text for line in turned(dialect.syntax, now, then, explicit=explicit)]


def test_what_is_more_goes_and_what_is_less_comes() -> None:
    now = "configure\n    system\n        name pe1\n        location here\n    exit\nexit all\n"
    then = "configure\n    system\n        name pe2\n        contact me\n    exit\nexit all\n"
    assert lines(SROS, now, then) == [
        "configure",
        "    system",
        "        no location here",
        "        name pe2",
        "        contact me",
        "    exit",
        "exit",
    ]
    (removal,) = [line for line in turned(SROS.syntax, now, then) if "location" in line.text]
    assert removal.others == ("no location",)


@pytest.mark.parametrize("dialect", [SROS, VRP, FRR])
def test_the_same_needs_nothing(dialect: Dialect) -> None:
    text = "interface a\n description x\n!\nrouter bgp 1\n neighbor 10.0.0.1 remote-as 2\n"
    assert lines(dialect, text, text) == []


def test_a_context_of_sr_os_is_shut_down_before_it_goes() -> None:
    now = "configure\n    card 3\n        card-type iom3-xp\n        no shutdown\n    exit\n"
    assert lines(SROS, now, "configure\n    system\n        name x\n") [:6] == [
        "configure", "    card 3", "    shutdown", "    exit", "    no card 3", "    system",
    ]  # fmt: skip


def test_a_negation_is_taken_back_by_its_opposite() -> None:
    assert lines(FRR, "no ip forwarding\n", "!\n") == ["ip forwarding"]
    assert [line.strip() for line in lines(VRP, "interface a\n undo shutdown\n", "interface a\n shutdown\n")] == [
        "interface a",
        "shutdown",
        "quit",
    ]


def test_another_negation_of_the_same_word_takes_nothing_away() -> None:
    now = "no ip forwarding\nip prefix-list P seq 5 permit any\n"
    assert lines(FRR, now, "no ip forwarding\n") == ["no ip prefix-list P seq 5 permit any"]


def test_words_that_may_stand_several_times_go_when_all_else_is_done() -> None:
    now, then = "router bgp 1\n network 10.0.0.0/8\n", "router bgp 1\n network 10.1.0.0/16\n"
    first = [line.strip() for line in lines(FRR, now, then)]
    assert first == ["router bgp 1", "network 10.1.0.0/16", "exit"]
    both = now + " network 10.1.0.0/16\n"
    rest = [line.strip() for line in lines(FRR, both, then, explicit=True)]
    assert rest == ["router bgp 1", "no network 10.0.0.0/8", "exit"]


def test_no_more_goes_than_what_is_too_much() -> None:
    default = "router bgp 65000\n neighbor 10.0.0.2 remote-as 65001\n"
    vrf = "router bgp 65000 vrf A\n neighbor 10.0.1.2 remote-as 65001\n"
    (removal,) = turned(FRR.syntax, default + vrf, default)
    assert (removal.text, removal.others) == ("no router bgp 65000 vrf A", ("no router bgp 65000 vrf",))
    (alone,) = turned(FRR.syntax, vrf, "!\n")
    assert alone.others[-2:] == ("no router bgp 65000", "no router bgp")


def test_a_value_of_many_words_goes_by_its_first() -> None:
    now = "interface a\n description to the core\n"
    assert turned(VRP.syntax, now, "interface a\n description to b c\n")[1].others[-1] == "undo description"
    two = "interface a\n ip address 10.0.0.1 30\n ip address 10.0.1.1 30 sub\n"
    removal = turned(VRP.syntax, two, "interface a\n ip address 10.0.0.1 30\n")[1]
    assert removal.others == ("undo ip address 10.0.1.1 30", "undo ip address 10.0.1.1")


@dataclass
class Part:
    equipment_class: str
    fdn: str
    name: str = ""
    slot: str = ""
    if_index: int | None = None


@dataclass
class Address:
    if_index: int
    name: str
    addresses: list[str]
    port_if_index: int | None = None


def test_lines_that_switch_a_part() -> None:
    port, card = Part("PORT", "f:port-1", name="Port 1/1/1"), Part("CARD", "f", slot="2")
    assert admin_text(SROS, port, "DOWN") == "/configure port 1/1/1 shutdown"
    assert admin_text(SROS, card, "UP") == "/configure card 2 no shutdown"
    assert admin_text(VRP, Part("PORT", "f", name="100GE1/0/0"), "UP") == "interface 100GE1/0/0\n undo shutdown"
    assert admin_text(VRP, card, "UP") == ""
    assert admin_text(SROS, Part("FAN", "f"), "UP") == ""


def test_what_carries_the_management_address() -> None:
    ports = [Part("PORT", "n:card-1:port-1", name="eth1", if_index=1), Part("PORT", "n:card-1:port-10", if_index=10)]
    card, other = Part("CARD", "n:card-1"), Part("CARD", "n:card-10")
    here = [Address(1, "eth1", ["10.0.0.1/24", "192.0.2.1/30"])]
    assert managed_by(ports[0], ports, here, "192.0.2.1") == "eth1"
    assert managed_by(card, ports, here, "192.0.2.1") == "eth1"
    assert managed_by(ports[1], ports, here, "192.0.2.1") == ""
    assert managed_by(other, ports, here, "192.0.2.1") == ""
    on_port_10 = [Address(3, "to-core", ["192.0.2.9/30"], port_if_index=10)]
    assert managed_by(ports[1], ports, on_port_10, "192.0.2.9") == "to-core"
    assert managed_by(ports[0], ports, on_port_10, "192.0.2.9") == ""
    assert managed_by(ports[0], ports, [Address(5, "eth1.100", ["192.0.2.9/30"])], "192.0.2.9") == "eth1.100"


@pytest.mark.parametrize("interface", ["management", "system", "to-pe2", "Eth-Trunk1", "loopback0"])
def test_an_address_that_is_on_no_port_may_be_reached_through_any(interface: str) -> None:
    port = Part("PORT", "n:card-1:port-1", name="Port 1/1/1", if_index=1)
    others = [Address(1, "1/1/1", ["10.0.0.1/24"])]
    assert managed_by(port, [port], [*others, Address(1280, interface, ["192.0.2.9/32"])], "192.0.2.9") is None
    assert managed_by(port, [port], others, "192.0.2.9") is None
    assert managed_by(port, [], others, "10.0.0.1") is None


def test_backups_are_spread() -> None:
    due = {next_due(NOW, 1000, UUID(int=number)) - NOW for number in range(1000)}
    assert len(due) > 900
    assert timedelta(seconds=900) <= min(due) <= max(due) <= timedelta(seconds=1100)


def test_pauses_grow() -> None:
    assert [again_after(attempt).total_seconds() for attempt in (1, 2, 3)] == [5, 20, 80]


def test_the_elements_words_stay() -> None:
    problem = problem_of(DeviceRejected("pe1 refuses line 3", words="Error: Bad command.", line=3), "The push to pe1")
    assert (problem.status, problem.code) == (422, "REJECTED")
    assert problem.detail == "The push to pe1 failed: pe1 refuses line 3"
    assert [(cause.source, cause.message) for cause in problem.causes] == [("element", "Error: Bad command.")]
    assert problem_of(Unreachable("gone"), "x").next_step != problem_of(Busy("there"), "x").next_step

"""The lines that change one configuration into another; admin states; when jobs start."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from vnfm.configuration.domain.admin_state import admin_state_text, management_interface_on
from vnfm.configuration.domain.config_diff import changes_between
from vnfm.configuration.domain.dialects import FRR, SROS, VRP
from vnfm.configuration.domain.dialects.base import Dialect
from vnfm.configuration.domain.jobs import next_due, retry_delay
from vnfm.devices.errors import Busy, DeviceRejected, Unreachable

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def lines(dialect: Dialect, now: str, then: str, *, explicit: bool = False) -> list[str]:
    return [line.text for line in changes_between(dialect.syntax, now, then, explicit=explicit)]


def test_removals_come_before_additions() -> None:
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
    (removal,) = [line for line in changes_between(SROS.syntax, now, then) if "location" in line.text]
    assert removal.others == ("no location",)


@pytest.mark.parametrize("dialect", [SROS, VRP, FRR])
def test_equal_configurations_need_no_line(dialect: Dialect) -> None:
    text = "interface a\n description x\n!\nrouter bgp 1\n neighbor 10.0.0.1 remote-as 2\n"
    assert lines(dialect, text, text) == []


def test_a_context_of_sr_os_is_shut_down_before_its_removal() -> None:
    now = "configure\n    card 3\n        card-type iom3-xp\n        no shutdown\n    exit\n"
    assert lines(SROS, now, "configure\n    system\n        name x\n") [:6] == [
        "configure", "    card 3", "    shutdown", "    exit", "    no card 3", "    system",
    ]  # fmt: skip


def test_a_negation_is_removed_by_its_opposite() -> None:
    assert lines(FRR, "no ip forwarding\n", "!\n") == ["ip forwarding"]
    assert [line.strip() for line in lines(VRP, "interface a\n undo shutdown\n", "interface a\n shutdown\n")] == [
        "interface a",
        "shutdown",
        "quit",
    ]


def test_another_negation_of_the_same_word_removes_nothing() -> None:
    now = "no ip forwarding\nip prefix-list P seq 5 permit any\n"
    assert lines(FRR, now, "no ip forwarding\n") == ["no ip prefix-list P seq 5 permit any"]


def test_a_repeatable_value_is_removed_in_a_second_pass() -> None:
    now, then = "router bgp 1\n network 10.0.0.0/8\n", "router bgp 1\n network 10.1.0.0/16\n"
    first = [line.strip() for line in lines(FRR, now, then)]
    assert first == ["router bgp 1", "network 10.1.0.0/16", "exit"]
    both = now + " network 10.1.0.0/16\n"
    rest = [line.strip() for line in lines(FRR, both, then, explicit=True)]
    assert rest == ["router bgp 1", "no network 10.0.0.0/8", "exit"]


def test_a_removal_does_not_match_a_statement_that_stays() -> None:
    default = "router bgp 65000\n neighbor 10.0.0.2 remote-as 65001\n"
    vrf = "router bgp 65000 vrf A\n neighbor 10.0.1.2 remote-as 65001\n"
    (removal,) = changes_between(FRR.syntax, default + vrf, default)
    assert (removal.text, removal.others) == ("no router bgp 65000 vrf A", ("no router bgp 65000 vrf",))
    (alone,) = changes_between(FRR.syntax, vrf, "!\n")
    assert alone.others[-2:] == ("no router bgp 65000", "no router bgp")


def test_a_value_of_many_words_is_removed_by_its_first() -> None:
    now = "interface a\n description to the core\n"
    assert changes_between(VRP.syntax, now, "interface a\n description to b c\n")[1].others[-1] == "undo description"
    two = "interface a\n ip address 10.0.0.1 30\n ip address 10.0.1.1 30 sub\n"
    removal = changes_between(VRP.syntax, two, "interface a\n ip address 10.0.0.1 30\n")[1]
    assert removal.others == ("undo ip address 10.0.1.1 30", "undo ip address 10.0.1.1")


@dataclass
class Part:
    equipment_class: str
    fdn: str
    name: str = ""
    slot: str = ""
    if_index: int | None = None


@dataclass
class Interface:
    if_index: int
    name: str
    addresses: list[str]
    port_if_index: int | None = None


def test_lines_that_set_an_admin_state() -> None:
    port, card = Part("PORT", "f:port-1", name="Port 1/1/1"), Part("CARD", "f", slot="2")
    assert admin_state_text(SROS, port, "DOWN") == "/configure port 1/1/1 shutdown"
    assert admin_state_text(SROS, card, "UP") == "/configure card 2 no shutdown"
    assert admin_state_text(VRP, Part("PORT", "f", name="100GE1/0/0"), "UP") == "interface 100GE1/0/0\n undo shutdown"
    assert admin_state_text(VRP, card, "UP") == ""
    assert admin_state_text(SROS, Part("FAN", "f"), "UP") == ""


def test_the_part_with_the_management_address() -> None:
    ports = [Part("PORT", "n:card-1:port-1", name="eth1", if_index=1), Part("PORT", "n:card-1:port-10", if_index=10)]
    card, other = Part("CARD", "n:card-1"), Part("CARD", "n:card-10")
    interfaces = [Interface(1, "eth1", ["10.0.0.1/24", "192.0.2.1/30"])]
    assert management_interface_on(ports[0], ports, interfaces, "192.0.2.1") == "eth1"
    assert management_interface_on(card, ports, interfaces, "192.0.2.1") == "eth1"
    assert management_interface_on(ports[1], ports, interfaces, "192.0.2.1") == ""
    assert management_interface_on(other, ports, interfaces, "192.0.2.1") == ""
    on_port_10 = [Interface(3, "to-core", ["192.0.2.9/30"], port_if_index=10)]
    assert management_interface_on(ports[1], ports, on_port_10, "192.0.2.9") == "to-core"
    assert management_interface_on(ports[0], ports, on_port_10, "192.0.2.9") == ""
    assert (
        management_interface_on(ports[0], ports, [Interface(5, "eth1.100", ["192.0.2.9/30"])], "192.0.2.9")
        == "eth1.100"
    )


@pytest.mark.parametrize("interface", ["management", "system", "to-pe2", "Eth-Trunk1", "loopback0"])
def test_a_management_address_on_no_port_is_unknown(interface: str) -> None:
    port = Part("PORT", "n:card-1:port-1", name="Port 1/1/1", if_index=1)
    others = [Interface(1, "1/1/1", ["10.0.0.1/24"])]
    assert (
        management_interface_on(port, [port], [*others, Interface(1280, interface, ["192.0.2.9/32"])], "192.0.2.9")
        is None
    )
    assert management_interface_on(port, [port], others, "192.0.2.9") is None
    assert management_interface_on(port, [], others, "10.0.0.1") is None


def test_backups_are_spread() -> None:
    due = {next_due(NOW, 1000, UUID(int=number)) - NOW for number in range(1000)}
    assert len(due) > 900
    assert timedelta(seconds=900) <= min(due) <= max(due) <= timedelta(seconds=1100)


def test_pauses_grow() -> None:
    assert [retry_delay(attempt).total_seconds() for attempt in (1, 2, 3)] == [5, 20, 80]


def test_a_problem_has_the_words_of_the_element() -> None:
    problem = DeviceRejected("pe1 refuses line 3", words="Error: Bad command.", line=3).as_problem("The push to pe1")
    assert (problem.status, problem.code) == (422, "REJECTED")
    assert problem.detail == "The push to pe1 failed: pe1 refuses line 3"
    assert [(cause.source, cause.message) for cause in problem.causes] == [("element", "Error: Bad command.")]
    assert Unreachable("gone").as_problem("x").next_step != Busy("there").as_problem("x").next_step

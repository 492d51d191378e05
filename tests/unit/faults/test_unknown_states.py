"""A row of a network element whose state is unknown: its open alarm stays as it is, and none is raised from it."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.unit.faults.elements import CARD, INTERFACE, MDA, NOW, PEER, PORT, SHELF, VSR, part, with_part
from vnfm.elements.domain.part_states import UNKNOWN_ACCEPTED, FactState
from vnfm.faults.domain.alarm_changes import AlarmChanges, OpenAlarm, alarm_changes
from vnfm.faults.domain.evaluate_element import evaluate_element
from vnfm.faults.domain.evaluation_result import FaultKey
from vnfm.faults.domain.observed_element import ObservedElement, ObservedNeighbour, RealisingVnfc

Alarms = Mapping[FaultKey, OpenAlarm]
FAN = part(f"{SHELF}:fan-1", "FAN")
POWER = part(f"{SHELF}:powerSupply-1", "POWER_SUPPLY")
FABRIC = part(f"{SHELF}:fabric-1", "FABRIC")
LOOPBACK = replace(INTERFACE, if_index=12, name="system", addresses=())
OSPF = ObservedNeighbour("OSPF", "1/1/1", "192.0.2.9", if_index=11, state="FULL", since=NOW)
BFD = replace(OSPF, protocol="BFD", state="UP")


def with_state(row: str, state: str) -> ObservedElement:
    """The element, one row of which is in this state; "" for a row that is gone."""
    if row in PARTS:
        others = tuple(each for each in VSR.parts if each.fdn != PARTS[row].fdn)
        return replace(VSR, parts=(*others, replace(PARTS[row], oper_state=state)) if state else others, interfaces=())
    rows: dict[str, dict[str, object]] = {
        "interface": {"interfaces": (INTERFACE, replace(LOOPBACK, oper=state))},
        "interface of a port": {"interfaces": (replace(INTERFACE, oper=state),)},
        "peer": {"peers": (replace(PEER, state=state),)},
        "OSPF": {"neighbours": (replace(OSPF, state=state),)},
        "BFD": {"neighbours": (replace(BFD, state=state),)},
        "redundancy": {"facts": (FactState("redundancy", "card B", state, NOW),)},
        "licence": {"facts": (FactState("licence", "", state, NOW),)},
    }
    ((field, (*kept, changed)),) = rows[row].items()  # type: ignore[misc]  # tuples
    return replace(VSR, **{field: tuple(kept) if state == "" else (*kept, changed)})  # type: ignore[arg-type]


PARTS = {"card": CARD, "MDA": MDA, "port": PORT, "fan": FAN, "power supply": POWER, "fabric": FABRIC}
STATES = {
    **dict.fromkeys(PARTS, ("FAILED", "IN_SERVICE", "UNKNOWN")),
    **dict.fromkeys(("interface", "interface of a port"), ("DOWN", "UP", "UNKNOWN")),
    "peer": ("ACTIVE", "ESTABLISHED", "UNKNOWN"),
    "OSPF": ("DOWN", "FULL", "UNKNOWN"),
    "BFD": ("INIT", "UP", "UNKNOWN"),
    "redundancy": ("redundantSplit", "redundantActive", "unknown"),
    "licence": ("invalid", "valid", "unknown"),
}
"""Each kind of row has a state that is a fault, one that is none, and the unknown one."""


def changes(alarms: Alarms, element: ObservedElement) -> AlarmChanges:
    return alarm_changes(alarms, evaluate_element(element, NOW), NOW)


def after(alarms: Alarms, element: ObservedElement) -> dict[FaultKey, OpenAlarm]:
    """The open alarms after an evaluation."""
    found = changes(alarms, element)
    left = {key: alarm for key, alarm in alarms.items() if key not in found.clear}
    left |= {change.key: change.after for change in found.put}
    return left | {key: replace(left[key], root=root) for key, root in found.reroot.items()}


@pytest.mark.parametrize("row", STATES)
def test_an_unknown_state_neither_clears_nor_raises_an_alarm(row: str) -> None:
    fault, good, unknown = STATES[row]
    alarms = after({}, with_state(row, fault))
    assert len(alarms) == 1
    assert not changes(alarms, with_state(row, unknown)), "the alarm stays, untouched"
    assert not changes({}, with_state(row, unknown)), "none is raised"
    assert after(alarms, with_state(row, good)) == {}
    assert after(alarms, with_state(row, "")) == {}, "a row that is gone has no alarm"


@pytest.mark.parametrize(
    ("row", "field", "admin"),
    [("port", "parts", "admin_state"), ("interface", "interfaces", "admin"), ("peer", "peers", "admin_state")],
)
def test_whether_a_row_is_shut_may_be_unknown(row: str, field: str, admin: str) -> None:
    down = with_state(row, STATES[row][0])
    *others, last = getattr(down, field)

    def element(state: str) -> ObservedElement:
        return replace(down, **{field: (*others, replace(last, **{admin: state}))})

    alarms = after({}, down)
    assert len(alarms) == 1
    assert not changes(alarms, element("UNKNOWN"))
    assert not changes({}, element("UNKNOWN")), "it may be shut"
    assert after(alarms, element("DOWN")) == {}


def test_a_card_that_is_shut_has_no_alarm_whatever_its_state() -> None:
    alarms = after({}, with_state("card", "FAILED"))
    assert after(alarms, with_part(VSR, replace(CARD, admin_state="DOWN", oper_state="UNKNOWN"))) == {}


def test_a_slot_in_an_unknown_state_keeps_its_alarm_until_it_is_empty_or_a_resync_accepts_it() -> None:
    """An unknown state does not prove that the slot is empty: the card may be in it, and as faulty as before."""
    for before in ("FAILED", "PROVISIONED", "MISSING"):
        alarms = after({}, with_state("card", before))
        assert after(alarms, with_state("card", "UNKNOWN")) == alarms
        assert after(alarms, with_state("card", "EMPTY")) == {}
        accepted = replace(CARD, oper_state="UNKNOWN", extra={UNKNOWN_ACCEPTED: True})
        assert after(alarms, with_part(VSR, accepted)) == {}


def test_an_interface_whose_state_is_known_decides_the_alarm_of_its_port() -> None:
    alarms = after({}, with_state("port", "FAILED"))
    unknown = with_part(VSR, replace(PORT, oper_state="UNKNOWN"))
    assert after(alarms, unknown) == {}, "its interface is up"
    assert after(alarms, replace(unknown, interfaces=(replace(INTERFACE, oper="UNKNOWN"),))) == alarms
    emptied = with_part(VSR, replace(PORT, oper_state="EMPTY"))
    assert after(alarms, replace(emptied, interfaces=(replace(INTERFACE, oper="UNKNOWN"),))) == {}


def test_a_card_in_an_unknown_state_stays_the_root_cause_of_its_ports() -> None:
    down = with_part(with_state("card", "FAILED"), replace(PORT, oper_state="OUT_OF_SERVICE"))
    alarms = after({}, down)
    card, port = FaultKey(CARD.fdn, "CardDown"), FaultKey(PORT.fdn, "PortDown")
    assert alarms[port].root == card
    assert not changes(alarms, with_part(down, replace(CARD, oper_state="UNKNOWN")))
    without = after({}, with_part(down, replace(CARD, oper_state="UNKNOWN")))
    assert (without.keys(), without[port].root) == ({port}, None), "the card has no alarm"


def test_a_port_in_an_unknown_state_loses_the_root_cause_that_is_cleared() -> None:
    down = with_part(with_state("card", "FAILED"), replace(PORT, oper_state="OUT_OF_SERVICE"))
    alarms = after({}, down)
    port = FaultKey(PORT.fdn, "PortDown")
    repaired = with_part(down, CARD)
    left = after(alarms, with_part(repaired, replace(PORT, oper_state="UNKNOWN")))
    assert left == {port: replace(alarms[port], root=None)}
    assert not changes(left, with_part(repaired, replace(PORT, oper_state="UNKNOWN")))


def test_a_port_in_an_unknown_state_stays_the_root_cause_of_what_is_behind_it() -> None:
    """The router interface, which went down with its port, has an alarm of its own now."""
    behind = replace(INTERFACE, if_index=2, name="to-core", oper="DOWN", port_if_index=11, port_down=True)
    down = replace(VSR, interfaces=(behind,), peers=(replace(PEER, state="ACTIVE"),))
    alarms = after({}, with_part(down, replace(PORT, oper_state="OUT_OF_SERVICE")))
    port, peer = FaultKey(PORT.fdn, "PortDown"), FaultKey("ne-1:bgp:192.0.2.2", "BgpPeerDown")
    assert alarms[peer].root == port
    unknown = replace(down, interfaces=(replace(behind, port_down=False),))
    left = after(alarms, with_part(unknown, replace(PORT, oper_state="UNKNOWN")))
    assert left.keys() == {port, peer, FaultKey("ne-1:interface-2", "PortDown")}
    assert {alarm.root for key, alarm in left.items() if key != port} == {port}


def test_a_card_of_a_vm_that_was_stopped_on_request_explains_its_ports_also_in_an_unknown_state() -> None:
    stopped = replace(CARD, oper_state="UNKNOWN", vnfc=RealisingVnfc("v-1", desired_stopped=True))
    element = with_part(with_part(VSR, stopped), replace(PORT, oper_state="OUT_OF_SERVICE"))
    assert not changes({}, element)
    assert after(after({}, with_state("card", "FAILED")), element) == {}

"""Equipment and BGP peers as polls leave them: pulled out, never equipped, renumbered; since when. No poller runs."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.factories.elements import make_element
from tests.factories.inventory import make_instance
from tests.support.walks import rows_of, snapshot_of
from vnfm.elements.domain.drivers import DRIVERS
from vnfm.elements.domain.part_states import UNKNOWN_ACCEPTED
from vnfm.elements.domain.snapshot import ObservedBgpPeer, ObservedEquipment, Snapshot, SystemGroup
from vnfm.elements.models import BgpPeer, Equipment, LastRows, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.equipment_sync import MISSING_REASON
from vnfm.elements.reconcilers.poll_records import record_poll
from vnfm.elements.services.emptied_slots import emptied_slots_keep
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.element_input import element_evaluations
from vnfm.faults.reconcilers.evaluation import evaluate_elements
from vnfm.kit import clock

pytestmark = pytest.mark.django_db

SYSTEM = SystemGroup("pe", "router", "1.3.6.1.4.1.6527.1.3.17", "", 1000.0)
SHELF = ObservedEquipment("network:192.0.2.1:shelf-1", "network:192.0.2.1", "CHASSIS", oper_state="IN_SERVICE")
IN, OUT, EMPTY, PROVISIONED, BOOTING = "IN_SERVICE", "OUT_OF_SERVICE", "EMPTY", "PROVISIONED", "BOOTING"
UNKNOWN = "UNKNOWN"


@pytest.fixture
def element() -> NetworkElement:
    return make_element(name="pe", management_address="192.0.2.1")


def card(state: str, slot: str = "3", **fields: Any) -> ObservedEquipment:
    fdn = f"{SHELF.fdn}:cardSlot-{slot}:card"
    listed = ObservedEquipment(fdn, SHELF.fdn, "CARD", slot, f"Slot {slot}", admin_state="UP", oper_state=state)
    return replace(listed, **fields)


def poll(
    element: NetworkElement, snapshot: Snapshot, *, system: SystemGroup = SYSTEM, now: datetime | None = None
) -> None:
    parts = frozenset({"EQUIPMENT", "BGP"})
    result = PollResult("nokia-sros", system, parts, snapshot, b"")
    element.refresh_from_db()
    assert record_poll(element.id, result, requested_at=element.resync_requested_at, now=now or clock.now())


def states_after(element: NetworkElement, listed: Iterable[ObservedEquipment | None]) -> list[str]:
    """The state of the card after each poll; None: it is not listed."""
    found = []
    for each in listed:
        poll(element, Snapshot(equipment=(SHELF,) if each is None else (SHELF, each)))
        row = Equipment.objects.filter(element=element, equipment_class="CARD").first()
        found.append(row.oper_state if row is not None else "")
    return found


def alarms(element: NetworkElement) -> list[str]:
    NetworkElement.objects.filter(id=element.id).update(resync_state="DONE")
    (evaluation,) = element_evaluations([element.id], clock.now())
    return sorted(fault.key.fault_type for fault in evaluation.result.faults)


@pytest.mark.parametrize(
    ("polls", "states", "faults"),
    [
        ([EMPTY, EMPTY], [EMPTY, EMPTY], []),
        ([IN, EMPTY, EMPTY], [IN, "MISSING", "MISSING"], ["CardDown"]),
        ([IN, PROVISIONED, EMPTY], [IN, PROVISIONED, "MISSING"], ["CardDown"]),
        ([PROVISIONED, EMPTY], [PROVISIONED, EMPTY], []),
        ([UNKNOWN, EMPTY], [UNKNOWN, EMPTY], []),
        ([IN, UNKNOWN, EMPTY], [IN, UNKNOWN, "MISSING"], ["CardDown"]),
        ([IN, EMPTY, UNKNOWN, EMPTY], [IN, "MISSING", UNKNOWN, "MISSING"], ["CardDown"]),
        ([PROVISIONED, UNKNOWN, EMPTY], [PROVISIONED, UNKNOWN, EMPTY], []),
        ([UNKNOWN, None], [UNKNOWN, "MISSING"], ["CardDown"]),
        ([IN, EMPTY, BOOTING, IN], [IN, "MISSING", BOOTING, IN], []),
        ([EMPTY, IN, EMPTY], [EMPTY, IN, "MISSING"], ["CardDown"]),
        ([IN, None, None], [IN, "MISSING", "MISSING"], ["CardDown"]),
        ([IN, EMPTY, None], [IN, "MISSING", "MISSING"], ["CardDown"]),
        ([IN, None, EMPTY], [IN, "MISSING", "MISSING"], ["CardDown"]),
        ([EMPTY, None], [EMPTY, ""], []),
        ([PROVISIONED, None], [PROVISIONED, ""], []),
    ],
    ids=str,
)
def test_a_slot_that_never_had_a_card_is_no_fault_and_one_that_had_one_is(
    element: NetworkElement, polls: list[str | None], states: list[str], faults: list[str]
) -> None:
    assert states_after(element, [None if state is None else card(state) for state in polls]) == states
    assert alarms(element) == faults


@pytest.mark.parametrize("last", [EMPTY, None])
def test_a_resync_accepts_that_a_part_is_gone(element: NetworkElement, last: str | None) -> None:
    gone = card(EMPTY) if last else None
    states_after(element, [card(IN), gone])
    NetworkElement.objects.filter(id=element.id).update(resync_accepts=True)
    assert states_after(element, [gone]) == [EMPTY if last else ""]
    NetworkElement.objects.filter(id=element.id).update(resync_accepts=False)
    assert states_after(element, [gone]) == [EMPTY if last else ""], "it stays accepted"
    assert alarms(element) == []


def test_a_resync_accepts_that_the_state_of_a_slot_is_unknown(element: NetworkElement) -> None:
    """Then it has no alarm, as of a card that was pulled out, until its state is known again."""
    states_after(element, [card("FAILED")])
    evaluate_elements(ids=[element.id], now=clock.now())
    alarm = Alarm.objects.get(managed_object_id=element.id, fault_type="CardDown")
    assert states_after(element, [card(UNKNOWN)]) == [UNKNOWN]
    assert evaluate_elements(ids=[element.id], now=clock.now()) == 0
    NetworkElement.objects.filter(id=element.id).update(resync_accepts=True)
    states_after(element, [card(UNKNOWN)])
    NetworkElement.objects.filter(id=element.id).update(resync_accepts=False)
    states_after(element, [card(UNKNOWN)])
    evaluate_elements(ids=[element.id], now=clock.now())
    alarm.refresh_from_db()
    assert alarm.cleared_at is not None
    assert states_after(element, [None]) == [""], "it stays accepted"
    assert states_after(element, [card("FAILED"), card(UNKNOWN)]) == ["FAILED", UNKNOWN]
    row = Equipment.objects.get(element=element, equipment_class="CARD")
    assert UNKNOWN_ACCEPTED not in row.extra, "it was known since"


def test_a_slot_that_an_operation_of_ours_removes_is_no_fault(element: NetworkElement) -> None:
    states_after(element, [card(IN)])
    NetworkElement.objects.filter(id=element.id).update(slots_leaving=["3"])
    assert states_after(element, [card(EMPTY)]) == [EMPTY]


@pytest.mark.parametrize(
    ("polls", "states", "faults"),
    [
        ([6, 6], [EMPTY, EMPTY], []),
        ([6, 2, 6], [EMPTY, OUT, "MISSING"], ["PortDown"]),
        ([1, 6, 6, 1], [IN, "MISSING", "MISSING", IN], []),
    ],
    ids=str,
)
def test_a_cage_that_never_had_a_transceiver_is_no_fault_and_one_that_had_one_is(
    element: NetworkElement, polls: list[int], states: list[str], faults: list[str]
) -> None:
    rows = rows_of("generic-empty-cages") | {"1.3.6.1.2.1.2.2.1.8.3": 1}
    ports = Equipment.objects.filter(element=element, if_index=1)
    found = []
    for oper in polls:
        poll(element, snapshot_of(rows | {"1.3.6.1.2.1.2.2.1.8.1": oper})[1])
        found.append(ports.get().oper_state)
    assert found == states
    assert alarms(element) == faults


def test_an_element_that_does_not_say_its_uptime_has_not_restarted(element: NetworkElement) -> None:
    poll(element, Snapshot())
    element.refresh_from_db()
    up_since = element.up_since
    silent = DRIVERS[0].system({})
    poll(element, Snapshot(), system=silent, now=clock.now() + timedelta(hours=1))
    element.refresh_from_db()
    assert up_since is not None
    assert (element.up_since, silent.uptime) == (up_since, None)


def test_a_cage_that_the_release_before_had_as_down_is_empty(element: NetworkElement) -> None:
    _, snapshot = snapshot_of(rows_of("generic-empty-cages"))
    poll(element, snapshot)
    ports = Equipment.objects.filter(element=element, if_index=1)
    ports.update(oper_state=OUT, reason="its hardware is missing")
    poll(element, snapshot)
    assert ports.get().oper_state == EMPTY


@pytest.mark.parametrize(("since_read", "state", "faults"), [(1, "MISSING", ["PortDown"]), (0, EMPTY, [])])
def test_a_transceiver_that_was_pulled_out_before_the_upgrade_keeps_its_alarm(
    element: NetworkElement, since_read: int, state: str, faults: list[str]
) -> None:
    _, snapshot = snapshot_of(rows_of("generic-empty-cages") | {"1.3.6.1.2.1.2.2.1.8.3": 1})
    poll(element, snapshot)
    ports = Equipment.objects.filter(element=element, if_index=1)
    read_at = ports.get().since
    NetworkElement.objects.filter(id=element.id).update(first_full_resync_at=read_at)
    since = read_at + timedelta(days=since_read)
    ports.update(oper_state=OUT, reason="its hardware is missing", since=since)
    LastRows.objects.filter(element=element).delete()
    emptied_slots_keep([element.id])
    poll(element, snapshot)
    assert (ports.get().oper_state, alarms(element)) == (state, faults)


def test_a_card_that_the_release_before_had_as_not_listed_is_missing(element: NetworkElement) -> None:
    states_after(element, [card(IN)])
    rows = Equipment.objects.filter(element=element, equipment_class="CARD")
    rows.update(oper_state=EMPTY, reason="The element does not list it any more.")
    assert states_after(element, [None]) == ["MISSING"]


@pytest.mark.parametrize(
    ("since_read", "reason", "of_vnf", "expected"),
    [
        (1, "", False, ("MISSING", "Its slot is empty.", ["CardDown"])),
        (0, "", False, (EMPTY, "", [])),
        (1, "", True, (EMPTY, "", [])),
        (0, MISSING_REASON, True, ("MISSING", MISSING_REASON, ["CardDown"])),
    ],
    ids=["pulled out", "never equipped", "a slot of a VNF", "not listed"],
)
def test_a_card_that_was_pulled_out_before_the_upgrade_keeps_its_alarm(
    element: NetworkElement, since_read: int, reason: str, *, of_vnf: bool, expected: tuple[str, str, list[str]]
) -> None:
    """The release before had any slot without a part as EMPTY, with an alarm."""
    states_after(element, [card(EMPTY)])
    element.refresh_from_db()
    read_at, vnf = element.observed_at, make_instance(name="vsr-1") if of_vnf else None
    NetworkElement.objects.filter(id=element.id).update(first_full_resync_at=read_at, vnf_instance=vnf)
    rows = Equipment.objects.filter(element=element, equipment_class="CARD")
    since = rows.get().since + timedelta(days=since_read)
    rows.update(since=since, reason=reason)
    LastRows.objects.filter(element=element).delete()
    emptied_slots_keep([element.id])
    assert (rows.get().oper_state, rows.get().reason, alarms(element)) == expected, "before the next poll"
    assert states_after(element, [None if reason else card(EMPTY)]) == [expected[0]], "and after it"
    assert (rows.get().since, alarms(element)) == (since, expected[2])
    NetworkElement.objects.filter(id=element.id).update(resync_accepts=True)
    assert states_after(element, [card(EMPTY)]) == [EMPTY]
    assert alarms(element) == []


def test_an_alarm_of_the_release_before_stays_until_this_one_has_read_the_slot(element: NetworkElement) -> None:
    """Another process may evaluate before the poller has the lease of the element's shard."""
    states_after(element, [card("FAILED")])
    evaluate_elements(ids=[element.id], now=clock.now())
    alarm = Alarm.objects.get(managed_object_id=element.id, fault_type="CardDown")
    rows = Equipment.objects.filter(element=element, equipment_class="CARD")
    NetworkElement.objects.filter(id=element.id).update(first_full_resync_at=rows.get().since)
    rows.update(oper_state=EMPTY, since=clock.now() + timedelta(days=1))
    LastRows.objects.filter(element=element).delete()
    assert evaluate_elements(ids=[element.id], now=clock.now()) == 0, "as release 1.0 left it"
    emptied_slots_keep([element.id])
    evaluate_elements(ids=[element.id], now=clock.now())
    alarm.refresh_from_db()
    assert (rows.get().oper_state, alarm.cleared_at) == ("MISSING", None)
    LastRows.objects.create(element=element, column="1.3.6.1", digest=b"0", rows=b"")
    rows.update(oper_state=EMPTY)
    evaluate_elements(ids=[element.id], now=clock.now())
    alarm.refresh_from_db()
    assert alarm.cleared_at is not None, "this release read that it holds nothing"


def test_a_slot_that_this_release_found_empty_is_no_lost_part(element: NetworkElement) -> None:
    states_after(element, [card(EMPTY)])
    NetworkElement.objects.filter(id=element.id).update(first_full_resync_at=clock.now() - timedelta(days=1))
    LastRows.objects.create(element=element, column="1.3.6.1", digest=b"0", rows=b"")
    emptied_slots_keep([element.id])
    assert Equipment.objects.get(element=element, equipment_class="CARD").oper_state == EMPTY


def test_parts_that_are_numbered_otherwise_since_an_upgrade_are_not_missing(element: NetworkElement) -> None:
    """The release before numbered and dropped them so: the first power supply only, ports by the index of their row."""
    element.management_address = "192.0.2.100"
    _, snapshot = snapshot_of(rows_of("entity-same-position"))
    before = {":powerSupply-11": ":powerSupply-1", ":fan-13": ":fan-1", ":port-0": ":port-17305857"}
    old = []
    for part in snapshot.equipment or ():
        end = next((end for end in before if part.fdn.endswith(end)), "")
        if end or part.name not in ("POWER 12", "FAN 14"):
            old.append(replace(part, fdn=part.fdn.removesuffix(end) + before.get(end, "")))
    poll(element, Snapshot(equipment=tuple(old)))
    kept = dict(Equipment.objects.filter(element=element).values_list("name", "pk"))
    poll(element, snapshot)
    rows = Equipment.objects.filter(element=element)
    assert {row.fdn: row.oper_state for row in rows} == {part.fdn: part.oper_state for part in snapshot.equipment or ()}
    assert kept.items() <= dict(rows.values_list("name", "pk")).items(), "they are the same rows"
    assert alarms(element) == ["EquipmentDown"]


def test_what_sysdescr_does_not_say_is_of_the_chassis_and_stays(element: NetworkElement) -> None:
    """As of hardened NE40E, IOS XR and others, whose ENTITY-MIB names product and version."""
    parts = (replace(SHELF, type="NE40E-X8A"), card(IN, type="LPUF-240", software_version="8.180"))
    poll(element, Snapshot(equipment=parts))
    poll(element, Snapshot(bgp_peers=()))
    element.refresh_from_db()
    assert (element.chassis_type, element.software_version) == ("NE40E-X8A", "8.180")
    poll(element, Snapshot(bgp_peers=()), system=replace(SYSTEM, sys_object_id="1.3.6.1.4.1.9.1"))
    element.refresh_from_db()
    assert (element.chassis_type, element.software_version) == ("", ""), "it is another product"


def test_since_when_a_session_is_established_is_by_the_routers_timer(element: NetworkElement) -> None:
    now = clock.now()
    peer = ObservedBgpPeer("", "192.0.2.2", 65000, "UP", "ESTABLISHED", 95, established_seconds=613_583)

    def since(peer: ObservedBgpPeer, after: int) -> timedelta:
        poll(element, Snapshot(bgp_peers=(peer,)), now=now + timedelta(seconds=after))
        return BgpPeer.objects.get(element=element).since - now

    assert since(peer, 0) == timedelta(seconds=-613_583)
    assert since(replace(peer, established_seconds=613_600), 20) == timedelta(seconds=-613_583), "a clock's drift"
    assert since(replace(peer, flaps=96, established_seconds=10), 60) == timedelta(seconds=50), "lost between two polls"
    assert since(replace(peer, state="ACTIVE", established_seconds=15), 120) == timedelta(seconds=105)
    assert since(replace(peer, state="IDLE", established_seconds=None), 180) == timedelta(seconds=180)

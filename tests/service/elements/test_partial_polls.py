"""A fault of one table of an agent: the element is managed, what could not be read is named, kept and marked."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_policy
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.devices.provider import Devices
from vnfm.devices.types import Bounds, Table
from vnfm.elements.domain.drivers.sros import LICENCE_STATUS
from vnfm.elements.domain.drivers.sros_hardware import HW_OPER
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.models import BgpPeer, ElementOmission, Equipment, Interface, LastRows, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollRequest, PollResult, poll_element
from vnfm.elements.selectors import snmp_target_of
from vnfm.elements.services.elements import element_resync, element_unmanage
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_elements
from vnfm.kit import clock

pytestmark = pytest.mark.django_db(transaction=True)
WALKS = Path(__file__).parents[2] / "fixtures" / "walks"
IF_OPER, IP_INDEX, PEER_STATE = "1.3.6.1.2.1.2.2.1.8", "1.3.6.1.2.1.4.34.1.3", "1.3.6.1.4.1.6527.3.1.2.14.4.7.1.59"
ADDRESS = f"{IP_INDEX}.1.4.192.0.2.1"
Poll = Callable[..., None]
_hosts = count(1)


def managed(sim: RoutersimProcess, **options: Any) -> NetworkElement:
    number = next(_hosts)
    name, address = f"partial-{os.getpid()}-{number}", f"127.78.{number}.1"
    added = sim.add(name=name, address=address, **{"kind": "7750-SR-12", "cards": 1, "ports": 2, **options})
    policy = make_policy(port=added["snmpPort"], settings={"timeout_seconds": 0.2})
    return make_element(name=name, management_address=address, snmp_policy=policy)


def after_resync(element: NetworkElement) -> NetworkElement:
    """The element after another full resync."""
    element_resync(element=NetworkElement.objects.get(id=element.id))

    def done() -> NetworkElement | None:
        found = NetworkElement.objects.get(id=element.id)
        return found if found.resync_state in ("DONE", "FAILED") else None

    found = until(done, "the resync", seconds=60)
    assert (found.resync_state, found.reachable) == ("DONE", "True")
    return found


def first_read(element: NetworkElement) -> NetworkElement:
    return until(
        lambda: (found := NetworkElement.objects.get(id=element.id)).first_full_resync_at and found, "it to be read"
    )


def faults_of(element: NetworkElement) -> set[str]:
    evaluate_elements(ids={element.id}, now=clock.now())
    open_ = Alarm.objects.filter(managed_object_id=element.id, cleared_at=None)
    return set(open_.values_list("fault_type", flat=True))


def omissions(element: NetworkElement, api: APIClient) -> list[tuple[str, str]]:
    found = api.get(f"/api/v1/elements/{element.id}/omissions").json()
    return [(each["table"], each["reason"]) for each in found if each["unread"]]


def test_a_table_that_repeats_a_row_costs_only_itself(
    routersim: RoutersimProcess, poll: Poll, viewer_api: APIClient
) -> None:
    """tests/fixtures/walks/snmp-repeated-row.yaml: good at first, then with the fault, then good again."""
    element = managed(routersim, rows=str(WALKS / "snmp-repeated-row.yaml"))
    poll()
    element = first_read(element)
    port = Interface.objects.get(element=element, name="1/1/1")
    addresses = port.addresses
    assert addresses == ["192.0.2.1", "2001:db8::1"]
    assert (port.oper, omissions(element, viewer_api)) == ("DOWN", [])
    routersim.fault(element.name, "repeat-row", oid=ADDRESS)
    found = after_resync(element)
    words = "ipAddressTable could not be read: it repeats a row. What is shown of it was read before."
    assert omissions(element, viewer_api) == [("ipAddressTable", words)]
    assert found.stale_parts == {}
    port.refresh_from_db()
    assert (port.addresses, port.oper) == (addresses, "DOWN")
    assert faults_of(element) >= {"PortDown", "TableUnread"}
    shown = viewer_api.get(f"/api/v1/elements/{element.id}").json()
    assert shown["omissionCount"] >= 1
    assert shown["conditions"][0]["status"] == "True"
    routersim.fault(element.name, "repair-agent")
    after_resync(element)
    assert omissions(element, viewer_api) == []
    assert "TableUnread" not in faults_of(element)


def test_a_new_element_has_no_last_rows(routersim: RoutersimProcess, poll: Poll, viewer_api: APIClient) -> None:
    element = managed(routersim, rows=str(WALKS / "snmp-repeated-row.yaml"))
    routersim.fault(element.name, "repeat-row", oid=ADDRESS)
    poll()
    first_read(element)
    words = "ipAddressTable could not be read: it repeats a row. It is not shown."
    assert omissions(element, viewer_api) == [("ipAddressTable", words)]
    assert Interface.objects.get(element=element, name="1/1/1").addresses == []


@pytest.mark.parametrize("answers", [0, 1], ids=["hangs", "genErr"])
def test_states_that_are_not_answered_are_stale_and_clear_no_alarm(
    routersim: RoutersimProcess, poll: Poll, viewer_api: APIClient, answers: int
) -> None:
    peers = [{"address": "192.0.2.9", "remoteAs": 65009}, {"address": "192.0.2.10", "remoteAs": 65010}]
    element = managed(routersim, peers=peers)
    routersim.fault(element.name, "peer-down", peer="192.0.2.9")
    poll()
    element = first_read(element)
    until(lambda: "BgpPeerDown" in faults_of(element), "the alarm")
    routersim.fault(element.name, "break-table", oid=PEER_STATE.rpartition(".")[0], answers=answers)
    routersim.fault(element.name, "port-down", port="1/1/1")
    found = after_resync(element)
    assert set(found.stale_parts) == {"BGP"}
    listed = viewer_api.get(f"/api/v1/elements/{element.id}/bgp_peers").json()
    assert [(row["state"], row["lastState"]) for row in listed] == [("UNKNOWN", "ESTABLISHED"), ("UNKNOWN", "ACTIVE")]
    assert all(row["unknownSince"] for row in listed)
    assert faults_of(element) >= {"BgpPeerDown", "TableUnread"}
    ports = viewer_api.get(f"/api/v1/elements/{element.id}/equipment?filter=(eq,slot,1/1/1)").json()
    assert [(row["operState"], row["unknownSince"]) for row in ports] == [("OUT_OF_SERVICE", None)]
    since = found.stale_parts
    assert after_resync(element).stale_parts == since
    routersim.fault(element.name, "repair-agent")
    assert after_resync(element).stale_parts == {}
    assert [row["unknownSince"] for row in viewer_api.get(f"/api/v1/elements/{element.id}/bgp_peers").json()] == [
        *(None, None)
    ]


def test_a_column_that_is_not_answered_clears_no_alarm(routersim: RoutersimProcess, poll: Poll) -> None:
    """The agent answers the table without the column of states: no error, and UNKNOWN."""
    element = managed(routersim)
    routersim.fault(element.name, "fan-fail", number=1)
    poll()
    element = first_read(element)
    until(lambda: "EquipmentDown" in faults_of(element), "the alarm")
    routersim.fault(element.name, "hide-objects", oid=HW_OPER)
    after_resync(element)
    fans = Equipment.objects.filter(element=element, equipment_class="FAN")
    assert set(fans.values_list("oper_state", flat=True)) == {"UNKNOWN"}
    assert "EquipmentDown" in faults_of(element)
    routersim.fault(element.name, "fan-repair", number=1)
    after_resync(element)
    assert "EquipmentDown" in faults_of(element), "whether it is repaired is not known"
    assert Alarm.objects.filter(managed_object_id=element.id, fault_type="EquipmentDown").count() == 1
    routersim.fault(element.name, "repair-agent")
    after_resync(element)
    assert "EquipmentDown" not in faults_of(element)


@pytest.mark.parametrize(
    ("oid", "columns"),
    [
        ("1.3.6.1.2.1.1.1", ("sys_descr", "chassis_type", "software_version")),
        ("1.3.6.1.2.1.1.2", ("sys_object_id", "driver")),
        ("1.3.6.1.2.1.1.5", ("sys_name",)),
        ("1.3.6.1.2.1.1.6", ("location",)),
    ],
)
def test_what_the_element_does_not_say_any_more_stays_known(
    routersim: RoutersimProcess, poll: Poll, oid: str, columns: tuple[str, ...]
) -> None:
    element = managed(routersim, location="Berlin")
    poll()
    element = first_read(element)
    known = [getattr(element, column) for column in columns]
    assert all(known)
    routersim.fault(element.name, "hide-objects", oid=oid)
    found = after_resync(element)
    assert [getattr(found, column) for column in columns] == known


def test_a_licence_that_the_element_does_not_say_any_more_clears_no_alarm(
    routersim: RoutersimProcess, poll: Poll
) -> None:
    element = managed(routersim)
    routersim.fault(element.name, "license-invalid")
    poll()
    element = first_read(element)
    until(lambda: "LicenceInvalid" in faults_of(element), "the alarm")
    routersim.fault(element.name, "hide-objects", oid=LICENCE_STATUS)
    after_resync(element)
    assert "LicenceInvalid" in faults_of(element)
    routersim.fault(element.name, "repair-agent")
    routersim.fault(element.name, "license-valid")
    after_resync(element)
    assert "LicenceInvalid" not in faults_of(element)


def test_without_last_rows_a_part_stays_as_it_was(routersim: RoutersimProcess, poll: Poll) -> None:
    """Remove them, as after an upgrade from a release that kept none."""
    element = managed(routersim, peers=[{"address": "192.0.2.9", "remoteAs": 65009}])
    poll()
    element = first_read(element)
    routersim.fault(element.name, "break-table", oid=PEER_STATE, answers=1)
    LastRows.objects.filter(element=element).delete()
    found = after_resync(element)
    assert set(found.stale_parts) == {"BGP"}
    assert BgpPeer.objects.get(element=element).state == "ESTABLISHED"


def test_a_table_that_is_cut_is_unchanged_until_a_row_of_it_changes(routersim: RoutersimProcess) -> None:
    """The state columns are cut at the same rows in small and full polls, and no full poll follows soon."""
    element = managed(routersim, cards=2, ports=20)
    target = snmp_target_of(element.snmp_policy, element.management_address)
    request = PollRequest(target, "", frozenset(PARTS), bounds=Bounds(rows=5))

    def polled(**changes: Any) -> PollResult:
        return asyncio.run(poll_element(Devices(), replace(request, **changes)))

    first = polled()
    assert (first.failed, first.stale) == (False, frozenset())
    assert {line.table for line in first.unread} >= {"ifTable", "tmnxPortTable"}
    small = {"driver": first.driver, "parts": frozenset(), "digest": first.digest}
    assert polled(**small).snapshot is None
    refreshed = polled(**small, refresh=True)
    assert (refreshed.refreshed, refreshed.parts, refreshed.digest) == (True, {"BGP"}, first.digest)
    routersim.fault(element.name, "card-fail", slot="1")
    changed = until(lambda: (found := polled(**small)).snapshot and found, "the change")
    assert changed.digest == polled().digest
    ports = [part.oper_state for part in changed.snapshot.equipment if part.equipment_class == "PORT"]
    assert ports == ["OUT_OF_SERVICE"] * 5


def test_rows_of_tables_with_too_many_octets_are_unknown_and_not_gone(routersim: RoutersimProcess) -> None:
    """The columns that decide which rows there are may be those that were not read whole."""
    element = managed(routersim, cards=2, ports=20)
    target = snmp_target_of(element.snmp_policy, element.management_address)

    async def no_rows(_columns: object) -> Table:
        return {}

    request = PollRequest(target, "", frozenset(PARTS), last_rows=no_rows, bounds=Bounds(octets=2_000))
    found = asyncio.run(poll_element(Devices(), request))
    assert found.snapshot is not None
    assert (found.snapshot.equipment, found.snapshot.interfaces) == (None, None), "what is known stays"
    assert {"EQUIPMENT", "INTERFACES"} <= found.stale
    assert not found.failed, "the bounds are the same at the next poll"
    assert "ifTable" in {line.table for line in found.unread}
    small = replace(request, driver=found.driver, parts=frozenset(), digest=found.digest)
    assert asyncio.run(poll_element(Devices(), small)).snapshot is None


def test_an_agent_without_getbulk_is_managed(routersim: RoutersimProcess, poll: Poll) -> None:
    element = managed(routersim)
    routersim.fault(element.name, "no-getbulk")
    poll()
    element = until(
        lambda: (found := NetworkElement.objects.get(id=element.id)).first_full_resync_at and found, "it", seconds=60
    )
    assert Equipment.objects.filter(element=element, equipment_class="PORT").count() == 2
    assert not ElementOmission.objects.filter(element=element, unread=True).exists()


def test_unmanaging_forgets_rows_and_omissions(routersim: RoutersimProcess, poll: Poll) -> None:
    element = managed(routersim, rows=str(WALKS / "snmp-repeated-row.yaml"))
    routersim.fault(element.name, "repeat-row", oid=ADDRESS)
    poll()
    element = first_read(element)
    assert LastRows.objects.filter(element=element).exists()
    element_unmanage(element=element)
    until(lambda: not LastRows.objects.filter(element=element).exists(), "the rows to go")
    assert not ElementOmission.objects.filter(element=element).exists()

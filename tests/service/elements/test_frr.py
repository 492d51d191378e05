"""Faults of a real router's neighbour, from its agent's notification to the alarm, and what polling finds of them.

The poller reads on its own only every minute here: what comes sooner came by the notification.
"""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from django.db.models import Max

from tests.factories.elements import make_element, make_policy
from tests.support.frr import COMMUNITY, FrrRouter, require_router
from tests.support.waiting import until
from vnfm.devices.provider import Devices
from vnfm.elements.models import Adjacency, BgpPeer, NetworkElement, Trap, TrapReceiver
from vnfm.elements.reconcilers.poller import Poller
from vnfm.elements.services.elements import element_resync
from vnfm.elements.traps.receiver import Receiver
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.element_alarm_loop import run_alarm_loop
from vnfm.kit.problem import ProblemError

pytestmark = [pytest.mark.django_db(transaction=True)]
PERIOD_SECONDS = 60.0
ALARM_SECONDS = 5.0
"""A second on a quiet machine; other tests take the processor."""
PROTOCOLS = {"OSPF", "BFD"} | ({"LLDP"} if shutil.which("lldpd") else set())


@pytest.fixture
def processes(transactional_db: None) -> Iterator[int]:
    """Poller, alarms and receiver, as their processes run them; the port of the receiver."""
    stop, changed = threading.Event(), threading.Event()
    poller = Poller(devices=Devices(), period_seconds=PERIOD_SECONDS, on_change=changed.set)
    receiver = Receiver(listen="0.0.0.0:0", host="here", secret="secret")
    threads = [
        threading.Thread(target=poller.run, args=(stop,)),
        threading.Thread(target=receiver.run, args=(stop,)),
        threading.Thread(target=run_alarm_loop, args=(stop, changed)),
    ]
    for thread in threads:
        thread.start()
    try:
        yield until(lambda: TrapReceiver.objects.filter(port__gt=0).first(), "the receiver to listen").port
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()


@pytest.fixture
def router(processes: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FrrRouter, NetworkElement]]:
    """With all sessions up, as the poller has read."""
    require_router()
    with ExitStack() as stack:
        frr = stack.enter_context(FrrRouter(tmp_path_factory.mktemp("frr"), processes))
        policy = make_policy(community=COMMUNITY, settings={"timeout_seconds": 2})
        element = make_element(name="frr-1", management_address=frr.address, snmp_policy=policy)
        until(lambda: is_at_rest(element) or read_again(element), "all sessions", 60, every=1)
        yield frr, element


def read_again(element: NetworkElement) -> None:
    element.refresh_from_db()
    with suppress(ProblemError):  # it has just been written
        element_resync(element=element)


def is_at_rest(element: NetworkElement) -> bool:
    peers = BgpPeer.objects.filter(element=element)
    up = set(Adjacency.objects.filter(element=element, state__in=("UP", "FULL")).values_list("protocol", flat=True))
    prefixes = [family["accepted"] for peer in peers for family in peer.families]
    return sorted(prefixes) == [1, 2] and up >= PROTOCOLS and not open_alarms()


def open_alarms() -> set[tuple[str, str]]:
    rows = Alarm.objects.filter(cleared_at=None).values_list("fault_type", "faulty_resource_name")
    return {(fault, resource) for fault, resource in rows}


def has_alarm(fault_type: str, words: str) -> bool:
    return any(fault == fault_type and words in resource for fault, resource in open_alarms())


def latest_trap() -> int:
    """Routers notify from their start on: what a test waits for comes after this one."""
    return Trap.objects.aggregate(latest=Max("id"))["latest"] or 0


def has_trap(name: str, after: int) -> bool:
    return Trap.objects.filter(name=name, id__gt=after).exists()


def flaps_of(element: NetworkElement, peer: str) -> int:
    flaps = BgpPeer.objects.get(element=element, peer_address=peer).flaps
    assert flaps is not None, "its agent counts transitions"
    return flaps


def test_a_session_that_bfd_ends_is_an_alarm_within_five_seconds(router: tuple[FrrRouter, NetworkElement]) -> None:
    frr, element = router
    flaps, before = flaps_of(element, frr.neighbour), latest_trap()
    frr.freeze_neighbour()
    until(lambda: has_trap("bfdSessDown", before), "the notification", 20)
    heard = time.monotonic()
    until(lambda: has_alarm("NeighbourLost", "BFD"), "the alarm on the session", 20)
    until(lambda: has_alarm("BgpPeerDown", frr.neighbour), "the alarm on BGP", 20)
    assert time.monotonic() - heard <= ALARM_SECONDS
    assert Adjacency.objects.get(element=element, protocol="BFD").state == "DOWN"
    until(lambda: flaps_of(element, frr.neighbour) == flaps + 1, "the poll that confirms it", 20)
    lost = latest_trap()
    frr.thaw_neighbour()
    until(lambda: has_trap("bfdSessUp", lost), "its end", 20)
    until(lambda: not open_alarms(), "all alarms to clear", 60)


def test_a_neighbour_that_is_killed_is_an_alarm_within_five_seconds(router: tuple[FrrRouter, NetworkElement]) -> None:
    frr, element = router
    flaps, before = flaps_of(element, frr.neighbour), latest_trap()
    began = time.monotonic()
    frr.drop_neighbour()
    until(lambda: has_alarm("BgpPeerDown", frr.neighbour), "the alarm", 20)
    assert time.monotonic() - began <= ALARM_SECONDS
    assert has_trap("bgpBackwardTransNotification", before)
    until(lambda: flaps_of(element, frr.neighbour) == flaps + 1, "the poll that confirms it", 20)
    lost = latest_trap()
    frr.bring_back_neighbour()
    until(lambda: has_trap("bgpEstablishedNotification", lost), "its end", 20)
    until(lambda: not open_alarms(), "all alarms to clear", 90)


def test_a_link_that_is_cut_is_the_root_cause(router: tuple[FrrRouter, NetworkElement]) -> None:
    frr, _ = router
    before = latest_trap()
    frr.cut_link()
    until(lambda: has_trap("linkDown", before), "the notification", 20)
    until(lambda: has_alarm("BgpPeerDown", frr.neighbour), "the alarm on BGP", 20)
    caused = Alarm.objects.filter(cleared_at=None, root_cause__fault_type="PortDown")
    found = {"BgpPeerDown", "NeighbourLost"}
    until(lambda: {alarm.fault_type for alarm in caused.all()} == found, "the port to be their root cause", 30)
    frr.mend_link()
    until(lambda: not open_alarms(), "all alarms to clear", 90)

"""What a notification says has gone down is recorded at once, and what a later poll reads replaces it."""

from datetime import timedelta

import pytest

from tests.factories.elements import make_card, make_element
from vnfm.elements.domain.snapshot import ObservedBgpPeer, Snapshot, SystemGroup
from vnfm.elements.domain.trap_losses import Loss, LostBfdSession, LostInterface, LostPeer
from vnfm.elements.models import Adjacency, BgpPeer, Equipment, Interface, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.poll_records import record_poll, record_unchanged
from vnfm.elements.services.traps import ElementEvents, element_apply_events
from vnfm.kit import clock

pytestmark = pytest.mark.django_db
PEER = "192.0.2.1"


@pytest.fixture
def element() -> NetworkElement:
    made = make_element(resync_state="DONE", observed_at=clock.now())
    rows = {"element": made, "since": clock.now()}
    BgpPeer.objects.create(peer_address=PEER, admin_state="UP", state="ESTABLISHED", **rows)
    BgpPeer.objects.create(peer_address="192.0.2.9", admin_state="UP", state="ACTIVE", **rows)
    for port in (3, 4):
        Adjacency.objects.create(
            protocol="BFD", local_port=f"eth{port}", if_index=port, remote_address=PEER, state="UP", **rows
        )
        Interface.objects.create(if_index=port, name=f"eth{port}", admin="UP", oper="UP", **rows)
        make_card(made, str(port), fdn=f"port-{port}", equipment_class="PORT", if_index=port)
    return made


def lose(element: NetworkElement, *losses: Loss) -> NetworkElement:
    element_apply_events(element.id, ElementEvents(frozenset({"BGP"}), losses=losses), clock.now())
    return NetworkElement.objects.get(id=element.id)


def peers() -> dict[str, str]:
    return dict(BgpPeer.objects.values_list("peer_address", "state"))


def sessions() -> dict[int | None, str]:
    return dict(Adjacency.objects.values_list("if_index", "state"))


def ports() -> list[tuple[int | None, str]]:
    found = [*Interface.objects.values_list("if_index", "oper")]
    return sorted([*found, *Equipment.objects.filter(equipment_class="PORT").values_list("if_index", "oper_state")])


def read(element: NetworkElement, state: str, ago: float = 0) -> bool | None:
    """A poll that began so many seconds ago finds the peer so."""
    peer = ObservedBgpPeer("", PEER, 64501, "UP", state)
    system = SystemGroup(element.sys_name, "", "", "", uptime=60)
    result = PollResult("generic", system, frozenset({"BGP"}), Snapshot(bgp_peers=(peer,)), b"")
    return record_poll(element.id, result, requested_at=None, now=clock.now() - timedelta(seconds=ago))


def test_a_session_is_lost_and_is_read_at_once(element: NetworkElement) -> None:
    after = lose(element, LostPeer(PEER, "IDLE"))
    assert peers() == {PEER: "IDLE", "192.0.2.9": "ACTIVE"}
    assert (after.version, after.resync_state, after.resync_scope) == (element.version + 1, "WAITING", ["BGP"])


def test_what_is_not_up_or_not_known_stays(element: NetworkElement) -> None:
    before = (peers(), sessions(), element.observed_at)
    after = lose(element, LostPeer("192.0.2.9", "IDLE"), LostPeer("192.0.2.8", "IDLE"), LostBfdSession("192.0.2.8", 3))
    assert (peers(), sessions(), after.observed_at) == before


@pytest.mark.parametrize(("if_index", "states"), [(3, ("DOWN", "UP")), (None, ("DOWN", "DOWN")), (5, ("UP", "UP"))])
def test_a_bfd_session_on_its_interface(element: NetworkElement, if_index: int | None, states: tuple[str, str]) -> None:
    lose(element, LostBfdSession(PEER, if_index))
    assert (sessions()[3], sessions()[4]) == states


def test_a_port_with_its_interface(element: NetworkElement) -> None:
    lose(element, LostInterface(3))
    assert ports() == [(3, "DOWN"), (3, "OUT_OF_SERVICE"), (4, "IN_SERVICE"), (4, "UP")]


def test_a_port_of_a_card_waits_for_the_poll(element: NetworkElement) -> None:
    """Its card may be down with it: then that is the root cause."""
    make_card(element, "1", fdn="card-1", equipment_class="CARD")
    lose(element, LostInterface(3))
    assert ports() == [(3, "IN_SERVICE"), (3, "UP"), (4, "IN_SERVICE"), (4, "UP")]


def test_a_poll_from_before_does_not_bring_it_back_and_one_from_after_does(element: NetworkElement) -> None:
    NetworkElement.objects.update(observed_at=clock.now() - timedelta(seconds=60))
    lose(element, LostPeer(PEER, "IDLE"))
    assert read(element, "ESTABLISHED", ago=5) is None
    record_unchanged([element.id], clock.now() - timedelta(seconds=5))
    assert read(element, "ESTABLISHED", ago=4) is None
    assert peers()[PEER] == "IDLE"
    assert read(element, "ESTABLISHED") is True
    assert peers() == {PEER: "ESTABLISHED"}


def test_the_poll_that_confirms_it_changes_no_state(element: NetworkElement) -> None:
    lose(element, LostPeer(PEER, "IDLE"))
    since = BgpPeer.objects.get(peer_address=PEER).since
    assert read(element, "IDLE") is not None
    assert BgpPeer.objects.get(peer_address=PEER).since == since

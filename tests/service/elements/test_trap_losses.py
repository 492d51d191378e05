"""A loss that a notification reports is recorded at once, and what a later poll reads replaces it."""

from datetime import datetime, timedelta

import pytest

from tests.factories.elements import make_card, make_element
from vnfm.elements.domain.snapshot import ObservedBgpPeer, Snapshot, SystemGroup
from vnfm.elements.domain.trap_losses import MAX_LOSS_AGE, Loss, LostBfdSession, LostInterface, LostPeer
from vnfm.elements.models import Adjacency, BgpPeer, Equipment, Interface, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.poll_records import record_poll
from vnfm.elements.services.traps import ElementEvents, element_apply_events
from vnfm.kit import clock

pytestmark = pytest.mark.django_db
PEER, OTHER = "192.0.2.1", "192.0.2.9"


@pytest.fixture
def element() -> NetworkElement:
    made = make_element(resync_state="DONE", observed_at=clock.now() - timedelta(hours=2))
    rows = {"element": made, "since": clock.now() - timedelta(hours=2)}
    BgpPeer.objects.create(peer_address=PEER, admin_state="UP", state="ESTABLISHED", **rows)
    BgpPeer.objects.create(peer_address=OTHER, admin_state="UP", state="ACTIVE", **rows)
    for port in (3, 4):
        Adjacency.objects.create(
            protocol="BFD", local_port=f"eth{port}", if_index=port, remote_address=PEER, state="UP", **rows
        )
        Interface.objects.create(if_index=port, name=f"eth{port}", admin="UP", oper="UP", **rows)
        make_card(made, str(port), fdn=f"port-{port}", equipment_class="PORT", if_index=port)
    return made


def lose(element: NetworkElement, *losses: Loss, at: datetime | None = None, now: datetime | None = None) -> datetime:
    """The time of the request; the notification came `at`, by the clock of the receiver, where it is applied `now`."""
    now = now or clock.now()
    each = tuple((loss, at or now) for loss in losses)
    element_apply_events(element.id, ElementEvents(frozenset({"BGP"}), losses=each), now)
    return now


def reloaded(element: NetworkElement) -> NetworkElement:
    return NetworkElement.objects.get(id=element.id)


def peers() -> dict[str, str]:
    return dict(BgpPeer.objects.values_list("peer_address", "state"))


def sessions() -> dict[int | None, str]:
    return dict(Adjacency.objects.values_list("if_index", "state"))


def ports() -> list[tuple[int | None, str]]:
    found = [*Interface.objects.values_list("if_index", "oper")]
    return sorted([*found, *Equipment.objects.filter(equipment_class="PORT").values_list("if_index", "oper_state")])


def read(element: NetworkElement, state: str, *, other: str = "ACTIVE", requested_at: datetime | None = None) -> bool:
    """A poll that began after that request, of the last ones, finds the peers so."""
    found = tuple(ObservedBgpPeer("", address, 64501, "UP", of) for address, of in ((PEER, state), (OTHER, other)))
    system = SystemGroup(element.sys_name, "", "", "", uptime=60)
    result = PollResult("generic", system, frozenset({"BGP"}), Snapshot(bgp_peers=found), b"")
    return record_poll(element.id, result, requested_at=requested_at, now=clock.now())


def test_a_session_is_lost_and_is_read_at_once(element: NetworkElement) -> None:
    lose(element, LostPeer(PEER, "IDLE"))
    after = reloaded(element)
    assert peers() == {PEER: "IDLE", OTHER: "ACTIVE"}
    assert (after.version, after.resync_state, after.resync_scope) == (element.version + 1, "WAITING", ["BGP"])


def test_what_is_not_up_or_not_known_stays(element: NetworkElement) -> None:
    before = peers(), sessions()
    lose(element, LostPeer(OTHER, "IDLE"), LostPeer("192.0.2.8", "IDLE"), LostBfdSession("192.0.2.8", 3))
    assert (peers(), sessions()) == before


def test_the_loss_counts_from_its_notification_and_is_no_poll(element: NetworkElement) -> None:
    at = clock.now() - timedelta(seconds=2)
    lose(element, LostPeer(PEER, "IDLE"), at=at)
    assert BgpPeer.objects.get(peer_address=PEER).since == at
    assert reloaded(element).observed_at == element.observed_at, "nothing was read"


def test_an_old_notification_only_requests_its_poll(element: NetworkElement) -> None:
    """Many are applied together when the database is back."""
    lose(element, LostPeer(PEER, "IDLE"), at=clock.now() - MAX_LOSS_AGE - timedelta(seconds=1))
    assert peers()[PEER] == "ESTABLISHED"
    assert reloaded(element).resync_state == "WAITING"


def test_a_peer_whose_address_a_vrf_has_too_waits_for_the_poll(element: NetworkElement) -> None:
    """BGP4-MIB names no instance: the session lost may be that of the VRF."""
    BgpPeer.objects.create(
        element=element, vrf="red", peer_address=PEER, admin_state="UP", state="ESTABLISHED", since=clock.now()
    )
    lose(element, LostPeer(PEER, "IDLE"))
    assert set(BgpPeer.objects.filter(peer_address=PEER).values_list("state", flat=True)) == {"ESTABLISHED"}


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


@pytest.mark.parametrize("ahead", [timedelta(), timedelta(hours=1), timedelta(hours=-1)], ids=str)
def test_a_poll_from_before_leaves_the_loss_alone_and_one_from_after_does_not(
    element: NetworkElement, ahead: timedelta
) -> None:
    """Whatever the clock of the receiver's machine says."""
    requested_at = lose(element, LostPeer(PEER, "IDLE"), now=clock.now() + ahead)
    since = BgpPeer.objects.get(peer_address=PEER).since
    assert read(element, "ESTABLISHED", other="ESTABLISHED") is False
    assert peers() == {PEER: "IDLE", OTHER: "ESTABLISHED"}, "all else is recorded"
    assert BgpPeer.objects.get(peer_address=PEER).since == since
    assert reloaded(element).resync_state == "WAITING", "its own poll follows"
    assert read(element, "ESTABLISHED", requested_at=requested_at) is True
    assert peers()[PEER] == "ESTABLISHED"
    assert reloaded(element).resync_state == "DONE"


@pytest.mark.parametrize("ahead", [timedelta(), timedelta(hours=1), timedelta(hours=-1)], ids=str)
def test_polls_go_on_after_the_one_that_was_requested(element: NetworkElement, ahead: timedelta) -> None:
    """Also those of a poller that has started since, and knows of no request."""
    requested_at = lose(element, LostPeer(PEER, "IDLE"), now=clock.now() + ahead)
    assert read(element, "IDLE", requested_at=requested_at) is True
    assert read(element, "ESTABLISHED") is True
    assert peers()[PEER] == "ESTABLISHED"


def test_a_long_poll_leaves_the_losses_of_all_requests_alone(element: NetworkElement) -> None:
    """The last request is of a minute after the loss, and the poll has read since before both."""
    lose(element, LostPeer(PEER, "IDLE"))
    lose(element, now=clock.now() + timedelta(minutes=1))
    assert read(element, "ESTABLISHED") is False
    assert peers()[PEER] == "IDLE"


def test_the_poll_that_confirms_it_changes_no_state(element: NetworkElement) -> None:
    requested_at = lose(element, LostPeer(PEER, "IDLE"))
    before = list(BgpPeer.objects.order_by("id").values("state", "since"))
    assert read(element, "IDLE", requested_at=requested_at) is True
    assert list(BgpPeer.objects.order_by("id").values("state", "since")) == before

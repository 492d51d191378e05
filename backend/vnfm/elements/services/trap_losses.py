"""Records what a notification says has gone down, until the poll that it requests reads the same, or something else."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from vnfm.elements.domain.trap_losses import MAX_LOSS_AGE, Loss, LostBfdSession, LostInterface, LostPeer
from vnfm.elements.models import Adjacency, BgpPeer, Equipment, Interface, NetworkElement

CARDS = (Equipment.Class.CARD, Equipment.Class.CPM, Equipment.Class.MDA)


def record_losses(element: NetworkElement, losses: Iterable[tuple[Loss, datetime]], now: datetime) -> bool:
    """Return whether anything was up until then. The caller's transaction has the element locked."""
    recorded = [_record(element, loss, min(at, now)) for loss, at in losses if now - at <= MAX_LOSS_AGE]
    return any(recorded)


def _record(element: NetworkElement, loss: Loss, at: datetime) -> bool:
    match loss:
        case LostPeer():
            return _record_peer(element, loss, at)
        case LostBfdSession():
            rows = Adjacency.objects.filter(
                element=element, protocol=Adjacency.Protocol.BFD, remote_address=loss.address, state=Adjacency.State.UP
            )
            if loss.if_index is not None:
                rows = rows.filter(Q(if_index=loss.if_index) | Q(if_index=None))
            return bool(rows.update(state=Adjacency.State.DOWN, since=at))
        case LostInterface():
            return _record_port(element, loss.if_index, at)


def _record_peer(element: NetworkElement, loss: LostPeer, at: datetime) -> bool:
    """Not where a VRF has a peer of the same address: BGP4-MIB does not say of which instance its peer is."""
    peers = BgpPeer.objects.filter(element=element, peer_address=loss.address)
    if peers.exclude(vrf="").exists():
        return False
    return bool(peers.filter(state=BgpPeer.State.ESTABLISHED).update(state=loss.state, since=at))


def _record_port(element: NetworkElement, if_index: int, at: datetime) -> bool:
    """The interface, and the port of the equipment tree that it is. Not where there are cards: a port may be down with
    its card, and only a poll shows that.
    """
    if Equipment.objects.filter(element=element, equipment_class__in=CARDS).exists():
        return False
    interfaces = Interface.objects.filter(element=element, if_index=if_index, oper=Interface.Status.UP)
    ports = Equipment.objects.filter(
        element=element,
        equipment_class=Equipment.Class.PORT,
        if_index=if_index,
        oper_state=Equipment.OperState.IN_SERVICE,
    )
    lost = interfaces.update(oper=Interface.Status.DOWN, since=at)
    return bool(lost + ports.update(oper_state=Equipment.OperState.OUT_OF_SERVICE, since=at))

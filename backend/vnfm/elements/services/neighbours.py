"""Links to elements, or to their cards, that an operation of ours removes: their loss is not a fault."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q, QuerySet

from vnfm.elements.models import Adjacency, Equipment, Interface, NetworkElement
from vnfm.elements.services.versioned_rows import elements_touch


def expect_loss(*, element_id: UUID, slots: Collection[str] | None = None) -> None:
    """Neighbours forget their links to the element, or to these slots of it, as soon as they do not list them.

    To be called in a transaction, before it locks the element: this locks it and its neighbours, in the order of ids.
    """
    links = _links_to(element_id, slots).filter(loss_expected=False)
    ids = {element_id, *links.values_list("element_id", flat=True)}
    locked = list(NetworkElement.objects.select_for_update(no_key=True).filter(id__in=ids).order_by("id"))
    at = dict(links.values_list("id", "element_id"))
    Adjacency.objects.filter(id__in=at, state=Adjacency.State.LOST).delete()
    Adjacency.objects.filter(id__in=at).update(loss_expected=True)
    elements_touch([element.id for element in locked if element.id in at.values()])


def cancel_expected_loss(*, element_id: UUID, slots: Collection[str] | None = None) -> None:
    """The element, or these slots of it, stay or are back: neighbours that are lost from now on are a fault."""
    keys = list(_links_to(element_id, slots).filter(loss_expected=True).values_list("id", flat=True))
    Adjacency.objects.filter(id__in=keys).update(loss_expected=False)


def _links_to(element_id: UUID, slots: Collection[str] | None) -> QuerySet[Adjacency]:
    """Adjacencies whose remote end is the element; with slots: whose end, remote or local, is on a port in one."""
    interfaces = Interface.objects.filter(element=element_id)
    if slots is not None:
        ports = _ports_in(element_id, slots)
        interfaces = interfaces.filter(Q(if_index__in=ports) | Q(port_if_index__in=ports))
    known = list(interfaces.only("if_index", "name", "addresses"))
    by_address = (Adjacency.Protocol.OSPF, Adjacency.Protocol.BFD)
    links = Q(protocol__in=by_address, remote_address__in=_own_addresses(element_id, known))
    if name := _own_name(element_id):
        by_name = Q(protocol=Adjacency.Protocol.LLDP, remote_name=name)
        links |= by_name if slots is None else by_name & Q(remote_port__in=[row.name for row in known])
    if slots is not None:
        links |= Q(element=element_id, if_index__in=[row.if_index for row in known])
    return Adjacency.objects.filter(links)


def _ports_in(element_id: UUID, slots: Collection[str]) -> list[int]:
    """The ifIndex of each port in one of the slots."""
    ports = Equipment.objects.filter(element=element_id, equipment_class=Equipment.Class.PORT, if_index__isnull=False)
    rows = ports.values_list("slot", "if_index")
    return [if_index for slot, if_index in rows if if_index is not None and slot.partition("/")[0] in slots]


def _own_addresses(element_id: UUID, interfaces: Collection[Interface]) -> set[str]:
    """Without those that another element has, too: networks of different customers may be equal."""
    own = {address for row in interfaces for address in row.addresses}
    others = Interface.objects.exclude(element=element_id).filter(addresses__has_any_keys=sorted(own)) if own else ()
    shared = {address for row in others for address in row.addresses}
    return {address.partition("/")[0] for address in own - shared}


def _own_name(element_id: UUID) -> str:
    """The sysName; "" when there is none, or another element has the same."""
    names = NetworkElement.objects.filter(id=element_id).values_list("sys_name", flat=True)
    name = next(iter(names), "")
    shared = NetworkElement.objects.filter(sys_name=name).exclude(id=element_id).exists()
    return "" if shared else name

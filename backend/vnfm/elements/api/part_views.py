"""Parts of elements: of one (/api/v1/elements/{id}/…), or searched over all of them (/api/v1/equipment …)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.api.shapes import (
    AdjacencyShape,
    BgpPeerShape,
    ElementFactShape,
    ElementOmissionShape,
    EquipmentShape,
    InterfaceShape,
)
from vnfm.elements.selectors import (
    adjacency_list,
    bgp_peer_list,
    element_get,
    equipment_list,
    fact_list,
    interface_list,
    omission_list,
)
from vnfm.kit import clock
from vnfm.kit.etsi.query import Attributes, Computed, filtered, page
from vnfm.kit.web.shapes import answer
from vnfm.kit.web.wire import list_parameters

PAGE_SIZE = 1000
"""Parts are small, and clients need complete trees."""

_OF_ELEMENT: Attributes = {"elementId": "element_id", "elementName": "element__name"}
EQUIPMENT: Attributes = {
    **_OF_ELEMENT,
    "fdn": "fdn",
    "parentFdn": "parent_fdn",
    "equipmentClass": "equipment_class",
    "slot": "slot",
    "name": "name",
    "type": "type",
    "serialNumber": "serial_number",
    "softwareVersion": "software_version",
    "adminState": "admin_state",
    "operState": Computed(F("current_oper")),
    "vnfcId": "vnfc_id",
    "ifIndex": "if_index",
}
INTERFACES: Attributes = {
    **_OF_ELEMENT,
    "ifIndex": "if_index",
    "name": "name",
    "alias": "alias",
    "adminState": "admin",
    "operState": Computed(F("current_oper")),
    "mac": "mac",
}
PEERS: Attributes = {
    **_OF_ELEMENT,
    "vrf": "vrf",
    "peerAddress": "peer_address",
    "remoteAs": "remote_as",
    "adminState": "admin_state",
    "state": Computed(F("current_state")),
}
ADJACENCIES: Attributes = {
    **_OF_ELEMENT,
    "protocol": "protocol",
    "localPort": "local_port",
    "remoteName": "remote_name",
    "state": Computed(F("current_state")),
}
OMISSIONS: Attributes = {"table": "table", "unread": "unread"}
FACTS: Attributes = {"name": "name", "subject": "subject", "value": "value", "polled": "polled"}


@dataclass(frozen=True, slots=True)
class _Parts:
    """A kind of part: its rows, shape, filters and order."""

    rows: Callable[[datetime], QuerySet[Any]]
    shape: type
    attributes: Attributes
    order: tuple[str, str]
    description: str
    """In OpenAPI, of the list of one element."""


PARTS: Mapping[str, _Parts] = {
    "equipment": _Parts(
        equipment_list,
        EquipmentShape,
        EQUIPMENT,
        ("fdn", "id"),
        "The equipment tree, parents before their children; `parentFdn` is the parent.",
    ),
    "interfaces": _Parts(interface_list, InterfaceShape, INTERFACES, ("if_index", "id"), "Interfaces by ifIndex."),
    "bgp_peers": _Parts(
        bgp_peer_list,
        BgpPeerShape,
        PEERS,
        ("peer_address", "id"),
        "BGP neighbours by address.",
    ),
    "adjacencies": _Parts(
        adjacency_list,
        AdjacencyShape,
        ADJACENCIES,
        ("local_port", "id"),
        "Neighbours by LLDP and OSPF, and BFD sessions, by port.",
    ),
    "facts": _Parts(
        fact_list,
        ElementFactShape,
        FACTS,
        ("name", "id"),
        "Further states, from which alarms may follow: redundancy, licence, routes …, by name.",
    ),
    "omissions": _Parts(
        omission_list,
        ElementOmissionShape,
        OMISSIONS,
        ("table", "id"),
        "What the element answers and is not shown as read, with the reason, by table; at most 200 lines.",
    ),
}


def _page(parts: _Parts, request: Request, element_id: UUID | None = None) -> Response:
    rows = parts.rows(clock.now())
    if element_id is not None:
        rows = rows.filter(element=element_get(element_id=element_id))
    found, headers = page(filtered(rows, request, parts.attributes), request, order=parts.order, size=PAGE_SIZE)
    return Response(answer(parts.shape)(found, many=True).data, headers=headers)


def parts_of_element(name: str) -> Callable[..., HttpResponseBase]:
    """The view of one element's parts; `name` of `PARTS`."""
    parts = PARTS[name]

    class PartsApi(APIView):
        @extend_schema(
            operation_id=f"element_{name}",
            description=parts.description,
            parameters=list_parameters(parts.attributes),
            responses=answer(parts.shape)(many=True),
        )
        def get(self, request: Request, element_id: UUID) -> Response:
            return _page(parts, request, element_id)

    return PartsApi.as_view()


class EquipmentSearchApi(APIView):
    @extend_schema(
        operation_id="equipment_list",
        parameters=list_parameters(EQUIPMENT),
        responses=answer(EquipmentShape)(many=True),
    )
    def get(self, request: Request) -> Response:
        """Equipment of all elements, by filter: cards of a type, a serial number, all that failed."""
        return _page(PARTS["equipment"], request)

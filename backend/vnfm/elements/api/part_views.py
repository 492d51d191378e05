"""Parts of elements: of one (/api/v1/elements/{id}/…), or searched over all of them (/api/v1/equipment …)."""

from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.api.shapes import (
    AdjacencySerializer,
    BgpPeerSerializer,
    ElementFactSerializer,
    EquipmentSerializer,
    InterfaceSerializer,
)
from vnfm.elements.selectors import (
    adjacency_list,
    bgp_peer_list,
    element_get,
    equipment_list,
    fact_list,
    interface_list,
)
from vnfm.kit import clock
from vnfm.kit.query import Attributes, Computed, filtered, page
from vnfm.kit.wire import list_parameters

PAGE_SIZE = 1000
"""Parts are small, and a tree is wanted whole."""

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
    "operState": Computed(F("shown_oper")),
    "vnfcId": "vnfc_id",
    "ifIndex": "if_index",
}
INTERFACES: Attributes = {
    **_OF_ELEMENT,
    "ifIndex": "if_index",
    "name": "name",
    "alias": "alias",
    "adminState": "admin",
    "operState": Computed(F("shown_oper")),
    "mac": "mac",
}
PEERS: Attributes = {
    **_OF_ELEMENT,
    "vrf": "vrf",
    "peerAddress": "peer_address",
    "remoteAs": "remote_as",
    "adminState": "admin_state",
    "state": Computed(F("shown_state")),
}
ADJACENCIES: Attributes = {
    **_OF_ELEMENT,
    "protocol": "protocol",
    "localPort": "local_port",
    "remoteName": "remote_name",
    "state": Computed(F("shown_state")),
}
FACTS: Attributes = {"name": "name", "subject": "subject", "value": "value", "polled": "polled"}


class _PartsApi(APIView):
    """A page of rows, of one element or of all."""

    attributes: Attributes
    serializer: type[serializers.Serializer[Any]]
    order: tuple[str, str]

    def _page(self, rows: QuerySet[Any], request: Request, element_id: UUID | None = None) -> Response:
        if element_id is not None:
            rows = rows.filter(element=element_get(element_id=element_id))
        found, headers = page(filtered(rows, request, self.attributes), request, order=self.order, size=PAGE_SIZE)
        return Response(self.serializer(found, many=True).data, headers=headers)


class EquipmentApi(_PartsApi):
    attributes = EQUIPMENT
    serializer = EquipmentSerializer
    order = ("fdn", "id")

    @extend_schema(
        operation_id="element_equipment",
        parameters=list_parameters(EQUIPMENT),
        responses=EquipmentSerializer(many=True),
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """The equipment tree, parents before their children: `parentFdn` leads to the parent."""
        return self._page(equipment_list(clock.now()), request, element_id)


class EquipmentSearchApi(_PartsApi):
    attributes = EQUIPMENT
    serializer = EquipmentSerializer
    order = ("fdn", "id")

    @extend_schema(
        operation_id="equipment_list",
        parameters=list_parameters(EQUIPMENT),
        responses=EquipmentSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Equipment of all elements: cards of a type, a serial number, all that has failed."""
        return self._page(equipment_list(clock.now()), request)


class InterfacesApi(_PartsApi):
    attributes = INTERFACES
    serializer = InterfaceSerializer
    order = ("if_index", "id")

    @extend_schema(
        operation_id="element_interfaces",
        parameters=list_parameters(INTERFACES),
        responses=InterfaceSerializer(many=True),
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """Interfaces by ifIndex."""
        return self._page(interface_list(clock.now()), request, element_id)


class BgpPeersApi(_PartsApi):
    attributes = PEERS
    serializer = BgpPeerSerializer
    order = ("peer_address", "id")

    @extend_schema(
        operation_id="element_bgp_peers", parameters=list_parameters(PEERS), responses=BgpPeerSerializer(many=True)
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """BGP neighbours by address."""
        return self._page(bgp_peer_list(clock.now()), request, element_id)


class AdjacenciesApi(_PartsApi):
    attributes = ADJACENCIES
    serializer = AdjacencySerializer
    order = ("local_port", "id")

    @extend_schema(
        operation_id="element_adjacencies",
        parameters=list_parameters(ADJACENCIES),
        responses=AdjacencySerializer(many=True),
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """Neighbours by LLDP and OSPF, by port."""
        return self._page(adjacency_list(clock.now()), request, element_id)


class FactsApi(_PartsApi):
    attributes = FACTS
    serializer = ElementFactSerializer
    order = ("name", "id")

    @extend_schema(
        operation_id="element_facts", parameters=list_parameters(FACTS), responses=ElementFactSerializer(many=True)
    )
    def get(self, request: Request, element_id: UUID) -> Response:
        """What else is so of it, and alarms may follow from: redundancy, licence, routes …, by name."""
        return self._page(fact_list(clock.now()), request, element_id)

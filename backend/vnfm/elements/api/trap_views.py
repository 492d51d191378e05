"""/api/v1/traps, /api/v1/elements/{id}/traps: notifications as received; /api/v1/trap_receivers: the receivers."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.domain.mib_objects import BindingValue, binding_name, binding_text
from vnfm.elements.domain.traps import IF_INDEX
from vnfm.elements.models import Trap, TrapReceiver
from vnfm.elements.selectors import element_get, receiver_list, trap_interfaces, trap_list
from vnfm.kit import clock
from vnfm.kit.etsi.query import Attributes, filtered, page, requested_size
from vnfm.kit.web.wire import list_parameters, size_parameter

FILTERS: Attributes = {
    "elementId": "element_id",
    "elementName": "element__name",
    "sourceAddress": "source_address",
    "trapOid": "trap_oid",
    "name": "name",
    "receivedAt": "received_at",
    "sequence": "sequence",
}
PARAMETERS = [*list_parameters(FILTERS), size_parameter()]
NEWEST = ("-received_at", "id")
SILENT_AFTER = timedelta(seconds=15)
"""A receiver updates its row every second."""


class TrapBindingSerializer(serializers.Serializer[Any]):
    oid = serializers.CharField()
    name = serializers.CharField(help_text="Object and index, as ifOperStatus.3; the OID of an unknown object.")
    text = serializers.CharField(
        help_text="The value; enumerations, bits and OIDs in the words of the MIB, an ifIndex as its interface."
    )


class TrapSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    elementId = serializers.UUIDField(source="element_id", allow_null=True, help_text="null: from an unknown address.")
    elementName = serializers.CharField(source="element_name", allow_null=True)
    sourceAddress = serializers.CharField(source="source_address")
    trapOid = serializers.CharField(source="trap_oid")
    name = serializers.CharField(help_text="Empty for a notification that is not in the catalogue.")
    varbinds = serializers.DictField(
        child=serializers.JSONField(allow_null=True), help_text="By object; octets that are no text as 0x…"
    )
    bindings = serializers.SerializerMethodField(help_text="The varbinds in words.")
    receivedAt = serializers.DateTimeField(source="received_at")
    sequence = serializers.IntegerField(
        allow_null=True, help_text="The request-id; some elements number their notifications with it."
    )

    @extend_schema_field(TrapBindingSerializer(many=True))
    def get_bindings(self, trap: Trap) -> list[dict[str, str]]:
        return [
            {"oid": oid, "name": binding_name(oid), "text": self._text(trap, oid, value)}
            for oid, value in trap.varbinds.items()
        ]

    def _text(self, trap: Trap, oid: str, value: BindingValue) -> str:
        """Name the interface of an ifIndex as its element reports it now; the number is the object's index."""
        interface = self.context["interfaces"].get((trap.element_id, value)) if oid.startswith(IF_INDEX) else None
        return interface or binding_text(oid, value)


class TrapRefusalSerializer(serializers.Serializer[Any]):
    sourceAddress = serializers.CharField(source="source", help_text="Empty: of many addresses.")
    elementId = serializers.UUIDField(source="element_id", allow_null=True, help_text="null: of no element.")
    elementName = serializers.CharField(source="element_name", allow_null=True)
    reason = serializers.CharField(help_text="A sentence, for people.")
    count = serializers.IntegerField()
    lastAt = serializers.DateTimeField(source="last_at")


class TrapReceiverSerializer(serializers.Serializer[Any]):
    host = serializers.CharField()
    address = serializers.CharField()
    port = serializers.IntegerField()
    status = serializers.SerializerMethodField(
        help_text="Whether it is listening; Unknown: it has not reported lately."
    )
    problem = serializers.CharField(help_text="A sentence, for people; empty without a problem.")
    startedAt = serializers.DateTimeField(source="started_at", help_text="All counts are since then.")
    observedAt = serializers.DateTimeField(source="reported_at")
    bufferWanted = serializers.IntegerField(source="buffer_wanted", help_text="Octets.")
    bufferSize = serializers.IntegerField(source="buffer_size", help_text="Octets.")
    received = serializers.IntegerField()
    stored = serializers.IntegerField()
    sampledOut = serializers.IntegerField(source="sampled_out", help_text="Of storms: counted, and not stored.")
    repeated = serializers.IntegerField(help_text="Repeated informs.")
    refused = serializers.IntegerField(help_text="Wrong community or SNMPv3 user.")
    garbled = serializers.IntegerField()
    refusals = TrapRefusalSerializer(
        many=True, help_text="Who sent what was refused, garbled or overflowed, and why; the last senders only."
    )
    unknown = serializers.IntegerField(help_text="From addresses of no element.")
    overflowed = serializers.IntegerField(help_text="Dropped, as too many waited to be stored, or as too large.")
    dropped = serializers.IntegerField(help_text="By the kernel, as the socket's buffer was full.")

    @extend_schema_field(serializers.ChoiceField(choices=["True", "False", "Unknown"]))
    def get_status(self, receiver: TrapReceiver) -> str:
        if receiver.reported_at < clock.now() - SILENT_AFTER:
            return "Unknown"
        return "True" if receiver.buffer_size else "False"


class _TrapsApi(APIView):
    def _page(self, rows: QuerySet[Trap], request: Request) -> Response:
        found, headers = page(filtered(rows, request, FILTERS), request, NEWEST, requested_size(request))
        context = {"interfaces": trap_interfaces(found)}
        return Response(TrapSerializer(found, many=True, context=context).data, headers=headers)


class TrapListApi(_TrapsApi):
    @extend_schema(operation_id="trap_list", parameters=PARAMETERS, responses=TrapSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Notifications of all elements, and of addresses without an element; newest first."""
        return self._page(trap_list(), request)


class ElementTrapsApi(_TrapsApi):
    @extend_schema(operation_id="element_traps", parameters=PARAMETERS, responses=TrapSerializer(many=True))
    def get(self, request: Request, element_id: UUID) -> Response:
        """Notifications of one element, newest first; while it storms, a sample."""
        return self._page(trap_list().filter(element=element_get(element_id=element_id)), request)


class TrapReceiverListApi(APIView):
    @extend_schema(operation_id="trap_receiver_list", responses=TrapReceiverSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The trap receiver processes and their status."""
        return Response(TrapReceiverSerializer(receiver_list(), many=True).data)

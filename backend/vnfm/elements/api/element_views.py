"""/api/v1/elements: network elements, virtual and physical."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import F, Value
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.elements.api.shapes import ElementWriteSerializer, NetworkElementSerializer, ResyncRequestSerializer
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import element_get, element_list
from vnfm.elements.services.elements import (
    element_delete,
    element_forget_host_key,
    element_manage,
    element_register,
    element_resync,
    element_suspend,
    element_unmanage,
    element_update,
)
from vnfm.kit import clock
from vnfm.kit.etsi.query import Attributes, Computed, filtered, page, requested_order, requested_size
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import list_parameters, size_parameter, sort_parameter

_COLUMNS = {
    "id": "id",
    "name": "name",
    "kind": "kind",
    "driver": "driver",
    "managementAddress": "management_address",
    "state": "state",
    "resync/state": "resync_state",
    "siteId": "site_id",
    "vnfInstanceId": "vnf_instance_id",
    "vnfInstanceName": "vnf_instance__name",
    "hostElementId": "host_element_id",
    "sysName": "sys_name",
    "sysObjectId": "sys_object_id",
    "location": "location",
    "chassisType": "chassis_type",
    "softwareVersion": "software_version",
}

FILTERS: Attributes = {
    **_COLUMNS,
    "siteName": Computed(Coalesce(F("site__name"), Value(""))),
    "reachable": "current_reachable",
}
"""siteName is "" without a site, so that a filter can find those elements."""

SORTS = {
    **{name: _COLUMNS[name] for name in ("name", "kind", "managementAddress", "state", "resync/state")},
    **{name: _COLUMNS[name] for name in ("location", "chassisType", "softwareVersion")},
    "reachable": "current_reachable",
    "createdAt": "created_at",
}
OLDEST_FIRST = ("created_at", "id")


def _serialized(element: NetworkElement) -> Any:  # DRF's representation
    return NetworkElementSerializer(element, context={"now": clock.now()}).data


def _answer(element_id: UUID, status: int = 200) -> Response:
    element = element_get(element_id=element_id)
    return Response(_serialized(element), status=status, headers={"ETag": etag(element.version)})


class ElementListApi(APIView):
    @extend_schema(
        operation_id="element_list",
        parameters=[*list_parameters(FILTERS), size_parameter(), sort_parameter(SORTS)],
        responses=NetworkElementSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Network elements, oldest first by default."""
        order = requested_order(request, SORTS, OLDEST_FIRST)
        found = filtered(element_list(), request, FILTERS)
        rows, headers = page(found, request, order, requested_size(request))
        # One for all of them: each copies its forty fields, which took most of the time.
        serializer = NetworkElementSerializer(context={"now": clock.now()})
        return Response([serializer.to_representation(element) for element in rows], headers=headers)

    @extend_schema(
        operation_id="element_register",
        request=ElementWriteSerializer,
        responses={201: NetworkElementSerializer},
    )
    def post(self, request: Request) -> Response:
        """Register a network element. The poller reads it; `resync` shows the progress."""
        body = ElementWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        element = element_register(columns=body.validated_data)
        answer = _answer(element.id, 201)
        answer["Location"] = request.build_absolute_uri(f"{request.path}/{element.id}")
        return answer


class ElementApi(APIView):
    @extend_schema(operation_id="element_view", responses=NetworkElementSerializer)
    def get(self, request: Request, element_id: UUID) -> Response:
        """One network element."""
        return _answer(element_id)

    @extend_schema(
        operation_id="element_update",
        request=ElementWriteSerializer(partial=True),
        responses=NetworkElementSerializer,
    )
    def patch(self, request: Request, element_id: UUID) -> Response:
        """Change an element; with another address or SNMP policy it is read again. Honours If-Match."""
        element = element_get(element_id=element_id)
        require_match(request, element.version)
        body = ElementWriteSerializer(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        element_update(element=element, changes=body.validated_data)
        return _answer(element_id)

    @extend_schema(operation_id="element_delete", responses={204: None})
    def delete(self, request: Request, element_id: UUID) -> Response:
        """Delete an element and all that is known of it; 409 while it hosts Virtual Systems."""
        element = element_get(element_id=element_id)
        require_match(request, element.version)
        element_delete(element=element)
        return Response(status=204)


class _ActionApi(APIView):
    """An action on one element, without a body."""

    act: ClassVar[Callable[..., object]]

    def _perform(self, request: Request, element_id: UUID) -> Response:
        element = element_get(element_id=element_id)
        require_match(request, element.version)
        type(self).act(element=element)
        return _answer(element_id)


_NOTHING = serializers.Serializer[None]


class ElementManageApi(_ActionApi):
    act = staticmethod(element_manage)

    @extend_schema(operation_id="element_manage", request=_NOTHING, responses=NetworkElementSerializer)
    def post(self, request: Request, element_id: UUID) -> Response:
        """Poll it (again), beginning with a full resync."""
        return self._perform(request, element_id)


class ElementUnmanageApi(_ActionApi):
    act = staticmethod(element_unmanage)

    @extend_schema(operation_id="element_unmanage", request=_NOTHING, responses=NetworkElementSerializer)
    def post(self, request: Request, element_id: UUID) -> Response:
        """Stop polling it and delete what was read of it; it stays in the list."""
        return self._perform(request, element_id)


class ElementSuspendApi(_ActionApi):
    act = staticmethod(element_suspend)

    @extend_schema(operation_id="element_suspend", request=_NOTHING, responses=NetworkElementSerializer)
    def post(self, request: Request, element_id: UUID) -> Response:
        """Stop polling it and keep what is known."""
        return self._perform(request, element_id)


class ElementForgetHostKeyApi(_ActionApi):
    act = staticmethod(element_forget_host_key)

    @extend_schema(operation_id="element_forget_host_key", request=_NOTHING, responses=NetworkElementSerializer)
    def post(self, request: Request, element_id: UUID) -> Response:
        """Trust the host keys that it shows next, by SSH and NETCONF: they were generated again, or it was replaced."""
        return self._perform(request, element_id)


class ElementResyncApi(APIView):
    @extend_schema(
        operation_id="element_resync", request=ResyncRequestSerializer, responses={202: NetworkElementSerializer}
    )
    def post(self, request: Request, element_id: UUID) -> Response:
        """Read it now, completely or in parts; `resync` shows the progress."""
        element = element_get(element_id=element_id)
        body = ResyncRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        element_resync(element=element, **body.validated_data)
        return _answer(element_id, 202)

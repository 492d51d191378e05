"""/api/v1/vims: clouds that we may use. A password goes in and never comes out."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.clouds.types import Connection, Network
from vnfm.kit import clock
from vnfm.kit.etsi.query import Attributes, Computed, filtered, page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.shapes import answer, as_answer
from vnfm.kit.web.wire import list_parameters
from vnfm.vims.api.shapes import (
    NetworkWriteSerializer,
    VimSerializer,
    VimWriteSerializer,
)
from vnfm.vims.models import Vim
from vnfm.vims.selectors import VimResources, network_of, project_name, vim_get, vim_list, vim_resources_view
from vnfm.vims.services import vim_create, vim_delete, vim_network_create, vim_probe_request, vim_update

FILTERS: Attributes = {
    "id": "id",
    "name": "name",
    "region": "region",
    "projectName": Computed(project_name()),
    "authUrl": "auth_url",
}


def _answer(vim: Vim, status: int = 200) -> Response:
    return Response(_representation(vim), status=status, headers={"ETag": etag(vim.version)})


def _representation(vim: Vim) -> Any:  # DRF's representation
    return VimSerializer(vim, context={"now": clock.now()}).data


class VimListApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="vim_list", parameters=list_parameters(FILTERS), responses=VimSerializer(many=True))
    def get(self, request: Request) -> Response:
        """All registered VIMs, oldest first."""
        rows, headers = page(filtered(vim_list(), request, FILTERS), request)
        return Response([_representation(vim) for vim in rows], headers=headers)

    @extend_schema(operation_id="vim_create", request=VimWriteSerializer, responses={201: VimSerializer})
    def post(self, request: Request) -> Response:
        """Register a VIM. Waits up to 15 s for a worker to probe it; 422 names the fields that the cloud refuses."""
        body = VimWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        values = dict(body.validated_data)
        name, description = values.pop("name"), values.pop("description", "")
        filters = values.pop("scheduler_filters", None)
        connection = Connection(**{"username": "", **values})
        vim = vim_create(name=name, description=description, connection=connection, scheduler_filters=filters)
        answer = _answer(vim, 201)
        answer["Location"] = request.build_absolute_uri(f"{request.path}/{vim.id}")
        return answer


class VimApi(APIView):
    write_role = Role.ADMIN

    @extend_schema(operation_id="vim_view", responses=VimSerializer)
    def get(self, request: Request, vim_id: UUID) -> Response:
        """One VIM."""
        return _answer(vim_get(vim_id=vim_id))

    @extend_schema(operation_id="vim_update", request=VimWriteSerializer(partial=True), responses=VimSerializer)
    def patch(self, request: Request, vim_id: UUID) -> Response:
        """Change a VIM. A changed connection is probed first, as at registration; honours If-Match."""
        vim = vim_get(vim_id=vim_id)
        require_match(request, vim.version)
        body = VimWriteSerializer(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        return _answer(vim_update(vim=vim, changes=body.validated_data))

    @extend_schema(operation_id="vim_delete", responses={204: None})
    def delete(self, request: Request, vim_id: UUID) -> Response:
        """Delete a VIM; its cloud is left as it is. 409 while VNF instances live there."""
        vim = vim_get(vim_id=vim_id)
        require_match(request, vim.version)
        vim_delete(vim=vim)
        return Response(status=204)


class VimProbeApi(APIView):
    write_role = Role.OPERATOR

    @extend_schema(operation_id="vim_probe", request=serializers.Serializer[None], responses={202: VimSerializer})
    def post(self, request: Request, vim_id: UUID) -> Response:
        """Probe the VIM now; the event `vim.changed` follows when something has changed."""
        vim = vim_get(vim_id=vim_id)
        vim_probe_request(vim=vim)
        return _answer(vim, 202)


class VimResourcesApi(APIView):
    @extend_schema(operation_id="vim_resources", responses=answer(VimResources))
    def get(self, request: Request, vim_id: UUID) -> Response:
        """Flavors, images and networks to pick from, and what templates can use, as of the last probe."""
        return Response(as_answer(vim_resources_view(vim_get(vim_id=vim_id))))


class VimNetworkListApi(APIView):
    write_role = Role.OPERATOR

    @extend_schema(operation_id="vim_network_create", request=NetworkWriteSerializer, responses={201: answer(Network)})
    def post(self, request: Request, vim_id: UUID) -> Response:
        """Create a network with one subnet in the VIM's project, to attach VNFs to. It is the project's: no operation
        deletes it. Waits up to 15 s for a worker; the cloud's refusal is passed on.
        """
        vim = vim_get(vim_id=vim_id)
        body = NetworkWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        created = vim_network_create(vim=vim, **body.validated_data)
        return Response(as_answer(network_of(created)), status=201)

"""/api/v1/topology: sites, network elements, clouds and their VNF instances as a map."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.kit.web.http import MergePatchParser
from vnfm.topology.api.shapes import KINDS, KINDS_LIST, SITE, Topology, TopologyPositions, TopologyQuery
from vnfm.topology.domain.build import SCOPES
from vnfm.topology.domain.fold import MapFilter
from vnfm.topology.selectors import positions_of, topology
from vnfm.topology.services import positions_reset, positions_save

SCOPE = OpenApiParameter(
    "scope",
    str,
    enum=SCOPES,
    description="Everything; sites and network elements; clouds with VNF instances; clouds with hosts and their VMs.",
)
PARAMETERS = [
    SCOPE,
    OpenApiParameter(
        "site",
        {"type": "string", "pattern": SITE},
        description="Id of a site, or none: what is there, and what that is linked with.",
    ),
    OpenApiParameter("instance", UUID, description="Id of a VNF instance: its parts, and what these are linked with."),
    OpenApiParameter(
        "kinds",
        {"type": "string", "pattern": KINDS_LIST},
        description=f"Comma-separated, of {', '.join(KINDS)}; default all.",
    ),
    OpenApiParameter("expand", str, description="Ids of the nodes to expand, or all."),
]


def _query(request: Request) -> dict[str, Any]:
    query = TopologyQuery(data=request.query_params.dict())
    query.is_valid(raise_exception=True)
    return dict(query.validated_data)


def _positions(points: Mapping[str, list[float]]) -> Response:
    return Response({"positions": {node: {"x": x, "y": y} for node, (x, y) in points.items()}})


class TopologyApi(APIView):
    @extend_schema(operation_id="topology_view", parameters=PARAMETERS, responses={200: Topology, 304: None})
    def get(self, request: Request) -> HttpResponse:
        """The current map. Its entity tag is of its content: `If-None-Match` gets a 304 while it is the same."""
        query = _query(request)
        found = topology(scope=query.pop("scope"), criteria=MapFilter(**query))
        body = json.dumps(Topology(found).data, cls=JSONEncoder, separators=(",", ":"), sort_keys=True).encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if tag in parse_etags(request.headers.get("If-None-Match", "")):
            return HttpResponse(status=304, headers=headers)
        return HttpResponse(body, content_type="application/json", headers=headers)


class PositionsApi(APIView):
    """Positions of the nodes that the caller has moved; other users' maps do not change."""

    write_role = Role.VIEWER
    parser_classes = (MergePatchParser,)

    @extend_schema(operation_id="topology_positions", parameters=[SCOPE], responses=TopologyPositions)
    def get(self, request: Request) -> Response:
        """Positions of the nodes that the caller has moved on the map of a scope."""
        return _positions(positions_of(user_id=caller(request).id, scope=_query(request)["scope"]))

    @extend_schema(
        operation_id="topology_positions_save",
        parameters=[SCOPE],
        request={"application/merge-patch+json": TopologyPositions},
        responses=TopologyPositions,
    )
    def patch(self, request: Request) -> Response:
        """Move nodes; those that are not named stay."""
        body = TopologyPositions(data=request.data)
        body.is_valid(raise_exception=True)
        moved = {
            node: None if point is None else (point["x"], point["y"])
            for node, point in body.validated_data["positions"].items()
        }
        return _positions(positions_save(user_id=caller(request).id, scope=_query(request)["scope"], moved=moved))

    @extend_schema(operation_id="topology_positions_forget", parameters=[SCOPE], responses={204: None})
    def delete(self, request: Request) -> Response:
        """Return all nodes to the layout."""
        positions_reset(user_id=caller(request).id, scope=_query(request)["scope"])
        return Response(status=204)

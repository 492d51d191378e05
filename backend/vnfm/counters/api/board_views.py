"""/api/v1/boards: charts that a user wants to see together, and others may see when they are shared."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from vnfm.accounts.roles import Role
from vnfm.accounts.wire import caller
from vnfm.counters.api.board_shapes import (
    BOARD_SERIES_PARAMETERS,
    BoardQuerySerializer,
    BoardSerializer,
    BoardSeriesSerializer,
    BoardWriteSerializer,
    ChartWriteSerializer,
    series_ref,
)
from vnfm.counters.api.time_range import time_range
from vnfm.counters.models import Board
from vnfm.counters.selectors.boards import board_get, board_list, board_series, series_of, source_names
from vnfm.counters.services.boards import board_create, board_delete, board_update, chart_add
from vnfm.kit.etsi.query import filtered, page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import list_parameters

FILTERS = {"id": "id", "name": "name", "ownerName": "owner__username", "shared": "shared"}


def _representations(boards: list[Board], user_id: UUID) -> Any:  # DRF's representation
    context = {"user_id": user_id, "names": source_names(series_of(boards))}
    return BoardSerializer(boards, many=True, context=context).data


def _answer(board: Board, user_id: UUID, status: int = 200) -> Response:
    return Response(_representations([board], user_id)[0], status=status, headers={"ETag": etag(board.version)})


def _chart(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "series": [series_ref(each) for each in values["series"]]}


def _values(body: BoardWriteSerializer) -> dict[str, Any]:
    values = dict(body.validated_data)
    if "charts" in values:
        values["charts"] = [_chart(each) for each in values["charts"]]
    return values


class BoardListApi(APIView):
    write_role = Role.VIEWER

    @extend_schema(
        operation_id="board_list",
        tags=["Performance"],
        parameters=list_parameters(FILTERS),
        responses=BoardSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """The caller's boards in their order, and those that other users share."""
        user_id = caller(request).id
        rows, headers = page(filtered(board_list(user_id=user_id), request, FILTERS), request, ("position", "id"))
        return Response(_representations(rows, user_id), headers=headers)

    @extend_schema(
        operation_id="board_create",
        tags=["Performance"],
        request=BoardWriteSerializer,
        responses={201: BoardSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a board, after the caller's others."""
        body = BoardWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        values = _values(body)
        values.pop("position", None)
        board = board_create(owner_id=caller(request).id, **values)
        answer = _answer(board, caller(request).id, 201)
        answer["Location"] = request.build_absolute_uri(f"{request.path}/{board.id}")
        return answer


class BoardApi(APIView):
    write_role = Role.VIEWER

    @extend_schema(operation_id="board_view", tags=["Performance"], responses=BoardSerializer)
    def get(self, request: Request, board_id: UUID) -> Response:
        """One board: the caller's own, or a shared one."""
        return _answer(board_get(user_id=caller(request).id, board_id=board_id), caller(request).id)

    @extend_schema(
        operation_id="board_update",
        tags=["Performance"],
        request=BoardWriteSerializer(partial=True),
        responses=BoardSerializer,
    )
    def patch(self, request: Request, board_id: UUID) -> Response:
        """Rename, share or move a board, or replace its charts; only its owner may. Honours If-Match."""
        board = board_get(user_id=caller(request).id, board_id=board_id)
        require_match(request, board.version)
        body = BoardWriteSerializer(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        return _answer(board_update(board=board, user_id=caller(request).id, changes=_values(body)), caller(request).id)

    @extend_schema(operation_id="board_delete", tags=["Performance"], responses={204: None})
    def delete(self, request: Request, board_id: UUID) -> Response:
        """Delete a board; only its owner may. Honours If-Match."""
        board = board_get(user_id=caller(request).id, board_id=board_id)
        require_match(request, board.version)
        board_delete(board=board, user_id=caller(request).id)
        return Response(status=204)


class BoardChartListApi(APIView):
    write_role = Role.VIEWER

    @extend_schema(
        operation_id="board_chart_add",
        tags=["Performance"],
        request=ChartWriteSerializer,
        responses={201: BoardSerializer},
    )
    def post(self, request: Request, board_id: UUID) -> Response:
        """Add a chart at the end of the caller's board."""
        user_id = caller(request).id
        board = board_get(user_id=user_id, board_id=board_id)
        body = ChartWriteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        return _answer(chart_add(board=board, user_id=user_id, chart=_chart(body.validated_data)), user_id, 201)


class BoardSeriesApi(APIView):
    @extend_schema(
        operation_id="board_series",
        tags=["Performance"],
        parameters=BOARD_SERIES_PARAMETERS,
        responses=BoardSeriesSerializer,
    )
    def get(self, request: Request, board_id: UUID) -> Response:
        """Values of all series of a board, in the same steps; those whose source does not exist are left out."""
        board = board_get(user_id=caller(request).id, board_id=board_id)
        query = BoardQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        span = time_range(query.validated_data)
        at, series = board_series(board=board, begin=span.begin, end=span.end, step=span.step)
        return Response(BoardSeriesSerializer({"step": span.step, "at": at, "series": series}).data)

"""Resources of the plainest kind: listed, created, viewed, changed and deleted, each with a version as its ETag.

What differs from one to the next stands in a `Resource`; the requests themselves are written here, once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar, cast
from uuid import UUID

from django.db.models import Model, QuerySet
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from vnfm.kit.etsi.query import filtered, one, page
from vnfm.kit.web.http import etag, require_match
from vnfm.kit.web.wire import list_parameters

Values = dict[str, Any]
"""A body that has been checked, by the names of `source`."""


M = TypeVar("M", bound=Model)


class Sentences(NamedTuple):
    """The purpose of each request, one sentence or two; the API's own documentation."""

    list: str
    create: str
    view: str
    change: str
    delete: str


@dataclass(frozen=True, kw_only=True)
class Resource(Generic[M]):
    """A kind of resource. Creates, changes and deletes get the user of the request last."""

    name: str
    """Operation ids are made of it: site_list, site_create …"""
    noun: str
    """Errors have it: there is no `noun` with that id."""
    key: str
    """The path's name of its id."""
    rows: Callable[[], QuerySet[M]]
    shape: type[Serializer[Any]]
    creates: type[Serializer[Any]]
    changes: type[Serializer[Any]]
    """Body of a PATCH; attributes may be left out."""
    create: Callable[[Values, Any], M]
    change: Callable[[M, Values, Any], M]
    delete: Callable[[M, Any], object]
    sentences: Sentences
    filters: Mapping[str, str] = field(default_factory=dict)
    """Attributes to filter by, and their columns."""
    order: Sequence[str] = ("created_at", "id")
    """The columns that a list is sorted by; the second is unique."""
    write_role: str | None = None
    """The role that may create, change and delete; None for the default of the API."""

    def one(self, place: Mapping[str, UUID]) -> M:
        """The row that a path names. Raises a 404 problem when there is none."""
        return one(self.rows(), self.noun, place[self.key])

    def unchanged(self, request: Request, place: Mapping[str, UUID]) -> M:
        """The same; raises a 412 problem when it is not the version that If-Match names."""
        row = self.one(place)
        require_match(request, cast("Any", row).version)
        return row

    def answer(self, row: Any, status: int = 200) -> Response:
        """The row on the wire, with its version as ETag."""
        return Response(self.shape(row).data, status=status, headers={"ETag": etag(row.version)})


def resource_urls(path_of_all: str, resource: Resource[M]) -> list[URLPattern]:
    """Return the routes of its requests: the collection, and each one below it."""
    return [
        path(path_of_all, _list_view(resource).as_view()),
        path(f"{path_of_all}/<uuid:{resource.key}>", _item_view(resource).as_view()),
    ]


def _list_view(resource: Resource[M]) -> type[APIView]:
    """GET and POST of the collection."""
    r, says = resource, resource.sentences

    class ListApi(APIView):
        write_role = r.write_role

        @extend_schema(
            operation_id=f"{r.name}_list",
            description=says.list,
            parameters=list_parameters(r.filters),
            responses=r.shape(many=True),
        )
        def get(self, request: Request) -> Response:
            rows, headers = page(filtered(r.rows(), request, r.filters), request, r.order)
            return Response(r.shape(rows, many=True).data, headers=headers)

        @extend_schema(
            operation_id=f"{r.name}_create", description=says.create, request=r.creates, responses={201: r.shape}
        )
        def post(self, request: Request) -> Response:
            body = r.creates(data=request.data)
            body.is_valid(raise_exception=True)
            row = r.create(body.validated_data, request.user)
            answer = r.answer(row, 201)
            answer["Location"] = request.build_absolute_uri(f"{request.path}/{row.pk}")
            return answer

    return ListApi


def _item_view(resource: Resource[M]) -> type[APIView]:
    """GET, PATCH and DELETE of one; the last two honour If-Match."""
    r, says = resource, resource.sentences

    class ItemApi(APIView):
        write_role = r.write_role

        @extend_schema(operation_id=f"{r.name}_view", description=says.view, responses=r.shape)
        def get(self, _request: Request, **place: UUID) -> Response:
            return r.answer(r.one(place))

        @extend_schema(
            operation_id=f"{r.name}_update",
            description=says.change,
            request=r.changes(partial=True),
            responses=r.shape,
        )
        def patch(self, request: Request, **place: UUID) -> Response:
            row = r.unchanged(request, place)
            body = r.changes(data=request.data, partial=True)
            body.is_valid(raise_exception=True)
            return r.answer(r.change(row, body.validated_data, request.user))

        @extend_schema(operation_id=f"{r.name}_delete", description=says.delete, responses={204: None})
        def delete(self, request: Request, **place: UUID) -> Response:
            r.delete(r.unchanged(request, place), request.user)
            return Response(status=204)

    return ItemApi

"""The base class of Neutron resources: lists with filters, ``fields``, bulk create, owners, quotas."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.network import attributes as at
from cloudsim.network.quotas import refuse_over_quota

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

_RESERVED = {"fields", "sort_key", "sort_dir", "limit", "marker", "page_reverse"}


class Resource:
    """List, show, create, update and delete of a kind; subclasses define attributes and dependencies.

    Documents have the administrator's view; ``admin_only`` names are hidden from others.
    """

    kind: ClassVar[str]
    plural: ClassVar[str]
    path: ClassVar[str]
    spec: ClassVar[Mapping[str, at.Attr]]
    admin_only: ClassVar[frozenset[str]] = frozenset()
    not_found: ClassVar[tuple[str, str]]
    """The type and message of the 404, with ``{id}``."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud
        self.store = cloud.store
        self.store.index(self.kind, "project", lambda doc: [doc["tenant_id"]])

    def routes(self) -> list[Route]:
        root, one = f"/v2.0/{self.path}", f"/v2.0/{self.path}/{{id}}"
        return [
            Route("GET", root, self.index),
            Route("POST", root, self.create),
            Route("GET", one, self.show),
            Route("PUT", one, self.update),
            Route("DELETE", one, self.delete),
        ]

    # Methods of subclasses

    def make(self, ctx: RequestContext, attrs: Doc) -> Doc:
        """Store a new resource; ``attrs`` has ``id`` and ``tenant_id``. Raises ApiFault."""
        raise NotImplementedError

    def change(self, ctx: RequestContext, doc: Doc, attrs: Doc) -> Doc:
        """Change and store a document."""
        raise NotImplementedError

    def remove(self, ctx: RequestContext, doc: Doc) -> None:
        """Delete a document with its dependent objects."""
        raise NotImplementedError

    def candidates(self, ctx: RequestContext, query: Mapping[str, list[str]]) -> Iterable[Doc]:
        """Return the documents that a list may show, by the best index."""
        if ctx.is_admin and "tenant_id" not in query:
            return self.store.list(self.kind)
        owners = query["tenant_id"] if ctx.is_admin else [ctx.project_id]
        return (doc for owner in owners for doc in self.store.find(self.kind, "project", owner))

    def visible(self, ctx: RequestContext, doc: Doc) -> bool:
        return bool(ctx.is_admin or doc["tenant_id"] == ctx.project_id)

    def view(self, ctx: RequestContext, doc: Doc) -> Doc:
        if ctx.is_admin or not self.admin_only:
            return doc
        return {name: value for name, value in doc.items() if name not in self.admin_only}

    def matches(self, doc: Doc, name: str, values: list[str]) -> bool:
        """Return whether a document passes a filter; as in Liberty, unknown filters are ignored."""
        if name not in doc:
            return True
        held = doc[name]
        if isinstance(held, bool):
            return any((value.lower() in {"true", "1"}) == held for value in values)
        return ("" if held is None else str(held)) in values

    # Operations

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        query: dict[str, list[str]] = {}
        for name, value in request.query.multi_items():
            query.setdefault(name, []).append(value)
        filters = [(name, values) for name, values in query.items() if name not in _RESERVED]
        found = [
            doc
            for doc in self.candidates(ctx, query)
            if self.visible(ctx, doc) and all(self.matches(doc, name, values) for name, values in filters)
        ]
        _sort(found, query)
        page, links = _page(found, query, request)
        fields = query.get("fields")
        shown = [_only(self.view(ctx, doc), fields) for doc in page]
        return Reply(200, {self.plural: shown, **({f"{self.plural}_links": links} if links else {})})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        return Reply(200, {self.kind: _only(self.view(ctx, doc), request.query.getlist("fields"))})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        body = request.object
        if self.plural in body and self.kind not in body:
            return Reply(201, {self.plural: self._create_all(ctx, body[self.plural])})
        made = self.view(ctx, self.create_one(ctx, body.get(self.kind)))
        self._notify("create", {self.kind: made})
        return Reply(201, {self.kind: made})

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        body = request.object
        attrs = at.read(self.spec, body.get(self.kind), kind=self.kind, creating=False, is_admin=ctx.is_admin)
        self.require_owner(ctx, doc, "update")
        changed = self.view(ctx, self.change(ctx, doc, attrs))
        self._notify("update", {self.kind: changed})
        return Reply(200, {self.kind: changed})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        self.require_owner(ctx, doc, "delete")
        self.remove(ctx, doc)
        self._notify("delete", {f"{self.kind}_id": doc["id"]})
        return Reply(204)

    def _notify(self, verb: str, payload: Doc) -> None:
        """Notify about a change through the API; as in Neutron, reports of agents are not notified."""
        self.cloud.notifier.notify("neutron", f"{self.kind}.{verb}.end", payload)

    def create_one(self, ctx: RequestContext, body: Any) -> Doc:
        attrs = at.read(self.spec, body, kind=self.kind, creating=True, is_admin=ctx.is_admin)
        owner = attrs.pop("project_id", None) or attrs.pop("tenant_id", None) or ctx.project_id
        attrs.pop("tenant_id", None)
        if owner != ctx.project_id and not ctx.is_admin:
            raise at.forbidden(f"create_{self.kind}:tenant_id")
        refuse_over_quota(self.cloud, owner, self.kind)
        return self.make(ctx, {"id": str(uuid.uuid4()), "tenant_id": owner, **attrs})

    def _create_all(self, ctx: RequestContext, given: Any) -> list[Doc]:
        """Create all of a list, or none."""
        if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
            raise at.bad(f"Unable to find '{self.plural}' in request body")
        made: list[Doc] = []
        try:
            for item in given:
                made.append(self.create_one(ctx, item.get(self.kind, item)))  # noqa: PERF401 - undone on a fault
        except ApiFault:
            for doc in made:
                self.remove(ctx, doc)
            raise
        return [self.view(ctx, doc) for doc in made]

    def get(self, ctx: RequestContext, ident: str) -> Doc:
        """Return the document if the caller may see it. Raises ApiFault 404."""
        doc = self.store.get(self.kind, ident)
        if doc is None or not self.visible(ctx, doc):
            kind, message = self.not_found
            raise ApiFault(404, kind, message.format(id=ident))
        return doc

    def require_owner(self, ctx: RequestContext, doc: Doc, verb: str) -> None:
        if not ctx.is_admin and doc["tenant_id"] != ctx.project_id:
            raise at.forbidden(f"{verb}_{self.kind}")


def _sort(docs: list[Doc], query: Mapping[str, list[str]]) -> None:
    directions = query.get("sort_dir", [])
    for place, name in reversed([*enumerate(query.get("sort_key", []))]):
        descending = place < len(directions) and directions[place] == "desc"
        docs.sort(key=lambda doc: str(doc.get(name) or ""), reverse=descending)


def _page(docs: list[Doc], query: Mapping[str, list[str]], request: Request) -> tuple[list[Doc], list[Doc]]:
    """Return the page after ``marker`` and a link to the next one."""
    marker, limit = query.get("marker", [""])[0], query.get("limit", [""])[0]
    start = next((place + 1 for place, doc in enumerate(docs) if doc["id"] == marker), 0) if marker else 0
    if not limit.isdigit() or int(limit) == 0:
        return docs[start:], []
    page = docs[start : start + int(limit)]
    if start + len(page) >= len(docs):
        return page, []
    rest = [(name, value) for name, value in request.query.multi_items() if name != "marker"]
    pairs = "&".join(f"{name}={value}" for name, value in [*rest, ("marker", page[-1]["id"])])
    return page, [{"rel": "next", "href": f"{request.base}{request.path}?{pairs}"}]


def _only(doc: Doc, fields: list[str] | None) -> Doc:
    return {name: value for name, value in doc.items() if name in fields} if fields else doc

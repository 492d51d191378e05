"""Servers: list, show, metadata and delete."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cloudsim.compute import views
from cloudsim.compute.common import bad, body_of, conflict, forbidden, not_found, page
from cloudsim.compute.create import check_metadata, check_name
from cloudsim.core.clock import parse_stamp
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cloudsim.compute.lifecycle import Lifecycle
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc


class Servers:
    def __init__(self, cloud: Cloud, lifecycle: Lifecycle) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._lifecycle = lifecycle
        for kind in ("server", "server_gone"):
            self._store.index(kind, "project", lambda doc: [doc["tenant_id"]])
        self._store.index("instance_action", "server", lambda doc: [doc["instance_uuid"]])

    def get(self, ctx: RequestContext, ident: str) -> Doc:
        """The server, if the caller may see it. Raises ApiFault 404."""
        doc = self._store.get("server", ident)
        if doc is None or not (ctx.is_admin or doc["tenant_id"] == ctx.project_id):
            raise not_found(f"Instance {ident} could not be found.")
        return doc

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        found, more = self._listed(ctx, request)
        servers = [views.brief(doc, request) for doc in found]
        return Reply(200, {"servers": servers, **({"servers_links": more} if more else {})})

    async def detail(self, ctx: RequestContext, request: Request) -> Reply:
        found, more = self._listed(ctx, request)
        servers = [views.detail(self._store, doc, ctx, request) for doc in found]
        return Reply(200, {"servers": servers, **({"servers_links": more} if more else {})})

    def _listed(self, ctx: RequestContext, request: Request) -> tuple[list[Doc], list[Doc]]:
        tests = _tests(self._store, ctx, request)
        found = [doc for doc in self._candidates(ctx, request) if all(test(doc) for test in tests)]
        _sort(found, request)
        return page(found, request, "servers", "marker [{marker}] not found")

    def _candidates(self, ctx: RequestContext, request: Request) -> Iterable[Doc]:
        """Return the servers of the caller's scope, newest first; with ``changes-since`` also deleted ones."""
        query = request.query
        everyone = query.get("all_tenants", "0").lower() not in {"0", "false", ""}
        if everyone and not ctx.is_admin:
            raise forbidden("Policy doesn't allow os_compute_api:servers:detail:get_all_tenants to be performed.")
        owner = query.get("tenant_id") or query.get("project_id") if everyone else ctx.project_id
        deleted = query.get("deleted", "").lower() in {"1", "true"} or query.get("status", "").upper() == "DELETED"
        kinds = ["server_gone"] if deleted and ctx.is_admin else ["server"]
        if "changes-since" in query:
            kinds = ["server", "server_gone"]
        for kind in kinds:
            docs = [*self._store.find(kind, "project", owner)] if owner else self._store.list(kind)
            yield from reversed(docs)

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        return Reply(200, {"server": views.detail(self._store, doc, ctx, request)})

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        given = body_of(request, "server")
        if "name" in given:
            doc["name"] = check_name(given["name"])
        doc["access_ipv4"] = given.get("accessIPv4", doc["access_ipv4"])
        doc["access_ipv6"] = given.get("accessIPv6", doc["access_ipv6"])
        self._lifecycle.save(doc)
        return Reply(200, {"server": views.detail(self._store, doc, ctx, request)})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        if doc["locked"] and not ctx.is_admin:
            raise conflict(f"Instance {doc['id']} is locked")
        self._lifecycle.record(ctx, doc["id"], "delete")
        self._lifecycle.begin_delete(doc)
        return Reply(204)

    # Metadata

    async def metadata(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"metadata": self.get(ctx, request.params["id"])["metadata"]})

    async def merge_metadata(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        given = {**doc["metadata"], **body_of(request, "metadata")}
        return self._set_metadata(ctx, doc, given)

    async def replace_metadata(self, ctx: RequestContext, request: Request) -> Reply:
        return self._set_metadata(ctx, self.get(ctx, request.params["id"]), body_of(request, "metadata"))

    def _set_metadata(self, ctx: RequestContext, doc: Doc, given: dict[str, Any]) -> Reply:
        doc["metadata"] = check_metadata(self._cloud, ctx.project_id, given)
        self._lifecycle.save(doc)
        return Reply(200, {"metadata": doc["metadata"]})

    async def metadata_item(self, ctx: RequestContext, request: Request) -> Reply:
        doc, key = self.get(ctx, request.params["id"]), request.params["key"]
        if key not in doc["metadata"]:
            raise not_found("Metadata item was not found")
        return Reply(200, {"meta": {key: doc["metadata"][key]}})

    async def set_metadata_item(self, ctx: RequestContext, request: Request) -> Reply:
        doc, given = self.get(ctx, request.params["id"]), body_of(request, "meta")
        if [*given] != [request.params["key"]]:
            raise bad("Request body and URI mismatch")
        self._set_metadata(ctx, doc, {**doc["metadata"], **given})
        return Reply(200, {"meta": given})

    async def delete_metadata_item(self, ctx: RequestContext, request: Request) -> Reply:
        doc, key = self.get(ctx, request.params["id"]), request.params["key"]
        if key not in doc["metadata"]:
            raise not_found("Metadata item was not found")
        del doc["metadata"][key]
        self._lifecycle.save(doc)
        return Reply(204)

    # Subresources of a server

    async def addresses(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        found = views.addresses(self._store, doc)
        shown = {
            label: [{"version": one["version"], "addr": one["addr"]} for one in addresses]
            for label, addresses in found.items()
        }
        return Reply(200, {"addresses": shown})

    async def security_groups(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        idents = {ident for port in views.ports_of(self._store, doc) for ident in port["security_groups"]}
        groups = [group for ident in sorted(idents) if (group := self._store.get("security_group", ident))]
        shown = [
            {"id": one["id"], "name": one["name"], "description": one["description"], "rules": []} for one in groups
        ]
        return Reply(200, {"security_groups": shown})

    async def actions(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._known(ctx, request.params["id"])
        found = [*self._store.find("instance_action", "server", doc["id"])]
        return Reply(200, {"instanceActions": [_action(one) for one in reversed(found)]})

    async def action(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self._known(ctx, request.params["id"])
        wanted = request.params["request_id"]
        for one in self._store.find("instance_action", "server", doc["id"]):
            if one["request_id"] == wanted:
                events = [_event(one)] if ctx.is_admin else []
                return Reply(200, {"instanceAction": {**_action(one), **({"events": events} if events else {})}})
        raise not_found(f"Action for request_id {wanted} on instance {doc['id']} not found")

    def _known(self, ctx: RequestContext, ident: str) -> Doc:
        """Return a server, for administrators also a deleted one, as its actions are still readable."""
        gone = self._store.get("server_gone", ident)
        return gone if gone and ctx.is_admin else self.get(ctx, ident)


def _action(doc: Doc) -> Doc:
    return {name: value for name, value in doc.items() if name != "id"}


def _event(doc: Doc) -> Doc:
    return {
        "event": f"compute_{doc['action']}_instance",
        "start_time": doc["start_time"],
        "finish_time": doc["start_time"],
        "result": "Success",
        "traceback": None,
    }


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise bad(f"Invalid regular expression: {text}") from error


def _tests(store: Any, ctx: RequestContext, request: Request) -> list[Callable[[Doc], bool]]:
    """Return a test for each filter that Nova knows and the caller may use; other filters are ignored."""
    query = request.query
    tests: list[Callable[[Doc], bool]] = []
    if query.get("name"):
        name = _pattern(query["name"])
        tests.append(lambda doc: name.search(doc["name"]) is not None)
    if "status" in query:
        wanted = {text.upper() for text in query.getlist("status")}
        tests.append(lambda doc: views.status(doc) in wanted)
    for given, held in (("image", "image_id"), ("uuid", "id"), ("key_name", "key_name"), ("user_id", "user_id")):
        if query.get(given):
            tests.append(_equals(held, query[given].rsplit("/", 1)[-1]))
    if query.get("flavor"):
        flavor = query["flavor"].rsplit("/", 1)[-1]
        tests.append(lambda doc: doc["flavor"]["id"] == flavor)
    if query.get("reservation_id"):
        tests.append(_equals("reservation_id", query["reservation_id"]))
    if ctx.is_admin and query.get("host"):
        tests.append(_equals("host", query["host"]))
    if query.get("ip"):
        address = _pattern(query["ip"])
        tests.append(
            lambda doc: any(
                address.search(item["addr"]) for group in views.addresses(store, doc).values() for item in group
            )
        )
    if "changes-since" in query:
        since = _since(query["changes-since"])
        tests.append(lambda doc: doc["updated_at"] >= since)
    return tests


def _equals(name: str, value: str) -> Callable[[Doc], bool]:
    return lambda doc: bool(doc[name] == value)


def _since(text: str) -> float:
    try:
        return parse_stamp(text.replace(" ", "+"))
    except ValueError as error:
        raise bad("Invalid changes-since value") from error


_SORTABLE = {"created_at": "created", "updated_at": "updated_at", "display_name": "name", "uuid": "id", "host": "host"}


def _sort(docs: list[Doc], request: Request) -> None:
    keys, directions = request.query.getlist("sort_key"), request.query.getlist("sort_dir")
    for place, key in reversed([*enumerate(keys)]):
        held = _SORTABLE.get(key, key)
        ascending = place < len(directions) and directions[place] == "asc"
        docs.sort(key=lambda doc: str(doc.get(held) or ""), reverse=not ascending)

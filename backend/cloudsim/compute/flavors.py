"""Flavors and their extra specs."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.compute.common import bad, body_of, bookmark, conflict, forbidden, links, not_found, page, whole
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

_KEY = re.compile(r"[a-zA-Z0-9_\- :.]{1,255}")


class Flavors:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._store.index("flavor", "name", lambda doc: [doc["name"]])

    def find(self, ident: str) -> Doc:
        """The flavor of this id. Raises ApiFault 404."""
        doc = self._store.get("flavor", ident)
        if doc is None:
            raise not_found(f"Flavor {ident} could not be found.")
        return doc

    def _require_right(self, ctx: RequestContext, rule: str) -> None:
        role = self._cloud.setting("flavor_create_role")
        if not ctx.is_admin and role not in ctx.roles:
            raise forbidden(f"Policy doesn't allow {rule} to be performed.")

    @staticmethod
    def view(doc: Doc, request: Request) -> Doc:
        return {
            "id": doc["id"],
            "name": doc["name"],
            "ram": doc["ram"],
            "disk": doc["disk"],
            "vcpus": doc["vcpus"],
            "swap": doc["swap"] or "",
            "rxtx_factor": doc["rxtx_factor"],
            "OS-FLV-EXT-DATA:ephemeral": doc["ephemeral"],
            "OS-FLV-DISABLED:disabled": False,
            "os-flavor-access:is_public": doc["is_public"],
            "links": links(request, f"flavors/{doc['id']}"),
        }

    def _listed(self, ctx: RequestContext, request: Request) -> tuple[list[Doc], list[Doc]]:
        query = request.query
        floor = {"ram": _floor(query.get("minRam"), "minRam"), "disk": _floor(query.get("minDisk"), "minDisk")}
        hidden_too = ctx.is_admin and query.get("is_public", "").lower() in {"none", "false", "0"}
        found = [
            doc
            for doc in self._store.list("flavor")
            if all(doc[name] >= low for name, low in floor.items())
            and (hidden_too or doc["is_public"] or ctx.project_id in doc["projects"])
        ]
        return page(found, request, "flavors", "marker [{marker}] not found")

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        found, more = self._listed(ctx, request)
        flavors = [
            {"id": doc["id"], "name": doc["name"], "links": links(request, f"flavors/{doc['id']}")} for doc in found
        ]
        return Reply(200, {"flavors": flavors, **({"flavors_links": more} if more else {})})

    async def detail(self, ctx: RequestContext, request: Request) -> Reply:
        found, more = self._listed(ctx, request)
        flavors = [self.view(doc, request) for doc in found]
        return Reply(200, {"flavors": flavors, **({"flavors_links": more} if more else {})})

    async def show(self, _ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"flavor": self.view(self.find(request.params["id"]), request)})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_right(ctx, "os_compute_api:os-flavor-manage")
        given = body_of(request, "flavor")
        name, ident = str(given.get("name") or "").strip(), str(given.get("id") or "auto")
        if not name:
            raise bad("Invalid input for field/attribute name. Value: . '' is too short")
        if ident == "auto":
            ident = str(uuid.uuid4())
        if next(self._store.find("flavor", "name", name), None):
            raise conflict(f"Flavor with name {name} already exists.")
        if self._store.get("flavor", ident):
            raise conflict(f"Flavor with ID {ident} already exists.")
        doc = {
            "id": ident,
            "name": name,
            "ram": whole(given, "ram", 1),
            "vcpus": whole(given, "vcpus", 1),
            "disk": whole(given, "disk", 0),
            "ephemeral": whole(given, "OS-FLV-EXT-DATA:ephemeral", 0, 0),
            "swap": whole(given, "swap", 0, 0),
            "rxtx_factor": float(given.get("rxtx_factor") or 1.0),
            "is_public": bool(given.get("os-flavor-access:is_public", True)),
            "projects": [],
            "extra_specs": {},
        }
        return Reply(200, {"flavor": self.view(self._store.put("flavor", ident, doc), request)})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_right(ctx, "os_compute_api:os-flavor-manage")
        self._store.delete("flavor", self.find(request.params["id"])["id"])
        return Reply(202)

    async def specs(self, _ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"extra_specs": self.find(request.params["id"])["extra_specs"]})

    async def create_specs(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_right(ctx, "os_compute_api:os-flavor-extra-specs:create")
        doc = self.find(request.params["id"])
        given = _checked(body_of(request, "extra_specs"))
        doc["extra_specs"].update(given)
        self._store.put("flavor", doc["id"], doc)
        return Reply(200, {"extra_specs": given})

    async def show_spec(self, _ctx: RequestContext, request: Request) -> Reply:
        doc, key = self.find(request.params["id"]), request.params["key"]
        return Reply(200, {key: self._spec(doc, key)})

    async def update_spec(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_right(ctx, "os_compute_api:os-flavor-extra-specs:update")
        doc, key = self.find(request.params["id"]), request.params["key"]
        given = request.object
        if [*given] != [key]:
            raise bad("Request body and URI mismatch")
        doc["extra_specs"].update(_checked(given))
        self._store.put("flavor", doc["id"], doc)
        return Reply(200, given)

    async def delete_spec(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_right(ctx, "os_compute_api:os-flavor-extra-specs:delete")
        doc, key = self.find(request.params["id"]), request.params["key"]
        self._spec(doc, key)
        del doc["extra_specs"][key]
        self._store.put("flavor", doc["id"], doc)
        return Reply(200)

    @staticmethod
    def _spec(doc: Doc, key: str) -> Any:
        if key not in doc["extra_specs"]:
            raise not_found(f"Flavor {doc['id']} has no extra specs with key {key}.")
        return doc["extra_specs"][key]

    async def access(self, ctx: RequestContext, request: Request) -> Reply:
        self._require_right(ctx, "os_compute_api:os-flavor-access")
        doc = self.find(request.params["id"])
        if doc["is_public"]:
            raise not_found("Access list not available for public flavors.")
        found = [{"flavor_id": doc["id"], "tenant_id": project} for project in doc["projects"]]
        return Reply(200, {"flavor_access": found})


def reference(doc: Doc, request: Request) -> Doc:
    """A flavor as a server shows it."""
    return {"id": doc["id"], "links": bookmark(request, f"flavors/{doc['id']}")}


def _floor(text: str | None, name: str) -> int:
    if text is None:
        return 0
    if not text.isdigit():
        raise bad(f"Invalid {name} filter [{text}]")
    return int(text)


def _checked(given: Doc) -> dict[str, str]:
    for key, value in given.items():
        if not _KEY.fullmatch(key):
            reason = f"'{key}' does not match any of the regexes"
            raise bad(f"Invalid input for field/attribute extra_specs. Value: {given}. {reason}")
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise bad(f"Invalid input for field/attribute {key}. Value: {value}. {value!r} is not of type 'string'")
    return {key: str(value) for key, value in given.items()}

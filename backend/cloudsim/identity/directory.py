"""Projects, users, roles, domains, assignments, and the catalog's parts as resources."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.identity.catalog import INTERFACES, endpoint_url, entries
from cloudsim.identity.seed import assign, stable_id

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc


def require_admin(ctx: RequestContext, action: str) -> None:
    """Raise ApiFault 403 unless the caller is an administrator, as Keystone's default policy requires."""
    if not ctx.is_admin:
        message = f"You are not authorized to perform the requested action: identity:{action}"
        raise ApiFault(403, "Forbidden", message)


class Collection:
    """List, show, create, update and delete of a kind; new ones get ``defaults``, answers lack ``hidden``."""

    def __init__(self, cloud: Cloud, kind: str, defaults: Doc, hidden: frozenset[str] = frozenset()) -> None:
        self._cloud = cloud
        self._kind = kind
        self._plural = f"{kind}s"
        self._defaults = defaults
        self._hidden = hidden

    def routes(self) -> list[Route]:
        root, one = f"/v3/{self._plural}", f"/v3/{self._plural}/{{id}}"
        return [
            Route("GET", root, self.list),
            Route("POST", root, self.create),
            Route("GET", one, self.show),
            Route("PATCH", one, self.update),
            Route("DELETE", one, self.delete),
        ]

    def view(self, doc: Doc, request: Request) -> Doc:
        shown = {name: value for name, value in doc.items() if name not in self._hidden}
        return {**shown, "links": {"self": f"{request.base}/v3/{self._plural}/{doc['id']}"}}

    async def list(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, f"list_{self._plural}")
        docs = [
            self.view(doc, request)
            for doc in self._cloud.store.list(self._kind)
            if all(_matches(doc, name, value) for name, value in request.query.items())
        ]
        links = {"self": request.base + request.path, "previous": None, "next": None}
        return Reply(200, {self._plural: docs, "links": links})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, f"create_{self._kind}")
        given = self._requested(request)
        if not given.get("name"):
            raise ApiFault(400, "ValidationError", "'name' is a required property")
        doc = {**self._defaults, **given, "id": uuid.uuid4().hex}
        self._refuse_duplicate(doc)
        self._cloud.store.put(self._kind, doc["id"], doc)
        return Reply(201, {self._kind: self.view(doc, request)})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        if request.params["id"] not in {ctx.project_id, ctx.user_id}:
            require_admin(ctx, f"get_{self._kind}")
        doc = self._get(request)
        return Reply(200, {self._kind: self.view(doc, request)})

    async def update(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, f"update_{self._kind}")
        doc = {**self._get(request), **self._requested(request)}
        self._refuse_duplicate(doc)
        self._cloud.store.put(self._kind, doc["id"], doc)
        return Reply(200, {self._kind: self.view(doc, request)})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, f"delete_{self._kind}")
        self._cloud.store.delete(self._kind, self._get(request)["id"])
        return Reply(204)

    def _requested(self, request: Request) -> Doc:
        body = request.object
        requested = body.get(self._kind)
        if not isinstance(requested, dict):
            raise ApiFault(400, "ValidationError", f"Expecting to find {self._kind} in request body.")
        return {name: value for name, value in requested.items() if name not in {"id", "links"}}

    def _get(self, request: Request) -> Doc:
        ident = request.params["id"]
        doc = self._cloud.store.get(self._kind, ident)
        if doc is None:
            raise ApiFault(404, f"{self._kind.title()}NotFound", f"Could not find {self._kind}: {ident}")
        return doc

    def _refuse_duplicate(self, doc: Doc) -> None:
        for other in self._cloud.store.list(self._kind):
            same = other["name"] == doc["name"] and other.get("domain_id") == doc.get("domain_id")
            if same and other["id"] != doc["id"]:
                message = f"Conflict occurred attempting to store {self._kind} - Duplicate Entry"
                raise ApiFault(409, "Conflict", message)


def _matches(doc: Doc, name: str, value: str) -> bool:
    if name not in doc:
        return True
    held = doc[name]
    return (value.lower() in {"true", "1", ""}) == held if isinstance(held, bool) else str(held) == value


class Assignments:
    """Role assignments of users on projects and domains."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        found = [Route("GET", "/v3/role_assignments", self.list)]
        for plural in ("projects", "domains"):
            root = f"/v3/{plural}/{{target}}/users/{{user}}/roles"
            found += [
                Route("GET", root, self.list_roles),
                Route("PUT", f"{root}/{{role}}", self.grant),
                Route("HEAD", f"{root}/{{role}}", self.check),
                Route("DELETE", f"{root}/{{role}}", self.withdraw),
            ]
        found.append(Route("GET", "/v3/users/{user}/projects", self.list_projects))
        return found

    async def list(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "list_role_assignments")
        user, project, role = (request.query.get(f"{name}.id") for name in ("user", "scope.project", "role"))
        names = "include_names" in request.query
        shown = [
            {
                "role": self._ref("role", doc["role_id"], names=names),
                "user": self._ref("user", doc["user_id"], names=names),
                "scope": {doc["target"]: self._ref(doc["target"], doc["target_id"], names=names)},
                "links": {"assignment": self._url(request, doc)},
            }
            for doc in self._cloud.store.list("assignment")
            if (user or doc["user_id"]) == doc["user_id"]
            and (project or doc["target_id"]) == doc["target_id"]
            and (role or doc["role_id"]) == doc["role_id"]
        ]
        return Reply(200, {"role_assignments": shown, "links": {"self": request.base + request.path}})

    def _ref(self, kind: str, ident: str, *, names: bool) -> Doc:
        doc = self._cloud.store.get(kind, ident) or {}
        if not names:
            return {"id": ident}
        ref: Doc = {"id": ident, "name": doc.get("name")}
        if "domain_id" in doc:
            domain = self._cloud.store.get("domain", doc["domain_id"]) or {}
            ref["domain"] = {"id": doc["domain_id"], "name": domain.get("name")}
        return ref

    @staticmethod
    def _url(request: Request, doc: Doc) -> str:
        return f"{request.base}/v3/{doc['target']}s/{doc['target_id']}/users/{doc['user_id']}/roles/{doc['role_id']}"

    async def list_roles(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "list_grants")
        held = self._cloud.store.find("assignment", "user", request.params["user"])
        roles = [self._cloud.store.get("role", doc["role_id"]) for doc in held if self._on_target(doc, request)]
        return Reply(200, {"roles": roles, "links": {"self": request.base + request.path}})

    async def list_projects(self, ctx: RequestContext, request: Request) -> Reply:
        user = request.params["user"]
        if user != ctx.user_id:
            require_admin(ctx, "list_user_projects")
        held = self._cloud.store.find("assignment", "user", user)
        idents = dict.fromkeys(doc["target_id"] for doc in held if doc["target"] == "project")
        projects = [self._cloud.store.get("project", ident) for ident in idents]
        return Reply(200, {"projects": projects, "links": {"self": request.base + request.path}})

    async def grant(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "create_grant")
        target = "project" if request.path.startswith("/v3/projects") else "domain"
        for kind, ident in ((target, "target"), ("user", "user"), ("role", "role")):
            if self._cloud.store.get(kind, request.params[ident]) is None:
                message = f"Could not find {kind}: {request.params[ident]}"
                raise ApiFault(404, f"{kind.title()}NotFound", message)
        assign(self._cloud, request.params["user"], request.params["target"], request.params["role"], target)
        return Reply(204)

    async def check(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "check_grant")
        self._assignment(request)
        return Reply(204)

    async def withdraw(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "revoke_grant")
        self._cloud.store.delete("assignment", self._assignment(request)["id"])
        return Reply(204)

    def _assignment(self, request: Request) -> Doc:
        params = request.params
        doc = self._cloud.store.get("assignment", f"{params['user']}:{params['target']}:{params['role']}")
        if doc is None:
            raise ApiFault(404, "RoleNotFound", f"Could not find role: {params['role']}")
        return doc

    @staticmethod
    def _on_target(doc: Doc, request: Request) -> bool:
        return bool(doc["target_id"] == request.params["target"])


class Parts:
    """Services, endpoints and regions, derived from the catalog."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/v3/services", self.list_services),
            Route("GET", "/v3/endpoints", self.list_endpoints),
            Route("GET", "/v3/regions", self.list_regions),
        ]

    async def list_services(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "list_services")
        shown: list[Any] = [
            {"id": stable_id(f"service:{kind}"), "type": kind, "name": name, "enabled": True, "links": {}}
            for kind, name, _path in entries(self._cloud)
            if request.query.get("type", kind) == kind
        ]
        return Reply(200, {"services": shown, "links": {"self": request.base + request.path}})

    async def list_endpoints(self, ctx: RequestContext, request: Request) -> Reply:
        require_admin(ctx, "list_endpoints")
        root = request.base.removesuffix("/identity")
        shown: list[Any] = [
            {
                "id": stable_id(f"endpoint:{kind}:{interface}"),
                "service_id": stable_id(f"service:{kind}"),
                "interface": interface,
                "region": self._cloud.options.region,
                "region_id": self._cloud.options.region,
                "enabled": True,
                "url": endpoint_url(root, path, "$(tenant_id)s"),
                "links": {},
            }
            for kind, _name, path in entries(self._cloud)
            for interface in INTERFACES
            if request.query.get("service_id", stable_id(f"service:{kind}")) == stable_id(f"service:{kind}")
            and request.query.get("interface", interface) == interface
        ]
        return Reply(200, {"endpoints": shown, "links": {"self": request.base + request.path}})

    async def list_regions(self, _ctx: RequestContext, request: Request) -> Reply:
        region: Doc = {"id": self._cloud.options.region, "description": "", "parent_region_id": None, "links": {}}
        return Reply(200, {"regions": [region], "links": {"self": request.base + request.path}})


def routes(cloud: Cloud) -> list[Route]:
    in_domain = {"domain_id": "default", "enabled": True}
    project = {**in_domain, "description": "", "is_domain": False, "parent_id": None}
    return [
        *Collection(cloud, "project", project).routes(),
        *Collection(cloud, "user", {**in_domain, "password": ""}, frozenset({"password"})).routes(),
        *Collection(cloud, "role", {}).routes(),
        *Collection(cloud, "domain", {"enabled": True, "description": ""}).routes(),
        *Assignments(cloud).routes(),
        *Parts(cloud).routes(),
    ]

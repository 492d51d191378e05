"""Tokens: issue, show, check, revoke."""

from __future__ import annotations

import base64
import secrets
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cloudsim.core.auth import live_token
from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.identity.catalog import catalog

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

PURGE_SECONDS = 600.0


def unauthorized() -> ApiFault:
    return ApiFault(401, "Unauthorized", "The request you have made requires authentication.")


def bad_request(message: str) -> ApiFault:
    return ApiFault(400, "ValidationError", message)


def routes(cloud: Cloud) -> list[Route]:
    tokens = Tokens(cloud)
    return [
        Route("POST", "/v3/auth/tokens", tokens.issue, auth=False),
        Route("GET", "/v3/auth/tokens", tokens.show),
        Route("HEAD", "/v3/auth/tokens", tokens.show),
        Route("DELETE", "/v3/auth/tokens", tokens.revoke),
        Route("GET", "/v3/auth/catalog", tokens.show_catalog),
        Route("GET", "/v3/auth/projects", tokens.my_projects),
        Route("GET", "/v3/auth/domains", tokens.my_domains),
    ]


def start(cloud: Cloud) -> None:
    """Remove expired tokens periodically."""

    async def purge() -> None:
        for token in cloud.store.list("token"):
            if token["expires"] <= cloud.clock.time():
                cloud.store.delete("token", token["id"])
        cloud.timers.after(PURGE_SECONDS, "identity.purge")

    cloud.timers.register("identity.purge", purge)
    if not any(timer["name"] == "identity.purge" for timer in cloud.store.list("timer")):
        cloud.timers.after(PURGE_SECONDS, "identity.purge")


class Tokens:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        cloud.store.index("assignment", "user", lambda doc: [doc["user_id"]])
        cloud.store.index("user", "name", lambda doc: [(doc["domain_id"], doc["name"])])
        cloud.store.index("project", "name", lambda doc: [(doc["domain_id"], doc["name"])])

    async def issue(self, _ctx: RequestContext, request: Request) -> Reply:
        auth = request.object.get("auth")
        if not isinstance(auth, dict) or not isinstance(auth.get("identity"), dict):
            raise bad_request(
                "Expecting to find identity in auth - the server could not comply with the request since it is either"
                " malformed or otherwise incorrect. The client is assumed to be in error."
            )
        user, methods = self._identify(auth["identity"])
        target, target_id = self._scope(auth.get("scope"), user)
        roles = self._roles(user["id"], target_id) if target else []
        if target and not roles:
            raise unauthorized()
        token = self._store_token(user, methods, target, target_id, roles)
        headers = {"X-Subject-Token": token["id"], "Vary": "X-Auth-Token"}
        nocatalog = "nocatalog" in request.query
        return Reply(201, {"token": self._view(token, request, with_catalog=not nocatalog)}, headers)

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        token = self._subject(ctx, request)
        headers = {"X-Subject-Token": token["id"], "Vary": "X-Auth-Token"}
        return Reply(200, {"token": self._view(token, request, with_catalog="nocatalog" not in request.query)}, headers)

    async def revoke(self, ctx: RequestContext, request: Request) -> Reply:
        self._cloud.store.delete("token", self._subject(ctx, request)["id"])
        return Reply(204)

    async def show_catalog(self, ctx: RequestContext, request: Request) -> Reply:
        if not ctx.project_id:
            raise ApiFault(403, "Forbidden", "You are not authorized to perform the requested action: get_catalog")
        return Reply(200, {"catalog": catalog(self._cloud, _root(request), ctx.project_id), "links": _links(request)})

    async def my_projects(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"projects": self._targets(ctx.user_id, "project"), "links": _links(request)})

    async def my_domains(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"domains": self._targets(ctx.user_id, "domain"), "links": _links(request)})

    def _targets(self, user_id: str, kind: str) -> list[Doc]:
        held = self._cloud.store.find("assignment", "user", user_id)
        idents = dict.fromkeys(doc["target_id"] for doc in held if doc["target"] == kind)
        return [doc for ident in idents if (doc := self._cloud.store.get(kind, ident))]

    def _subject(self, ctx: RequestContext, request: Request) -> Doc:
        subject = request.headers.get("x-subject-token", "")
        token = live_token(self._cloud, subject)
        if token is None:
            raise ApiFault(404, "TokenNotFound", f"Could not find token: {subject}")
        if not ctx.is_admin and token["user_id"] != ctx.user_id:
            raise ApiFault(
                403, "Forbidden", "You are not authorized to perform the requested action: identity:validate_token"
            )
        return token

    def _identify(self, identity: Doc) -> tuple[Doc, list[str]]:
        methods = identity.get("methods")
        if not isinstance(methods, list) or not methods:
            raise bad_request("Expecting to find methods in identity.")
        for method in methods:
            if method not in {"password", "token"}:
                raise ApiFault(401, "AuthMethodNotSupported", "Attempted to authenticate with an unsupported method.")
        if "token" in methods:
            token = live_token(self._cloud, str((identity.get("token") or {}).get("id")))
            user = self._cloud.store.get("user", token["user_id"]) if token else None
        else:
            user = self._check_password((identity.get("password") or {}).get("user") or {})
        if user is None or not user["enabled"]:
            raise unauthorized()
        return user, methods

    def _check_password(self, given: Doc) -> Doc | None:
        user = self._find("user", given)
        if user is None or not secrets.compare_digest(str(given.get("password")).encode(), user["password"].encode()):
            return None
        return user

    def _find(self, kind: str, given: Doc) -> Doc | None:
        """Return a user or project by id, or by name and domain."""
        if "id" in given:
            return self._cloud.store.get(kind, str(given["id"]))
        domain = given.get("domain") or {}
        named = (doc["id"] for doc in self._cloud.store.list("domain") if doc["name"] == domain.get("name"))
        domain_id = domain.get("id") or next(named, "")
        return next(self._cloud.store.find(kind, "name", (domain_id, given.get("name"))), None)

    def _scope(self, scope: Any, user: Doc) -> tuple[str, str]:
        """Return ("project", id) or ("domain", id), and ("", "") for an unscoped token."""
        if not isinstance(scope, dict):
            default = user.get("default_project_id") if scope is None else None
            return ("project", default) if default else ("", "")
        if "project" in scope:
            project = self._find("project", scope["project"] or {})
            if project is None or not project["enabled"]:
                raise unauthorized()
            return "project", project["id"]
        if "domain" in scope:
            domain = scope["domain"] or {}
            for doc in self._cloud.store.list("domain"):
                if domain.get("id") == doc["id"] or domain.get("name") == doc["name"]:
                    return "domain", doc["id"]
            raise unauthorized()
        return "", ""

    def _roles(self, user_id: str, target_id: str) -> list[str]:
        held = self._cloud.store.find("assignment", "user", user_id)
        roles = (self._cloud.store.get("role", doc["role_id"]) for doc in held if doc["target_id"] == target_id)
        return [role["name"] for role in roles if role]

    def _store_token(self, user: Doc, methods: list[str], target: str, target_id: str, roles: list[str]) -> Doc:
        now = self._cloud.clock.time()
        token = {
            "id": uuid.uuid4().hex,
            "user_id": user["id"],
            "methods": methods,
            "project_id": target_id if target == "project" else None,
            "domain_id": target_id if target == "domain" else None,
            "roles": roles,
            "issued": now,
            "expires": now + float(self._cloud.setting("token_seconds")),
            "audit_id": base64.urlsafe_b64encode(uuid.uuid4().bytes)[:-2].decode(),
        }
        return self._cloud.store.put("token", token["id"], token)

    def _view(self, token: Doc, request: Request, *, with_catalog: bool) -> Doc:
        store = self._cloud.store
        user = store.get("user", token["user_id"]) or {}
        view: Doc = {
            "methods": token["methods"],
            "expires_at": _stamp(token["expires"]),
            "extras": {},
            "user": {**_named(user), "domain": _named(store.get("domain", user.get("domain_id", "")) or {})},
            "audit_ids": [token["audit_id"]],
            "issued_at": _stamp(token["issued"]),
        }
        if token["project_id"]:
            project = store.get("project", token["project_id"]) or {}
            domain = store.get("domain", project.get("domain_id", "")) or {}
            view["project"] = {**_named(project), "domain": _named(domain)}
        if token["domain_id"]:
            view["domain"] = _named(store.get("domain", token["domain_id"]) or {})
        if token["roles"]:
            view["roles"] = [_named(role) for role in store.list("role") if role["name"] in token["roles"]]
            if with_catalog:
                view["catalog"] = catalog(self._cloud, _root(request), token["project_id"] or "")
        return view


def _named(doc: Doc) -> Doc:
    return {"id": doc.get("id"), "name": doc.get("name")}


def _root(request: Request) -> str:
    return request.base.removesuffix("/identity")


def _links(request: Request) -> Doc:
    return {"self": request.base + request.path, "previous": None, "next": None}


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

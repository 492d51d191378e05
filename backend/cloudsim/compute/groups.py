"""Server groups: affinity and anti-affinity, without the soft policies."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from cloudsim.compute.common import MAX_PAGE, bad, body_of, forbidden, not_found, whole
from cloudsim.compute.quotas import UNLIMITED, limits_of
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

POLICIES = ("anti-affinity", "affinity")


class Groups:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._store.index("server_group", "project", lambda doc: [doc["tenant_id"]])

    @staticmethod
    def _view(doc: Doc) -> Doc:
        return {name: doc[name] for name in ("id", "name", "policies", "members", "metadata")}

    def get(self, ctx: RequestContext, ident: str) -> Doc:
        """The group, if the caller may see it. Raises ApiFault 404."""
        doc = self._store.get("server_group", ident)
        if doc is None or not (ctx.is_admin or doc["tenant_id"] == ctx.project_id):
            raise not_found(f"Instance group {ident} could not be found.")
        return doc

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        if ctx.is_admin and "all_projects" in request.query:
            found = self._store.list("server_group")
        else:
            found = [*self._store.find("server_group", "project", ctx.project_id)]
        query = dict(request.query)
        offset, limit = whole(query, "offset", 0, 0), whole(query, "limit", 0, MAX_PAGE)
        return Reply(200, {"server_groups": [self._view(doc) for doc in found[offset : offset + limit]]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, {"server_group": self._view(self.get(ctx, request.params["id"]))})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        given = body_of(request, "server_group")
        policies = given.get("policies")
        if not isinstance(policies, list) or len(policies) != 1:
            raise bad(f"Invalid input for field/attribute policies. Value: {policies}. {policies} is too short")
        if policies[0] not in POLICIES:
            raise bad(
                f"Invalid input for field/attribute 0. Value: {policies[0]}. '{policies[0]}' is not one of"
                f" {[*POLICIES]}"
            )
        limit = limits_of(self._cloud, ctx.project_id)["server_groups"]
        if limit != UNLIMITED and self._store.count("server_group", "project", ctx.project_id) >= limit:
            raise forbidden("Quota exceeded, too many server groups.")
        doc: Doc = {
            "id": str(uuid.uuid4()),
            "name": str(given.get("name") or ""),
            "policies": policies,
            "members": [],
            "metadata": {},
            "tenant_id": ctx.project_id,
        }
        return Reply(200, {"server_group": self._view(self._store.put("server_group", doc["id"], doc))})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        self._store.delete("server_group", self.get(ctx, request.params["id"])["id"])
        return Reply(204)

    def find_hint(self, ctx: RequestContext, ident: object) -> Doc | None:
        """Return the group of a scheduler hint. Raises ApiFault 400 if it does not exist."""
        if not ident:
            return None
        doc = self._store.get("server_group", str(ident))
        if doc is None or doc["tenant_id"] != ctx.project_id:
            raise bad(f"Instance group {ident} could not be found.")
        return doc

    def join(self, group: Doc, server: Doc) -> None:
        """Make a server a member. Raises ApiFault 403 above the quota."""
        limit = limits_of(self._cloud, group["tenant_id"])["server_group_members"]
        if limit != UNLIMITED and len(group["members"]) >= limit:
            raise forbidden("Quota exceeded, too many servers in group")
        group["members"].append(server["id"])
        self._store.put("server_group", group["id"], group)

    def leave(self, server: Doc) -> None:
        group = self._store.get("server_group", server["group_id"] or "")
        if group and server["id"] in group["members"]:
            group["members"].remove(server["id"])
            self._store.put("server_group", group["id"], group)

    def policy(self, server: Doc) -> dict[str, frozenset[str]]:
        """Return the scheduler's arguments by the policy of the server's group."""
        group = self._store.get("server_group", server["group_id"] or "")
        if group is None:
            return {}
        mates = (self._store.get("server", ident) for ident in group["members"] if ident != server["id"])
        hosts = frozenset(mate["host"] for mate in mates if mate and mate["host"])
        return {"apart": hosts} if group["policies"] == ["anti-affinity"] else {"together": hosts}

"""Checks tokens as keystonemiddleware does, and creates the context of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.context import RequestContext
from cloudsim.core.errors import ApiFault, Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.store import Doc


def live_token(cloud: Cloud, token_id: str) -> Doc | None:
    """Return the token's document; None if it is unknown, revoked or expired, or its user is disabled."""
    token = cloud.store.get("token", token_id)
    if token is None or token["expires"] <= cloud.clock.time():
        return None
    user = cloud.store.get("user", token["user_id"])
    return token if user and user["enabled"] else None


def context_of(token: Doc, request_id: str) -> RequestContext:
    roles = frozenset(token["roles"])
    return RequestContext(
        project_id=token["project_id"] or "",
        user_id=token["user_id"],
        roles=roles,
        is_admin="admin" in roles,
        token_id=token["id"],
        request_id=request_id,
    )


def refuse(service: str, base_url: str) -> Reply:
    """Return a 401 with Keystone's body, or for other services with that of keystonemiddleware."""
    headers = {"WWW-Authenticate": f"Keystone uri='{base_url}/identity'"}
    message = "The request you have made requires authentication."
    fault = ApiFault(401, "Unauthorized", message, headers)
    if service == "identity":
        body = {"error": {"message": message, "code": 401, "title": "Unauthorized"}}
        return Reply(401, body, {"Vary": "X-Auth-Token"}, fault=fault)
    return Reply(401, None, headers, raw=b"Authentication required", content_type="text/html", fault=fault)

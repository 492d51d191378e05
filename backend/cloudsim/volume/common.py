"""Faults with Cinder's messages (cinder/exception.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import ApiFault

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc


def bad(message: str) -> ApiFault:
    return ApiFault(400, "HTTPBadRequest", message)


def invalid_input(reason: str) -> ApiFault:
    return bad(f"Invalid input received: {reason}")


def invalid_volume(reason: str) -> ApiFault:
    return bad(f"Invalid volume: {reason}")


def not_found(message: str) -> ApiFault:
    return ApiFault(404, "HTTPNotFound", message)


def over_limit(message: str) -> ApiFault:
    return ApiFault(413, "QuotaError", message, {"Retry-After": "0"})


def require_admin(ctx: RequestContext, rule: str) -> None:
    if not ctx.is_admin:
        raise ApiFault(403, "Forbidden", f"Policy doesn't allow {rule} to be performed.")


def body_of(request: Request, name: str) -> Doc:
    """Return the object ``name`` of the request body. Raises ApiFault 400."""
    value = request.object.get(name)
    if not isinstance(value, dict):
        raise bad(f"Missing required element '{name}' in request body.")
    return value

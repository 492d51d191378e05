"""Messages and checks that all of Nova shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault

if TYPE_CHECKING:
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc


def bad(message: str) -> ApiFault:
    return ApiFault(400, "HTTPBadRequest", message)


def not_found(message: str) -> ApiFault:
    return ApiFault(404, "HTTPNotFound", message)


def conflict(message: str) -> ApiFault:
    return ApiFault(409, "HTTPConflict", message)


def forbidden(message: str) -> ApiFault:
    return ApiFault(403, "Forbidden", message)


def require_admin(ctx: RequestContext, rule: str) -> None:
    if not ctx.is_admin:
        raise forbidden(f"Policy doesn't allow {rule} to be performed.")


def body_of(request: Request, name: str) -> Doc:
    """Return the object ``name`` of the request body. Raises ApiFault 400 with the message of JSON schema."""
    body = request.json
    if not isinstance(body, dict) or name not in body:
        raise bad(f"Invalid input for field/attribute {name}. Value: {body}. '{name}' is a required property")
    value = body[name]
    if not isinstance(value, dict):
        raise bad(f"Invalid input for field/attribute {name}. Value: {value}. {value!r} is not of type 'object'")
    return value


def objects(body: Doc, name: str) -> list[Doc]:
    """Return a member that is a list of objects, [] if it is missing. Raises ApiFault 400."""
    value = body.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise bad(f"Invalid input for field/attribute {name}. Value: {value}. {value!r} is not of type 'array'")
    return value


def whole(body: Doc, name: str, low: int, default: Any = None) -> int:
    """Return an integer member of at least ``low``. Raises ApiFault 400."""
    value = body.get(name, default)
    if value is None:
        raise bad(f"Invalid input for field/attribute {name}. Value: {body}. '{name}' is a required property")
    try:
        number = int(value)
    except (TypeError, ValueError) as error:
        message = f"Invalid input for field/attribute {name}. Value: {value}. {value!r} does not match '^[0-9]*$'"
        raise bad(message) from error
    if number < low:
        raise bad(
            f"Invalid input for field/attribute {name}. Value: {value}. {number} is less than the minimum of {low}"
        )
    return number


def links(request: Request, path: str) -> list[Doc]:
    """``self`` (versioned) and ``bookmark`` links to a resource."""
    version, project = request.path.strip("/").split("/")[:2]
    return [
        {"rel": "self", "href": f"{request.base}/{version}/{project}/{path}"},
        {"rel": "bookmark", "href": f"{request.base}/{project}/{path}"},
    ]


def bookmark(request: Request, path: str) -> list[Doc]:
    return links(request, path)[1:]


def page(docs: list[Doc], request: Request, what: str, missing: str) -> tuple[list[Doc], list[Doc]]:
    """The page after ``marker``, at most 1,000, and the link to the next. Raises ApiFault 400 for a bad marker."""
    marker, limit = request.query.get("marker"), request.query.get("limit")
    if limit is not None and not limit.isdigit():
        raise bad("limit param must be an integer" if not limit.startswith("-") else "limit param must be positive")
    size = min(int(limit or MAX_PAGE), MAX_PAGE)
    start = 0
    if marker:
        start = next((place + 1 for place, doc in enumerate(docs) if doc["id"] == marker), 0)
        if not start:
            raise bad(missing.format(marker=marker))
    shown = docs[start : start + size]
    if not shown or start + len(shown) >= len(docs):
        return shown, []
    rest = [(name, value) for name, value in request.query.multi_items() if name != "marker"]
    pairs = "&".join(f"{name}={value}" for name, value in [*rest, ("marker", shown[-1]["id"])])
    return shown, [{"rel": "next", "href": f"{request.base}{request.path}?{pairs}"}]


MAX_PAGE = 1000
"""Nova's osapi_max_limit."""

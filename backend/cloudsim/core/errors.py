"""Faults, and their JSON in each OpenStack service."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


class ApiFault(Exception):
    """An answer with a status of 4xx or 5xx.

    ``type`` is the exception's name in the real service (``NetworkNotFound``): Heat and Neutron show it.
    """

    def __init__(
        self,
        status: int,
        type: str,  # noqa: A002 - Neutron's word
        message: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.message = message
        self.headers: Mapping[str, str] = headers or {}


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. ``body`` is sent as JSON; ``raw`` or ``file`` (with ``content_type``) replace it where not JSON.

    ``fault`` is the ApiFault of an error answer, so that in-process callers need not parse each service's shape.
    """

    status: int
    body: dict[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    content_type: str = "application/json"
    fault: ApiFault | None = None
    file: Path | None = None
    stream: AsyncIterator[bytes] | None = None
    """A body that is sent in pieces, without a length."""


Renderer = Callable[[ApiFault, str], Reply]
"""Turns a fault into a service's answer; the second argument is the request's Accept header."""


def phrase(status: int) -> str:
    """Return the reason phrase of a status, such as ``Not Found``."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def render_keystone(fault: ApiFault, _accept: str) -> Reply:
    """Return ``{"error": {"code", "message", "title"}}``, where the title is the reason phrase."""
    error = {"code": fault.status, "message": fault.message, "title": phrase(fault.status)}
    return Reply(fault.status, {"error": error}, fault.headers, fault=fault)


_NOVA_NAMES = {
    400: "badRequest",
    401: "unauthorized",
    403: "forbidden",
    404: "itemNotFound",
    405: "badMethod",
    409: "conflictingRequest",
    413: "overLimit",
    415: "badMediaType",
    429: "overLimit",
    501: "notImplemented",
    503: "serviceUnavailable",
}


def render_nova(fault: ApiFault, accept: str) -> Reply:
    """Return ``{"itemNotFound": {"code", "message"}}``; webob answers unknown paths."""
    if fault.type == "NoRoute":
        return render_webob(fault, accept)
    name = _NOVA_NAMES.get(fault.status, "computeFault")
    return Reply(fault.status, {name: {"message": fault.message, "code": fault.status}}, fault.headers, fault=fault)


def render_neutron(fault: ApiFault, accept: str) -> Reply:
    """Return ``{"NeutronError": {"type", "message", "detail"}}``; webob answers unknown paths."""
    if fault.type == "NoRoute":
        return render_webob(fault, accept)
    error = {"type": fault.type, "message": fault.message, "detail": ""}
    return Reply(fault.status, {"NeutronError": error}, fault.headers, fault=fault)


def render_heat(fault: ApiFault, _accept: str) -> Reply:
    """Return Heat's fault document, with webob's explanation and the engine's error."""
    kind = "HTTPNotFound" if fault.type == "NoRoute" else fault.type
    body = {
        "explanation": _EXPLANATIONS.get(fault.status, phrase(fault.status)),
        "code": fault.status,
        "error": {"message": fault.message, "traceback": None, "type": kind},
        "title": phrase(fault.status),
    }
    return Reply(fault.status, body, fault.headers, fault=fault)


def render_wsme(fault: ApiFault, _accept: str) -> Reply:
    """Return the fault in the shape of Aodh and Ceilometer."""
    side = "Server" if fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR else "Client"
    error = {"debuginfo": None, "faultcode": side, "faultstring": fault.message}
    return Reply(fault.status, {"error_message": error}, fault.headers, fault=fault)


def render_webob(fault: ApiFault, accept: str) -> Reply:
    """Return webob's answer to an uncaught HTTP exception (Glance, unknown paths elsewhere): HTML or plain text."""
    title = f"{fault.status} {phrase(fault.status)}"
    if "html" in accept or "*/*" in accept or not accept:
        text = (
            f"<html>\n <head>\n  <title>{title}</title>\n </head>\n <body>\n  <h1>{title}</h1>\n"
            f"  {html.escape(fault.message)}<br /><br />\n\n\n\n </body>\n</html>"
        )
        kind = "text/html; charset=UTF-8"
    else:
        text = f"{title}\n\n{fault.message}\n\n   "
        kind = "text/plain; charset=UTF-8"
    return Reply(fault.status, None, fault.headers, raw=text.encode(), content_type=kind, fault=fault)


_EXPLANATIONS = {
    400: "The server could not comply with the request since it is either malformed or otherwise incorrect.",
    401: "This server could not verify that you are authorized to access the document you requested.",
    403: "Access was denied to this resource.",
    404: "The resource could not be found.",
    405: "The method specified is not allowed for this resource.",
    409: "There was a conflict when trying to complete your request.",
    500: "The server has either erred or is incapable of performing the requested operation.",
    503: "The server is currently unavailable. Please try again at a later time.",
}


def no_route() -> ApiFault:
    """Return the fault of an unknown path."""
    return ApiFault(404, "NoRoute", _EXPLANATIONS[404])


def bad_method(allowed: str) -> ApiFault:
    """Return the fault of a path without this method."""
    return ApiFault(405, "HTTPMethodNotAllowed", _EXPLANATIONS[405], {"Allow": allowed})


def unexpected(error: Exception) -> ApiFault:
    """Return the fault of a defect of this program, with the message of a defect in Nova."""
    return ApiFault(
        500,
        "InternalServerError",
        "Unexpected API Error. Please report this at http://bugs.launchpad.net/nova/ and attach the Nova API log if"
        f" possible.\n{type(error)}",
    )


def encode(reply: Reply) -> bytes:
    """Return the bytes of an answer's body."""
    if reply.raw is not None:
        return reply.raw
    return b"" if reply.body is None else json.dumps(reply.body).encode()

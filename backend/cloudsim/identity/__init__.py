"""Keystone v3 of Liberty (v3.4): tokens, catalog, projects, users, roles, assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.core.service import Request, Route
from cloudsim.identity import directory, seed, tokens

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

_MEDIA = "application/vnd.openstack.identity"


def _v3(base: str) -> dict[str, object]:
    return {
        "id": "v3.4",
        "status": "stable",
        "updated": "2015-03-30T00:00:00Z",
        "links": [{"rel": "self", "href": f"{base}/v3/"}],
        "media-types": [{"base": "application/json", "type": f"{_MEDIA}-v3+json"}],
    }


def _v2(base: str) -> dict[str, object]:
    return {
        "id": "v2.0",
        "status": "stable",
        "updated": "2014-04-17T00:00:00Z",
        "links": [
            {"rel": "self", "href": f"{base}/v2.0/"},
            {"rel": "describedby", "type": "text/html", "href": "http://docs.openstack.org/"},
        ],
        "media-types": [{"base": "application/json", "type": f"{_MEDIA}-v2.0+json"}],
    }


def versions(base: str) -> Reply:
    """``GET /``: 300 with both versions."""
    return Reply(300, {"versions": {"values": [_v3(base), _v2(base)]}}, {"Vary": "X-Auth-Token"})


async def _show_v3(_ctx: RequestContext, request: Request) -> Reply:
    return Reply(200, {"version": _v3(request.base)})


async def _show_v2(_ctx: RequestContext, request: Request) -> Reply:
    return Reply(200, {"version": _v2(request.base)})


def routes(cloud: Cloud) -> list[Route]:
    return [
        Route("GET", "/v3", _show_v3, auth=False),
        Route("GET", "/v2.0", _show_v2, auth=False),
        *tokens.routes(cloud),
        *directory.routes(cloud),
    ]


async def start(cloud: Cloud) -> None:
    seed.seed(cloud)
    tokens.start(cloud)

"""Glance v2 of Liberty (v2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.core.service import Route
from cloudsim.image import seed
from cloudsim.image.images import Images

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

_VERSIONS = (("v2.3", "CURRENT"), ("v2.2", "SUPPORTED"), ("v2.1", "SUPPORTED"), ("v2.0", "SUPPORTED"))


def versions(base: str) -> Reply:
    """``GET /``: 300 with the versions of the v2 API; v1 is off, as it may be at an operator."""
    listed = [
        {"id": ident, "status": status, "links": [{"rel": "self", "href": f"{base}/v2/"}]}
        for ident, status in _VERSIONS
    ]
    return Reply(300, {"versions": listed})


def routes(cloud: Cloud) -> list[Route]:
    return Images(cloud).routes()


async def start(cloud: Cloud) -> None:
    seed.seed(cloud)

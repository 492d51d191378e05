"""Aodh v2 of Liberty: stores alarms, sets their state through the API, and calls their webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.aodh.alarms import Alarms
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.service import Route

PART = "aodh"
_UPDATED = "2013-02-13T00:00:00Z"


def versions(base: str) -> Reply:
    """`GET /`: 200 with the one version."""
    media = [{"base": "application/json", "type": "application/vnd.openstack.telemetry-v2+json"}]
    links = [
        {"href": f"{base}/v2", "rel": "self"},
        {"href": "http://docs.openstack.org/", "rel": "describedby", "type": "text/html"},
    ]
    version = {"id": "v2", "status": "stable", "updated": _UPDATED, "links": links, "media-types": media}
    return Reply(200, {"versions": {"values": [version]}})


def routes(cloud: Cloud) -> list[Route]:
    alarms = Alarms(cloud)
    cloud.parts[PART] = alarms
    return alarms.routes()


async def stop(cloud: Cloud) -> None:
    """Cancel running webhook calls."""
    alarms: Alarms = cloud.parts[PART]
    await alarms.notifier.stop()

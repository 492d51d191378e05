"""Cinder v2 of Liberty: volumes, snapshots, types and quotas, without backups and with unlimited capacity.

A volume with ``fail-volume`` in its name ends in ``error``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.core.errors import Reply
from cloudsim.core.service import Handler, Request, Route
from cloudsim.volume import seed
from cloudsim.volume.actions import Actions
from cloudsim.volume.quotas import Quotas
from cloudsim.volume.snapshots import Snapshots
from cloudsim.volume.types import Types
from cloudsim.volume.volumes import Volumes

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

_UPDATED = "2012-11-21T11:33:21Z"


def _version(base: str) -> dict[str, object]:
    links = [{"rel": "self", "href": f"{base}/v2/"}]
    return {"id": "v2.0", "status": "CURRENT", "updated": _UPDATED, "links": links}


def versions(base: str) -> Reply:
    """``GET /``: 200 with the one version; v1 is off, as it may be at an operator."""
    return Reply(200, {"versions": [_version(base)]})


async def _show_version(_ctx: RequestContext, request: Request) -> Reply:
    return Reply(200, {"version": _version(request.base)})


async def _extensions(_ctx: RequestContext, _request: Request) -> Reply:
    aliases = ("os-availability-zone", "os-image-create", "os-quota-sets", "os-types-manage", "os-volume-actions")
    shown = [{"alias": one, "name": one, "description": one, "links": [], "updated": _UPDATED} for one in aliases]
    return Reply(200, {"extensions": shown})


async def _zones(_ctx: RequestContext, _request: Request) -> Reply:
    return Reply(200, {"availabilityZoneInfo": [{"zoneName": "nova", "zoneState": {"available": True}}]})


def routes(cloud: Cloud) -> list[Route]:
    types, quotas = Types(cloud), Quotas(cloud)
    volumes = Volumes(cloud, types)
    snapshots = Snapshots(cloud, volumes)
    one, quota_set = "/volumes/{id}", "/os-quota-sets/{id}"
    table: list[tuple[str, str, Handler]] = [
        ("GET", "/volumes", volumes.index),
        ("GET", "/volumes/detail", volumes.detail),
        ("POST", "/volumes", volumes.create),
        ("GET", one, volumes.show),
        ("PUT", one, volumes.update),
        ("DELETE", one, volumes.delete),
        ("GET", f"{one}/metadata", volumes.metadata),
        ("POST", f"{one}/metadata", volumes.merge_metadata),
        ("PUT", f"{one}/metadata", volumes.replace_metadata),
        ("POST", f"{one}/action", Actions(cloud, volumes, types).act),
        ("GET", "/snapshots", snapshots.index),
        ("GET", "/snapshots/detail", snapshots.detail),
        ("POST", "/snapshots", snapshots.create),
        ("GET", "/snapshots/{id}", snapshots.show),
        ("DELETE", "/snapshots/{id}", snapshots.delete),
        ("GET", "/types", types.index),
        ("POST", "/types", types.create),
        ("GET", "/types/{id}", types.show),
        ("DELETE", "/types/{id}", types.delete),
        ("GET", "/limits", quotas.limits),
        ("GET", quota_set, quotas.show),
        ("PUT", quota_set, quotas.update),
        ("DELETE", quota_set, quotas.reset),
        ("GET", f"{quota_set}/defaults", quotas.defaults),
        ("GET", "/os-availability-zone", _zones),
        ("GET", "/extensions", _extensions),
    ]
    versioned = [Route(method, f"/v2/{{project_id}}{path}", handler) for method, path, handler in table]
    return [Route("GET", "/v2", _show_version), *versioned]


async def start(cloud: Cloud) -> None:
    seed.seed(cloud)

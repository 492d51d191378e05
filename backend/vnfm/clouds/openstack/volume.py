"""Cinder: what a project may still have, its volume types and snapshots, by what v2 and v3 have in common."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from openstack.proxy import Proxy

from vnfm.clouds.errors import NotFound
from vnfm.clouds.openstack import rest
from vnfm.clouds.openstack.errors import translate_errors
from vnfm.clouds.types import CloudVolume, Quota, VolumeSnapshot


@translate_errors("openstack")
def volume_quotas(cinder: Proxy) -> Sequence[Quota]:
    """Volumes, and GiB of all of them (`GET /limits`, the same in v2 and v3)."""
    limits = rest.get(cinder, "/limits")["limits"]["absolute"]
    return [
        Quota("volumes", limits.get("maxTotalVolumes"), limits.get("totalVolumesUsed")),
        Quota("gigabytes", limits.get("maxTotalVolumeGigabytes"), limits.get("totalGigabytesUsed")),
    ]


@translate_errors("openstack")
def volume_types(cinder: Proxy) -> Sequence[str]:
    """Names of the types that the project may use (`GET /types`, the same in v2 and v3)."""
    return sorted(each["name"] for each in rest.get(cinder, "/types")["volume_types"])


class CinderVolumes:
    def __init__(self, cinder: Proxy | None) -> None:
        self._offered = cinder

    @property
    def _cinder(self) -> Proxy:
        if self._offered is None:
            raise NotFound("This cloud has no Cinder.", service="openstack")
        return self._offered

    @translate_errors("openstack")
    def show(self, volume_id: str) -> CloudVolume:
        data = rest.get(self._cinder, f"/volumes/{volume_id}")["volume"]
        return CloudVolume(data["id"], data.get("name") or "", data["status"], data["size"])

    @translate_errors("openstack")
    def snapshots(self) -> Sequence[VolumeSnapshot]:
        if self._offered is None:
            return ()
        return [_snapshot(data) for data in rest.pages(self._offered, "/snapshots", "snapshots")]

    @translate_errors("openstack")
    def create_snapshot(self, volume_id: str, name: str) -> str:
        """`force`: also of a volume that is in use; v3 does so from 3.66 on in any case."""
        body = {"snapshot": {"volume_id": volume_id, "name": name, "force": True}}
        made = self._cinder.post("/snapshots", json=body, raise_exc=True).json()
        return str(made["snapshot"]["id"])

    @translate_errors("openstack")
    def delete_snapshot(self, snapshot_id: str) -> None:
        with suppress(NotFound):
            self._delete(snapshot_id)

    @translate_errors("openstack")
    def _delete(self, snapshot_id: str) -> None:
        self._cinder.delete(f"/snapshots/{snapshot_id}", raise_exc=True)


def _snapshot(data: Mapping[str, Any]) -> VolumeSnapshot:
    return VolumeSnapshot(data["id"], data.get("name") or "", data["volume_id"], data["status"], data["size"])

"""Glance v2: images, registered empty and then filled."""

from collections.abc import Mapping, Sequence
from typing import Any

from keystoneauth1.exceptions import Unauthorized
from openstack.image.v2._proxy import Proxy

from vnfm.clouds.errors import Transient
from vnfm.clouds.openstack import rest
from vnfm.clouds.openstack.errors import translate_errors
from vnfm.clouds.ports import SWALLOW_SECONDS, Readable
from vnfm.clouds.types import Image

_PAGE = ("limit", "200")
"""Glance gives 25 at a time by default."""

_OURS = frozenset(
    {"id", "name", "status", "size", "checksum", "disk_format", "container_format", "min_disk", "min_ram"}
)
_GLANCES = frozenset(
    {"visibility", "protected", "tags", "owner", "created_at", "updated_at", "virtual_size", "file", "self", "schema"}
    | {"locations", "direct_url", "os_hidden", "os_hash_algo", "os_hash_value", "stores", "members"}
)


class GlanceImages:
    def __init__(self, glance: Proxy) -> None:
        self._glance = glance

    @translate_errors("glance")
    def list(self) -> Sequence[Image]:
        return [_image(data) for data in rest.pages(self._glance, "/images", "images", [_PAGE])]

    @translate_errors("glance")
    def find(self, name: str) -> Image | None:
        """Find it by exact name; of several the active one, then the newest, is what Heat's users mean."""
        found = [d for d in rest.pages(self._glance, "/images", "images", [_PAGE, ("name", name)]) if d["name"] == name]
        found.sort(key=lambda data: (data["status"] == "active", data["created_at"]), reverse=True)
        return _image(found[0]) if found else None

    @translate_errors("glance")
    def show(self, image_id: str) -> Image:
        return _image(rest.get(self._glance, f"/images/{image_id}"))

    @translate_errors("glance")
    def create(self, image: Image) -> str:
        body = {
            **image.properties,
            "name": image.name,
            "disk_format": image.disk_format,
            "container_format": image.container_format,
            "min_disk": image.min_disk_gib,
            "min_ram": image.min_memory_mib,
            "visibility": "private",
            **({"id": image.id} if image.id else {}),
        }
        made = self._glance.post("/images", json=body, raise_exc=True).json()
        return str(made["id"])

    @translate_errors("glance")
    def upload(self, image_id: str, data: Readable, *, stall_seconds: float = 60.0) -> None:
        # urllib3 bounds each piece that it sends by the time-out for connecting. Sending all again after a 401 would
        # store an empty image: the stream is at its end by then.
        try:
            self._glance.put(
                f"/images/{image_id}/file",
                data=data,
                headers={"Content-Type": "application/octet-stream"},
                timeout=(stall_seconds, SWALLOW_SECONDS),
                allow_reauth=False,
                raise_exc=True,
            )
        except Unauthorized as error:
            # Every other call would get a new token and find the token without fault.
            self._glance.invalidate()
            message = "The token expired during the upload, which begins again with a new one"
            raise Transient(message, service="glance", http_status=error.http_status) from error

    @translate_errors("glance")
    def delete(self, image_id: str) -> None:
        self._glance.delete_image(image_id, ignore_missing=True)


def _image(data: Mapping[str, Any]) -> Image:
    return Image(
        id=data["id"],
        name=data.get("name") or "",
        status=data["status"],
        size=data.get("size") or 0,
        checksum=data.get("checksum") or "",
        disk_format=data.get("disk_format") or "",
        container_format=data.get("container_format") or "",
        min_disk_gib=data.get("min_disk") or 0,
        min_memory_mib=data.get("min_ram") or 0,
        properties={
            name: str(value) for name, value in data.items() if name not in _OURS | _GLANCES and value is not None
        },
        hash_algorithm=data.get("os_hash_algo") or "",
        hash_value=data.get("os_hash_value") or "",
    )

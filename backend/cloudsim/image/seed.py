"""The image of a fresh cloud: ``tiny``, an empty but well-formed qcow2 of 1 GiB."""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

from cloudsim.image.images import data_path, new_image

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

from cloudsim.identity.seed import stable_id, stable_uuid

QCOW2 = struct.pack(">4sIQIIQIIQQIIQ", b"QFI\xfb", 2, 0, 0, 16, 1 << 30, 0, 2, 3 << 16, 1 << 16, 1, 0, 0).ljust(
    4 << 16, b"\0"
)


def seed(cloud: Cloud) -> None:
    """Make what a first start makes; a cloud that was used is left alone."""
    if cloud.store.get("seeded", "image"):
        return
    facts = {"name": "tiny", "disk_format": "qcow2", "container_format": "bare", "visibility": "public"}
    image = new_image(cloud, stable_uuid("image:tiny"), stable_id("project:admin"), facts)
    image.update(status="active", size=len(QCOW2), checksum=hashlib.md5(QCOW2, usedforsecurity=False).hexdigest())
    cloud.store.put("image", image["id"], image)
    path = data_path(cloud, image["id"])
    if path:
        path.write_bytes(QCOW2)
    cloud.store.put("seeded", "image", {"id": "image"})

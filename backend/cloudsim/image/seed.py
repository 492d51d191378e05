"""The images of a new cloud: empty but well-formed qcow2 files of 1 GiB."""

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

LAB = ("tiny",)
OPERATOR = (
    *LAB,
    "cirros",
    "cirros-0.3.4-x86_64-uec",
    "cirros-0.5.2-x86_64-disk",
    "ubuntu",
    "trusty-server-cloudimg-amd64",
    "debian",
    "centos",
    "fedora",
)
"""Image names that public templates have as defaults: those of the distributions, and of DevStack's images."""
IMAGES = {"lab": LAB, "operator": OPERATOR}


def seed(cloud: Cloud) -> None:
    """Create the objects of a new cloud; an existing one is not changed."""
    if cloud.store.get("seeded", "image"):
        return
    for name in IMAGES[cloud.options.seed]:
        _add(cloud, name)
    cloud.store.put("seeded", "image", {"id": "image"})


def _add(cloud: Cloud, name: str) -> None:
    facts = {"name": name, "disk_format": "qcow2", "container_format": "bare", "visibility": "public"}
    said = {"tags": ["simulated"], "description": "Simulated: an empty disk, under a name that templates use"}
    image = new_image(cloud, stable_uuid(f"image:{name}"), stable_id("project:admin"), {**facts, **said})
    image.update(status="active", size=len(QCOW2), checksum=hashlib.md5(QCOW2, usedforsecurity=False).hexdigest())
    cloud.store.put("image", image["id"], image)
    path = data_path(cloud, image["id"])
    if path:
        path.write_bytes(QCOW2)

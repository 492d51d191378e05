"""The volume type and the quotas of a new cloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.identity.seed import stable_id, stable_uuid
from cloudsim.volume.quotas import DEFAULTS, UNLIMITED, set_limits
from cloudsim.volume.types import KIND, new_type

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

TYPE = "lvmdriver-1"
"""The name of DevStack's volume type."""


def seed(cloud: Cloud) -> None:
    """Create the objects of a new cloud; an existing one is not changed."""
    if cloud.store.get("seeded", "volume"):
        return
    ident = stable_uuid(f"volume-type:{TYPE}")
    cloud.store.put(KIND, ident, new_type(ident, TYPE))
    for project in ("vnf", "admin"):
        set_limits(cloud, stable_id(f"project:{project}"), dict.fromkeys(DEFAULTS, UNLIMITED))
    cloud.store.put("seeded", "volume", {"id": "volume"})

"""Block devices of OS::Nova::Server: Heat's checks, and the request of its Nova client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.errors import ResourcePropertyConflict, StackValidationFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hot.functions import Json

_SOURCES = ("volume_id", "snapshot_id", "image_id", "swap_size")
_BOOTABLE = ("volume_id", "snapshot_id", "image_id")
_VALUES = ("device_type", "disk_bus", "boot_index", "volume_size", "delete_on_termination")


def has_boot_volume(values: Mapping[str, Json]) -> bool:
    """Return whether a device can boot. Raises StackValidationFailed or ResourcePropertyConflict."""
    old, new = (_maps(values.get(name)) for name in ("block_device_mapping", "block_device_mapping_v2"))
    for one in old:
        if one.get("volume_id") and one.get("snapshot_id"):
            raise ResourcePropertyConflict("volume_id", "snapshot_id")
        if not one.get("volume_id") and not one.get("snapshot_id"):
            name = one.get("device_name")
            raise StackValidationFailed(f"Either volume_id or snapshot_id must be specified for device mapping {name}")
    if old and new:
        raise ResourcePropertyConflict("block_device_mapping", "block_device_mapping_v2")
    for one in new:
        sources = [name for name in _SOURCES if one.get(name) is not None]
        if len(sources) > 1:
            raise ResourcePropertyConflict(*_SOURCES)
        if not sources:
            raise StackValidationFailed("Either volume_id, snapshot_id, image_id or swap_size must be specified.")
    return any(one.get("device_name") == "vda" for one in old) or any(
        one.get(name) for one in new for name in _BOOTABLE
    )


def _maps(value: Json) -> list[dict[str, Json]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def requested(props: Mapping[str, Json], image: str | None) -> dict[str, Json]:
    """Return fields of Nova's request; with block_device_mapping_v2 an image becomes the first boot device."""
    new = [_new(one) for one in props["block_device_mapping_v2"] or []]
    if new and image:
        local = {"source_type": "image", "destination_type": "local", "boot_index": 0, "delete_on_termination": True}
        new.insert(0, {**local, "uuid": image})
    old = [
        {name: value for name, value in one.items() if value is not None}
        for one in _maps(props["block_device_mapping"])
    ]
    fields = {"block_device_mapping_v2": new, "block_device_mapping": old}
    return {name: value for name, value in fields.items() if value}


def _new(one: Mapping[str, Json]) -> dict[str, Json]:
    source = next(name for name in _SOURCES if one.get(name))
    if source == "swap_size":
        entry: dict[str, Json] = {
            "source_type": "blank",
            "destination_type": "local",
            "boot_index": -1,
            "delete_on_termination": True,
            "guest_format": "swap",
            "volume_size": one["swap_size"],
        }
    else:
        entry = {
            "uuid": one[source],
            "source_type": source.removesuffix("_id"),
            "destination_type": "volume",
            "boot_index": 0,
            "delete_on_termination": False,
        }
    if one.get("device_name"):
        entry["device_name"] = one["device_name"]
    return entry | {name: one[name] for name in _VALUES if one.get(name) is not None}

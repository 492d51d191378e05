"""Where a server's flavor and image come from, and the volumes that it boots from or has attached (Heat's
engine/resources/openstack/nova/server.py and cinder/volume.py).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hot.language import is_call
from vnfm.catalog.domain.derive.placements import Placement, Scope, Value
from vnfm.catalog.domain.documents import Path
from vnfm.catalog.domain.hot.template import Parameter, ResourceDefinition, normalised

Parameters = Mapping[str, Parameter]
VOLUME, FLAVOR = "OS::Cinder::Volume", "OS::Nova::Flavor"
_ATTACHMENT = "OS::Cinder::VolumeAttachment"
_IMAGE_KEYS = ("image", "image_id", "imageRef")
"""Names of today and of older releases."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A property as written, at its place, with the scope that gives it its value."""

    written: Any
    where: Path
    scope: Scope

    @property
    def value(self) -> Value:
        return self.scope.value(self.written)


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume of a server: its size in GiB, 0 where only Heat knows it, and its image, if it has one."""

    size: int
    image: Origin | None
    boots: bool
    """Whether the server boots from it, so that its image is the server's."""


def flavor_origin(placement: Placement) -> Origin:
    server = placement.server
    return Origin(server.properties.get("flavor"), (*server.where, "properties", "flavor"), placement.scope)


def image_origin(placement: Placement, volumes: list[Volume]) -> Origin:
    """The server's own image, or that of the volume from which it boots."""
    server = placement.server
    if server.properties.get("image") is not None:
        return Origin(server.properties["image"], (*server.where, "properties", "image"), placement.scope)
    found = (volume.image for volume in volumes if volume.boots and volume.image is not None)
    return next(found, None) or Origin(None, server.where, placement.scope)


def volumes_of(placement: Placement, parameters: Parameters) -> list[Volume]:
    """The volumes that the stack creates for one server: mapped as block devices, or attached to it."""
    scope, server = placement.scope, placement.server
    found = list(_mapped(scope, server, parameters))
    for use in scope.template.resources_defined:
        if use.type == _ATTACHMENT and _names(use.properties.get("instance_uuid"), server):
            found += _created(scope, use.properties.get("volume_id"), parameters, boots=False)
    return found


def number(scope: Scope, written: Any, parameters: Parameters) -> int | None:
    """The number that the template writes, or that a parameter has by default; None when only Heat knows it."""
    value = scope.value(written)
    given: Any = value.text if value.kind == "literal" else None
    if value.kind == "parameter" and value.text in parameters:
        given = parameters[value.text].default
    given = normalised("number", given)
    return int(given) if isinstance(given, int | float) and not isinstance(given, bool) else None


def _mapped(scope: Scope, server: ResourceDefinition, parameters: Parameters) -> Iterator[Volume]:
    for name in ("block_device_mapping_v2", "block_device_mapping"):
        entries = server.properties.get(name)
        listed = [e for e in entries if isinstance(e, Mapping)] if isinstance(entries, list) else []
        for index, entry in enumerate(listed):
            where = (*server.where, "properties", name, index)
            boots = index == _boot_index(listed)
            yield from _created(scope, entry.get("volume_id"), parameters, boots=boots)
            key = next((key for key in _IMAGE_KEYS if entry.get(key) is not None), "")
            if key:
                size = number(scope, entry.get("volume_size"), parameters) or 0
                yield Volume(size, Origin(entry[key], (*where, key), scope), boots)


def _boot_index(entries: list[Mapping[str, Any]]) -> int:
    """The entry with boot_index 0, otherwise the first (Nova's own rule for the older form)."""
    return next((i for i, entry in enumerate(entries) if str(entry.get("boot_index")) == "0"), 0)


def _created(scope: Scope, written: Any, parameters: Parameters, *, boots: bool) -> Iterator[Volume]:
    """The volume, if the stack creates it."""
    found = scope.resource(scope.value(written)) if written is not None else None
    if found is None or found[0].type != VOLUME:
        return
    use, owner = found
    key = next((key for key in _IMAGE_KEYS if use.properties.get(key) is not None), "")
    image = Origin(use.properties[key], (*use.where, "properties", key), owner) if key else None
    yield Volume(number(owner, use.properties.get("size"), parameters) or 0, image, boots)


def _names(written: Any, server: ResourceDefinition) -> bool:
    return is_call(written) and written.get("get_resource") == server.name

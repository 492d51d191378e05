"""OS::Glance::Image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.errors import ResourceInError
from cloudsim.heat.hot.properties import Prop, between, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json


class Image(Plugin):
    """An image that Glance fetches from `location`; a failed fetch is an error, as in a real cloud."""

    type_name = "OS::Glance::Image"
    description = "A resource managing images in Glance."
    schema: Mapping[str, Prop] = {
        "name": Prop("string", "Name for the image."),
        "id": Prop("string", "The image ID. Glance will generate a UUID if not specified."),
        "is_public": Prop("boolean", "Scope of image accessibility.", default=False),
        "min_disk": Prop("integer", "Amount of disk space (in GB) required to boot image.", default=0,
                         constraints=between(0)),
        "min_ram": Prop("integer", "Amount of ram (in MB) required to boot image.", default=0, constraints=between(0)),
        "protected": Prop("boolean", "Whether the image can be deleted.", default=False),
        "disk_format": Prop(
            "string", "Disk format of image.", required=True,
            constraints=one_of("ami", "ari", "aki", "vhd", "vmdk", "raw", "qcow2", "vdi", "iso"),
        ),
        "container_format": Prop(
            "string", "Container format of image.", required=True,
            constraints=one_of("ami", "ari", "aki", "bare", "ova", "ovf"),
        ),
        "location": Prop("string", "URL where the data for this image already resides.", required=True),
    }  # fmt: skip

    async def create(self, res: Handle) -> None:
        props = res.props
        body = {key: props[key] for key in ("disk_format", "container_format", "min_disk", "min_ram", "protected")}
        body["name"] = props["name"] or res.physical_name()
        body["visibility"] = "public" if props["is_public"] else "private"
        if props["id"]:
            body["id"] = props["id"]
        await res.make("image", "/images", body)
        raise ResourceInError(f"Unable to retrieve image data from location {props['location']}", "killed")

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("image", f"/images/{res.physical}")

    async def show(self, res: Handle) -> dict[str, Json] | None:
        image: dict[str, Json] | None = await res.client.find("image", f"/images/{res.physical}")
        return image


TYPES: list[type[Plugin]] = [Image]

"""OS::Heat::SoftwareConfig and similar types: texts for user_data, which Heat itself stores."""

from __future__ import annotations

import uuid
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from typing import TYPE_CHECKING, ClassVar

import yaml

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.hot.properties import Prop, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.core.store import Store
    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

KIND = "heat_software_config"


def config_text(store: Store, ident: str) -> str | None:
    """Return the text of the stored config with this id, None without one."""
    config = store.get(KIND, ident)
    return None if config is None else str(config["config"])


def _store(res: Handle, text: Json) -> None:
    """Store the text, and adopt its id."""
    ident = str(uuid.uuid4())
    res.engine.cloud.store.put(KIND, ident, {"id": ident, "config": text or ""})
    res.adopt(ident)


_NAMED = {
    "name": Prop("string", "Name of the input or output.", required=True),
    "description": Prop("string", "Description of the input or output."),
    "type": Prop("string", "Type of the value.", default="String",
                 constraints=one_of("String", "Number", "CommaDelimitedList", "Json")),
}  # fmt: skip
_INPUT = {**_NAMED, "default": Prop("string", "Default value for the input if none is specified.")}
_OUTPUT = {**_NAMED, "error_output": Prop("boolean", "Whether a value of it means failure.", default=False)}


class SoftwareConfig(Plugin):
    type_name = "OS::Heat::SoftwareConfig"
    description = "A resource for describing and storing software configuration."
    schema: Mapping[str, Prop] = {
        "group": Prop("string", "Namespace to group this software config by.", default="Heat::Ungrouped"),
        "config": Prop("string", "Configuration script or manifest."),
        "options": Prop("map", "Map containing options specific to the configuration management tool."),
        "inputs": Prop("list", "Schema representing the inputs that this software config is expecting.",
                       items=Prop("map", schema=_INPUT)),
        "outputs": Prop("list", "Schema representing the outputs that this software config will produce.",
                        items=Prop("map", schema=_OUTPUT)),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {"config": "The config value of the software config."}

    async def text(self, res: Handle) -> Json:
        return res.props["config"]

    async def create(self, res: Handle) -> None:
        _store(res, await self.text(res))

    async def delete(self, res: Handle) -> None:
        res.engine.cloud.store.delete(KIND, res.physical)

    async def attribute(self, res: Handle, name: str) -> Json:
        if name == "config":
            return (res.engine.cloud.store.get(KIND, res.physical) or {}).get("config")
        return await super().attribute(res, name)


class CloudConfig(SoftwareConfig):
    type_name = "OS::Heat::CloudConfig"
    description = "A configuration resource for representing cloud-init cloud-config."
    schema: Mapping[str, Prop] = {
        "cloud_config": Prop("map", "Map representing the cloud-config data structure as YAML.")
    }

    async def text(self, res: Handle) -> str:
        return "#cloud-config\n" + yaml.safe_dump(res.props["cloud_config"] or {})


class MultipartMime(CloudConfig):
    type_name = "OS::Heat::MultipartMime"
    description = "Assembles a collection of software configurations as a multi-part mime message."
    schema: Mapping[str, Prop] = {
        "parts": Prop(
            "list", "Parts belonging to this message.", default=[],
            items=Prop("map", schema={
                "config": Prop("string", "Content of part to attach, either inline or by ID.", required=True),
                "filename": Prop("string", "Optional filename to associate with part."),
                "type": Prop("string", "Whether the part is itself multipart.", default="text",
                             constraints=one_of("text", "multipart")),
                "subtype": Prop("string", "Optional subtype to specify with the type."),
            }),
        )
    }  # fmt: skip

    async def text(self, res: Handle) -> str:
        message = MIMEMultipart(boundary="===============heat==")
        for part in res.props["parts"]:
            content = config_text(res.engine.cloud.store, part["config"]) or part["config"]
            attached = MIMEText(content, part["subtype"] or _subtype(content))
            if part["filename"]:
                attached.add_header("Content-Disposition", "attachment", filename=part["filename"])
            message.attach(attached)
        return message.as_string()


def _subtype(content: str) -> str:
    if content.startswith("#cloud-config"):
        return "cloud-config"
    return "x-shellscript" if content.startswith("#!") else "plain"


TYPES: list[type[Plugin]] = [SoftwareConfig, CloudConfig, MultipartMime]

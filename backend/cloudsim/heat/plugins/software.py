"""OS::Heat::SoftwareConfig, CloudConfig, MultipartMime: texts for user_data, kept by Heat itself."""

from __future__ import annotations

import json
import uuid
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from cloudsim.heat.hot.properties import Prop, one_of
from cloudsim.heat.plugins.base import Plugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.core.store import Store
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.hot.scope import Json

KIND = "heat_software_config"


def config_text(store: Store, ident: str) -> str | None:
    """Text of the stored config with this id, None when it is not an id of one."""
    config = store.get(KIND, ident)
    return None if config is None else str(config["config"])


def store_config(store: Store, project_id: str, now: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Keep a software config; returns its document."""
    ident = str(uuid.uuid4())
    return store.put(
        KIND,
        ident,
        {
            "id": ident,
            "project_id": project_id,
            "name": body.get("name") or "",
            "group": body.get("group") or "Heat::Ungrouped",
            "config": body.get("config") or "",
            "inputs": body.get("inputs") or [],
            "outputs": body.get("outputs") or [],
            "options": body.get("options") or {},
            "creation_time": now,
        },
    )


class SoftwareConfig(Plugin):
    type_name = "OS::Heat::SoftwareConfig"
    description = "A resource for describing and storing software configuration."
    schema: Mapping[str, Prop] = {
        "group": Prop("string", "Namespace to group this software config by.", default="Heat::Ungrouped"),
        "config": Prop("string", "Configuration script or manifest."),
        "options": Prop("map", "Map containing options specific to the configuration management tool."),
        "inputs": Prop("list", "Schema representing the inputs that this software config is expecting."),
        "outputs": Prop("list", "Schema representing the outputs that this software config will produce."),
    }
    attributes: ClassVar[Mapping[str, str]] = {"config": "The config value of the software config."}

    async def text(self, res: Handle) -> str:
        return str(res.props["config"] or "")

    async def create(self, res: Handle) -> None:
        cloud = res.engine.cloud
        body = {key: value for key, value in res.props.items() if key in ("group", "options", "inputs", "outputs")}
        body |= {"name": res.physical_name(), "config": await self.text(res)}
        made = store_config(cloud.store, res.stack.project_id, cloud.clock.stamp(), body)
        res.adopt(made["id"])

    async def delete(self, res: Handle) -> None:
        res.engine.cloud.store.delete(KIND, res.physical)

    async def attribute(self, res: Handle, name: str) -> Json:
        if name == "config":
            return config_text(res.engine.cloud.store, res.physical)
        return await super().attribute(res, name)


class CloudConfig(SoftwareConfig):
    type_name = "OS::Heat::CloudConfig"
    description = "A configuration resource for representing cloud-init cloud-config."
    schema: Mapping[str, Prop] = {
        "cloud_config": Prop("map", "Map representing the cloud-config data structure as YAML.")
    }

    async def text(self, res: Handle) -> str:
        return "#cloud-config\n" + yaml.safe_dump(res.props["cloud_config"] or {})

    async def create(self, res: Handle) -> None:
        cloud = res.engine.cloud
        body = {"name": res.physical_name(), "config": await self.text(res)}
        res.adopt(store_config(cloud.store, res.stack.project_id, cloud.clock.stamp(), body)["id"])


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


def rendered(document: Mapping[str, Any]) -> dict[str, Any]:
    """A stored config as the API shows it."""
    shown: dict[str, Any] = json.loads(json.dumps({k: v for k, v in document.items() if k != "project_id"}))
    return shown


TYPES: list[type[Plugin]] = [SoftwareConfig, CloudConfig, MultipartMime]

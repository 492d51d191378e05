"""OS::Heat::SoftwareConfig and similar types: texts for user_data and deployments, stored by Heat itself."""

from __future__ import annotations

import json
import uuid
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from cloudsim.heat.errors import StackValidationFailed
from cloudsim.heat.hot.properties import Prop, length, one_of
from cloudsim.heat.plugins.base import Plugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.core.store import Store
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.scope import Json
    from cloudsim.heat.hot.template import Definition

KIND = "heat_software_config"


def config_text(store: Store, ident: str) -> str | None:
    """Return the text of the stored config with this id, None without one."""
    config = store.get(KIND, ident)
    return None if config is None else str(config["config"])


def store_config(store: Store, project_id: str, now: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Store a software config and return its document."""
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
        return res.props["config"] or ""

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
            return (res.engine.cloud.store.get(KIND, res.physical) or {}).get("config")
        return await super().attribute(res, name)


class StructuredConfig(SoftwareConfig):
    type_name = "OS::Heat::StructuredConfig"
    description = "A software config whose config is a map."
    schema: Mapping[str, Prop] = {
        **SoftwareConfig.schema,
        "config": Prop("map", "Map representing the configuration data structure."),
    }


class SoftwareComponent(SoftwareConfig):
    type_name = "OS::Heat::SoftwareComponent"
    description = "Configurations for all lifecycle actions of a software component."
    schema: Mapping[str, Prop] = {
        **{name: prop for name, prop in SoftwareConfig.schema.items() if name not in ("group", "config")},
        "configs": Prop(
            "list", "The list of configurations for the different lifecycle actions.", required=True,
            constraints=length(1),
            items=Prop("map", schema={
                "actions": Prop("list", "Lifecycle actions to which the configuration applies.",
                                default=["CREATE", "UPDATE"], items=Prop("string"), constraints=length(1)),
                "config": Prop("string", "Configuration script or manifest."),
                "tool": Prop("string", "The configuration tool used to apply the configuration.", required=True),
            }),
        ),
    }  # fmt: skip

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that an action has at most one configuration."""
        configs = values.get("configs") or []
        actions = [action for one in configs if isinstance(one, dict) for action in one.get("actions") or []]
        if len(actions) != len(set(actions)):
            raise StackValidationFailed(
                "Defining more than one configuration for the same action in SoftwareComponent"
                f' "{definition.name}" is not allowed.'
            )

    async def text(self, res: Handle) -> Json:
        return {"configs": res.props["configs"]}

    async def create(self, res: Handle) -> None:
        await super().create(res)
        store = res.engine.cloud.store
        store.put(KIND, res.physical, {**(store.get(KIND, res.physical) or {}), "group": "component"})


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
    """Return the JSON of a stored config in the API."""
    view: dict[str, Any] = json.loads(json.dumps({k: v for k, v in document.items() if k != "project_id"}))
    return view


TYPES: list[type[Plugin]] = [SoftwareConfig, StructuredConfig, SoftwareComponent, CloudConfig, MultipartMime]

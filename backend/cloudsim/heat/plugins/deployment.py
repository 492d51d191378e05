"""OS::Heat::SoftwareDeployment, StructuredDeployment and their groups: configs that a guest executes and answers.

A deployment is a document of Heat; the guest reads it by `/software_deployments/metadata/{server}` and signals its
outputs. Guests do not do that here: a client signals in their place, or the setting `guest_signals` does.
"""

from __future__ import annotations

import copy
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from cloudsim.heat.errors import Error, InvalidTemplateAttribute, StackValidationFailed, UserParameterMissing
from cloudsim.heat.hot.properties import Prop, one_of
from cloudsim.heat.hot.scope import select
from cloudsim.heat.plugins import signalling, software
from cloudsim.heat.plugins.base import Plugin
from cloudsim.heat.plugins.group import group_blueprint
from cloudsim.heat.plugins.nested import NestedPlugin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cloudsim.heat.engine.blueprint import Blueprint
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.scope import Json
    from cloudsim.heat.hot.template import Definition

KIND = "heat_deployment"
OUTPUTS = ("deploy_stdout", "deploy_stderr", "deploy_status_code")
_TRANSPORTS = ("CFN_SIGNAL", "TEMP_URL_SIGNAL", "HEAT_SIGNAL", "NO_SIGNAL", "ZAQAR_SIGNAL")
_WAIT = 60.0

_DEPLOYMENT = {
    "config": Prop("string", "ID of software configuration resource to execute.", update=True),
    "input_values": Prop("map", "Input values to apply to the software configuration.", update=True),
    "actions": Prop("list", "Lifecycle actions that trigger this deployment.", default=["CREATE", "UPDATE"],
                    update=True,
                    constraints=one_of("CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME")),
    "name": Prop("string", "Name of the derived config associated with this deployment."),
    "signal_transport": Prop("string", "How the server should signal the deployment output values.",
                             default="CFN_SIGNAL", constraints=one_of(*_TRANSPORTS)),
}  # fmt: skip
_SUBSTITUTION = {
    "input_key": Prop("string", "Name of key to use for substituting inputs.", default="get_input"),
    "input_values_validate": Prop("string", "Whether each input needs a value.", default="LAX",
                                  constraints=one_of("LAX", "STRICT")),
}  # fmt: skip
_SERVER = {"server": Prop("string", "ID of resource to apply configuration to.", required=True)}
_SERVERS = {"servers": Prop("map", "A map of Nova names and IDs to apply configuration to.", update=True)}


def deployments_of(cloud: Any, server: str) -> list[dict[str, Json]]:
    """Return the derived configs of a server's deployments by name, which its guest executes."""
    configs = [
        cloud.store.get(software.KIND, one["config_id"])
        for one in cloud.store.list(KIND)
        if one["server_id"] == server and one["config_id"]
    ]
    return [software.rendered(one) for one in sorted(filter(None, configs), key=lambda one: str(one["name"]))]


class SoftwareDeployment(Plugin):
    type_name = "OS::Heat::SoftwareDeployment"
    description = "Associates a server with some configuration which is to be deployed to that server."
    schema: Mapping[str, Prop] = {**_DEPLOYMENT, **_SERVER}
    attributes: ClassVar[Mapping[str, str]] = {name: f"The guest's {name[7:]}." for name in OUTPUTS}

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that a server of the same template accepts software configs."""
        named = definition.properties.get("server")
        name = named.get("get_resource") if isinstance(named, dict) else None
        server = stack.template.resources.get(name) if isinstance(name, str) else None
        if server is not None and await stack.resolve(server.properties.get("user_data_format")) != "SOFTWARE_CONFIG":
            raise StackValidationFailed(
                f"Resource {name}'s property user_data_format should be set to SOFTWARE_CONFIG since there are"
                " software deployments on it."
            )

    async def create(self, res: Handle) -> None:
        signalling.prepare(res)
        await self._deploy(res, "CREATE")

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        await self._deploy(res, "UPDATE")

    async def suspend(self, res: Handle) -> None:
        await self._deploy(res, "SUSPEND")

    async def resume(self, res: Handle) -> None:
        await self._deploy(res, "RESUME")

    async def delete(self, res: Handle) -> None:
        document = res.engine.cloud.store.get(KIND, res.physical)
        if document is None:
            return
        await self._deploy(res, "DELETE")
        res.engine.cloud.store.delete(software.KIND, document["config_id"])
        res.engine.cloud.store.delete(KIND, res.physical)

    async def _deploy(self, res: Handle, action: str) -> None:
        """Derive a config for this action, and wait for the guest's answer unless none is required."""
        store, clock, props = res.engine.cloud.store, res.engine.cloud.clock, res.props
        source = store.get(software.KIND, props["config"] or "") or {}
        if action not in props["actions"] and source.get("group") != "component":
            return
        silent = props["signal_transport"] == "NO_SIGNAL"
        document = store.get(KIND, res.physical) or {
            "id": str(uuid.uuid4()),
            "project_id": res.stack.project_id,
            "server_id": props["server"],
            "config_id": "",
            "input_values": {},
            "output_values": {},
            "creation_time": clock.stamp(),
        }
        store.delete(software.KIND, document["config_id"])
        document.update(
            config_id=software.store_config(
                store, res.stack.project_id, clock.stamp(), self._derived(res, action, source)
            )["id"],
            action=action,
            status="COMPLETE" if silent else "IN_PROGRESS",
            status_reason="Not waiting for outputs signal" if silent else "Deploy data available",
            updated_time=clock.stamp(),
        )
        store.put(KIND, document["id"], document)
        res.adopt(document["id"])
        if res.engine.cloud.setting("guest_signals"):
            await self.signal(res, {"deploy_status_code": 0})
        while document["status"] == "IN_PROGRESS":
            await res.engine.cloud.bus.wait(KIND, document["id"], _WAIT)
            document = store.get(KIND, document["id"]) or {"status": "COMPLETE"}
        if document["status"] == "FAILED":
            raise Error(f"Deployment to server failed: {document['status_reason']}")

    def _derived(self, res: Handle, action: str, source: Mapping[str, Json]) -> dict[str, Json]:
        inputs = self._inputs(res, action, source)
        return {
            **source,
            "name": res.props["name"] or source.get("name") or res.physical_name(),
            "inputs": inputs,
            "config": self.substituted(res, source.get("config"), {one["name"]: one.get("value") for one in inputs}),
        }

    def substituted(self, res: Handle, config: Json, inputs: Mapping[str, Json]) -> Json:
        """Return the config for the guest; a plain config has its inputs beside it."""
        return config

    def _inputs(self, res: Handle, action: str, source: Mapping[str, Json]) -> list[dict[str, Json]]:
        given = dict(res.props["input_values"] or {})
        inputs = copy.deepcopy(source.get("inputs") or [])
        for one in inputs:
            one["value"] = given.pop(one["name"], one.get("default"))
        known = {
            **given,
            "deploy_server_id": res.props["server"],
            "deploy_action": action,
            "deploy_stack_id": f"{res.stack.name}/{res.stack.id}",
            "deploy_resource_name": res.name,
            "deploy_signal_transport": res.props["signal_transport"],
        }
        if res.props["signal_transport"] == "CFN_SIGNAL":
            known |= {"deploy_signal_id": signalling.url(res), "deploy_signal_verb": "POST"}
        return inputs + [{"name": name, "type": "String", "value": value} for name, value in known.items()]

    async def signal(self, res: Handle, details: Json) -> str:
        """Store the guest's outputs; an error output, or a status code other than 0, fails the deployment."""
        store = res.engine.cloud.store
        document = store.get(KIND, res.physical)
        if document is None or document["status"] != "IN_PROGRESS":
            return ""
        details = details if isinstance(details, dict) else {}
        code = details.get("deploy_status_code")
        failed = code not in (None, "") and str(code) != "0"
        reasons = [f"deploy_status_code : Deployment exited with non-zero status code: {code}"] if failed else []
        outputs = self._outputs(res)
        reasons += [f"{one['name']} : {details[one['name']]}" for one in outputs
                    if one.get("error_output") and one["name"] in details]  # fmt: skip
        values = {one["name"]: details[one["name"]] for one in outputs if one["name"] in details}
        document["output_values"] |= values | {name: details.get(name) for name in OUTPUTS}
        document["status"] = "FAILED" if reasons else "COMPLETE"
        document["status_reason"] = ", ".join(reasons) or "Outputs received"
        store.put(KIND, document["id"], document)
        if failed:
            return f"deployment failed ({code})"
        return "deployment failed" if reasons else "deployment succeeded"

    @staticmethod
    def _outputs(res: Handle) -> list[dict[str, Json]]:
        source = res.engine.cloud.store.get(software.KIND, res.props["config"] or "") or {}
        return [one for one in source.get("outputs") or [] if isinstance(one, dict)]

    def has_attribute(self, name: str) -> bool:
        """Return True, as any name may be an output of the config."""
        return True

    async def attribute(self, res: Handle, name: str) -> Json:
        document = res.engine.cloud.store.get(KIND, res.physical) or {"output_values": {}}
        if name in document["output_values"]:
            return document["output_values"][name]
        if name not in OUTPUTS and name not in [one["name"] for one in self._outputs(res)]:
            raise InvalidTemplateAttribute(res.name, name)
        return None


class StructuredDeployment(SoftwareDeployment):
    type_name = "OS::Heat::StructuredDeployment"
    description = "A deployment which performs input value substitution on a structured config."
    schema: Mapping[str, Prop] = {**_DEPLOYMENT, **_SERVER, **_SUBSTITUTION}

    def substituted(self, res: Handle, config: Json, inputs: Mapping[str, Json]) -> Json:
        """Return the config with `{get_input: name}` replaced by the input's value."""
        key, strict = res.props["input_key"], res.props["input_values_validate"] == "STRICT"

        def parsed(snippet: Json) -> Json:
            if isinstance(snippet, list):
                return [parsed(one) for one in snippet]
            if not isinstance(snippet, dict):
                return snippet
            name = snippet.get(key) if len(snippet) == 1 else None
            if not isinstance(name, str):
                return {part: parsed(value) for part, value in snippet.items()}
            if strict and name not in inputs:
                raise UserParameterMissing(name)
            return inputs.get(name)

        return parsed(config or {})


class SoftwareDeploymentGroup(NestedPlugin):
    """A nested stack with a deployment for each of a map of servers."""

    type_name = "OS::Heat::SoftwareDeploymentGroup"
    description = "Associates a group of servers with some configuration which is to be deployed to all of them."
    member: ClassVar[type[SoftwareDeployment]] = SoftwareDeployment
    schema: Mapping[str, Prop] = {**_DEPLOYMENT, **_SERVERS}
    attributes: ClassVar[Mapping[str, str]] = {
        f"{name}s": f"A map of server names to the guests' {name[7:]}." for name in OUTPUTS
    }

    async def child_blueprint(self, res: Handle) -> Blueprint:
        given = {name: value for name, value in res.props.items() if name != "servers" and value is not None}
        members = {
            name: {"type": self.member.type_name, "properties": {**given, "server": server}}
            for name, server in self._servers(res).items()
        }
        return group_blueprint(res.stack, res.name, members)

    @staticmethod
    def _servers(res: Handle) -> dict[str, Json]:
        servers: dict[str, Json] = res.props["servers"] or {}
        return servers

    def has_attribute(self, name: str) -> bool:
        return True

    async def attribute_at(self, res: Handle, name: str, path: list[Json]) -> Json:
        if name.startswith("resource."):
            return await self.member_attribute(res, name, path)
        names: Iterable[str] = self._servers(res)
        if name == "refs":
            return select([await self.of_member(res, one, []) for one in names], path)
        wanted = name.removesuffix("s") if name in self.attributes else name
        return select({one: await self.of_member(res, one, [wanted]) for one in names}, path)

    async def attribute(self, res: Handle, name: str) -> Json:
        return await self.attribute_at(res, name, [])


class SoftwareDeployments(SoftwareDeploymentGroup):
    type_name = "OS::Heat::SoftwareDeployments"


class StructuredDeploymentGroup(SoftwareDeploymentGroup):
    type_name = "OS::Heat::StructuredDeploymentGroup"
    member = StructuredDeployment
    schema: Mapping[str, Prop] = {**_DEPLOYMENT, **_SERVERS, **_SUBSTITUTION}


class StructuredDeployments(StructuredDeploymentGroup):
    type_name = "OS::Heat::StructuredDeployments"


TYPES: list[type[Plugin]] = [
    SoftwareDeployment, StructuredDeployment, SoftwareDeploymentGroup, SoftwareDeployments, StructuredDeploymentGroup,
    StructuredDeployments,
]  # fmt: skip

"""The OS::Nova types for server groups, flavors and key pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.errors import StackValidationFailed
from cloudsim.heat.hot.properties import Prop, length
from cloudsim.heat.plugins.nova_server import Server

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.template import Definition
    from hot.functions import Json

POLICIES = ("anti-affinity", "affinity")


class ServerGroup(Plugin):
    type_name = "OS::Nova::ServerGroup"
    description = "A resource for managing a Nova server group."
    schema: Mapping[str, Prop] = {
        "name": Prop("string", "Server Group name."),
        "policies": Prop(
            "list", "A list of exactly one policy to apply. Defaults to anti-affinity.", default=["anti-affinity"],
            items=Prop("string"),
        ),
    }  # fmt: skip

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check the policy, of which Liberty knows two."""
        policies = values.get("policies")
        for policy in policies if isinstance(policies, list) else []:
            if policy not in POLICIES and "\0" not in policy:
                raise StackValidationFailed(
                    f'"{policy}" is not an allowed value ["anti-affinity", "affinity"]',
                    error="Property error",
                    path=["resources", definition.name, "properties", "policies", "0"],
                )

    async def create(self, res: Handle) -> None:
        name = res.props["name"] or res.physical_name()
        body = {"name": name, "policies": res.props["policies"]}
        await res.make("compute", "/os-server-groups", {"server_group": body})

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("compute", f"/os-server-groups/{res.physical}")

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("compute", f"/os-server-groups/{res.physical}")
        return reply and dict(reply["server_group"])


class Flavor(Plugin):
    type_name = "OS::Nova::Flavor"
    description = "A resource for creating OpenStack virtual hardware templates."
    schema: Mapping[str, Prop] = {
        "ram": Prop("integer", "Memory in MB for the flavor.", required=True),
        "vcpus": Prop("integer", "Number of VCPUs for the flavor.", required=True),
        "disk": Prop("integer", "Size of local disk in GB.", default=0),
        "swap": Prop("integer", "Swap space in MB.", default=0),
        "ephemeral": Prop("integer", "Size of a secondary ephemeral data disk in GB.", default=0),
        "rxtx_factor": Prop("number", "RX/TX factor.", default=1.0),
        "extra_specs": Prop("map", "Key/Value pairs to extend the capabilities of the flavor.", update=True),
    }

    async def create(self, res: Handle) -> None:
        props = res.props
        body = {key: props[key] for key in ("ram", "vcpus", "disk", "swap", "rxtx_factor")}
        body |= {"name": res.physical_name(), "OS-FLV-EXT-DATA:ephemeral": props["ephemeral"]}
        await res.make("compute", "/flavors", {"flavor": {**body, "id": None}})
        await self._set_specs(res, props["extra_specs"])

    async def _set_specs(self, res: Handle, specs: Mapping[str, Json] | None) -> None:
        if specs:
            body = {"extra_specs": {key: str(value) for key, value in specs.items()}}
            await res.client.post("compute", f"/flavors/{res.physical}/os-extra_specs", body)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        if "extra_specs" not in changed:
            return
        path = f"/flavors/{res.physical}/os-extra_specs"
        for key in (await res.client.get("compute", path))["extra_specs"]:
            await res.client.remove("compute", f"{path}/{key}")
        await self._set_specs(res, changed["extra_specs"])

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("compute", f"/flavors/{res.physical}")

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("compute", f"/flavors/{res.physical}")
        return reply and dict(reply["flavor"])


class KeyPair(Plugin):
    type_name = "OS::Nova::KeyPair"
    description = "A resource for creating Nova key pairs."
    checks = True
    schema: Mapping[str, Prop] = {
        "name": Prop("string", "The name of the key pair.", required=True, constraints=length(1, 255)),
        "save_private_key": Prop("boolean", "Whether Heat keeps the generated private key.", default=False),
        "public_key": Prop("string", "The optional public key."),
    }
    attributes: ClassVar[Mapping[str, str]] = {"public_key": "The public key.", "private_key": "The private key."}

    async def create(self, res: Handle) -> None:
        body = {"name": res.props["name"]}
        if res.props["public_key"]:
            body["public_key"] = res.props["public_key"]
        made = await res.make("compute", "/os-keypairs", {"keypair": body}, id_key="name")
        if res.props["save_private_key"]:
            res.data["private_key"] = made.get("private_key", "")

    async def check(self, res: Handle) -> None:
        await res.client.get("compute", f"/os-keypairs/{res.physical}")

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("compute", f"/os-keypairs/{res.physical}")

    async def attribute(self, res: Handle, name: str) -> Json:
        if name == "private_key":
            return res.data.get("private_key", "")
        return await super().attribute(res, name)

    async def show(self, res: Handle) -> dict[str, Json] | None:
        reply = await res.client.find("compute", f"/os-keypairs/{res.physical}")
        return reply and dict(reply["keypair"])


TYPES: list[type[Plugin]] = [Server, ServerGroup, Flavor, KeyPair]

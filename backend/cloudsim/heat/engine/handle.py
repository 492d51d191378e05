"""The interface of a resource to its plugin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cloudsim.heat.engine.client import Client, uninterrupted
from cloudsim.heat.engine.names import physical_name
from cloudsim.heat.hot.properties import values_of

if TYPE_CHECKING:
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.plugin import Plugin
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.engine.state import Record
    from hot.functions import Json


class Handle:
    """A resource for its plugin: record, property values, stack and cloud."""

    def __init__(self, stack: Stack, record: Record, plugin: Plugin) -> None:
        self.stack, self.record, self.plugin = stack, record, plugin

    @property
    def engine(self) -> Engine:
        return self.stack.engine

    @property
    def client(self) -> Client:
        return self.stack.client

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def physical(self) -> str:
        """Return the id in the cloud, "" if it has none yet."""
        return self.record.physical or ""

    @property
    def data(self) -> dict[str, Any]:
        return self.record.data

    @property
    def props(self) -> dict[str, Json]:
        """Return the values of all properties with defaults, as last created or updated."""
        given = (self.record.frozen or {}).get("properties") or {}
        return self.values(given)

    def values(self, properties: Mapping[str, Json]) -> dict[str, Json]:
        """Return the values of given properties by this type's schema."""
        return values_of(self.plugin.schema, self.plugin.translate(properties))

    def physical_name(self, limit: int = 255) -> str:
        """Return the name that Heat generates for a resource without one."""
        return physical_name(self.stack.name, self.name, self.record.uuid, limit)

    def adopt(self, physical: str) -> None:
        """Store the id in the cloud."""
        self.record.doc["physical"] = physical
        self.save()

    def save(self) -> None:
        self.engine.save(self.stack)

    async def make(self, service: str, path: str, body: dict[str, Any], id_key: str = "id") -> dict[str, Any]:
        """Create a resource by POST and store its id, even if we are cancelled before the answer."""

        async def go() -> dict[str, Any]:
            reply = await self.client.post(service, path, body)
            made: dict[str, Any] = next(iter(reply.values())) if id_key not in reply else reply
            self.adopt(str(made[id_key]))
            return made

        return await uninterrupted(go())

    def reference(self) -> Json:
        return self.plugin.reference(self)

    async def all_attributes(self) -> dict[str, Json]:
        """Return all attributes; an unavailable one is None."""
        return await self.plugin.all_attributes(self)

"""A stack made of plain values, for resolving snippets without an engine."""

import asyncio
from typing import Any

from hot.functions import resolve, select


class FakeScope:
    def __init__(self, version: str = "2015-10-15", **parameters: Any) -> None:
        self.version = version
        self.parameters = {"OS::stack_name": "demo", **parameters}
        self.attributes = {"vm": {"networks": {"net": ["10.0.0.4"]}, "name": "demo-vm"}}
        self.files = {"day0.cfg": "hostname $NAME"}

    def parameter(self, name: str) -> Any:
        return self.parameters[name]

    def reference(self, resource: str) -> str:
        return f"id-of-{resource}"

    async def attribute(self, resource: str, attribute: str, path: list[Any]) -> Any:
        return select(self.attributes[resource][attribute], path)

    async def all_attributes(self, resource: str) -> Any:
        return self.attributes[resource]

    def file(self, key: str) -> str:
        return self.files[key]

    def facade(self, kind: str) -> Any:
        return {"metadata": {"role": "cpm"}, "deletion_policy": "Delete", "update_policy": {}}[kind]


def resolved(snippet: Any, version: str = "2015-10-15", **parameters: Any) -> Any:
    return asyncio.run(resolve(FakeScope(version, **parameters), snippet))

"""A stack: its document with template, parameters and resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.engine.client import Client
from cloudsim.heat.engine.names import stack_arn
from cloudsim.heat.engine.state import Record
from cloudsim.heat.errors import InvalidTemplateAttribute, InvalidTemplateReference
from cloudsim.heat.hot.parameters import Parameters
from hot.functions import Json, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.blueprint import Blueprint
    from cloudsim.heat.engine.engine import Engine
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.state import Doc
    from cloudsim.heat.hot.template import Definition, Template


class Stack:
    """A stack, which is the Scope of its template's functions.

    Without `strict`, parameters may have no value yet, as in a nested template before its parent exists.
    `requires` has the dependencies of each resource of the template, as `dependencies.arrange` last found them.
    """

    def __init__(self, engine: Engine, doc: Doc, blueprint: Blueprint) -> None:
        self.engine, self.doc = engine, doc
        self.strict = True
        self.client = Client(engine.cloud.dispatcher, engine.context_of(doc))
        self.before = blueprint
        self.requires: Mapping[str, set[str]] = {}
        self.use(blueprint)

    def use(self, blueprint: Blueprint) -> None:
        """Use another template and parameters, without a change of the resources."""
        self.blueprint = blueprint
        self.template: Template = blueprint.template
        self.version = blueprint.template.version
        pseudo = {
            "OS::stack_id": self.doc["id"],
            "OS::stack_name": self.doc["name"],
            "OS::project_id": self.doc["project_id"],
        }
        environment = blueprint.environment
        self.parameters = Parameters(
            blueprint.template.parameters, environment.parameters, environment.defaults, pseudo
        )

    @property
    def id(self) -> str:
        return str(self.doc["id"])

    @property
    def name(self) -> str:
        return str(self.doc["name"])

    @property
    def project_id(self) -> str:
        return str(self.doc["project_id"])

    @property
    def arn(self) -> str:
        return stack_arn(self.project_id, self.name, self.id)

    @property
    def parent(self) -> Stack | None:
        owner = self.doc["owner_id"]
        return self.engine.stacks.get(owner) if owner else None

    def record(self, name: str) -> Record | None:
        doc = self.doc["resources"].get(name)
        return Record(doc) if doc is not None else None

    @property
    def records(self) -> list[Record]:
        return [Record(doc) for doc in self.doc["resources"].values()]

    def handle(self, record: Record) -> Handle:
        """Return the record with its plugin."""
        return self.engine.handle(self, record)

    def required_by(self, name: str) -> list[str]:
        return [record.name for record in self.records if name in record.doc["requires"]]

    async def resolve(self, snippet: Json) -> Json:
        """Return the snippet with its functions resolved now."""
        return await resolve(self, snippet)

    async def freeze(self, definition: Definition) -> Doc:
        """Return the definition with its functions resolved now."""
        return {
            "type": definition.type,
            "properties": await resolve(self, definition.properties),
            "metadata": await resolve(self, definition.metadata),
            "deletion_policy": definition.deletion_policy,
            "update_policy": await resolve(self, definition.update_policy),
        }

    # The methods of Scope

    def parameter(self, name: str) -> Json:
        return self.parameters.value(name)

    def reference(self, resource: str) -> Json:
        record = self.record(resource)
        if record is None:
            if resource in self.template.resources:
                return resource
            raise InvalidTemplateReference(resource, "unknown")
        return self.handle(record).reference()

    async def attribute(self, resource: str, attribute: str, path: list[Json]) -> Json:
        record = self.record(resource)
        if record is None:
            if resource in self.template.resources:
                return None
            raise InvalidTemplateAttribute(resource, attribute)
        if not record.exists:
            return None
        handle = self.handle(record)
        return await handle.plugin.attribute_at(handle, attribute, path)

    async def all_attributes(self, resource: str) -> Json:
        record = self.record(resource)
        if record is None or not record.exists:
            return None
        return await self.handle(record).all_attributes()

    def file(self, key: str) -> str:
        return self.blueprint.files[key]

    def facade(self, kind: str) -> Json:
        return self.doc["facade"].get(kind)

    async def outputs(self) -> list[Doc]:
        """Return the resolved outputs; one that cannot be resolved has the reason in `output_error`."""
        outputs = []
        for name, raw in self.template.outputs.items():
            output: Doc = {"output_key": name, "description": raw.get("description") or "No description given"}
            output["output_value"] = None
            try:
                output["output_value"] = await resolve(self, raw["value"])
            except Exception as problem:  # noqa: BLE001 - whatever a function raises belongs to its output alone
                output["output_error"] = str(problem)
            outputs.append(output)
        return outputs

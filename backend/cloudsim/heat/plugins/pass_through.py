"""Types that this cloud accepts without the service behind them: such a resource completes at once and has an id.

No template that is shipped uses them, but templates of strangers do. Their properties are checked by Heat's own schemas
(`hot.schemas`); an attribute is None, as before a guest has answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.hot.properties import Prop, between, length, one_of
from hot.constraints import Constraint
from hot.language import LIBERTY
from hot.schemas import Property, resource_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

_NAMES = (
    "OS::Heat::SoftwareComponent", "OS::Heat::SoftwareDeployment", "OS::Heat::SoftwareDeploymentGroup",
    "OS::Heat::SoftwareDeployments", "OS::Heat::StructuredConfig", "OS::Heat::StructuredDeployment",
    "OS::Heat::StructuredDeploymentGroup", "OS::Heat::StructuredDeployments", "OS::Heat::UpdateWaitConditionHandle",
    "OS::Heat::WaitCondition", "OS::Heat::WaitConditionHandle", "OS::Neutron::HealthMonitor",
    "OS::Neutron::LoadBalancer", "OS::Neutron::Pool", "OS::Neutron::PoolMember", "OS::Nova::FloatingIP",
    "OS::Nova::FloatingIPAssociation",
)  # fmt: skip
_CLOUDFORMATION = {
    "AWS::CloudFormation::WaitCondition": "OS::Heat::WaitCondition",
    "AWS::CloudFormation::WaitConditionHandle": "OS::Heat::WaitConditionHandle",
}
"""CloudFormation's types, with the type that has the same properties in lower case."""


class _PassThrough(Plugin):
    any_attribute: ClassVar[bool] = False

    async def create(self, res: Handle) -> None:
        res.adopt(res.record.uuid)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        """Accept the new values."""

    async def delete(self, res: Handle) -> None:
        """Do nothing, as Heat alone has the resource."""

    async def signal(self, res: Handle, details: Json) -> str:
        return "Signal received"

    def has_attribute(self, name: str) -> bool:
        return self.any_attribute or super().has_attribute(name)

    async def attribute(self, res: Handle, name: str) -> Json:
        return None if self.any_attribute else await super().attribute(res, name)


def _plugin(name: str, *, like: str = "") -> type[Plugin]:
    kind = resource_type(like or name)
    assert kind is not None, "Heat has the type"
    written = str.capitalize if like else str
    members = {
        "type_name": name,
        "schema": {written(key): prop for key, prop in _schema(kind.properties).items()},
        "attributes": {written(key): f"The resource's {key}." for key in kind.attributes},
        "aliases": _old_names(kind.properties),
        "any_attribute": kind.any_attribute,
    }
    return type(name.rpartition("::")[2], (_PassThrough,), members)


def _schema(rows: Mapping[str, Property]) -> dict[str, Prop]:
    return {name: _prop(row) for name, row in rows.items() if row.since <= LIBERTY and not row.replaced_by}


def _old_names(rows: Mapping[str, Property]) -> dict[str, str]:
    return {name: row.replaced_by for name, row in rows.items() if row.replaced_by in rows}


def _prop(row: Property) -> Prop:
    rules: list[Constraint] = []
    if row.allowed:
        rules += one_of(*(row.allowed_in_liberty or row.allowed))
    if row.range:
        rules += between(*row.range)
    if row.length:
        rules += length(*row.length)
    if row.pattern:
        rules.append(Constraint("allowed_pattern", row.pattern))
    return Prop(
        row.kind,
        required=row.required or row.required_in_liberty,
        update=True,
        constraints=tuple(rules),
        schema=_schema(row.members) if row.members else None,
        items=_prop(row.element) if row.element else None,
        old_names=_old_names(row.members) if row.members else None,
    )


TYPES: list[type[Plugin]] = [
    *(_plugin(name) for name in _NAMES),
    *(_plugin(name, like=known) for name, known in _CLOUDFORMATION.items()),
]

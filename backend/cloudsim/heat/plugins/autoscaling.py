"""OS::Heat::AutoScalingGroup and ScalingPolicy."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.engine import update
from cloudsim.heat.engine.names import short_id
from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.errors import EntityNotFound, InvalidTemplateAttribute, StackValidationFailed
from cloudsim.heat.hot.partial import is_later
from cloudsim.heat.hot.properties import Prop, between, one_of
from cloudsim.heat.plugins import signalling
from cloudsim.heat.plugins.group import RESOURCE_DEF, group_blueprint, member
from cloudsim.heat.plugins.nested import NestedPlugin, validate_nested
from hot.functions import Json, select

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.blueprint import Blueprint
    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.engine.stack import Stack
    from cloudsim.heat.hot.template import Definition

_NO_INDEX = "\0"
_ROLLING = {
    "min_in_service": Prop("integer", default=0, constraints=between(0)),
    "max_batch_size": Prop("integer", default=1, constraints=between(1)),
    "pause_time": Prop("number", default=0, constraints=between(0)),
}


class AutoScalingGroup(NestedPlugin):
    """A group whose members have generated names; the oldest are removed first."""

    type_name = "OS::Heat::AutoScalingGroup"
    description = "An autoscaling group that can scale arbitrary resources."
    schema: Mapping[str, Prop] = {
        "resource": Prop("map", "Resource definition for the resources in the group.", required=True, update=True,
                         schema=RESOURCE_DEF),
        "max_size": Prop("integer", "Maximum number of resources in the group.", required=True, update=True,
                         constraints=between(0)),
        "min_size": Prop("integer", "Minimum number of resources in the group.", required=True, update=True,
                         constraints=between(0)),
        "cooldown": Prop("integer", "Cooldown period, in seconds.", update=True),
        "desired_capacity": Prop("integer", "Desired initial number of resources.", update=True),
        "rolling_updates": Prop("map", "Policy for rolling updates.", update=True, schema=_ROLLING,
                                default={name: prop.default for name, prop in _ROLLING.items()}),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        "outputs": "A map of resource names to the specified attribute of each individual resource.",
        "outputs_list": "A list of the specified attribute of each individual resource.",
        "current_size": "The current size of AutoscalingResourceGroup.",
    }

    async def validate(self, stack: Stack, definition: Definition, values: Mapping[str, Json]) -> None:
        """Check that the sizes are in order, and that Heat can create a member."""
        low, high, wanted = values["min_size"], values["max_size"], values.get("desired_capacity")
        if isinstance(low, int) and isinstance(high, int) and low > high:
            raise StackValidationFailed("MinSize can not be greater than MaxSize")
        if isinstance(wanted, int) and isinstance(low, int) and isinstance(high, int) and not low <= wanted <= high:
            raise StackValidationFailed("DesiredCapacity must be between MinSize and MaxSize")
        body = values["resource"]
        if isinstance(body, dict) and not is_later(body.get("type")):
            blueprint = group_blueprint(stack, definition.name, {"member": member("member", body, _NO_INDEX)})
            await validate_nested(stack, definition.name, blueprint, f"{definition.name}<nested_stack>")

    async def create(self, res: Handle) -> None:
        props = res.props
        wanted = props["desired_capacity"]
        res.data["capacity"] = props["min_size"] if wanted is None else wanted
        await super().create(res)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        props = res.props
        wanted = changed.get("desired_capacity")
        held = res.data["capacity"] if wanted is None else wanted
        res.data["capacity"] = max(props["min_size"], min(props["max_size"], held))
        await super().update(res, changed)

    async def child_blueprint(self, res: Handle) -> Blueprint:
        capacity = res.data["capacity"]
        names = self._member_names(res)
        names = names[-capacity:] if capacity else []
        names += [short_id(str(uuid.uuid1())) for _ in range(capacity - len(names))]
        body = res.props["resource"]
        return group_blueprint(res.stack, res.name, {name: member(name, body, _NO_INDEX) for name in names})

    def _member_names(self, res: Handle) -> list[str]:
        child = self.child(res)
        return (
            [record.name for record in sorted(child.records, key=lambda one: str(one.doc["created"]))] if child else []
        )

    async def resize(self, res: Handle, capacity: int) -> None:
        """Resize the group to `capacity` within its bounds, in the background."""
        child, props = self.child(res), res.props
        capacity = max(props["min_size"], min(props["max_size"], capacity))
        if child is None or capacity == res.data["capacity"]:
            return
        res.data["capacity"] = capacity
        res.save()
        res.engine.run(child, update.update(child, await self.child_blueprint(res)))

    def has_attribute(self, name: str) -> bool:
        return True

    async def attribute_at(self, res: Handle, name: str, path: list[Json]) -> Json:
        if name.startswith("resource."):
            return await self.member_attribute(res, name, path)
        names = self._member_names(res)
        if name == "current_size":
            return len(names)
        if name == "refs":
            return select([await self.of_member(res, one, []) for one in names], path)
        if name in ("outputs", "outputs_list"):
            if not path:
                raise InvalidTemplateAttribute(res.name, name)
            values = {one: await self.of_member(res, one, path) for one in names}
            return values if name == "outputs" else list(values.values())
        raise InvalidTemplateAttribute(res.name, name)

    async def attribute(self, res: Handle, name: str) -> Json:
        return await self.attribute_at(res, name, [])


class ScalingPolicy(Plugin):
    type_name = "OS::Heat::ScalingPolicy"
    description = "A resource to manage scaling of OS::Heat::AutoScalingGroup."
    schema: Mapping[str, Prop] = {
        "auto_scaling_group_id": Prop("string", "AutoScaling group ID to apply policy to.", required=True),
        "scaling_adjustment": Prop("number", "Size of adjustment.", required=True, update=True),
        "adjustment_type": Prop(
            "string", "Type of adjustment (absolute or percentage).", required=True, update=True,
            constraints=one_of("change_in_capacity", "exact_capacity", "percent_change_in_capacity"),
        ),
        "cooldown": Prop("number", "Cooldown period, in seconds.", update=True),
        "min_adjustment_step": Prop("integer", "Minimum number of resources that are added or removed.", update=True,
                                    constraints=between(0)),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        "alarm_url": "A signed url to handle the alarm.",
        "signal_url": "A url to handle the alarm using native API.",
    }

    async def create(self, res: Handle) -> None:
        signalling.prepare(res)
        res.adopt(uuid.uuid4().hex)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        """Do nothing: the next signal uses the new values."""

    async def delete(self, res: Handle) -> None:
        """Do nothing: the policy exists in Heat alone."""

    async def signal(self, res: Handle, details: Json) -> str:
        """Adjust the group unless the cooldown runs, or the alarm's `current` is not alarm."""
        state = (details or {}).get("current") or (details or {}).get("state") or "alarm"
        if str(state).lower() != "alarm":
            return f"alarm state changed to {state}"
        now = res.engine.cloud.clock.time()
        if now < res.data.get("cool_until", 0):
            return f"{res.name} NOT performing scaling action, cooldown {res.props['cooldown']}"
        group = self._group(res)
        await _plugin_of(group).resize(group, self._wanted(res, group.data["capacity"]))
        res.data["cool_until"] = now + float(res.props["cooldown"] or 0)
        res.save()
        return f"alarm state changed to {state}"

    def _wanted(self, res: Handle, current: int) -> int:
        kind, amount = res.props["adjustment_type"], res.props["scaling_adjustment"]
        if kind == "exact_capacity":
            return int(amount)
        if kind == "change_in_capacity":
            return current + int(amount)
        step = int(current * amount / 100) or (1 if amount > 0 else -1)
        least = res.props["min_adjustment_step"] or 0
        return current + (max(step, least) if step > 0 else min(step, -least))

    @staticmethod
    def _group(res: Handle) -> Handle:
        wanted = res.props["auto_scaling_group_id"]
        for record in res.stack.records:
            handle = res.stack.handle(record)
            if isinstance(handle.plugin, AutoScalingGroup) and wanted in (
                handle.reference(),
                handle.physical,
                handle.name,
            ):
                return handle
        raise EntityNotFound("Alarm", str(wanted))

    async def attribute(self, res: Handle, name: str) -> Json:
        if name in ("alarm_url", "signal_url"):
            return signalling.url(res)
        return await super().attribute(res, name)


def _plugin_of(group: Handle) -> AutoScalingGroup:
    assert isinstance(group.plugin, AutoScalingGroup)
    return group.plugin


TYPES: list[type[Plugin]] = [AutoScalingGroup, ScalingPolicy]

"""OS::Ceilometer::Alarm, stored by Aodh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloudsim.heat.engine.plugin import Plugin
from cloudsim.heat.hot.properties import Prop, between, known, length, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from hot.functions import Json

_PERIOD = {
    "name": Prop("string", "The name of the time constraint.", required=True),
    "start": Prop("string", "When it begins, as a cron expression.", required=True,
                  constraints=known("cron_expression")),
    "description": Prop("string", "The description of the time constraint."),
    "duration": Prop("integer", "Its length in seconds.", required=True, constraints=between(0)),
    "timezone": Prop("string", "Timezone of the time constraint.", constraints=known("timezone")),
}  # fmt: skip
_FACTOR = {
    "field": Prop("string", "Name of attribute to compare."),
    "op": Prop("string", "Comparison operator.", constraints=one_of("le", "ge", "eq", "lt", "gt", "ne")),
    "value": Prop("string", "String value with which to compare."),
}
_COMMON = {
    "description": Prop("string", "Description for the alarm.", update=True),
    "enabled": Prop("boolean", "True if alarm evaluation/actioning is enabled.", default=True, update=True),
    "alarm_actions": Prop("list", "URLs to call when the state becomes alarm.", update=True),
    "ok_actions": Prop("list", "URLs to call when the state becomes ok.", update=True),
    "insufficient_data_actions": Prop("list", "URLs to call when data is missing.", update=True),
    "repeat_actions": Prop("boolean", "Whether to repeat the actions.", default=True, update=True),
    "severity": Prop("string", "Severity of the alarm.", default="low", update=True,
                     constraints=one_of("low", "moderate", "critical")),
    "time_constraints": Prop("list", "Periods of time in which the alarm is evaluated.", default=[],
                             items=Prop("map", schema=_PERIOD)),
}  # fmt: skip
_OPERATORS = one_of("le", "ge", "eq", "lt", "gt", "ne")
_RULE_KEYS = ("meter_name", "statistic", "period", "evaluation_periods", "threshold", "comparison_operator")


class Alarm(Plugin):
    type_name = "OS::Ceilometer::Alarm"
    description = "A resource that implements alarming service of Ceilometer."
    checks = True
    schema: Mapping[str, Prop] = {
        **_COMMON,
        "meter_name": Prop("string", "Meter name watched by the alarm.", required=True),
        "threshold": Prop("number", "Threshold to evaluate against.", required=True, update=True),
        "comparison_operator": Prop("string", "Operator used to compare.", update=True, constraints=_OPERATORS),
        "evaluation_periods": Prop("integer", "Number of periods to evaluate over.", update=True),
        "period": Prop("integer", "Period (seconds) to evaluate over.", update=True),
        "statistic": Prop("string", "Meter statistic to evaluate.", update=True,
                          constraints=one_of("count", "avg", "sum", "min", "max")),
        "matching_metadata": Prop("map", "Meter should match this resource metadata.", default={}, update=True),
        "query": Prop("list", "A list of query factors.", update=True, items=Prop("map", schema=_FACTOR)),
    }  # fmt: skip

    def body(self, res: Handle) -> dict[str, Json]:
        """Return the alarm's body for Aodh."""
        props = res.props
        rule = {key: props[key] for key in _RULE_KEYS if props[key] is not None}
        rule["query"] = list(props["query"] or []) + [
            {"field": f"metadata.metering.{key.removeprefix('metadata.')}", "op": "eq", "value": value}
            for key, value in (props["matching_metadata"] or {}).items()
        ]
        return {**self._common(res), "type": "threshold", "threshold_rule": rule}

    @staticmethod
    def _common(res: Handle) -> dict[str, Json]:
        given = {key: res.props[key] for key in _COMMON if res.props[key] is not None}
        return {"name": res.physical_name(), **given}

    async def create(self, res: Handle) -> None:
        await res.make("alarming", "/alarms", self.body(res), id_key="alarm_id")

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        await res.client.put("alarming", f"/alarms/{res.physical}", self.body(res))

    async def delete(self, res: Handle) -> None:
        if res.physical:
            await res.client.remove("alarming", f"/alarms/{res.physical}")

    async def check(self, res: Handle) -> None:
        await res.client.get("alarming", f"/alarms/{res.physical}")

    async def suspend(self, res: Handle) -> None:
        await self._enable(res, enabled=False)

    async def resume(self, res: Handle) -> None:
        await self._enable(res, enabled=True)

    async def _enable(self, res: Handle, *, enabled: bool) -> None:
        await res.client.put("alarming", f"/alarms/{res.physical}", {**self.body(res), "enabled": enabled})

    async def show(self, res: Handle) -> dict[str, Json] | None:
        alarm: dict[str, Json] | None = await res.client.find("alarming", f"/alarms/{res.physical}")
        return alarm


class CombinationAlarm(Alarm):
    type_name = "OS::Ceilometer::CombinationAlarm"
    description = "A resource that implements combination of Ceilometer alarms."
    schema: Mapping[str, Prop] = {
        **_COMMON,
        "alarm_ids": Prop(
            "list", "List of alarm identifiers to combine.", required=True, update=True, constraints=length(1)
        ),
        "operator": Prop(
            "string", "Operator used to combine the alarms.", update=True, constraints=one_of("and", "or")
        ),
    }

    def body(self, res: Handle) -> dict[str, Json]:
        rule = {"alarm_ids": res.props["alarm_ids"], "operator": res.props["operator"] or "and"}
        return {**self._common(res), "type": "combination", "combination_rule": rule}


TYPES: list[type[Plugin]] = [Alarm, CombinationAlarm]

"""The JSON of a plan preview: our plan first, then Heat's own preview."""

from dataclasses import replace
from typing import Any

from vnfm.clouds.types import ResourceChange
from vnfm.lcm.domain.plan import PlannedQuota, PlannedResource
from vnfm.lcm.domain.plan_summary import plan_summary
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.vim_quota import quota_errors
from vnfm.lcm.sagas.flavor_view import flavor_view
from vnfm.lcm.sagas.heat_preview import Preview
from vnfm.lcm.sagas.planning import Planned
from vnfm.lcm.sagas.step_kinds import step_of_kind

COUNTED = {
    "OS::Nova::Server": "instances",
    "OS::Neutron::Net": "networks",
    "OS::Neutron::ProviderNet": "networks",
    "OS::Neutron::Port": "ports",
}
"""Resource types of Heat that a quota counts one by one."""


def plan_view(planned: Planned, preview: Preview, operation: Operation) -> dict[str, Any]:
    """The preview on the wire. The plan itself fits into the quota, or it had been refused.

    Our own resources come first, those that change before those that stay; Heat's follow, each by its path.
    """
    plan = planned.plan
    quota = [replace(row, needed=_needed(row, preview)) for row in plan.quota]
    own = sorted(plan.resources, key=lambda row: row.action == "keep")
    updates_stack = any(step_of_kind(step.kind).applies_template for step in planned.steps)
    return {
        "summary": plan_summary(operation, plan),
        "steps": [
            {"seq": n, "name": s.kind, "title": s.title, "oneWay": s.one_way} for n, s in enumerate(planned.steps, 1)
        ],
        "resources": [*map(vars_of, own), *map(_of_heat, preview.changes)],
        "flavors": [flavor_view(flavor) for flavor in plan.flavors],
        "networks": [
            {"vlId": n.vl_id, "parameter": n.parameter, "choice": n.choice, "networkName": n.network_name}
            for n in (plan.networks if updates_stack else ())
        ],
        "parameters": dict(plan.parameters),
        "warnings": [*plan.warnings, *(f"By Heat's preview: {error.message}" for error in quota_errors(quota))],
        "findings": [finding.as_json() for finding in (*planned.findings, *preview.findings)],
        "quota": [
            {"resource": q.resource, "needed": q.needed - q.released, "used": q.used, "limit": q.limit} for q in quota
        ],
    }


def _needed(quota: PlannedQuota, preview: Preview) -> int:
    """Count what Heat would create, if that is more: a derived VNFD does not know all of its templates' resources."""
    created = sum(c.action == "create" and COUNTED.get(c.type) == quota.resource for c in preview.changes)
    return max(quota.needed, created)


def vars_of(resource: PlannedResource) -> dict[str, Any]:
    return {
        "action": resource.action,
        "type": resource.type,
        "name": resource.name,
        "detail": resource.detail,
        "gone": resource.gone,
        "source": "plan",
    }


def _of_heat(change: ResourceChange) -> dict[str, str]:
    name = f"{change.parent}/{change.name}" if change.parent else change.name
    return {"action": change.action, "type": change.type, "name": name, "detail": "Heat's preview", "source": "heat"}

"""The JSON of a plan preview: our plan first, then Heat's own preview."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import ResourceChange
from vnfm.lcm.domain.plan import Artefact, Plan, PlannedResource
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.flavor_view import flavor_view
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.selectors.instances import stack_name
from vnfm.lcm.steps.registry import step_of_kind
from vnfm.lcm.steps.stack_input import build_input


@dataclass(frozen=True, slots=True)
class Preview:
    """Heat's own preview of a plan."""

    changes: Sequence[ResourceChange]
    omitted: str
    """Why there is none; "" when there is."""


def plan_view(planned: Planned, preview: Preview) -> dict[str, Any]:
    """The preview on the wire."""
    plan = planned.plan
    heat = [{"action": c.action, "type": c.type, "name": c.name, "detail": "Heat's preview"} for c in preview.changes]
    return {
        "steps": [
            {"seq": n, "name": s.kind, "title": s.title, "oneWay": s.one_way} for n, s in enumerate(planned.steps, 1)
        ],
        "resources": [vars_of(r) for r in plan.resources] + heat,
        "flavors": [flavor_view(flavor) for flavor in plan.flavors],
        "networks": [
            {"vlId": n.vl_id, "parameter": n.parameter, "choice": n.choice, "networkName": n.network_name}
            for n in plan.networks
        ],
        "parameters": dict(plan.parameters),
        "warnings": [*plan.warnings, *([preview.omitted] if preview.omitted else [])],
        "quota": [{"resource": q.resource, "needed": q.needed, "used": q.used, "limit": q.limit} for q in plan.quota],
    }


def vars_of(resource: PlannedResource) -> dict[str, str]:
    return {
        "action": resource.action,
        "type": resource.type,
        "name": resource.name,
        "detail": resource.detail,
    }


def heat_preview(planned: Planned, planning: Planning, secrets: Mapping[str, str]) -> Preview:
    """What Heat itself would do. Raises the CloudError when Heat refuses the template.

    Heat checks that images and flavors exist, so existing ones stand in for those to be created.
    """
    if not any(step_of_kind(step.kind).previewed for step in planned.steps):
        return Preview((), "")
    cloud, instance = planning.cloud, planning.instance
    artefact_ids = {a.key: _stand_in(a, cloud) for a in planned.plan.artefacts}
    missing = [key for key, value in artefact_ids.items() if not value]
    if missing:
        return Preview((), f"Heat's preview is left out: the cloud has nothing to stand in for {', '.join(missing)}.")
    plan = replace(planned.plan, parameters=_with_stand_ins(planned.plan, artefact_ids))
    package = catalog.package_get(package_id=UUID(plan.package_id)) if plan.package_id else instance.package
    stack_input = build_input(instance, package, plan, artefact_ids, secrets)
    name = stack_name(instance, instance.generation + 1)
    if planning.request.operation == Operation.INSTANTIATE:
        return Preview(tuple(cloud.stacks.preview_create(name, stack_input)), "")
    changes = cloud.stacks.preview_update(instance.stack_id, stack_input)
    # Heat reports unchanged resources as updated or replaced: only creations and deletions are shown.
    return Preview(tuple(change for change in changes if change.action in ("create", "delete")), "")


def _stand_in(artefact: Artefact, cloud: Cloud) -> str:
    if artefact.kind == "image":
        image = cloud.images.find(artefact.key) or next(iter(cloud.images.list()), None)
        return image.id if image else ""
    flavor = cloud.flavors.find(artefact.key) or next(iter(cloud.flavors.list()), None)
    return flavor.name if flavor else ""


def _with_stand_ins(plan: Plan, artefact_ids: Mapping[str, str]) -> dict[str, Any]:
    return {n: artefact_ids.get(v, v) if isinstance(v, str) else v for n, v in plan.parameters.items()}

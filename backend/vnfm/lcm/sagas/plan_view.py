"""How a plan is shown before it runs: ours first, then what Heat's own preview says it would do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import ResourceChange
from vnfm.lcm.domain.plan import Artefact, Plan, PlannedResource
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.sagas.stack_input import build_input
from vnfm.lcm.selectors.instances import stack_name

GIVES_HEAT_A_STACK = ("create_stack@1", "update_stack@1")


@dataclass(frozen=True, slots=True)
class Preview:
    """Heat's own preview of a plan."""

    changes: Sequence[ResourceChange]
    left_out: str
    """Why there is none; "" when there is."""


def plan_view(planned: Planned, preview: Preview) -> dict[str, Any]:
    """The preview on the wire: our plan first, then what Heat's own preview says it would do."""
    plan = planned.plan
    heat = [{"action": c.action, "type": c.type, "name": c.name, "detail": "Heat's preview"} for c in preview.changes]
    return {
        "steps": [
            {"seq": n, "name": s.kind, "title": s.title, "oneWay": s.one_way} for n, s in enumerate(planned.steps, 1)
        ],
        "resources": [vars_of(r) for r in plan.resources] + heat,
        "flavors": [
            {
                "vduId": f.vdu_id,
                "parameter": f.parameter,
                "flavorName": f.flavor_name,
                "source": f.source,
                "needs": needs_view(f.needs),
                "candidates": list(f.candidates),
                "reason": f.reason,
            }
            for f in plan.flavors
        ],
        "networks": [
            {"vlId": n.vl_id, "parameter": n.parameter, "choice": n.choice, "networkName": n.network_name}
            for n in plan.networks
        ],
        "parameters": dict(plan.parameters),
        "warnings": [*plan.warnings, *([preview.left_out] if preview.left_out else [])],
        "quota": [{"resource": q.resource, "needed": q.needed, "used": q.used, "limit": q.limit} for q in plan.quota],
    }


def vars_of(resource: PlannedResource) -> dict[str, str]:
    return {
        "action": resource.action,
        "type": resource.type,
        "name": resource.name,
        "detail": resource.detail,
    }


def needs_view(needs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "vcpus": needs["vcpus"],
        "memoryMib": needs["memory_mib"],
        "diskGib": needs["disk_gib"],
        "cpuPolicy": needs["cpu_policy"],
        "memPageSize": needs["mem_page_size"],
        "numaNodes": needs["numa_nodes"],
        "sriovPorts": needs["sriov_ports"],
    }


def heat_preview(planned: Planned, planning: Planning, secrets: Mapping[str, str]) -> Preview:
    """What Heat itself says it would do. A refusal of the template is the plan's problem, so it is raised.

    Images and flavors that do not exist yet are stood in for by ones that do, because Heat checks that they exist.
    """
    if not any(step.kind in GIVES_HEAT_A_STACK for step in planned.steps):
        return Preview((), "")
    cloud, instance = planning.cloud, planning.instance
    made = {a.key: _stand_in(a, cloud) for a in planned.plan.artefacts}
    missing = [key for key, value in made.items() if not value]
    if missing:
        return Preview((), f"Heat's preview is left out: the cloud has nothing to stand in for {', '.join(missing)}.")
    plan = replace(planned.plan, parameters=_stood_in(planned.plan, made))
    package = catalog.package_get(package_id=UUID(plan.package_id)) if plan.package_id else instance.package
    given = build_input(instance, package, plan, made, secrets)
    name = stack_name(instance, instance.generation + 1)
    if planning.operation == Operation.INSTANTIATE:
        return Preview(tuple(cloud.stacks.preview_create(name, given)), "")
    changes = cloud.stacks.preview_update(instance.stack_id, given)
    # Of an update Heat previews as updated or replaced what then stays as it is; what comes and goes it knows.
    return Preview(tuple(change for change in changes if change.action in ("create", "delete")), "")


def _stand_in(artefact: Artefact, cloud: Cloud) -> str:
    if artefact.kind == "image":
        image = cloud.images.find(artefact.key) or next(iter(cloud.images.list()), None)
        return image.id if image else ""
    flavor = cloud.flavors.find(artefact.key) or next(iter(cloud.flavors.list()), None)
    return flavor.name if flavor else ""


def _stood_in(plan: Plan, made: Mapping[str, str]) -> dict[str, Any]:
    return {n: made.get(v, v) if isinstance(v, str) else v for n, v in plan.parameters.items()}

"""From a request to a plan: look at the cloud, compute, refuse with every reason at its field. Changes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import ResourceChange
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.kit.problem import Problem, ProblemError
from vnfm.lcm.domain.plan import Artefact, CloudView, Plan, PlannedResource, compute_plan
from vnfm.lcm.domain.sizing import Roster
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.steps import StepSpec
from vnfm.lcm.domain.target import QUOTA_EXCEEDED, Refused, Standing, target_of
from vnfm.lcm.sagas import instantiate, scale, terminate
from vnfm.lcm.sagas.stack import build_input, stack_name


@dataclass(frozen=True, slots=True)
class Planned:
    plan: Plan
    steps: Sequence[StepSpec]


@dataclass(frozen=True, slots=True)
class Preview:
    """Heat's own preview of a plan."""

    changes: Sequence[ResourceChange]
    left_out: str
    """Why there is none; "" when there is."""


def refusal(refused: Refused) -> ProblemError:
    """The problem that carries every reason."""
    text = " ".join(error.message for error in refused.errors)
    if refused.code == QUOTA_EXCEEDED:
        title = "A quota of the cloud is too small"
        next_step = "Free resources, raise the project's quota, or choose smaller settings."
        return ProblemError(Problem(409, refused.code, title, text, next_step, errors=refused.errors))
    title = "The request cannot be met"
    return ProblemError(Problem(422, refused.code, title, text, "Correct what is named.", errors=refused.errors))


def standing_of(instance: VnfInstance) -> Standing:
    return Standing(instance.flavour_id, instance.scale_levels, instance.settings)


def make_plan(operation: Operation, request: Mapping[str, Any], instance: VnfInstance, cloud: Cloud) -> Planned:
    """Plan `operation` on `instance`; raises ProblemError when it is refused and CloudError when the cloud fails us."""
    if operation == Operation.TERMINATE:
        return Planned(_nothing_but_removal(instance), terminate.steps(request, instance))
    vnfd = catalog.vnfd_of(instance.package)
    target = target_of(operation, request, vnfd, standing_of(instance))
    if isinstance(target, Refused):
        raise refusal(target)
    view = CloudView(cloud.flavors.list(), cloud.networks.list(), cloud.quotas())
    rosters = {vdu_id: Roster.from_json(data) for vdu_id, data in instance.member_slots.items()}
    plan = compute_plan(vnfd, target, rosters, view, _given(instance) if rosters else {})
    if isinstance(plan, Refused):
        raise refusal(plan)
    saga = instantiate if operation == Operation.INSTANTIATE else scale
    return Planned(plan, saga.steps(plan, instance))


def _given(instance: VnfInstance) -> Mapping[str, Any]:
    """The parameters that Heat was last given."""
    snapshot = StackSnapshot.objects.filter(instance=instance).first()
    return snapshot.parameters if snapshot else {}


def _nothing_but_removal(instance: VnfInstance) -> Plan:
    vnfcs = [
        PlannedResource("delete", "vnfc", f"{vnfc.name}, slot {vnfc.slot}", f"Nova server {vnfc.server_id}")
        for vnfc in instance.vnfcs.order_by("vdu_id", "slot")
    ]
    networks = [
        PlannedResource(
            "delete" if link.created_by_stack else "keep",
            "network",
            link.name,
            "made by the stack" if link.created_by_stack else "was there before; stays",
        )
        for link in instance.virtual_links.order_by("vl_id")
    ]
    return Plan(
        flavour_id=instance.flavour_id,
        instantiation_level_id=instance.instantiation_level_id,
        scale_levels=instance.scale_levels,
        settings=instance.settings,
        rosters={},
        added={},
        registry={},
        parameters={},
        undo_parameters={},
        reversible=False,
        resources=(*vnfcs, *networks),
    )


def plan_view(planned: Planned, preview: Preview) -> dict[str, Any]:
    """The preview on the wire: our plan first, then what Heat's own preview says it would do."""
    plan = planned.plan
    heat = [{"action": c.action, "type": c.type, "name": c.name, "detail": "Heat's preview"} for c in preview.changes]
    return {
        "steps": [{"seq": n, "name": s.kind, "title": s.title} for n, s in enumerate(planned.steps, 1)],
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


def heat_preview(
    planned: Planned, operation: Operation, instance: VnfInstance, cloud: Cloud, secrets: Mapping[str, str]
) -> Preview:
    """What Heat itself says it would do. A refusal of the template is the plan's problem, so it is raised.

    Images and flavors that do not exist yet are stood in for by ones that do, because Heat checks that they exist.
    """
    if operation == Operation.TERMINATE:
        return Preview((), "")
    made = {a.key: _stand_in(a, cloud) for a in planned.plan.artefacts}
    missing = [key for key, value in made.items() if not value]
    if missing:
        return Preview((), f"Heat's preview is left out: the cloud has nothing to stand in for {', '.join(missing)}.")
    plan = replace(planned.plan, parameters=_stood_in(planned.plan, made))
    given = build_input(instance, plan, made, secrets)
    name = stack_name(instance, instance.generation + 1)
    if operation == Operation.INSTANTIATE:
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

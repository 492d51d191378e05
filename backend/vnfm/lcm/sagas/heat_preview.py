"""Heat's own opinion of a plan: `validate` of the templates, `preview` of the changes to the stack."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.conditional_vdus import undecided
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.locate import located
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.catalog.domain.vnfd import Vdu
from vnfm.clouds.errors import CloudError, NotFound, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import ResourceChange, StackInput
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.plan import Artefact, Plan
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.sagas.step_kinds import step_of_kind
from vnfm.lcm.selectors.instances import stack_name
from vnfm.lcm.services.heat_validation import heat_finding
from vnfm.lcm.steps.stack_input import build_input
from vnfm.lcm.steps.stack_members import SERVER
from vnfm.vims.domain.vim_record import VimRecord


@dataclass(frozen=True, slots=True)
class Preview:
    """Heat's own validation and preview of a plan."""

    changes: Sequence[ResourceChange] = ()
    findings: tuple[Finding, ...] = ()
    """They have Heat's words, or the reason why it was not called."""


def planned_package(planning: Planning, plan: Plan) -> PackageRecord:
    """The package whose templates Heat gets by the plan."""
    return catalog.package_get(package_id=UUID(plan.package_id)) if plan.package_id else planning.instance.package


def _vim_of(planning: Planning) -> VimRecord:
    """The VIM that the plan is for."""
    assert planning.instance.vim is not None, "the instance got its VIM when the operation was accepted"
    return planning.instance.vim


def heat_preview(planned: Planned, planning: Planning, secrets: Callable[[], Mapping[str, str]]) -> Preview:
    """Have Heat validate and preview a plan that gives it a template; any other is empty, and needs no secret unsealed.

    Raises ProblemError with Heat's words where it refuses, CloudError where it cannot validate. Heat checks that images
    and flavors exist, so existing ones stand in for those to be created; what it refuses with them is a warning.
    """
    kinds = [step_of_kind(step.kind) for step in planned.steps]
    if not any(kind.applies_template for kind in kinds):
        return Preview()
    package, cloud = planned_package(planning, planned.plan), planning.cloud
    artefact_ids, stand_ins = _artefact_ids(planned.plan.artefacts, cloud)
    plan = replace(planned.plan, parameters=_with_stand_ins(planned.plan, artefact_ids))
    given = build_input(planning.instance, package, plan, artefact_ids, secrets())
    vim = _vim_of(planning)
    try:
        cloud.stacks.validate(replace(given, parameters={}))
    except (Rejected, NotFound) as error:
        raise _refusal(planning, package, error) from error
    valid = heat_finding(vim, "note", "HEAT_VALIDATES", "Heat's own validation accepts the templates.")
    if not any(kind.previewed for kind in kinds):
        return Preview(findings=(valid,))
    if missing := [key for key in stand_ins if not artefact_ids[key]]:
        words = f"Heat's preview is left out: the cloud has nothing to stand in for {', '.join(missing)}."
        return Preview(findings=(valid, heat_finding(vim, "warning", "HEAT_PREVIEW_LEFT_OUT", words)))
    # NotFound about an update can be about the stack, which the step itself deals with.
    refusals = Rejected if planning.instance.stack_id else (Rejected, NotFound)
    try:
        changes = _changes(planning, given)
    except refusals as error:
        if not stand_ins:
            raise _refusal(planning, package, error) from error
        return Preview(findings=(valid, _placed(planning, package, "warning", "HEAT_PREVIEW_REFUSED", error)))
    except CloudError as error:
        words = f"Heat's preview is left out: {error.message}"
        return Preview(findings=(valid, heat_finding(vim, "warning", "HEAT_PREVIEW_LEFT_OUT", words)))
    words = counted(changes, whole=planning.request.operation == Operation.INSTANTIATE)
    return Preview(changes, (valid, heat_finding(vim, "note", "HEAT_PREVIEW", words)))


def absent_in(planned: Planned, planning: Planning, preview: Preview) -> frozenset[str]:
    """VDUs that the preview of a new stack lacks, of those whose condition in the HOT the settings do not decide.

    A preview names resources without the nested stack that they are in: a name that several VDUs have decides nothing.
    """
    if planning.request.operation != Operation.INSTANTIATE or not preview.changes:
        return frozenset()
    vnfd = catalog.vnfd_of(planned_package(planning, planned.plan))
    flavour = vnfd.flavour(planned.plan.flavour_id)
    there = {change.name for change in preview.changes if change.type == SERVER}
    open_questions = undecided(vnfd, planned.plan.parameters, flavour)
    return frozenset(vdu.id for vdu in vnfd.vdus if vdu.id in open_questions and not _names(vdu) & there)


def _names(vdu: Vdu) -> set[str]:
    """Return the names of its servers' resources, each in its template; members of a group are named by number."""
    if not vdu.hot_group:
        return {member.rpartition("/")[2] for member in vdu.hot_members}
    return {vdu.hot_server.rpartition("/")[2]} if vdu.hot_server else {str(number) for number in range(vdu.maximum)}


def _changes(planning: Planning, given: StackInput) -> Sequence[ResourceChange]:
    stacks, instance = planning.cloud.stacks, planning.instance
    if planning.request.operation == Operation.INSTANTIATE:
        return stacks.preview_create(stack_name(instance, instance.generation + 1), given)
    # Heat reports unchanged resources as updated or replaced: only creations and deletions are shown.
    changes = stacks.preview_update(instance.stack_id, given)
    return tuple(change for change in changes if change.action in ("create", "delete"))


def counted(changes: Sequence[ResourceChange], *, whole: bool) -> str:
    """Return a sentence; the preview of an update is of the root stack alone (`clouds.ports.Stacks.preview_update`)."""
    counted = Counter((change.action, change.type) for change in changes)
    listed = ", ".join(f"{action} {number} {kind}" for (action, kind), number in sorted(counted.items()))
    if whole:
        return f"Heat would {listed}." if listed else "Heat would create nothing."
    if listed:
        return f"In the root stack Heat would {listed}; its preview does not show nested stacks."
    return "Heat accepts the update. Its preview shows the root stack alone, and no creation or deletion there."


def _placed(planning: Planning, package: PackageRecord, severity: Severity, code: str, error: CloudError) -> Finding:
    """Heat's words, at the line of the resource that they name."""
    fault = located(catalog.templates_of(package), error.message)
    found = heat_finding(_vim_of(planning), severity, code, error.message)
    return replace(found, file=fault.file, line=fault.line, pointer=fault.pointer)


def _refusal(planning: Planning, package: PackageRecord, error: CloudError) -> ProblemError:
    found = _placed(planning, package, "error", "HEAT_REFUSES", error)
    problem = error.as_problem(f"Heat's validation of the plan for {planning.instance.name}")
    detail = f"{found.as_fault().where()}{problem.detail}"
    return ProblemError(replace(problem, detail=detail, extra={"validationReport": [found.as_json()]}))


def _artefact_ids(artefacts: Sequence[Artefact], cloud: Cloud) -> tuple[dict[str, str], list[str]]:
    """Key to what Heat gets for it, "" where the cloud has nothing, and the keys for which something else stands in.

    Heat refuses a server whose image is not active (heat/engine/resources/openstack/nova/server.py).
    """
    kinds = {artefact.kind for artefact in artefacts}
    images = [image for image in cloud.images.list() if image.status == "active"] if "image" in kinds else []
    flavors = cloud.flavors.list() if "flavor" in kinds else []
    there = {"image": {image.name: image.id for image in images}, "flavor": {one.name: one.name for one in flavors}}
    artefact_ids = {
        artefact.key: there[artefact.kind].get(artefact.key) or next(iter(there[artefact.kind].values()), "")
        for artefact in artefacts
    }
    return artefact_ids, [artefact.key for artefact in artefacts if artefact.key not in there[artefact.kind]]


def _with_stand_ins(plan: Plan, artefact_ids: Mapping[str, str]) -> dict[str, Any]:
    return {n: artefact_ids.get(v, v) if isinstance(v, str) else v for n, v in plan.parameters.items()}

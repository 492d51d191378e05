"""Check that the instance's cloud has all that the templates of a plan need."""

from collections.abc import Sequence
from dataclasses import replace

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.errors import MAX_FAULTS_IN_ANSWER
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.validate import unsupported
from vnfm.kit.problem import FieldError, Problem, ProblemError
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.sagas.heat_preview import planned_package
from vnfm.lcm.sagas.planning import Planned, Planning
from vnfm.lcm.sagas.step_kinds import step_of_kind
from vnfm.lcm.selectors.heat_target import heat_target, unknown_features

CODE = "TEMPLATE_UNSUPPORTED"


def with_supported_templates(planning: Planning, planned: Planned) -> Planned:
    """The plan, with a note where it is not known what the cloud has.

    Raises ProblemError (422, TEMPLATE_UNSUPPORTED) with file and line of all that the cloud lacks; only plans that give
    Heat a template can lack anything.
    """
    vim, plan = planning.instance.vim, planned.plan
    if vim is None or not any(step_of_kind(step.kind).applies_template for step in planned.steps):
        return planned
    target = heat_target(vim)
    if planning.request.operation != Operation.INSTANTIATE:
        target = replace(target, networks=(), may_share=None)  # what exists stays as it is
    templates = replace(catalog.templates_of(planned_package(planning, plan)), target=target)
    registries = [{**plan.registry, **stage.registry} for stage in plan.stages]
    if findings := unsupported(templates, [plan.registry, *registries]):
        raise ProblemError(_problem(vim.name, findings))
    if unknown := unknown_features(vim):
        words = f"No probe of {vim.name} has found {' and '.join(unknown)}: nothing is refused that it may lack there."
        return replace(planned, findings=(*planned.findings, Finding("note", "CLOUD_UNKNOWN", words)))
    return planned


def _problem(cloud: str, findings: Sequence[Finding]) -> Problem:
    faults = [finding.as_fault() for finding in findings]
    sentences = [fault.where() + fault.message for fault in faults]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Problem(
        422,
        CODE,
        f"{cloud} lacks what the templates need",
        sentences[0] + more,
        "Correct the package, or choose a cloud that has it. What a cloud has is read every five minutes.",
        errors=tuple(
            FieldError(f"{fault.file}#{fault.pointer}", sentence)
            for fault, sentence in zip(faults[:MAX_FAULTS_IN_ANSWER], sentences, strict=False)
        ),
        extra={"validationReport": [finding.as_json() for finding in findings]},
    )

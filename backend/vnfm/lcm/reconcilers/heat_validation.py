"""Heat validates a package: `validate` for the templates, `preview` for the stack that they would make."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import structlog

from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.package import read_package
from vnfm.catalog.domain.template_bundle import TemplateBundle
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds import registry
from vnfm.clouds.errors import CloudError
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import StackInput
from vnfm.kit.durable import worker_request
from vnfm.kit.ids import new_id
from vnfm.lcm.domain.default_plan import default_plan
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.reconcilers import vim_limiter
from vnfm.lcm.reconcilers.step_runner import UNREACHABLE
from vnfm.lcm.services.heat_validation import heat_finding, heat_validation_subject
from vnfm.lcm.steps.stack_input import resolve_artefacts
from vnfm.vims import selectors as vims
from vnfm.vims.domain.vim_record import VimRecord

STACK = "vnfm-preview"

log = structlog.get_logger(__name__)


def validate_package(request_id: UUID) -> None:
    """Validate and store the findings for the web request that waits; run twice, it calls Heat once."""
    worker_request.answer(request_id, _validate)


def _validate(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    vim, bundle = heat_validation_subject(arguments)
    try:
        findings = list(_findings(vim, bundle))
    except CloudError as error:
        log.warning("heat.unreachable", vim=vim.name, error=error.message)
        findings = [heat_finding(vim, "warning", "HEAT_UNREACHABLE", f"Heat cannot be reached: {error.message}")]
    return {"findings": [finding.as_json() for finding in findings]}


def _findings(vim: VimRecord, bundle: TemplateBundle) -> Iterator[Finding]:
    """Raises the CloudError of a cloud that does not answer, or that refuses our credentials and not the package."""
    with vim_limiter.acquire(vim.id) as wait:
        if wait:
            yield heat_finding(
                vim, "warning", "HEAT_UNREACHABLE", "The cloud did not answer lately, or is busy with ours."
            )
            return
        cloud = registry.provider().connect(vims.connection_of(vim))
        vnfd = read_package(bundle.content).vnfd
        stack = _stack_input(vnfd, bundle)
        try:
            cloud.stacks.validate(stack)
        except CloudError as error:
            yield heat_finding(vim, "error", "HEAT_REFUSES", _words(error))
            return
        yield heat_finding(vim, "note", "HEAT_VALIDATES", "Heat's own validation accepts the templates.")
        yield _preview(vim, cloud, vnfd, stack)


def _words(error: CloudError) -> str:
    """Heat's message, if it is about the package; raises the error again if not."""
    if error.retryable or error.http_status in UNREACHABLE or error.source != "heat" or error.code == "VIM_DENIED":
        raise error
    return error.message


def _stack_input(vnfd: Vnfd, bundle: TemplateBundle) -> StackInput:
    return StackInput(
        template=bundle.texts[vnfd.hot_template],
        environment=bundle.content.yaml(vnfd.hot_environment).data,
        parameters={},
        files={name: bundle.texts[path] for name, path in vnfd.hot_files.items()},
    )


def _preview(vim: VimRecord, cloud: Cloud, vnfd: Vnfd, stack: StackInput) -> Finding:
    """Heat's preview of the default size. Images and flavors of the cloud stand in for those that we would create."""
    flavors, images = cloud.flavors.list(), cloud.images.list()
    plan = default_plan(vnfd, flavors, images, cloud.networks.list())
    if isinstance(plan, Rejection):
        why = " ".join(f"{error.field}: {error.message}" for error in plan.errors)
        return heat_finding(vim, "note", "HEAT_PREVIEW_LEFT_OUT", f"There is no preview without more settings. {why}")
    there = {"image": [image.id for image in images], "flavor": [flavor.name for flavor in flavors]}
    made = {artefact.key: there[artefact.kind][0] for artefact in plan.artefacts if there[artefact.kind]}
    if missing := [artefact.kind for artefact in plan.artefacts if artefact.key not in made]:
        return heat_finding(vim, "note", "HEAT_PREVIEW_LEFT_OUT", f"The cloud has no {missing[0]} to preview with.")
    identity = {vnfd.instance_id_parameter: str(new_id()), vnfd.instance_name_parameter: STACK}
    parameters = {name: resolve_artefacts(value, made) for name, value in plan.parameters.items()}
    registry_entries = {**stack.environment.get("resource_registry", {}), **plan.registry}
    whole = StackInput(
        template=stack.template,
        environment={**stack.environment, "resource_registry": registry_entries},
        parameters=parameters | {name: value for name, value in identity.items() if name},
        files=stack.files,
    )
    try:
        changes = cloud.stacks.preview_create(STACK, whole)
    except CloudError as error:
        # The values are stand-ins: with others it may be content.
        return heat_finding(vim, "warning", "HEAT_PREVIEW_REFUSED", _words(error))
    counted = Counter(change.type for change in changes)
    listed = ", ".join(f"{number} {kind}" for kind, number in sorted(counted.items()))
    return heat_finding(vim, "note", "HEAT_PREVIEW", f"At its default size Heat would make {listed}.")

"""The input of an instance's stack (template, environment, files, parameters) and its stored snapshot."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.clouds.types import StackInput
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.selectors import stack_input_of
from vnfm.inventory.services import stack_input_record
from vnfm.lcm.domain.plan import ARTEFACT, Plan
from vnfm.lcm.domain.unclaimed import INSTANCE_TAG, TAG
from vnfm.lcm.steps.base import Context
from vnfm.vims.selectors import artefact_ids

_STORED = ("template", "environment", "parameters", "files")
"""The parts of a stack's input that are stored."""


def build_input(
    instance: InstanceRecord,
    package: PackageRecord,
    plan: Plan,
    artefact_ids: Mapping[str, str],
    secrets: Mapping[str, str],
) -> StackInput:
    """The package's files, our registry choices and all parameters; `artefact_ids` maps artefact keys to cloud ids.

    The instance name in the first parameters stays: a renamed instance does not rename its servers.
    """
    vnfd = catalog.vnfd_of(package)
    before = stack_input_of(instance_id=instance.id) if instance.stack_id else None
    name = before.parameters.get(vnfd.instance_name_parameter, instance.name) if before else instance.name
    identity = {vnfd.instance_id_parameter: str(instance.id), vnfd.instance_name_parameter: name}
    parameters = {name: resolve_artefacts(value, artefact_ids) for name, value in plan.parameters.items()}
    parameters |= {name: value for name, value in identity.items() if name}
    parameters |= {name: value for name, value in secrets.items() if vnfd.setting(name) is not None}
    return package_input(instance, package, parameters, plan.registry)


def package_input(
    instance: InstanceRecord, package: PackageRecord, parameters: Mapping[str, Any], registry: Mapping[str, str]
) -> StackInput:
    """The package's template, environment and files, with these parameters and entries of the resource_registry."""
    bundle = catalog.hot_bundle(package=package)
    entries = {**bundle.environment.get("resource_registry", {}), **registry}
    return StackInput(
        template=bundle.template,
        environment={**bundle.environment, "resource_registry": entries},
        parameters=parameters,
        files=bundle.files,
        tags=stack_tags(instance),
    )


def resolve_artefacts(value: Any, artefact_ids: Mapping[str, str]) -> Any:
    """A parameter's value with cloud ids in place of `$artefact` marks, also within maps of images."""
    if not isinstance(value, Mapping):
        return value
    if ARTEFACT in value:
        return artefact_ids[value[ARTEFACT]]
    return {key: resolve_artefacts(item, artefact_ids) for key, item in value.items()}


def stack_input(ctx: Context, stage: Mapping[str, Any]) -> StackInput:
    """The input for the operation's plan, with the `parameters` and `registry` of a stage."""
    plan = ctx.plan
    parameters = {**plan.parameters, **stage.get("parameters", {})}
    registry = {**plan.registry, **stage.get("registry", {})}
    keys = [artefact.key for artefact in plan.artefacts]
    ids = artefact_ids(vim_id=ctx.instance.vim_id, keys=keys)
    staged = replace(plan, parameters=parameters, registry=registry)
    return build_input(ctx.instance, ctx.planned_package, staged, ids, ctx.secrets)


def previous_stack_input(ctx: Context) -> StackInput:
    """Return the stack's input before the operation, but with the added members in the removal parameters."""
    before = ctx.op.stack_before
    assert before is not None, "stored with the plan, for an instance that has a stack"
    return StackInput(
        template=before["template"],
        environment=before["environment"],
        parameters={**before["parameters"], **ctx.plan.undo_parameters, **ctx.secrets_before},
        files=before["files"],
        tags=stack_tags(ctx.instance),
    )


def stack_tags(instance: InstanceRecord) -> tuple[str, ...]:
    return (TAG, f"{INSTANCE_TAG}{instance.id}")


def stack_snapshot(instance: InstanceRecord) -> dict[str, Any] | None:
    """The last input of the stack, in the form stored with an operation; None when the instance has no stack."""
    given = stack_input_of(instance_id=instance.id) if instance.stack_id else None
    return {name: getattr(given, name) for name in _STORED} if given else None


def save_snapshot(ctx: Context, submitted: StackInput) -> None:
    """Store the input, which Liberty's Heat cannot return."""
    secrets = ctx.secrets
    shown = {name: value for name, value in submitted.parameters.items() if name not in secrets}
    stack_input_record(instance_id=ctx.instance.id, stack=replace(submitted, parameters=shown))

"""What Heat is given for an instance, and what is kept of it: Liberty cannot tell it afterwards."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.catalog.models import VnfPackage
from vnfm.clouds.types import StackInput
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.lcm.domain.plan import ARTEFACT, Plan
from vnfm.lcm.sagas.base import Context
from vnfm.vims.models import VimArtefact

TAG = "vnfm"


def build_input(
    instance: VnfInstance, package: VnfPackage, plan: Plan, made: Mapping[str, str], secrets: Mapping[str, str]
) -> StackInput:
    """The package's files, our registry choices and all parameters; `made` maps artefact keys to ids in the cloud.

    The name that Heat was once given stays: a renamed instance does not rename its servers.
    """
    bundle = catalog.hot_bundle(package=package)
    registry = {**bundle.environment.get("resource_registry", {}), **plan.registry}
    vnfd = catalog.vnfd_of(package)
    snapshot = StackSnapshot.objects.filter(instance=instance).first() if instance.stack_id else None
    name = snapshot.parameters.get(vnfd.instance_name_parameter, instance.name) if snapshot else instance.name
    identity = {vnfd.instance_id_parameter: str(instance.id), vnfd.instance_name_parameter: name}
    parameters = {name: settled(value, made) for name, value in plan.parameters.items()}
    parameters |= {name: value for name, value in identity.items() if name}
    parameters |= {name: value for name, value in secrets.items() if vnfd.setting(name) is not None}
    return StackInput(
        template=bundle.template,
        environment={**bundle.environment, "resource_registry": registry},
        parameters=parameters,
        files=bundle.files,
        tags=stack_tags(instance),
    )


def settled(value: Any, made: Mapping[str, str]) -> Any:
    """A parameter's value with what steps have made in the place of what marks it, in maps of images, too."""
    if not isinstance(value, Mapping):
        return value
    return made[value[ARTEFACT]] if ARTEFACT in value else {key: settled(item, made) for key, item in value.items()}


def stack_input(ctx: Context, stage: Mapping[str, Any]) -> StackInput:
    """What Heat is given for the operation's plan, but for `parameters` and `registry` of a stage on the way to it."""
    plan = ctx.plan
    parameters = {**plan.parameters, **stage.get("parameters", {})}
    registry = {**plan.registry, **stage.get("registry", {})}
    keys = [artefact.key for artefact in plan.artefacts]
    made = dict(VimArtefact.objects.filter(vim=ctx.instance.vim, key__in=keys).values_list("key", "resource_id"))
    staged = replace(plan, parameters=parameters, registry=registry)
    return build_input(ctx.instance, ctx.planned_package, staged, made, ctx.secrets)


def stack_input_before(ctx: Context) -> StackInput:
    """What Heat held before the operation, but for the members that came: those are named for removal."""
    before = ctx.op.stack_before
    assert before is not None, "kept when the plan was stored, for an instance that has a stack"
    return StackInput(
        template=before["template"],
        environment=before["environment"],
        parameters={**before["parameters"], **ctx.plan.undo_parameters, **ctx.secrets_before},
        files=before["files"],
        tags=stack_tags(ctx.instance),
    )


def stack_tags(instance: VnfInstance) -> tuple[str, ...]:
    return (TAG, f"vnf-instance-{instance.id}")


def stack_held(instance: VnfInstance) -> dict[str, Any] | None:
    """What Heat was last given, as it is kept with an operation; None when the instance has no stack."""
    fields = ("template", "environment", "parameters", "files")
    return StackSnapshot.objects.filter(instance=instance).values(*fields).first() if instance.stack_id else None


def _without_secrets(ctx: Context, given: StackInput) -> dict[str, Any]:
    return {name: value for name, value in given.parameters.items() if name not in ctx.secrets}


def keep_snapshot(ctx: Context, given: StackInput) -> None:
    """Store what Heat was given: Liberty cannot tell it afterwards."""
    StackSnapshot.objects.update_or_create(
        instance=ctx.instance,
        defaults={
            "template": given.template,
            "environment": dict(given.environment),
            "parameters": _without_secrets(ctx, given),
            "files": dict(given.files),
        },
    )

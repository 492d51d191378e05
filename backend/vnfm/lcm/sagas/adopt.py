"""InstantiateVnf with `adoptStack`: a Heat stack that nobody manages becomes the instance's. The cloud is not changed.

Undone by forgetting: the stack stays as it was, and nobody's.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.errors import CloudError, NotFound
from vnfm.clouds.types import Network, Stack, StackInput, StackResource
from vnfm.inventory.models import StackSnapshot, VnfInstance
from vnfm.kit.problem import FieldError, Problem
from vnfm.lcm.domain.adoption import (
    POINTER,
    Adoption,
    Layout,
    SeenMember,
    Template,
    created_links,
    layout_of,
    missing_pieces,
    parameters_of,
    settings_of,
    template_warnings,
)
from vnfm.lcm.domain.plan import Plan, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.sizing import Roster
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, StepSpec
from vnfm.lcm.domain.target import Refused
from vnfm.lcm.sagas.base import Context, Step, step_kind
from vnfm.lcm.sagas.desired import stack_assigned
from vnfm.lcm.sagas.members import Member, members
from vnfm.lcm.sagas.planning import Planned, Planning, refusal
from vnfm.lcm.sagas.stack_input import keep_snapshot, stack_tags


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that was read of the stack."""

    stack: Stack
    resources: Sequence[StackResource]
    members: Sequence[SeenMember]
    parameters: Mapping[str, Any]
    template: Template
    networks: Sequence[Network]


def plan(planning: Planning) -> Planned:
    """What the stack is in the package's terms; raises ProblemError with every piece that is missing."""
    asked = planning.asked(Adoption)
    vnfd = planning.vnfd
    seen = _look(planning, asked)
    layout = layout_of(vnfd, asked.flavours, seen.members)
    if isinstance(layout, Refused):
        raise refusal(layout)
    computed = _plan(planning, seen, layout)
    steps = [
        StepSpec("adopt_stack@1", f"Take over stack {seen.stack.name} as it is", {"stackId": seen.stack.id}),
        StepSpec("record_vnfcs@1", "Record the VNFCs", {"first": True}),
    ]
    return Planned(computed, steps)


def _look(planning: Planning, asked: Adoption) -> _Seen:
    vnfd, cloud = planning.vnfd, planning.cloud
    owner = VnfInstance.objects.filter(stack_id=asked.stack_id).first()
    if owner is not None:
        raise _refused([f"The stack is of VNF instance {owner.name}."])
    try:
        stack = cloud.stacks.show(asked.stack_id)
        resources = cloud.stacks.resources(stack.id)
        template = cloud.stacks.template(stack.id)
    except NotFound as error:
        raise _refused([f"Heat has no stack {asked.stack_id}."]) from error
    if stack.in_progress:
        raise _refused([f"Heat is at work on stack {stack.name} ({stack.status}): wait until it has finished."])
    missing = missing_pieces(vnfd, {r.name: r.type for r in resources if not r.path})
    if missing:
        raise _refused(missing)
    parameters = _parameters(planning, stack)
    found = members(vnfd, {vdu.id: Roster() for vdu in vnfd.vdus}, resources)
    metadata = {server.id: server.metadata for server in cloud.servers.list()}
    lost = list(_lost(found, metadata.keys()))
    if lost:
        raise _refused(lost)
    slots = {m.server.physical_id: _slot(vnfd, m, metadata[m.server.physical_id], parameters) for m in found}
    seen = [SeenMember(m.vdu.id, _index(m), slots[m.server.physical_id]) for m in found]
    return _Seen(stack, resources, seen, parameters, Template.of(template), cloud.networks.list())


def _refused(reasons: Sequence[str]) -> Exception:
    return refusal(Refused(tuple(FieldError(POINTER, reason) for reason in reasons)))


def _parameters(planning: Planning, stack: Stack) -> dict[str, Any]:
    try:
        return parameters_of(planning.vnfd, _package_template(planning).parameters.keys(), stack.parameters)
    except ValueError as error:
        raise _refused([str(error)]) from error


def _package_template(planning: Planning) -> Template:
    bundle = catalog.hot_bundle(package=planning.instance.package)
    hot = parse_yaml(planning.vnfd.hot_template, bundle.template.encode()).data
    return Template.of(json.loads(json.dumps(hot)))  # as Heat gives a template back


def _lost(found: Sequence[Member], servers: Collection[str]) -> Iterator[str]:
    for member in found:
        where = "/".join((*member.server.path, member.server.name))
        if member.server.physical_id not in servers:
            yield f"Nova no longer has the server of {where} ({member.server.physical_id})."
        for cp in member.vdu.connection_points:
            if cp.id not in member.ports:
                yield f"{where} has no port {cp.port_resource(member.server.name)}."


def _index(member: Member) -> int:
    return member.index if member.index is not None else member.vdu.slots.index(member.slot)


def _slot(vnfd: Vnfd, member: Member, metadata: Mapping[str, str], parameters: Mapping[str, Any]) -> str:
    """As the server's metadata say, or the stack's map from index to slot; "" when neither does."""
    if member.index is None:
        return member.slot
    aspects = [a for flavour in vnfd.flavours for a in flavour.aspects if a.vdu_id == member.vdu.id]
    maps = [parameters.get(aspect.slots_parameter) or {} for aspect in aspects if aspect.slots_parameter]
    known = [metadata.get("slot", ""), *(str(slots.get(str(member.index), "")) for slots in maps)]
    return next(filter(None, known), "")


def _plan(planning: Planning, seen: _Seen, layout: Layout) -> Plan:
    vnfd = planning.vnfd
    created = created_links(vnfd, seen.resources)
    registry = {
        link.registry_type: link.created_template if link.id in created else link.existing_template
        for link in vnfd.virtual_links
        if link.registry_type
    }
    effective = effective_settings(vnfd, seen.parameters)
    registry |= {v.registry_type: v.templates[str(effective.get(v.setting)).lower()] for v in vnfd.variants}
    rosters = {vdu_id: roster.as_json() for vdu_id, roster in layout.rosters.items()}
    return Plan(
        flavour_id=layout.flavour.id,
        instantiation_level_id=layout.level_id,
        scale_levels=layout.scale_levels,
        settings=settings_of(vnfd, seen.parameters),
        rosters=rosters,
        removed={},
        added={},
        registry=registry,
        parameters=dict(seen.parameters),
        undo_parameters={},
        resources=tuple(_kept(vnfd, layout)),
        networks=tuple(_networks(vnfd, seen, created)),
        warnings=tuple(_warnings(planning, seen, layout, registry)),
    )


def _kept(vnfd: Vnfd, layout: Layout) -> Iterator[PlannedResource]:
    for vdu in vnfd.vdus:
        for slot in layout.rosters[vdu.id].slots.values():
            yield PlannedResource("keep", "vnfc", f"{vdu.name}, slot {slot}", "runs already")


def _networks(vnfd: Vnfd, seen: _Seen, created: Collection[str]) -> Iterator[PlannedNetwork]:
    for link in vnfd.virtual_links:
        if link.id in created:
            yield PlannedNetwork(link.id, link.network_parameter, "created", "")
            continue
        value = str(seen.parameters.get(link.network_parameter, ""))
        network = next((n for n in seen.networks if value in (n.id, n.name)), None)
        name, network_id = (network.name, network.id) if network is not None else (value, "")
        yield PlannedNetwork(link.id, link.network_parameter, "existing", name, network_id)


def _warnings(planning: Planning, seen: _Seen, layout: Layout, registry: Mapping[str, str]) -> Iterator[str]:
    """What differs and can be lived with, until the next update of the stack."""
    if seen.stack.failed:
        yield f"Heat says {seen.stack.status} of the stack: {seen.stack.status_reason}"
    yield from template_warnings(seen.template, _package_template(planning))
    fixed = {**planning.vnfd.fixed_parameters, **layout.flavour.parameters}
    for name, value in fixed.items():
        if name in seen.parameters and str(seen.parameters[name]) != str(value):
            has = f"The package has {name} at {value!r}, the stack at {seen.parameters[name]!r}"
            yield f"{has}: the next update sets it."
    if seen.stack.updated_at:
        for vdu in (vdu for vdu in planning.vnfd.vdus if vdu.hot_group):
            index = layout.rosters[vdu.id].next_index
            yield (
                f"Heat gives no index of a group twice. Should {vdu.hot_group} ever have had a member {index} or more "
                "that was removed, the next scale-out is off by as many and is stopped by us."
            )
    yield from _next_update(planning, seen, registry)


def _next_update(planning: Planning, seen: _Seen, registry: Mapping[str, str]) -> Iterator[str]:
    """Heat's own word on what the package's templates would make and delete."""
    given = _given(planning.instance, {**seen.parameters, **_hidden(planning)}, registry)
    try:
        changes = planning.cloud.stacks.preview_update(seen.stack.id, given)
    except CloudError as error:
        if error.retryable:
            raise
        yield f"Heat would refuse the next update: {error.message}"
        return
    for action, words in (("create", "make"), ("delete", "delete")):
        names = sorted(change.name for change in changes if change.action == action)
        if names:
            yield f"By its own preview Heat would {words} {', '.join(names)} at the next update."


def _hidden(planning: Planning) -> dict[str, Any]:
    params = planning.request.get("additionalParams") or {}
    return {s.name: params[s.name] for s in planning.vnfd.settings if s.hidden and s.name in params}


def _given(instance: VnfInstance, parameters: Mapping[str, Any], registry: Mapping[str, str]) -> StackInput:
    """What the package's files make of the stack: what Heat will be given from now on."""
    bundle = catalog.hot_bundle(package=instance.package)
    choices = {**bundle.environment.get("resource_registry", {}), **registry}
    return StackInput(
        template=bundle.template,
        environment={**bundle.environment, "resource_registry": choices},
        parameters=parameters,
        files=bundle.files,
        tags=stack_tags(instance),
    )


@step_kind
class AdoptStack(Step):
    """Write down that the stack is the instance's, and what Heat will be given of it. Changes nothing in the cloud."""

    kind = "adopt_stack@1"

    def submit(self, ctx: Context) -> Receipt:
        return {"stackId": ctx.params["stackId"]}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        stack = ctx.cloud.stacks.status(receipt["stackId"])
        try:
            with transaction.atomic():
                stack_assigned(ctx.instance, stack.id, stack.name)
                keep_snapshot(ctx, _given(ctx.instance, {**ctx.plan.parameters, **ctx.secrets}, ctx.plan.registry))
        except IntegrityError:
            ctx.instance.refresh_from_db()
            return Blocked(_taken(stack))
        return Done(f"{stack.name} is {stack.status} and stays as it is")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        StackSnapshot.objects.filter(instance=ctx.instance).delete()
        stack_assigned(ctx.instance, "", "")
        return Done("The stack is nobody's again, and as it was")


def _taken(stack: Stack) -> Problem:
    detail = f"Stack {stack.name} has become another VNF instance's meanwhile."
    return Problem(409, "STACK_TAKEN", "Conflict", detail, "Roll back.")

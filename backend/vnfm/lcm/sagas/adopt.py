"""InstantiateVnf with `adoptStack`: an unmanaged Heat stack becomes the instance's. Nothing in the cloud is changed.

A rollback only removes the record: the stack stays as it was, unmanaged.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.clouds.errors import CloudError, NotFound
from vnfm.clouds.types import Network, Stack, StackResource
from vnfm.inventory.selectors import instance_of_stack
from vnfm.kit.problem import FieldError, ProblemError
from vnfm.lcm.domain.adoption import (
    POINTER,
    AdoptedLayout,
    Adoption,
    HotTemplate,
    StackMember,
    created_links,
    match_layout,
    missing_resources,
    non_default_settings,
    stack_parameters,
    template_warnings,
)
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.plan import Plan, PlannedNetwork, PlannedResource
from vnfm.lcm.domain.sizing import Roster, pair_numbers
from vnfm.lcm.sagas.planning import Planned, Planning, rejection_error
from vnfm.lcm.services.request_reader import request_secrets
from vnfm.lcm.steps.adopt_stack import AdoptStack
from vnfm.lcm.steps.record import RecordVnfcs
from vnfm.lcm.steps.stack_input import package_input
from vnfm.lcm.steps.stack_members import VnfcResources, members


@dataclass(frozen=True, slots=True)
class _ExistingStack:
    """The stack to adopt, as Heat, Nova and Neutron report it."""

    stack: Stack
    resources: Sequence[StackResource]
    members: Sequence[StackMember]
    parameters: Mapping[str, Any]
    template: HotTemplate
    networks: Sequence[Network]


def plan(planning: Planning) -> Planned:
    """Plan the adoption; raises ProblemError with every reason why the stack does not fit the package."""
    adoption = planning.validated(Adoption)
    existing = _read_stack(planning, adoption)
    layout = match_layout(planning.vnfd, adoption.flavours, existing.members)
    if isinstance(layout, Rejection):
        raise rejection_error(layout)
    stack = existing.stack
    steps = [
        AdoptStack.spec(f"Take over stack {stack.name} as it is", {"stackId": stack.id}),
        RecordVnfcs.spec("Record the VNFCs", {"first": True}),
    ]
    return Planned(_plan(planning, existing, layout), steps)


def _read_stack(planning: Planning, adoption: Adoption) -> _ExistingStack:
    vnfd, cloud = planning.vnfd, planning.cloud
    owner = instance_of_stack(stack_id=adoption.stack_id)
    if owner is not None:
        raise _rejected([f"The stack is of VNF instance {owner.name}."])
    try:
        stack = cloud.stacks.show(adoption.stack_id)
        resources = cloud.stacks.resources(stack.id)
        template = cloud.stacks.template(stack.id)
    except NotFound as error:
        raise _rejected([f"Heat has no stack {adoption.stack_id}."]) from error
    if stack.in_progress:
        raise _rejected([f"Heat is at work on stack {stack.name} ({stack.status}): wait until it has finished."])
    missing = missing_resources(vnfd, {r.name: r.type for r in resources if not r.path})
    if missing:
        raise _rejected(missing)
    parameters = _parameters(planning, stack)
    found = members(vnfd, {vdu.id: Roster() for vdu in vnfd.vdus}, resources)
    metadata = {server.id: server.metadata for server in cloud.servers.list()}
    effective = effective_settings(vnfd, parameters)
    lost = list(_lost(vnfd, found, metadata.keys(), effective))
    if lost:
        raise _rejected(lost)
    slots = {m.server.physical_id: _slot(vnfd, m, metadata[m.server.physical_id], parameters) for m in found}
    stack_members = [StackMember(m.vdu.id, _index(m), slots[m.server.physical_id]) for m in found]
    return _ExistingStack(stack, resources, stack_members, parameters, HotTemplate.of(template), cloud.networks.list())


def _rejected(reasons: Sequence[str]) -> ProblemError:
    return rejection_error(Rejection(tuple(FieldError(POINTER, reason) for reason in reasons)))


def _parameters(planning: Planning, stack: Stack) -> dict[str, Any]:
    try:
        return stack_parameters(planning.vnfd, _package_template(planning).parameters.keys(), stack.parameters)
    except ValueError as error:
        raise _rejected([str(error)]) from error


def _package_template(planning: Planning) -> HotTemplate:
    bundle = catalog.hot_bundle(package=planning.instance.package)
    hot = parse_yaml(planning.vnfd.hot_template, bundle.template.encode()).data
    return HotTemplate.of(json.loads(json.dumps(hot)))  # as Heat gives a template back


def _lost(
    vnfd: Vnfd, found: Sequence[VnfcResources], servers: Collection[str], settings: Mapping[str, Any]
) -> Iterator[str]:
    for member in found:
        where = "/".join((*member.server.path, member.server.name))
        if member.server.physical_id not in servers:
            yield f"Nova no longer has the server of {where} ({member.server.physical_id})."
        for cp in vnfd.points_of(member.vdu, settings):
            if cp.id not in member.ports:
                yield f"{where} has no port {cp.port_resource(member.server.name)}."


def _index(member: VnfcResources) -> int:
    return member.index if member.index is not None else member.vdu.slots.index(member.slot)


def _slot(vnfd: Vnfd, member: VnfcResources, metadata: Mapping[str, str], parameters: Mapping[str, Any]) -> str:
    """Return the slot in the server's metadata, else in the stack's map of index to slot; "" when neither has it."""
    if member.index is None:
        return member.slot
    deltas = [delta for delta in vnfd.deltas() if delta.vdu_id == member.vdu.id]
    maps = [parameters.get(delta.slots_parameter) or {} for delta in deltas if delta.slots_parameter]
    known = [metadata.get("slot", ""), *(str(slots.get(str(member.index), "")) for slots in maps)]
    return next(filter(None, known), "")


def _plan(planning: Planning, existing: _ExistingStack, layout: AdoptedLayout) -> Plan:
    vnfd = planning.vnfd
    created = created_links(vnfd, existing.resources)
    effective = effective_settings(vnfd, existing.parameters)
    registry = {
        link.registry_type: link.created_template if link.id in created else link.existing_template
        for link in vnfd.virtual_links
        if link.registry_type
    }
    unused = [link for link in vnfd.virtual_links if not link.is_used(effective)]
    registry |= {link.registry_type: link.unused_template for link in unused}
    pairs_of = {vdu.id: existing.parameters.get(vdu.pairs_parameter) or {} for vdu in vnfd.vdus if vdu.in_pairs}
    used = {pair for vdu_id, value in pairs_of.items() for pair in pair_numbers(vdu_id, value)}
    registry |= {v.registry_type: v.template(effective.get(v.setting), used) for v in vnfd.variants}
    rosters = {vdu_id: roster.as_json() for vdu_id, roster in layout.rosters.items()}
    return Plan(
        flavour_id=layout.flavour.id,
        instantiation_level_id=layout.level_id,
        scale_levels=layout.scale_levels,
        settings=non_default_settings(vnfd, existing.parameters),
        rosters=rosters,
        removed={},
        added={},
        registry=registry,
        parameters=dict(existing.parameters),
        undo_parameters={},
        resources=tuple(_unchanged_vnfcs(vnfd, layout)),
        networks=tuple(_networks(vnfd, existing, created)),
        warnings=tuple(_warnings(planning, existing, layout, registry)),
    )


def _unchanged_vnfcs(vnfd: Vnfd, layout: AdoptedLayout) -> Iterator[PlannedResource]:
    for vdu in vnfd.vdus:
        for slot in layout.rosters[vdu.id].slots.values():
            yield PlannedResource.of_vnfc("keep", vdu.name, slot, "runs already")


def _networks(vnfd: Vnfd, existing: _ExistingStack, created: Collection[str]) -> Iterator[PlannedNetwork]:
    effective = effective_settings(vnfd, existing.parameters)
    for link in vnfd.virtual_links:
        if not link.is_used(effective):
            continue
        if link.id in created:
            yield PlannedNetwork(link.id, link.network_parameter, "created", "")
            continue
        value = link.fixed_network or str(existing.parameters.get(link.network_parameter, ""))
        network = next((n for n in existing.networks if value in (n.id, n.name)), None)
        name, network_id = (network.name, network.id) if network is not None else (value, "")
        yield PlannedNetwork(link.id, link.network_parameter, "existing", name, network_id)


def _warnings(
    planning: Planning, existing: _ExistingStack, layout: AdoptedLayout, registry: Mapping[str, str]
) -> Iterator[str]:
    """Acceptable differences, and what they mean for the next update of the stack."""
    if existing.stack.failed:
        yield f"Heat says {existing.stack.status} of the stack: {existing.stack.status_reason}"
    yield from template_warnings(existing.template, _package_template(planning))
    fixed = {**planning.vnfd.fixed_parameters, **layout.flavour.parameters}
    for name, value in fixed.items():
        if name in existing.parameters and str(existing.parameters[name]) != str(value):
            has = f"The package has {name} at {value!r}, the stack at {existing.parameters[name]!r}"
            yield f"{has}: the next update sets it."
    if existing.stack.updated_at:
        for vdu in (vdu for vdu in planning.vnfd.vdus if vdu.hot_group):
            index = layout.rosters[vdu.id].next_index
            yield (
                f"Heat gives no index of a group twice. Should {vdu.hot_group} ever have had a member {index} or more "
                "that was removed, the next scale-out is off by as many and is stopped by us."
            )
    yield from _next_update(planning, existing, registry)


def _next_update(planning: Planning, existing: _ExistingStack, registry: Mapping[str, str]) -> Iterator[str]:
    """Heat's own preview of what an update with the package's templates would create and delete."""
    instance = planning.instance
    parameters = {**existing.parameters, **request_secrets(planning.request, planning.vnfd)}
    given = package_input(instance, instance.package, parameters, registry)
    try:
        changes = planning.cloud.stacks.preview_update(existing.stack.id, given)
    except CloudError as error:
        if error.retryable:
            raise
        yield f"Heat would refuse the next update: {error.message}"
        return
    for action, words in (("create", "make"), ("delete", "delete")):
        names = sorted(change.name for change in changes if change.action == action)
        if names:
            yield f"By its own preview Heat would {words} {', '.join(names)} at the next update."

"""Steps that record the cloud resources of an instance: VNFCs, ports and networks."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from vnfm.clouds.errors import Failed
from vnfm.clouds.types import Port, Server, Stack, StackResource
from vnfm.inventory import services as inventory
from vnfm.inventory.domain.drift import later
from vnfm.inventory.domain.observation import MISSING
from vnfm.inventory.domain.resources import VnfcInfo
from vnfm.inventory.selectors import links_of, vnfcs_of
from vnfm.inventory.services import RecordedLink, RecordedPort, RecordedVnfc, instance_record
from vnfm.kit import clock
from vnfm.kit.problem import Cause, Problem
from vnfm.kit.web.message import from_json
from vnfm.lcm.domain.adoption import created_networks
from vnfm.lcm.domain.chains import link_at
from vnfm.lcm.domain.instantiation import external_link_ids
from vnfm.lcm.domain.managed_links import managed_link_ids
from vnfm.lcm.domain.request_types import ExtVirtualLink
from vnfm.lcm.domain.requests import StackRequest, parse_request
from vnfm.lcm.domain.states import CONDITION_FALSE, Operation, StepState
from vnfm.lcm.domain.steps import Blocked, Done, Outcome, Receipt, Waiting
from vnfm.lcm.steps.base import Context, Step
from vnfm.lcm.steps.servers import servers_by_id
from vnfm.lcm.steps.stack_members import VnfcResources, actual_rosters, members, planned_rosters
from vnfm.lcm.steps.stack_poll import stack_status

PATIENCE = 30.0
"""Seconds that the cloud may take to show what Heat reports as complete."""
SlotKey = tuple[str, str]
"""VDU id and slot."""
CHANGES_ALL = (Operation.INSTANTIATE, Operation.CHANGE_FLAVOUR, Operation.CHANGE_VNFPKG)


def _recorded(member: VnfcResources, server: Server, ports: dict[str, Port]) -> RecordedVnfc:
    return RecordedVnfc(
        vdu_id=member.vdu.id,
        server_id=server.id,
        name=server.name,
        slot=member.slot,
        group_index=member.index,
        status=server.status,
        fault=server.fault.message if server.fault else "",
        host=server.host,
        host_hash=server.host_hash,
        flavor=server.flavor,
        ports=tuple(
            RecordedPort(
                port_id=port.id,
                network_id=port.network_id,
                cp_id=cp_id,
                mac_address=port.mac_address,
                ip_addresses=port.ip_addresses,
                vnic_type=port.vnic_type,
                status=port.status,
                vif_type=port.vif_type,
            )
            for cp_id, port_id in member.ports.items()
            if (port := ports.get(port_id)) is not None
        ),
    )


def _lost(member: VnfcResources, row: VnfcInfo) -> RecordedVnfc:
    """A VNFC whose server is missing stays recorded with its slot, so that it can be healed."""
    return RecordedVnfc(
        vdu_id=member.vdu.id,
        server_id=row.server_id,
        name=row.server_name,
        slot=member.slot,
        group_index=member.index,
        status=MISSING,
        host=row.host,
        host_hash=row.host_hash,
        flavor=row.flavor_id,
        ports=row.ports,
    )


def _links(ctx: Context, vnfcs: list[RecordedVnfc], resources: Sequence[StackResource]) -> list[RecordedLink]:
    """The networks of the connection points; a network of the stack stays recorded without any VNFC on it."""
    names = {link.id: link.name for link in ctx.vnfd.virtual_links}
    stack_ids = {resource.physical_id for resource in resources}
    found = {
        link.vl_id: RecordedLink(link.vl_id, link.network_id, link.name, link.created_by_stack)
        for link in links_of(instance_id=ctx.instance.id)
        if link.network_id in stack_ids
    }
    created = created_networks(ctx.vnfd, resources)
    found |= {vl_id: RecordedLink(vl_id, network_id, names[vl_id], True) for vl_id, network_id in created.items()}
    planned = {network.vl_id: network.network_id for network in ctx.plan.networks if network.network_id}
    networks = {**{vl_id: link.network_id for vl_id, link in found.items()}, **planned, **created}
    used = {
        link_at(ctx.vnfd, port.cp_id, port.network_id, networks): port.network_id
        for vnfc in vnfcs
        for port in vnfc.ports
    }
    existing = _network_names(ctx, set(used.values()) - stack_ids)
    for vl_id, network_id in used.items():
        found[vl_id] = RecordedLink(vl_id, network_id, existing.get(network_id, names[vl_id]), network_id in stack_ids)
    ids = _external_ids(ctx, planned)
    return [replace(link, external_id=ids.get((link.vl_id, link.network_id), "")) for link in found.values()]


def _external_ids(ctx: Context, planned: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Virtual link and network → the NFVO's id: of the request or its grant, else as it was; also after a rollback."""
    granted = ((ctx.op.grant_request or {}).get("decision") or {}).get("links") or ()
    request = parse_request(Operation(ctx.op.operation), ctx.op.params)
    links = [from_json(ExtVirtualLink, link) for link in granted]
    if isinstance(request, StackRequest):
        links += request.ext_virtual_links
    managed = request.managed_links if isinstance(request, StackRequest) else ()
    named = {**external_link_ids(links, ctx.vnfd), **managed_link_ids(managed)}
    before = ((ctx.op.record_before or {}).get("externals") or {}).items()
    return {
        **{(vl_id, link["network_id"]): link["external_id"] for vl_id, link in before},
        **{(row.vl_id, row.network_id): row.external_id for row in links_of(instance_id=ctx.instance.id)},
        **{(vl_id, planned[vl_id]): external_id for vl_id, external_id in named.items() if vl_id in planned},
    }


def _network_names(ctx: Context, existing: AbstractSet[str]) -> dict[str, str]:
    """Names of networks that the stack did not create: from the plan, else from Neutron."""
    names = {network.network_id: network.network_name for network in ctx.plan.networks if network.network_id}
    if not existing - names.keys():
        return {network_id: names[network_id] for network_id in existing}
    return {network.id: network.name for network in ctx.cloud.networks.list() if network.id in existing}


def record_instance(ctx: Context) -> list[RecordedVnfc]:
    """Record what the stack really has: VNFCs with slots, servers, ports and networks. Idempotent.

    What others changed on servers that this operation does not change stays drift: see `_settled`.
    """
    return record_stack(ctx, settled=_settled(ctx), stack=_stack(ctx))


def record_stack(ctx: Context, *, settled: Collection[str] | None, stack: Stack | None) -> list[RecordedVnfc]:
    """Record as `record_instance`; `stack`: as this operation has left it; None: others' changes of it stay drift."""
    resources = ctx.cloud.stacks.resources(ctx.instance.stack_id)
    found = members(ctx.vnfd, planned_rosters(ctx), resources)
    servers = servers_by_id(ctx.cloud, {member.server.physical_id for member in found if member.server.physical_id})
    ports = {port.id: port for port in ctx.cloud.networks.ports(list(servers))}
    rows = {(row.vdu_id, row.slot): row for row in vnfcs_of(instance_id=ctx.instance.id) if row.slot}
    vnfcs, present = [], []
    for member in found:
        server, row = servers.get(member.server.physical_id), rows.get((member.vdu.id, member.slot))
        if server is not None:
            vnfcs.append(_recorded(member, server, ports))
        elif row is not None:
            vnfcs.append(_lost(member, row))
        if row is not None or member.server.physical_id:
            present.append(member)
    links, now = _links(ctx, vnfcs, resources), clock.now()
    inventory.record_vnfcs(instance=ctx.instance, vnfcs=vnfcs, links=links, now=now, settled=settled)
    if stack is not None:
        inventory.stack_record(instance=ctx.instance, stack=stack, now=now)
    rosters = {vdu_id: roster.as_json() for vdu_id, roster in actual_rosters(ctx, present).items()}
    instance_record(instance=ctx.instance, member_slots=rosters)
    return vnfcs


def _stack(ctx: Context) -> Stack:
    return stack_status(ctx.cloud, str(ctx.instance.vim_id), ctx.instance.stack_id, ctx.op.id)


def _is_overtaken(ctx: Context, stack: Stack) -> bool:
    """True if Heat has begun another update since this operation's ended, such as a request that arrived late."""
    kinds = [step.kind for step in ctx.kinds if step.applies_template]
    updated = ctx.op.steps.filter(kind__in=kinds, state=StepState.DONE).exists()
    return updated and later(stack.updated_at, ctx.instance.stack_left_at)


def _settled(ctx: Context) -> Collection[str] | None:
    """Ids of servers whose present name, flavor and host become the desired ones; None for all.

    An operation that does not change every server names the changed ones in its step.
    """
    return None if ctx.op.operation in CHANGES_ALL else ctx.params.get("settled", ())


class RecordVnfcs(Step):
    """Record the VNFCs and wait until each new server runs."""

    kind = "record_vnfcs@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def has_updated_stack(self, ctx: Context) -> bool:
        """True if the stack is now as this operation has left it."""
        return True

    def record(self, ctx: Context, stack: Stack | None) -> list[RecordedVnfc]:
        """`stack` as for `record_stack`."""
        return record_stack(ctx, settled=_settled(ctx), stack=stack)

    def must_run(self, ctx: Context, vnfc: RecordedVnfc) -> bool:
        """True if this operation has created or changed the VNFC."""
        plan = ctx.plan
        return vnfc.slot in (*plan.added.get(vnfc.vdu_id, ()), *plan.touched.get(vnfc.vdu_id, ()))

    def wanted(self, ctx: Context) -> set[SlotKey]:
        return {(vdu_id, slot) for vdu_id, roster in ctx.plan.rosters.items() for slot in roster["slots"].values()}

    def is_complete(self, ctx: Context, found: set[SlotKey]) -> bool:
        return found == self.wanted(ctx)

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        stack = _stack(ctx) if self.has_updated_stack(ctx) else None
        if stack is not None and stack.in_progress:
            return Waiting(f"Heat is {stack.status} again, which this operation did not request now")
        vnfcs = self.record(ctx, None if stack is not None and _is_overtaken(ctx, stack) else stack)
        new = [vnfc for vnfc in vnfcs if self.must_run(ctx, vnfc)]
        failed = [vnfc for vnfc in new if vnfc.status == "ERROR"]
        if failed:
            return Blocked(_servers_failed(failed))
        found = {(vnfc.vdu_id, vnfc.slot) for vnfc in vnfcs}
        if not self.is_complete(ctx, found):
            return _unlike_planned(ctx, found, self.wanted(ctx))
        pending = [vnfc for vnfc in new if vnfc.status != "ACTIVE"]
        if pending:
            return _not_running(ctx, pending)
        active = sum(1 for vnfc in vnfcs if vnfc.status == "ACTIVE")
        return Done(f"{active} of {len(vnfcs)} VNFCs ACTIVE")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        """Removes the record of an instantiation; for other operations `KeepRecord` records again."""
        if ctx.params.get("first"):
            inventory.record_vnfcs(instance=ctx.instance, vnfcs=[], links=[], now=clock.now())
        return Done()


def _unlike_planned(ctx: Context, found: set[SlotKey], wanted: set[SlotKey]) -> Outcome:
    differences = [f"{vdu_id} in slot {slot} is missing" for vdu_id, slot in sorted(wanted - found)]
    differences += [f"{vdu_id} in slot {slot} is still there" for vdu_id, slot in sorted(found - wanted)]
    text = "Heat has finished, and " + ", ".join(differences)
    if ctx.elapsed < PATIENCE:
        return Waiting(text)
    conditional = {vdu.id: vdu.name for vdu in ctx.vnfd.vdus if vdu.condition is not None}
    if left_out := sorted({conditional[vdu_id] for vdu_id, _ in wanted - found if vdu_id in conditional}):
        return Blocked(_left_out_by_heat(text, left_out))
    next_step = "Retry has Heat do it again; if that does not help, mend the stack in Heat; or roll back."
    problem = Problem(Failed.status, "UNLIKE_PLANNED", "The cloud is not as planned", text + ".", next_step)
    return Blocked(problem, redo=tuple(step.kind for step in ctx.kinds if step.applies_template))


def _left_out_by_heat(text: str, names: list[str]) -> Problem:
    detail = f"{text}. The HOT has {', '.join(names)} under a condition, and Heat found that it does not hold."
    next_step = "Heat would find the same again: roll back, and choose settings with which the condition holds."
    return Problem(Failed.status, CONDITION_FALSE, "A condition of the HOT does not hold", detail, next_step)


def _not_running(ctx: Context, pending: list[RecordedVnfc]) -> Outcome:
    states = "; ".join(f"Nova {vnfc.name}: {vnfc.status}" for vnfc in pending)
    if ctx.elapsed < PATIENCE or any(vnfc.status == "BUILD" for vnfc in pending):
        return Waiting(states)
    causes = tuple(Cause("nova", f"{vnfc.name}: {vnfc.status}") for vnfc in pending)
    detail = f"Heat has finished, and not every VNFC runs that should. {states}."
    next_step = "Start what is stopped, then retry; or roll back."
    return Blocked(Problem(Failed.status, "NOT_RUNNING", "A VNFC does not run", detail, next_step, causes))


def _servers_failed(failed: list[RecordedVnfc]) -> Problem:
    names = ", ".join(vnfc.name for vnfc in failed)
    return Problem(
        status=Failed.status,
        code="SERVER_ERROR",
        title="A server is in ERROR",
        detail=f"Heat has finished, and Nova says ERROR of {names}.",
        next_step="See Nova's words. Retry when it is fixed, or roll back.",
        causes=tuple(Cause("nova", f"{vnfc.name}: {vnfc.fault or 'no fault given'}") for vnfc in failed),
    )


class KeepRecord(Step):
    """Does nothing on the way forward; undone last, it records what the rollback left in the cloud."""

    kind = "keep_record@1"

    def submit(self, ctx: Context) -> Receipt:
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done()

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        record_instance(ctx)
        return Done("Recorded what is in the cloud")


class ForgetResources(Step):
    kind = "forget_resources@1"

    def submit(self, ctx: Context) -> Receipt:
        inventory.forget_resources(instance=ctx.instance)
        return {}

    def observe(self, ctx: Context, receipt: Receipt) -> Outcome:
        return Done("Nothing is left in the cloud")

    def undo(self, ctx: Context, receipt: Receipt) -> Outcome:
        raise AssertionError("a termination cannot be rolled back: states.operation_actions refuses it")

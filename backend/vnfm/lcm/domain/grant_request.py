"""The GrantRequest to an NFVO (SOL003 9.5.2.2): pure, from the plan and the recorded resources.

Our VNFD has no separate descriptors of compute and storage: a VDU's id is also that of its VirtualComputeDesc.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vnfm.catalog.domain.settings import effective_settings
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.domain.vnfc_names import slot_name

VIM_KEY = "vim1"
"""Our key in vimConnectionInfo: an instance lives in one VIM."""

Change = Literal["add", "remove", "update"]
LISTS: Mapping[Change, str] = {"add": "addResources", "remove": "removeResources", "update": "updateResources"}
_TYPES = {"COMPUTE": "OS::Nova::Server", "LINKPORT": "OS::Neutron::Port", "VL": "OS::Neutron::Net"}


@dataclass(frozen=True, slots=True)
class GrantVnfc:
    """A VNFC with its resources in the cloud."""

    vdu_id: str
    slot: str
    server_id: str
    ports: Mapping[str, str]
    """Connection point id → Neutron port id."""


@dataclass(frozen=True, slots=True)
class GrantContext:
    """The inputs of a GrantRequest."""

    op_id: str
    instance_id: str
    operation: Operation
    automatic: bool
    vnfd: Vnfd
    """Before the operation."""
    successor: Vnfd | None
    """After it, where it changes the package."""
    plan: Plan
    vnfcs: Sequence[GrantVnfc]
    networks: Mapping[str, str]
    """Virtual link id → Neutron network id, of the networks that the stack created."""
    public_url: str
    vim_connection: str = VIM_KEY
    """The NFVO's key of the connection to the VIM."""


def needs_grant(operation: Operation) -> bool:
    """SOL003 9.5.2.2 NOTE 1 exempts ModifyVnfInfo."""
    return operation != Operation.MODIFY_INFO


def grant_request(context: GrantContext) -> dict[str, Any]:
    """The body of POST /grants; equal for equal plans, ids of its resources included."""
    lifecycle = f"{context.public_url}/vnflcm/v2"
    rows = {name: list(_resources(context, change)) for change, name in LISTS.items()}
    return {
        "vnfInstanceId": context.instance_id,
        "vnfLcmOpOccId": context.op_id,
        "vnfdId": str(context.vnfd.vnfd_id),
        "operation": context.operation.value,
        "isAutomaticInvocation": context.automatic,
        **_sizing(context),
        **{name: resources for name, resources in rows.items() if resources},
        "_links": {
            "vnfLcmOpOcc": {"href": f"{lifecycle}/vnf_lcm_op_occs/{context.op_id}"},
            "vnfInstance": {"href": f"{lifecycle}/vnf_instances/{context.instance_id}"},
        },
    }


def resource_ids(request: Mapping[str, Any]) -> set[str]:
    """Ids of the resources that the request adds, removes or updates."""
    return {resource["id"] for name in LISTS.values() for resource in request.get(name, ())}


def _sizing(context: GrantContext) -> dict[str, str]:
    plan = context.plan
    if context.successor is not None:
        return {"dstVnfdId": str(context.successor.vnfd_id)}
    if context.operation == Operation.CHANGE_FLAVOUR:
        return {"flavourId": plan.flavour_id}
    if context.operation != Operation.INSTANTIATE:
        return {}
    flavour = context.vnfd.flavour(plan.flavour_id)
    level = flavour.level(plan.instantiation_level_id) if flavour else None
    exact = level is not None and dict(level.scale_levels) == dict(plan.scale_levels)
    return {"flavourId": plan.flavour_id} | ({"instantiationLevelId": plan.instantiation_level_id} if exact else {})


def _resources(context: GrantContext, change: Change) -> Iterator[dict[str, Any]]:
    """One entry a resource (SOL003 9.5.3.2 ResourceDefinition): servers, ports of external CPs, networks."""
    vnfd = context.vnfd if change == "remove" or context.successor is None else context.successor
    package = {"vnfdId": str(vnfd.vnfd_id)} if context.successor is not None else {}
    settings = effective_settings(vnfd, context.plan.settings)
    for vnfc in _vnfcs(context, vnfd, change):
        place = f"{change}/{vnfc.vdu_id}/{vnfc.slot}"
        server = _definition(context, place, "COMPUTE", vnfc.vdu_id, vnfc.server_id)
        yield {**server, "vduId": vnfc.vdu_id, **package}
        for cp_id in _external(vnfd, vnfc.vdu_id, settings):
            yield {**_definition(context, f"{place}/{cp_id}", "LINKPORT", cp_id, vnfc.ports.get(cp_id, "")), **package}
    for vl_id, network_id in _networks(context, vnfd, change):
        yield {**_definition(context, f"{change}/{vl_id}", "VL", vl_id, network_id), **package}


def _definition(context: GrantContext, name: str, kind: str, template_id: str, resource_id: str) -> dict[str, Any]:
    """`resource_id` is "" for a resource that does not exist yet."""
    connection = {"vimConnectionId": context.vim_connection}
    handle = {**connection, "resourceId": resource_id, "vimLevelResourceType": _TYPES[kind]}
    definition: dict[str, Any] = {"id": name, "type": kind, "resourceTemplateId": template_id}
    return definition | ({"resource": handle} if resource_id else {})


def _vnfcs(context: GrantContext, vnfd: Vnfd, change: Change) -> Iterable[GrantVnfc]:
    plan = context.plan
    if change == "add":
        return [GrantVnfc(vdu_id, slot, "", {}) for vdu_id, slots in plan.added.items() for slot in slots]
    if change == "remove":
        everything = context.operation == Operation.TERMINATE
        return [v for v in context.vnfcs if everything or v.slot in plan.removed.get(v.vdu_id, ())]
    names = {vdu.id: vdu.name for vdu in vnfd.vdus}
    changed = _rows(plan, "vnfc", "update", "replace")
    return [v for v in context.vnfcs if slot_name(names.get(v.vdu_id, v.vdu_id), v.slot) in changed]


def _external(vnfd: Vnfd, vdu_id: str, settings: Mapping[str, Any]) -> list[str]:
    """Ids of the VDU's connection points on external links, with these settings: a LINKPORT refers to a VnfExtCpd."""
    internal = {link.id for link in vnfd.virtual_links if link.internal}
    vdu = next((vdu for vdu in vnfd.vdus if vdu.id == vdu_id), None)
    return [cp.id for cp in vnfd.points_of(vdu, settings) if cp.virtual_link not in internal] if vdu else []


def _networks(context: GrantContext, vnfd: Vnfd, change: Change) -> Iterable[tuple[str, str]]:
    """Pairs of virtual link id and network id, "" for a network to be created."""
    if context.operation == Operation.TERMINATE:
        return sorted(context.networks.items()) if change == "remove" else ()
    created, deleted = (_rows(context.plan, "network", action) for action in ("create", "delete"))
    if change == "add":
        return [(link.id, "") for link in vnfd.virtual_links if link.name in created]
    if change == "remove":
        removed = {link.id for link in vnfd.virtual_links if link.name in deleted}
        return [(vl_id, network_id) for vl_id, network_id in sorted(context.networks.items()) if vl_id in removed]
    return ()


def _rows(plan: Plan, kind: str, *actions: str) -> set[str]:
    """Names of the plan's resources with one of these actions."""
    return {row.name for row in plan.resources if row.type == kind and row.action in actions}

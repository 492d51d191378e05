"""What an NFVO is asked (SOL003 9.5.2.2 GrantRequest): pure, from the plan and what stands.

Our VNFD has no separate descriptors of compute and storage: a VDU stands for its VirtualComputeDesc as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.states import Operation

VIM_KEY = "vim1"
"""Our key in vimConnectionInfo: an instance lives in one VIM."""

Change = Literal["add", "remove", "update"]
LISTS: Mapping[Change, str] = {"add": "addResources", "remove": "removeResources", "update": "updateResources"}
_TYPES = {"COMPUTE": "OS::Nova::Server", "LINKPORT": "OS::Neutron::Port", "VL": "OS::Neutron::Net"}


@dataclass(frozen=True, slots=True)
class HeldVnfc:
    """A VNFC that stands, with its resources in the cloud."""

    vdu_id: str
    slot: str
    server_id: str
    ports: Mapping[str, str]
    """Connection point id to Neutron's port id."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What the request is made of."""

    op_id: str
    instance_id: str
    operation: Operation
    automatic: bool
    vnfd: Vnfd
    """Before the operation."""
    successor: Vnfd | None
    """After it, where it changes the package."""
    plan: Plan
    vnfcs: Sequence[HeldVnfc]
    networks: Mapping[str, str]
    """VL id to Neutron's network id, of the networks that the stack made."""
    public_url: str


def is_granted(operation: Operation) -> bool:
    """Whether an NFVO has a say in it (SOL003 9.5.2.2 NOTE 1)."""
    return operation != Operation.MODIFY_INFO


def grant_request(subject: Subject) -> dict[str, Any]:
    """The body of POST /grants; the same for the same plan, ids of its resources included."""
    lifecycle = f"{subject.public_url}/vnflcm/v2"
    rows = {name: list(_resources(subject, change)) for change, name in LISTS.items()}
    return {
        "vnfInstanceId": subject.instance_id,
        "vnfLcmOpOccId": subject.op_id,
        "vnfdId": str(subject.vnfd.vnfd_id),
        "operation": subject.operation.value,
        "isAutomaticInvocation": subject.automatic,
        **_sizing(subject),
        **{name: resources for name, resources in rows.items() if resources},
        "_links": {
            "vnfLcmOpOcc": {"href": f"{lifecycle}/vnf_lcm_op_occs/{subject.op_id}"},
            "vnfInstance": {"href": f"{lifecycle}/vnf_instances/{subject.instance_id}"},
        },
    }


def resource_ids(request: Mapping[str, Any]) -> set[str]:
    """Of every resource that the request wants to add, remove or update."""
    return {resource["id"] for name in LISTS.values() for resource in request.get(name, ())}


def _sizing(subject: Subject) -> dict[str, str]:
    plan = subject.plan
    if subject.successor is not None:
        return {"dstVnfdId": str(subject.successor.vnfd_id)}
    if subject.operation == Operation.CHANGE_FLAVOUR:
        return {"flavourId": plan.flavour_id}
    if subject.operation != Operation.INSTANTIATE:
        return {}
    flavour = subject.vnfd.flavour(plan.flavour_id)
    level = flavour.level(plan.instantiation_level_id) if flavour else None
    exact = level is not None and dict(level.scale_levels) == dict(plan.scale_levels)
    return {"flavourId": plan.flavour_id} | ({"instantiationLevelId": plan.instantiation_level_id} if exact else {})


def _resources(subject: Subject, change: Change) -> Iterator[dict[str, Any]]:
    """One entry a resource (SOL003 9.5.3.2 ResourceDefinition): servers, ports of external CPs, networks."""
    vnfd = subject.vnfd if change == "remove" or subject.successor is None else subject.successor
    package = {"vnfdId": str(vnfd.vnfd_id)} if subject.successor is not None else {}
    for vnfc in _vnfcs(subject, vnfd, change):
        place = f"{change}/{vnfc.vdu_id}/{vnfc.slot}"
        server = _definition(place, "COMPUTE", vnfc.vdu_id, vnfc.server_id)
        yield {**server, "vduId": vnfc.vdu_id, **package}
        for cp_id in _external(vnfd, vnfc.vdu_id):
            yield {**_definition(f"{place}/{cp_id}", "LINKPORT", cp_id, vnfc.ports.get(cp_id, "")), **package}
    for vl_id, network_id in _networks(subject, vnfd, change):
        yield {**_definition(f"{change}/{vl_id}", "VL", vl_id, network_id), **package}


def _definition(name: str, kind: str, template_id: str, resource_id: str) -> dict[str, Any]:
    """`resource_id` is "" for what is not there yet."""
    handle = {"vimConnectionId": VIM_KEY, "resourceId": resource_id, "vimLevelResourceType": _TYPES[kind]}
    definition: dict[str, Any] = {"id": name, "type": kind, "resourceTemplateId": template_id}
    return definition | ({"resource": handle} if resource_id else {})


def _vnfcs(subject: Subject, vnfd: Vnfd, change: Change) -> Iterable[HeldVnfc]:
    plan = subject.plan
    if change == "add":
        return [HeldVnfc(vdu_id, slot, "", {}) for vdu_id, slots in plan.added.items() for slot in slots]
    if change == "remove":
        everything = subject.operation == Operation.TERMINATE
        return [v for v in subject.vnfcs if everything or v.slot in plan.removed.get(v.vdu_id, ())]
    names = {vdu.id: vdu.name for vdu in vnfd.vdus}
    changed = _rows(plan, "vnfc", "update", "replace")
    return [v for v in subject.vnfcs if f"{names.get(v.vdu_id)}, slot {v.slot}" in changed]


def _external(vnfd: Vnfd, vdu_id: str) -> list[str]:
    """Ids of the VDU's connection points on external links: a LINKPORT refers to a VnfExtCpd."""
    internal = {link.id for link in vnfd.virtual_links if link.internal}
    vdu = next((vdu for vdu in vnfd.vdus if vdu.id == vdu_id), None)
    return [cp.id for cp in vdu.connection_points if cp.virtual_link not in internal] if vdu else []


def _networks(subject: Subject, vnfd: Vnfd, change: Change) -> Iterable[tuple[str, str]]:
    """VL id and network id, "" for a network to be made."""
    if subject.operation == Operation.TERMINATE:
        return sorted(subject.networks.items()) if change == "remove" else ()
    made, dropped = (_rows(subject.plan, "network", action) for action in ("create", "delete"))
    if change == "add":
        return [(link.id, "") for link in vnfd.virtual_links if link.name in made]
    if change == "remove":
        left = {link.id for link in vnfd.virtual_links if link.name in dropped}
        return [(vl_id, network_id) for vl_id, network_id in sorted(subject.networks.items()) if vl_id in left]
    return ()


def _rows(plan: Plan, kind: str, *actions: str) -> set[str]:
    """Names of the resources with which the plan says that it does this."""
    return {row.name for row in plan.resources if row.type == kind and row.action in actions}

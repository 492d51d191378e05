"""Reads a SOL001 VNFD from the TOSCA definitions of a CSAR; what is not known gives findings with their places."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.csar import nokia
from vnfm.catalog.domain.csar.definitions import Definitions, mapping
from vnfm.catalog.domain.csar.indicators import declared_indicators
from vnfm.catalog.domain.csar.limits import MAX_EACH, MAX_SIZES, exceeds_limits
from vnfm.catalog.domain.csar.model import (
    Aspect,
    Attachment,
    Compute,
    DeploymentFlavour,
    Descriptor,
    level_of,
)
from vnfm.catalog.domain.csar.needs import read_needs
from vnfm.catalog.domain.csar.tosca import Entity, TopologyTemplate, text, whole_number
from vnfm.catalog.domain.findings import Finding

IDENTITY = ("descriptor_id", "descriptor_version", "provider", "product_name", "software_version", "flavour_id")
"""Properties of a VNF that are the same in all its flavours; the last is the default flavour."""
MAX_VDUS = 500
_TOO_MUCH = (
    f"More than {MAX_VDUS} VDUs, {MAX_EACH} levels, aspects, targets or members, or {MAX_SIZES} of their combinations: "
    "that is too many to choose from."
)
_SERVER_GROUPS = "the HOT's server groups decide on (anti-)affinity."
_UNMAPPED: Mapping[str, str] = {
    "tosca.policies.nfv.AntiAffinityRule": _SERVER_GROUPS,
    "tosca.policies.nfv.AffinityRule": _SERVER_GROUPS,
    "tosca.policies.nfv.SecurityGroupRule": "the HOT's security groups decide on access.",
    "tosca.policies.nfv.VnfIndicator": "its actions are not run: automation here has policies of its own.",
}


def read_descriptor(definitions: Definitions) -> Descriptor:
    """Unknown parts give warnings with their places; more than the limits allow is an error."""
    findings: list[Finding] = []
    identity: dict[str, str] = {}
    flavours = []
    for document in definitions.documents:
        topology = TopologyTemplate(document)
        flavour = None if exceeds_limits(topology) else _flavour(topology, definitions, identity, findings)
        if flavour is None or _too_many(flavour):
            findings.append(Finding.of("error", "SOL001_TOO_MUCH", document.fault(("topology_template",), _TOO_MUCH)))
        elif flavour.vdus:
            flavours.append(flavour)
    return Descriptor(identity, tuple(flavours), tuple(findings), declared_indicators(definitions))


def _too_many(flavour: DeploymentFlavour) -> bool:
    """Limits over several policies."""
    levels, aspects = len(flavour.levels), len(flavour.aspects)
    return len(flavour.vdus) > MAX_VDUS or max(levels, aspects) > MAX_EACH or levels * aspects > MAX_SIZES


def _flavour(
    topology: TopologyTemplate, definitions: Definitions, identity: dict[str, str], findings: list[Finding]
) -> DeploymentFlavour:
    given = mapping(topology.substitution, "properties")
    flavour = DeploymentFlavour(text(topology.resolved(given.get("flavour_id"))), "", topology)
    for node in topology.nodes(definitions, _NODES):
        reader = _NODES.get(node.type)
        if reader:
            reader(flavour, node, findings)
        else:
            message = (
                f"{node.name}: nodes of type {node.type} have no place in our VNFD. Heat creates what the HOT says."
            )
            findings.append(node.finding("warning", "SOL001_NODE", message))
        if node.type == "tosca.nodes.nfv.VNF":
            _identify(node, definitions, identity)
    for key in IDENTITY:
        if text(given.get(key)):
            identity.setdefault(key, text(given[key]))
    for policy in topology.policies():
        _policy(flavour, policy, findings)
    for name, target in _outer(topology):
        flavour.outer.setdefault(target, name)
    nokia.read_capability(flavour, findings)
    flavour.id = flavour.id or "default"
    return flavour


def _identify(node: Entity, definitions: Definitions, identity: dict[str, str]) -> None:
    """From the node; missing properties from the defaults of its type."""
    kinds = list(definitions.ancestry(str(node.data.get("type", ""))))
    for key in IDENTITY:
        defaults = (mapping(definitions.node_types, kind, "properties", key).get("default") for kind in kinds)
        found = next((text(value) for value in (node.get(key), *defaults) if text(value)), "")
        if found:
            identity.setdefault(key, found)


def _vnf(flavour: DeploymentFlavour, node: Entity, findings: list[Finding]) -> None:
    flavour.id = flavour.id or text(node.get("flavour_id"))
    flavour.description = text(node.get("flavour_description"))
    for interface, raw in mapping(node.data, "interfaces").items():
        operations = mapping(raw, "operations") or (raw if isinstance(raw, Mapping) else {})
        for operation, definition in operations.items():
            if definition and mapping(definition).get("implementation"):
                message = f"The script for {operation} is not run: lifecycle operations here are the manager's own."
                findings.append(node.finding("warning", "SOL001_SCRIPT", message, "interfaces", interface, operation))


def _compute(flavour: DeploymentFlavour, node: Entity, findings: list[Finding]) -> None:
    capability = mapping(node.data, "capabilities", "virtual_compute", "properties")
    resolved = {key: flavour.topology.resolved(value) for key, value in capability.items()}
    images = [raw for raw in mapping(node.data, "artifacts").values() if _type_of(raw).endswith("nfv.SwImage")]
    flavour.vdus[node.name] = Compute(
        node,
        text(node.get("name")) or node.name,
        text(node.get("description")),
        read_needs(resolved),
        whole_number(node.get("vdu_profile", "min_number_of_instances")),
        whole_number(node.get("vdu_profile", "max_number_of_instances")),
        node.mapping("sw_image_data"),
        text(mapping(next(iter(images), None)).get("file")),
    )
    for key in set(mapping(node.data, "interfaces")):
        message = f"Scripts of {node.name} are not run: lifecycle operations here are the manager's own."
        findings.append(node.finding("warning", "SOL001_SCRIPT", message, "interfaces", key))


def _connection_point(flavour: DeploymentFlavour, node: Entity, _: list[Finding]) -> None:
    bound = node.requirements("virtual_binding")
    if bound:
        link = next(iter(node.requirements("virtual_link")), "")
        order = whole_number(node.get("order"))
        last = len(flavour.attachments)
        flavour.attachments[node.name] = Attachment(node, bound[0], link, last if order is None else order)


def _external(flavour: DeploymentFlavour, node: Entity, _: list[Finding]) -> None:
    for name in ("internal_virtual_link", "internal_connection_point"):
        for target in node.requirements(name):
            flavour.outer.setdefault(target, node.name)


def _link(flavour: DeploymentFlavour, node: Entity, _: list[Finding]) -> None:
    flavour.links[node.name] = node


def _policy(flavour: DeploymentFlavour, policy: Entity, findings: list[Finding]) -> None:
    reader = _POLICIES.get(policy.type)
    if reader:
        reader(flavour, policy)
    else:
        definition = _UNMAPPED.get(policy.type, "it has no place in our VNFD.")
        findings.append(policy.finding("warning", "SOL001_POLICY", f"{policy.name} ({policy.type}): {definition}"))


def _scaling_aspects(flavour: DeploymentFlavour, policy: Entity) -> None:
    for aspect_id, raw in policy.mapping("aspects").items():
        definition = mapping(raw)
        name, description = text(definition.get("name")), text(definition.get("description"))
        level = whole_number(definition.get("max_scale_level"))
        flavour.aspects[str(aspect_id)] = Aspect(str(aspect_id), name or str(aspect_id), description, level, policy)


def _aspect_deltas(flavour: DeploymentFlavour, policy: Entity) -> None:
    aspect = text(policy.get("aspect"))
    added = [whole_number(mapping(delta).get("number_of_instances")) for delta in policy.mapping("deltas").values()]
    for vdu in policy.targets():
        flavour.steps[aspect, vdu] = [number for number in added if number is not None]


def _initial_delta(flavour: DeploymentFlavour, policy: Entity) -> None:
    number = whole_number(policy.get("initial_delta", "number_of_instances"))
    for vdu in policy.targets():
        if number is not None:
            flavour.initial[vdu] = number


def _instantiation_levels(flavour: DeploymentFlavour, policy: Entity) -> None:
    for level_id, raw in policy.mapping("levels").items():
        flavour.levels.append(level_of(str(level_id), mapping(raw), policy))
    flavour.default_level = text(policy.get("default_level"))


def _vdu_levels(flavour: DeploymentFlavour, policy: Entity) -> None:
    for level_id, raw in policy.mapping("levels").items():
        number = whole_number(mapping(raw).get("number_of_instances"))
        for vdu in policy.targets():
            if number is not None:
                flavour.counts[str(level_id), vdu] = number


def _outer(topology: TopologyTemplate) -> Iterator[tuple[str, str]]:
    """substitution_mappings.requirements: outside name to connection point."""
    written = topology.substitution.get("requirements")
    for entry in written if isinstance(written, list) else [written]:
        for name, target in entry.items() if isinstance(entry, Mapping) else ():
            if isinstance(target, list) and target and isinstance(target[0], str):
                yield target[0] if name == "virtual_link" else str(name), target[0]


def _type_of(raw: Any) -> str:
    return str(mapping(raw).get("type", ""))


_NODES: Mapping[str, Callable[[DeploymentFlavour, Entity, list[Finding]], None]] = {
    "tosca.nodes.nfv.VNF": _vnf,
    "tosca.nodes.nfv.Vdu.Compute": _compute,
    "tosca.nodes.nfv.VduCp": _connection_point,
    "tosca.nodes.nfv.VnfExtCp": _external,
    "tosca.nodes.nfv.VnfVirtualLink": _link,
    "tosca.nodes.nfv.VDU": nokia.vdu,
    "tosca.nodes.nfv.ICP": nokia.connection_point,
    "tosca.nodes.nfv.ECP": _external,
    "tosca.nodes.nfv.VL": _link,
    **dict.fromkeys(nokia.REFERENCED, nokia.skip),
}
_POLICIES: Mapping[str, Callable[[DeploymentFlavour, Entity], None]] = {
    "tosca.policies.nfv.ScalingAspects": _scaling_aspects,
    "tosca.policies.nfv.VduScalingAspectDeltas": _aspect_deltas,
    "tosca.policies.nfv.VduInitialDelta": _initial_delta,
    "tosca.policies.nfv.InstantiationLevels": _instantiation_levels,
    "tosca.policies.nfv.VduInstantiationLevels": _vdu_levels,
    nokia.HEAT_MAPPING: nokia.heat_mapping,
}

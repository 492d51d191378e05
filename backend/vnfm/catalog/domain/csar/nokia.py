"""The dialect of Nokia's CBAM (tosca_simple_profile_for_nfv_1_0_0_nokia): the flavour is a capability, computes are
nodes of their own, and a policy maps VDUs and aspects to the HOT.
"""

from collections.abc import Iterator, Mapping
from posixpath import join

from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.model import Aspect, Attachment, Compute, DeploymentFlavour, level_of
from vnfm.catalog.domain.csar.needs import read_needs
from vnfm.catalog.domain.csar.tosca import Entity, TopologyTemplate, text, whole_number
from vnfm.catalog.domain.findings import Finding

HEAT_MAPPING = "tosca.policies.nfv.HeatMapping"
REFERENCED = ("tosca.nodes.nfv.VirtualCompute", "tosca.nodes.nfv.VirtualStorage", "tosca.nodes.nfv.SwImage")
"""Types of nodes that VDUs refer to."""


def vdu(flavour: DeploymentFlavour, node: Entity, _: list[Finding]) -> None:
    """Processors and memory are in another node; the number of instances is in the capability."""
    nodes = mapping(flavour.topology.data, "node_templates")
    compute = next((mapping(nodes, name, "properties") for name in node.requirements("virtual_compute")), {})
    image = next((mapping(nodes, name, "properties") for name in node.requirements("sw_image")), {})
    profile = mapping(properties(flavour.topology), "vdu_profile", node.name)
    flavour.vdus[node.name] = Compute(
        part=node,
        name=node.name,
        description=text(node.get("description")),
        needs=read_needs(compute),
        minimum=whole_number(profile.get("min_number_of_instances")),
        maximum=whole_number(profile.get("max_number_of_instances")),
        image={key: value for key, value in image.items() if key in ("name", "version")},
        image_file="",
    )


def connection_point(flavour: DeploymentFlavour, node: Entity, _: list[Finding]) -> None:
    bound = node.requirements("virtual_binding")
    if bound:
        link = next(iter(node.requirements("virtual_link")), "")
        flavour.attachments[node.name] = Attachment(node, bound[0], link, len(flavour.attachments))


def skip(_: DeploymentFlavour, __: Entity, ___: list[Finding]) -> None:
    """For nodes that are read with the VDU that refers to them."""


def heat_mapping(flavour: DeploymentFlavour, policy: Entity) -> None:
    """The root template, and the resources of aspects and their VDUs."""
    main = text(policy.get("template", "main"))
    if main:
        flavour.template = join(text(policy.get("template", "hotPath")), main)
    for aspect in policy.mapping("aspects").values():
        resource = text(mapping(aspect).get("heatResource"))
        for name, places in mapping(aspect, "vdus").items():
            flavour.resources.setdefault(str(name), resource)
            flavour.servers.setdefault(str(name), _first_resource(places))
    for name, places in policy.mapping("static", "vdus").items():
        flavour.resources.setdefault(str(name), _first_resource(places).split(".")[0])


def _first_resource(places: object) -> str:
    first = places[0] if isinstance(places, list) and places else None
    return text(mapping(first).get("heatResource"))


def properties(topology: TopologyTemplate) -> Mapping[str, object]:
    """Properties of the capability deployment_flavour."""
    return mapping(topology.substitution, "capabilities", "deployment_flavour", "properties")


def group_of(aspect: object) -> str:
    """The group whose members the aspect scales."""
    return text(mapping(aspect).get("associated_group"))


def read_capability(flavour: DeploymentFlavour, findings: list[Finding]) -> None:
    """Aspects and levels of the deployment flavour."""
    _scripts(flavour, findings)
    flavour_properties = properties(flavour.topology)
    if not flavour_properties:
        return
    place = Entity("deployment_flavour", "", {}, flavour.topology, _PLACE)
    flavour.id = flavour.id or text(flavour_properties.get("flavour_id"))
    flavour.description = flavour.description or text(flavour_properties.get("description"))
    for aspect_id, raw in mapping(flavour_properties, "scaling_aspects").items():
        one = mapping(raw)
        level = whole_number(one.get("max_scale_level"))
        name, about = text(one.get("name")) or str(aspect_id), text(one.get("description"))
        flavour.aspects[str(aspect_id)] = Aspect(str(aspect_id), name, about, level, place)
        for member in flavour.topology.group_members(group_of(raw)):
            flavour.steps[str(aspect_id), member] = list(_steps(flavour_properties, str(aspect_id), member))
    for level_id, raw in mapping(flavour_properties, "instantiation_levels").items():
        flavour.levels.append(level_of(str(level_id), mapping(raw), place))
    flavour.default_level = flavour.default_level or text(flavour_properties.get("default_instantiation_level_id"))
    for name, compute in flavour.vdus.items():
        if compute.minimum is not None:
            flavour.initial.setdefault(name, compute.minimum)


def _scripts(flavour: DeploymentFlavour, findings: list[Finding]) -> None:
    for interface, operations in mapping(flavour.topology.substitution, "interfaces").items():
        for operation, flavour_properties in mapping(operations).items():
            if mapping(flavour_properties).get("implementation") or mapping(flavour_properties, "inputs").get(
                "extensions"
            ):
                where = ("topology_template", "substitution_mappings", "interfaces", str(interface), str(operation))
                message = f"The scripts of {operation} are not run: lifecycle operations here are the manager's own."
                findings.append(Finding.of("warning", "SOL001_SCRIPT", flavour.topology.document.fault(where, message)))


def _steps(flavour_properties: Mapping[str, object], aspect: str, member: str) -> Iterator[int]:
    """VMs per step of the aspect, from levels that differ."""
    points: dict[int, int] = {}
    for raw in mapping(flavour_properties, "instantiation_levels").values():
        level = whole_number(mapping(raw, "scale_info", aspect).get("scale_level"))
        number = whole_number(mapping(raw, "vdu_levels", member).get("number_of_instances"))
        if level is not None and number is not None:
            points[level] = number
    for (low, fewer), (high, more) in zip(sorted(points.items()), sorted(points.items())[1:], strict=False):
        if more > fewer and (more - fewer) % (high - low) == 0:
            yield (more - fewer) // (high - low)


_PLACE = ("topology_template", "substitution_mappings", "capabilities", "deployment_flavour", "properties")

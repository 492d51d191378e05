"""The dialect of Nokia's CBAM (tosca_simple_profile_for_nfv_1_0_0_nokia): the flavour as a capability, computes as
nodes of their own, and a policy that says which part of the HOT is what.
"""

from collections.abc import Iterator, Mapping
from posixpath import join

from vnfm.catalog.domain.csar.definitions import mapping
from vnfm.catalog.domain.csar.model import Aspect, Attachment, Compute, DeploymentFlavour, level_of
from vnfm.catalog.domain.csar.needs import needs
from vnfm.catalog.domain.csar.tosca import Part, Topology, text, whole
from vnfm.catalog.domain.findings import Finding

HEAT_MAPPING = "tosca.policies.nfv.HeatMapping"
BESIDE = ("tosca.nodes.nfv.VirtualCompute", "tosca.nodes.nfv.VirtualStorage", "tosca.nodes.nfv.SwImage")
"""Types of nodes that VDUs lead to."""


def vdu(flavour: DeploymentFlavour, node: Part, _: list[Finding]) -> None:
    """Its processors and memory are those of another node; how many there may be stands in the capability."""
    nodes = mapping(flavour.topology.data, "node_templates")
    compute = next((mapping(nodes, name, "properties") for name in node.requirements("virtual_compute")), {})
    image = next((mapping(nodes, name, "properties") for name in node.requirements("sw_image")), {})
    profile = mapping(properties(flavour.topology), "vdu_profile", node.name)
    flavour.vdus[node.name] = Compute(
        part=node,
        name=node.name,
        description=text(node.get("description")),
        needs=needs(compute),
        minimum=whole(profile.get("min_number_of_instances")),
        maximum=whole(profile.get("max_number_of_instances")),
        image={key: value for key, value in image.items() if key in ("name", "version")},
        image_file="",
    )


def connection_point(flavour: DeploymentFlavour, node: Part, _: list[Finding]) -> None:
    bound = node.requirements("virtual_binding")
    if bound:
        link = next(iter(node.requirements("virtual_link")), "")
        flavour.attachments[node.name] = Attachment(node, bound[0], link, len(flavour.attachments))


def read_elsewhere(_: DeploymentFlavour, __: Part, ___: list[Finding]) -> None:
    """A node that is read where a VDU leads to it."""


def heat_mapping(flavour: DeploymentFlavour, policy: Part) -> None:
    """Which template is the root, and which resources an aspect and its VDUs are."""
    main = text(policy.get("template", "main"))
    if main:
        flavour.template = join(text(policy.get("template", "hotPath")), main)
    for aspect in policy.mapping("aspects").values():
        resource = text(mapping(aspect).get("heatResource"))
        for name in mapping(aspect, "vdus"):
            flavour.resources.setdefault(str(name), resource)
    for name, places in policy.mapping("static", "vdus").items():
        first = places[0] if isinstance(places, list) and places else None
        way = text(mapping(first).get("heatResource")).split(".")
        flavour.resources.setdefault(str(name), way[0])


def properties(topology: Topology) -> Mapping[str, object]:
    """What the capability says of the deployment flavour."""
    return mapping(topology.substitution, "capabilities", "deployment_flavour", "properties")


def group_of(aspect: object) -> str:
    """The group whose members the aspect scales."""
    return text(mapping(aspect).get("associated_group"))


def capability(flavour: DeploymentFlavour, findings: list[Finding]) -> None:
    """Aspects and levels of the deployment flavour."""
    _scripts(flavour, findings)
    said = properties(flavour.topology)
    if not said:
        return
    place = Part("deployment_flavour", "", {}, flavour.topology, _PLACE)
    flavour.id = flavour.id or text(said.get("flavour_id"))
    flavour.description = flavour.description or text(said.get("description"))
    for aspect_id, raw in mapping(said, "scaling_aspects").items():
        one = mapping(raw)
        level = whole(one.get("max_scale_level"))
        name, about = text(one.get("name")) or str(aspect_id), text(one.get("description"))
        flavour.aspects[str(aspect_id)] = Aspect(str(aspect_id), name, about, level, place)
        for member in flavour.topology.group_members(group_of(raw)):
            flavour.steps[str(aspect_id), member] = list(_steps(said, str(aspect_id), member))
    for level_id, raw in mapping(said, "instantiation_levels").items():
        flavour.levels.append(level_of(str(level_id), mapping(raw), place))
    flavour.default_level = flavour.default_level or text(said.get("default_instantiation_level_id"))
    for name, compute in flavour.vdus.items():
        if compute.minimum is not None:
            flavour.initial.setdefault(name, compute.minimum)


def _scripts(flavour: DeploymentFlavour, findings: list[Finding]) -> None:
    for interface, operations in mapping(flavour.topology.substitution, "interfaces").items():
        for operation, said in mapping(operations).items():
            if mapping(said).get("implementation") or mapping(said, "inputs").get("extensions"):
                where = ("topology_template", "substitution_mappings", "interfaces", str(interface), str(operation))
                message = f"The scripts of {operation} are not run: lifecycle operations here are the manager's own."
                findings.append(Finding.of("warning", "SOL001_SCRIPT", flavour.topology.document.fault(where, message)))


def _steps(said: Mapping[str, object], aspect: str, member: str) -> Iterator[int]:
    """By two levels that differ: how many VMs one step of the aspect is."""
    points: dict[int, int] = {}
    for raw in mapping(said, "instantiation_levels").values():
        level = whole(mapping(raw, "scale_info", aspect).get("scale_level"))
        number = whole(mapping(raw, "vdu_levels", member).get("number_of_instances"))
        if level is not None and number is not None:
            points[level] = number
    for (low, fewer), (high, more) in zip(sorted(points.items()), sorted(points.items())[1:], strict=False):
        if more > fewer and (more - fewer) % (high - low) == 0:
            yield (more - fewer) // (high - low)


_PLACE = ("topology_template", "substitution_mappings", "capabilities", "deployment_flavour", "properties")

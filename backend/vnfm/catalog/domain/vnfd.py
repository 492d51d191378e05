"""The VNF descriptor as immutable values (our `vnfd.yaml`), with the terms of ETSI IFA011/SOL001."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from hot.constraints import Constraint
from vnfm.catalog.domain.element import ElementSpec
from vnfm.catalog.domain.indicators import Indicator

SettingType = Literal["string", "number", "boolean", "list", "json"]
HealMethod = Literal["start", "reboot", "rebuild", "evacuate", "recreate"]
"""All but the last keep the server's UUID, which a licence may depend on."""
DEFAULT_HEALING: tuple[HealMethod, ...] = ("start", "reboot", "recreate")
SettingFormat = Literal["", "ipv4", "cidr", "flavor", "network", "image"]


@dataclass(frozen=True, slots=True)
class ResourceNeeds:
    """Needs that one VNFC of a VDU has of its host."""

    vcpus: int
    memory_mib: int
    disk_gib: int
    cpu_policy: Literal["", "dedicated", "shared"] = ""
    """Nova `hw:cpu_policy`; "" for any."""
    mem_page_size: str = ""
    """Nova `hw:mem_page_size`: large, any, or a size in KiB; "" for no requirement."""
    numa_nodes: int = 0
    """Nova `hw:numa_nodes`; 0 for any."""
    sriov_ports: int = 0
    """Ports with `binding:vnic_type: direct` that its host must offer."""

    def extra_specs(self) -> dict[str, str]:
        """The Nova flavor extra specs for these needs."""
        wanted = {
            "hw:cpu_policy": self.cpu_policy,
            "hw:mem_page_size": self.mem_page_size,
            "hw:numa_nodes": str(self.numa_nodes or ""),
        }
        return {key: value for key, value in wanted.items() if value}


@dataclass(frozen=True, slots=True)
class SoftwareImage:
    id: str
    name: str
    path: str
    """File of the package that holds the bytes."""
    placeholder: bool
    """It stands for a licensed image that is not shipped."""
    disk_format: str
    container_format: str
    size: int
    sha256: str
    min_disk_gib: int = 0
    min_memory_mib: int = 0
    parameter: str = ""
    """Setting for another image instead."""


@dataclass(frozen=True, slots=True)
class ConnectionPoint:
    id: str
    name: str
    virtual_link: str
    vnic_type: Literal["normal", "direct", "macvtap"]
    hot_resource: str
    """Its OS::Neutron::Port in the server's template; `{member}` stands for the server's name, where it has several."""

    def port_resource(self, server_resource: str) -> str:
        """The name of the port resource for the server resource of that name."""
        return self.hot_resource.replace("{member}", server_resource)


@dataclass(frozen=True, slots=True)
class Vdu:
    id: str
    name: str
    description: str
    needs: ResourceNeeds
    software_image: str
    """"" when the template itself names the image."""
    flavor_parameter: str
    """"" when the template itself names or makes the flavor."""
    image_parameter: str
    """"" when the template itself names the image."""
    minimum: int
    maximum: int
    slots: tuple[str, ...]
    """In the order of their assignment, or empty. VDUs that name the same slots share them: no slot has two VNFCs."""
    connection_points: tuple[ConnectionPoint, ...]
    hot_members: tuple[str, ...] = ()
    """Resources of the HOT, one VNFC each, in the order of `slots`; nested ones by path: `router/engine`."""
    hot_group: str = ""
    """The OS::Heat::ResourceGroup whose members are this VDU's VNFCs."""
    hot_server: str = ""
    """The server in each member of that group, by its path, where members have several, which come and go together."""
    anti_affinity: str = ""
    """Boolean setting that puts its VNFCs on different hosts, or ""."""
    healing: tuple[HealMethod, ...] = DEFAULT_HEALING
    """Healing methods for a failed VNFC, least intrusive first."""
    images_parameter: str = ""
    """HOT parameter of type json: slot to image, so that VNFCs are upgraded one by one; "" when all are at once."""
    flavors_parameter: str = ""
    """HOT parameter of type json: slot to flavor, so that VNFCs are resized one by one, or ""."""
    pairs_parameter: str = ""
    """HOT parameter of type json: index in the group to `role` (working or protect), the slot of its `mate` and the
    number of the `pair`, which a VNFC keeps; "" when VNFCs have no mates. `lcm.domain.sizing.units` assigns mates."""
    fixed_flavor: str = ""
    """The flavor, by name or id, that is written into the template; "" where it is a parameter, or computed."""
    flavor_resource: str = ""
    """The OS::Nova::Flavor of the stack, by the path of its name; "" when the stack makes none."""
    fixed_image: str = ""
    """The image, by name or id, that is written into the template; "" where it is a parameter, or computed."""
    volumes: int = 0
    """Volumes that the stack creates for one VNFC."""
    volumes_gib: int = 0
    """GiB of these together, as far as the template says."""
    condition: Any = None
    """Condition in HOT under which the VNFCs exist, see `hot.conditions`; None: always."""
    absent: bool = False
    """The condition does not hold, see `conditional_vdus.with_values`."""

    @property
    def in_pairs(self) -> bool:
        return self.pairs_parameter != ""


@dataclass(frozen=True, slots=True)
class VirtualLink:
    id: str
    name: str
    description: str
    internal: bool
    vnic_type: str
    network_parameter: str = ""
    """Setting with an existing network's name or id; if empty, the stack creates one by `registry_type`."""
    registry_type: str = ""
    """Resource type that the environment maps to `created_template` or `existing_template`."""
    created_template: str = ""
    existing_template: str = ""
    moving_template: str = ""
    """Creates a network and also uses the named one, while ports move from one to the other."""
    fixed_network: str = ""
    """The existing network, by name or id, that is written into the template; "" when it is chosen or created."""
    number_setting: str = ""
    """Setting (number) that says how many such links there are; "" for a link that there always is."""
    from_number: int = 0
    """The least value of that setting with which there is this link."""
    unused_template: str = ""
    """File that the registry maps `registry_type` to where there is no such link."""

    def is_used(self, settings: Mapping[str, Any]) -> bool:
        """Whether there is this link with these settings, defaults included."""
        return not self.number_setting or bool(settings[self.number_setting] >= self.from_number)


@dataclass(frozen=True, slots=True)
class AspectDelta:
    """One step of a scaling aspect for one VDU (SOL001, VduScalingAspectDeltas)."""

    vdu_id: str
    step: int
    """VNFCs per scaling step."""
    count_parameter: str
    """HOT parameter: `count` of the group."""
    slots_parameter: str = ""
    """HOT parameter of type json: group index to slot."""
    removals_parameter: str = ""
    """HOT parameter of type comma_delimited_list: members that `removal_policies` names."""


@dataclass(frozen=True, slots=True)
class ScalingAspect:
    id: str
    name: str
    description: str
    max_scale_level: int
    """Level 0 is the minimum of its VDUs."""
    deltas: tuple[AspectDelta, ...]
    """One for each of its VDUs, which are scaled together."""

    @property
    def first(self) -> AspectDelta:
        return self.deltas[0]

    def step_of(self, vdu_id: str) -> int:
        """VNFCs of that VDU per scaling step; 0 for one that it does not scale."""
        return next((delta.step for delta in self.deltas if delta.vdu_id == vdu_id), 0)


@dataclass(frozen=True, slots=True)
class InstantiationLevel:
    id: str
    description: str
    scale_levels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CountLimit:
    """A limit on VNFCs of several VDUs together, such as the slots of a chassis."""

    weights: Mapping[str, int]
    """VDU id to the weight of one of its VNFCs."""
    maximum: int
    message: str
    """The origin of the limit, as a sentence."""


@dataclass(frozen=True, slots=True)
class Chain:
    """VNFCs in a row behind a head, each connected to its neighbours only."""

    head: str
    """Id of the connection point, of a single VNFC, at which the row begins."""
    vdu_id: str
    """The VDU whose VNFCs form the row, in the order of its slots."""
    inward: str
    """Id of their connection point towards the head."""
    outward: str
    """Id of their connection point away from the head. The last VNFC is on its virtual link; without VNFCs the head."""
    links: tuple[str, ...]
    """Ids of the virtual links between neighbours, from the head outwards."""
    links_parameter: str
    """HOT parameter of type json: connection point to slot to virtual link, all by id."""


@dataclass(frozen=True, slots=True)
class Flavour:
    """A deployment flavour (not a Nova flavor)."""

    id: str
    description: str
    default_level: str
    levels: tuple[InstantiationLevel, ...]
    aspects: tuple[ScalingAspect, ...]
    needs: Mapping[str, ResourceNeeds] = field(default_factory=dict)
    """VDU id to the needs of its VNFCs in this flavour, where they differ from the VDU's own."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """HOT parameters with the values of this flavour."""
    warnings: tuple[str, ...] = ()
    """Warnings about this flavour, shown in every plan that uses it."""

    def needs_of(self, vdu: Vdu) -> ResourceNeeds:
        """The needs of one VNFC of the VDU in this flavour."""
        return self.needs.get(vdu.id, vdu.needs)

    def deltas(self) -> Iterator[AspectDelta]:
        return (delta for aspect in self.aspects for delta in aspect.deltas)

    def delta(self, vdu_id: str) -> AspectDelta | None:
        """By which the VDU is scaled, whatever the aspect; None for one that is not."""
        return next((delta for delta in self.deltas() if delta.vdu_id == vdu_id), None)

    def steps(self, vdu_id: str, levels: Mapping[str, int]) -> int:
        """VNFCs of the VDU above its minimum at these scale levels."""
        return sum(levels.get(aspect.id, 0) * aspect.step_of(vdu_id) for aspect in self.aspects)

    def level(self, level_id: str) -> InstantiationLevel | None:
        return next((level for level in self.levels if level.id == level_id), None)

    def aspect(self, aspect_id: str) -> ScalingAspect | None:
        return next((aspect for aspect in self.aspects if aspect.id == aspect_id), None)


@dataclass(frozen=True, slots=True)
class Setting:
    """A HOT parameter that the operator may set, with everything that forms and the API need to check it."""

    name: str
    label: str
    description: str
    group: str
    type: SettingType
    default: Any
    required: bool
    hidden: bool = False
    format: SettingFormat = ""
    constraints: tuple[Constraint, ...] = ()
    follows: str = ""
    """Setting whose value is its default; "" for none."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A setting's value selects a nested template, since Liberty's HOT has no conditions."""

    setting: str
    registry_type: str
    templates: Mapping[str, str]
    """Value of the setting, as text ("true", "false", …), to the file that the registry maps the type to."""
    pair_vdu: str = ""
    """VDU in pairs for one of which this is; "" for the VNF as a whole."""
    pair: str = ""
    """Number of that pair, from 1."""
    unused_template: str = ""
    """File that the registry maps the type to while there is no such pair."""

    def template(self, value: Any, pairs: Collection[tuple[str, str]]) -> str:
        """The file for that value of the setting; `pairs` are VDU and number of each pair that there is."""
        if self.pair_vdu and (self.pair_vdu, self.pair) not in pairs:
            return self.unused_template
        text = f"{value:g}" if isinstance(value, float) else str(value)
        return self.templates[text.lower()]


@dataclass(frozen=True, slots=True)
class AddressPlan:
    """Settings that must agree with each other: fixed addresses of one subnet."""

    cidr: str
    """Name of the setting with the subnet; so are the others."""
    addresses: tuple[str, ...]
    gateway: str = ""
    virtual_link: str = ""
    """Id of the link that the subnet belongs to; an existing network for it must have the subnet."""


@dataclass(frozen=True, slots=True)
class Vnfd:
    vnfd_id: UUID
    provider: str
    product_name: str
    software_version: str
    vnfd_version: str
    description: str
    notes: tuple[str, ...]
    hot_template: str
    """Path of the root HOT in the package."""
    hot_environment: str
    hot_files: Mapping[str, str]
    """Every other file that Heat gets: name as templates and registry write it, to path."""
    vdus: tuple[Vdu, ...]
    virtual_links: tuple[VirtualLink, ...]
    software_images: tuple[SoftwareImage, ...]
    flavours: tuple[Flavour, ...]
    settings: tuple[Setting, ...]
    variants: tuple[Variant, ...] = ()
    address_plans: tuple[AddressPlan, ...] = ()
    fixed_parameters: Mapping[str, Any] = field(default_factory=dict)
    """HOT parameters with a fixed value of the product."""
    limits: tuple[CountLimit, ...] = ()
    chains: tuple[Chain, ...] = ()
    upgrade_order: tuple[str, ...] = ()
    """VDU ids or "vdu/slot" in the order in which VNFCs are upgraded, standby first; the rest follow."""
    recreate_on_rollback: bool = False
    """A rollback may recreate removed VNFCs in their slots."""
    instance_id_parameter: str = ""
    """HOT parameter for the VNF instance's id, which the servers have as metadata."""
    instance_name_parameter: str = ""
    """HOT parameter for the VNF instance's name, from which the servers' names are built."""
    element: ElementSpec | None = None
    """The network element; None where the package does not describe it."""
    indicators: tuple[Indicator, ...] = ()

    def flavour(self, flavour_id: str) -> Flavour | None:
        return next((flavour for flavour in self.flavours if flavour.id == flavour_id), None)

    def vdu(self, vdu_id: str) -> Vdu:
        return next(vdu for vdu in self.vdus if vdu.id == vdu_id)

    def deltas(self) -> Iterator[AspectDelta]:
        return (delta for flavour in self.flavours for delta in flavour.deltas())

    def points_of(self, vdu: Vdu, settings: Mapping[str, Any]) -> tuple[ConnectionPoint, ...]:
        """The connection points of one VNFC with these settings, defaults included."""
        used = {link.id for link in self.virtual_links if link.is_used(settings)}
        return tuple(cp for cp in vdu.connection_points if cp.virtual_link in used)

    def least_ports_of(self, vdu: Vdu, settings: Mapping[str, Any]) -> int:
        """Ports of one VNFC; Nova makes at least one of a server whose template has networks without ports."""
        return len(self.points_of(vdu, settings)) or 1

    def links_of(self, cp_id: str) -> tuple[str, ...]:
        """The virtual links of the connection point, its own first; more than one only in a chain."""
        own = (cp.virtual_link for vdu in self.vdus for cp in vdu.connection_points if cp.id == cp_id)
        chained = (chain.links for chain in self.chains if cp_id in (chain.head, chain.inward, chain.outward))
        return tuple(dict.fromkeys((*own, *(link for links in chained for link in links))))

    def of_group(self, vdu: Vdu) -> tuple[Vdu, ...]:
        """The VDU, and those whose VNFCs are in the same members of its group."""
        return tuple(each for each in self.vdus if each == vdu or (vdu.hot_group and each.hot_group == vdu.hot_group))

    def software_image(self, image_id: str) -> SoftwareImage:
        return next(image for image in self.software_images if image.id == image_id)

    def setting(self, name: str) -> Setting | None:
        return next((setting for setting in self.settings if setting.name == name), None)

"""The VNF descriptor as immutable values (our `vnfd.yaml`; words of ETSI IFA011/SOL001 where they have one)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from vnfm.catalog.domain.element import ElementSpec

SettingType = Literal["string", "number", "boolean", "list", "json"]
HealMethod = Literal["start", "reboot", "rebuild", "evacuate", "recreate"]
"""All but the last keep the server's UUID, on which a licence may hang."""
DEFAULT_HEALING: tuple[HealMethod, ...] = ("start", "reboot", "recreate")
SettingFormat = Literal["", "ipv4", "cidr", "flavor", "network", "image"]


@dataclass(frozen=True, slots=True)
class ResourceNeeds:
    """What one VNFC of a VDU needs of its host, whatever flavor provides it."""

    vcpus: int
    memory_mib: int
    disk_gib: int
    cpu_policy: Literal["", "dedicated", "shared"] = ""
    """Nova `hw:cpu_policy`; "" means that it does not matter."""
    mem_page_size: str = ""
    """Nova `hw:mem_page_size`: large, any, or a size in KiB; "" means that it does not matter."""
    numa_nodes: int = 0
    """Nova `hw:numa_nodes`; 0 means that it does not matter."""
    sriov_ports: int = 0
    """Ports with `binding:vnic_type: direct` that its host must offer."""

    def extra_specs(self) -> dict[str, str]:
        """The Nova flavor extra specs that these needs ask for."""
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
    """The real image is licensed and not shipped; these bytes only hold its place."""
    disk_format: str
    container_format: str
    size: int
    sha256: str
    min_disk_gib: int = 0
    min_memory_mib: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionPoint:
    id: str
    name: str
    virtual_link: str
    vnic_type: Literal["normal", "direct", "macvtap"]
    hot_resource: str
    """Name of the OS::Neutron::Port resource beside the VDU's server; `{member}` in it stands for that one of
    `Vdu.hot_members`, where several servers lie side by side."""

    def port_resource(self, server_resource: str) -> str:
        """The port's resource name beside the server resource of that name."""
        return self.hot_resource.replace("{member}", server_resource)


@dataclass(frozen=True, slots=True)
class Vdu:
    id: str
    name: str
    description: str
    needs: ResourceNeeds
    software_image: str
    flavor_parameter: str
    image_parameter: str
    minimum: int
    maximum: int
    slots: tuple[str, ...]
    """Slots in the order in which they are handed out; empty for a VDU without slots. Groups whose lists name the same
    slots share them: no slot has two VNFCs."""
    connection_points: tuple[ConnectionPoint, ...]
    hot_members: tuple[str, ...] = ()
    """Resources of the HOT, one VNFC each, in the order of `slots`; empty when `hot_group` is set. Those of the root by
    name, those of nested templates by the names on the way to them: `router/engine`."""
    hot_group: str = ""
    """The OS::Heat::ResourceGroup whose members are this VDU's VNFCs."""
    anti_affinity: str = ""
    """Boolean setting that puts its VNFCs on different hosts; "" when the package has no say in it."""
    healing: tuple[HealMethod, ...] = DEFAULT_HEALING
    """What may be tried on a VNFC that is not well, gentlest first."""
    images_parameter: str = ""
    """HOT parameter of type json: slot to image, so that VNFCs are upgraded one by one; "" when all change at once."""
    pairs_parameter: str = ""
    """HOT parameter of type json: index in the group to `role` (working or protect) and the slot of its `mate`; "" when
    VNFCs stand for themselves. See `lcm.domain.sizing.units` for who is whose mate."""


@dataclass(frozen=True, slots=True)
class VirtualLink:
    id: str
    name: str
    description: str
    internal: bool
    vnic_type: str
    network_parameter: str = ""
    """Setting with an existing network's name or id; empty value lets the stack make one, where there is a
    `registry_type`. "" when always made."""
    registry_type: str = ""
    """Resource type that the environment maps to `created_template` or `existing_template`."""
    created_template: str = ""
    existing_template: str = ""
    moving_template: str = ""
    """Makes a network and takes the named one: for the time while ports move from one to the other."""


@dataclass(frozen=True, slots=True)
class ScalingAspect:
    id: str
    name: str
    description: str
    vdu_id: str
    step: int
    """VNFCs per scaling step."""
    max_scale_level: int
    """Level 0 is the VDU's minimum."""
    count_parameter: str
    """HOT parameter: `count` of the group."""
    slots_parameter: str = ""
    """HOT parameter of type json: group index to slot."""
    removals_parameter: str = ""
    """HOT parameter of type comma_delimited_list: members that `removal_policies` names."""


@dataclass(frozen=True, slots=True)
class InstantiationLevel:
    id: str
    description: str
    scale_levels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CountLimit:
    """A limit on VNFCs of several VDUs together, such as the slots of a chassis."""

    weights: Mapping[str, int]
    """VDU id to what one of its VNFCs counts."""
    maximum: int
    message: str
    """Whose limit it is, as a sentence."""


@dataclass(frozen=True, slots=True)
class Chain:
    """VNFCs in a row behind a head, each linked to its neighbours only."""

    head: str
    """Id of the connection point, of a single VNFC, that the row begins at."""
    vdu_id: str
    """The VDU whose VNFCs are the row, in the order of its slots."""
    inward: str
    """Id of their connection point towards the head."""
    outward: str
    """The same away from it. Its virtual link is where the row ends: the last VNFC's, and the head's when there is
    none."""
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
    """VDU id to what its VNFCs need in this flavour, where that differs from the VDU's own needs."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """HOT parameters whose value belongs to this flavour."""
    warnings: tuple[str, ...] = ()
    """What whoever takes this flavour should know; part of every plan that does."""

    def needs_of(self, vdu: Vdu) -> ResourceNeeds:
        """What one VNFC of the VDU needs in this flavour."""
        return self.needs.get(vdu.id, vdu.needs)

    def level(self, level_id: str) -> InstantiationLevel | None:
        return next((level for level in self.levels if level.id == level_id), None)

    def aspect(self, aspect_id: str) -> ScalingAspect | None:
        return next((aspect for aspect in self.aspects if aspect.id == aspect_id), None)


@dataclass(frozen=True, slots=True)
class Constraint:
    """One HOT parameter constraint; `spec` as HOT writes it ({min,max}, list, pattern, custom name)."""

    kind: Literal["length", "range", "allowed_values", "allowed_pattern", "custom"]
    spec: Any
    message: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A HOT parameter that the operator may set, with what the form and the API need to check it."""

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


@dataclass(frozen=True, slots=True)
class Variant:
    """A choice that Liberty's HOT cannot express as a condition: a setting's value selects a nested template."""

    setting: str
    registry_type: str
    templates: Mapping[str, str]
    """Value of the setting, as text ("true", "false", …), to the file that the registry maps the type to."""


@dataclass(frozen=True, slots=True)
class AddressPlan:
    """Settings that must agree with each other: fixed addresses of one subnet."""

    cidr: str
    """Name of the setting with the subnet; so are the others."""
    addresses: tuple[str, ...]
    gateway: str = ""
    virtual_link: str = ""
    """Id of the link that the subnet belongs to; an existing network taken for it must have the subnet."""


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
    """Every other file that Heat must be given: its name as templates and registry write it, to its path."""
    vdus: tuple[Vdu, ...]
    virtual_links: tuple[VirtualLink, ...]
    software_images: tuple[SoftwareImage, ...]
    flavours: tuple[Flavour, ...]
    settings: tuple[Setting, ...]
    variants: tuple[Variant, ...] = ()
    address_plans: tuple[AddressPlan, ...] = ()
    fixed_parameters: Mapping[str, Any] = field(default_factory=dict)
    """HOT parameters whose value belongs to the product and is nobody's choice."""
    limits: tuple[CountLimit, ...] = ()
    chains: tuple[Chain, ...] = ()
    upgrade_order: tuple[str, ...] = ()
    """VDU ids or "vdu/slot" in the order in which VNFCs take another package, standby first; the rest follow."""
    recreate_on_rollback: bool = False
    """Whether a rollback may make removed VNFCs anew, as other servers in the same slots."""
    instance_id_parameter: str = ""
    """HOT parameter that receives the VNF instance's id, which the servers then carry as metadata."""
    instance_name_parameter: str = ""
    """HOT parameter that receives the VNF instance's name, from which the servers' names are made."""
    element: ElementSpec | None = None
    """How it is managed; None where the package does not say."""

    def flavour(self, flavour_id: str) -> Flavour | None:
        return next((flavour for flavour in self.flavours if flavour.id == flavour_id), None)

    def vdu(self, vdu_id: str) -> Vdu:
        return next(vdu for vdu in self.vdus if vdu.id == vdu_id)

    def links_of(self, cp_id: str) -> tuple[str, ...]:
        """The virtual links that the connection point may be on, its own first: more than one only in a chain."""
        own = (cp.virtual_link for vdu in self.vdus for cp in vdu.connection_points if cp.id == cp_id)
        chained = (chain.links for chain in self.chains if cp_id in (chain.head, chain.inward, chain.outward))
        return tuple(dict.fromkeys((*own, *(link for links in chained for link in links))))

    def software_image(self, image_id: str) -> SoftwareImage:
        return next(image for image in self.software_images if image.id == image_id)

    def setting(self, name: str) -> Setting | None:
        return next((setting for setting in self.settings if setting.name == name), None)

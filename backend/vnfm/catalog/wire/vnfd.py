"""The VNFD on the wire."""

from typing import Any, get_args

from rest_framework import serializers

from vnfm.catalog.domain.element import ElementSpec
from vnfm.catalog.domain.vnfd import (
    AddressPlan,
    Chain,
    ConnectionPoint,
    Constraint,
    Flavour,
    HealMethod,
    ResourceNeeds,
    Setting,
    SoftwareImage,
    Vdu,
    VirtualLink,
    Vnfd,
)
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import vnfd_of

_SPEC_NAMES = {"allowed_values": "values", "allowed_pattern": "pattern", "custom": "name"}


class InstantiationLevelSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    description = serializers.CharField()
    scale = serializers.DictField(child=serializers.IntegerField(), help_text="Scaling aspect to level.")


class ScalingAspectSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    maxScaleLevel = serializers.IntegerField()
    vduId = serializers.CharField()
    step = serializers.IntegerField(help_text="Components per step.")


class NeedsSerializer(serializers.Serializer[Any]):
    vcpus = serializers.IntegerField()
    memoryMib = serializers.IntegerField()
    diskGib = serializers.IntegerField()
    cpuPolicy = serializers.CharField(allow_blank=True)
    memPageSize = serializers.CharField(allow_blank=True)
    numaNodes = serializers.IntegerField(help_text="0: any.")
    sriovPorts = serializers.IntegerField()


class FlavourSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    description = serializers.CharField()
    defaultInstantiationLevelId = serializers.CharField()
    instantiationLevels = InstantiationLevelSerializer(many=True)
    scalingAspects = ScalingAspectSerializer(many=True)
    needs = serializers.DictField(
        child=NeedsSerializer(), help_text="VDU id to its needs in this flavour, where they are not the VDU's own."
    )


class ConnectionPointSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    virtualLinkId = serializers.CharField()
    vnicType = serializers.CharField()


class VduSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    needs = NeedsSerializer()
    flavorParameter = serializers.CharField()
    imageParameter = serializers.CharField()
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField()
    slots = serializers.ListField(
        child=serializers.CharField(),
        help_text="In the order of their assignment; VDUs that name the same slots share them.",
    )
    pairs = serializers.BooleanField(help_text="Components are added and removed in pairs, each with its mate (1+1).")
    connectionPoints = ConnectionPointSerializer(many=True)
    healing = serializers.ListField(
        child=serializers.ChoiceField(choices=get_args(HealMethod)), help_text="Healing methods, least intrusive first."
    )


class CountLimitSerializer(serializers.Serializer[Any]):
    vdus = serializers.DictField(child=serializers.IntegerField(), help_text="VDU id to the weight of one component.")
    maximum = serializers.IntegerField()
    message = serializers.CharField()


class ChainSerializer(serializers.Serializer[Any]):
    """Components in a row behind a head, each connected to its neighbours only."""

    head = serializers.CharField(help_text="Connection point at which the row begins.")
    vduId = serializers.CharField(help_text="Its components form the row, in the order of their slots.")
    inward = serializers.CharField(help_text="Their connection point towards the head.")
    outward = serializers.CharField(help_text="Their connection point away from it; the last one's is on its own link.")
    links = serializers.ListField(
        child=serializers.CharField(), help_text="Virtual links between neighbours, from the head outwards."
    )


class VirtualLinkSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    internal = serializers.BooleanField()
    networkParameter = serializers.CharField(allow_blank=True, help_text="Empty: the stack always creates the network.")
    vnicType = serializers.CharField()


class SoftwareImageSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    placeholder = serializers.BooleanField(help_text="Not bootable: upload your own licensed image.")
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    parameter = serializers.CharField(help_text="Setting for another image instead.")


class ConstraintSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=["length", "range", "allowed_values", "allowed_pattern", "custom"])
    min = serializers.FloatField(required=False)
    max = serializers.FloatField(required=False)
    values = serializers.ListField(required=False)
    pattern = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    message = serializers.CharField(allow_blank=True)


class SettingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the base class has one of that name; so below
    description = serializers.CharField(allow_blank=True)
    group = serializers.CharField()
    type = serializers.ChoiceField(choices=["string", "number", "boolean", "list", "json"])
    format = serializers.ChoiceField(choices=["ipv4", "cidr", "flavor", "network", "image"], required=False)
    default = serializers.JSONField(allow_null=True)
    required = serializers.BooleanField()  # type: ignore[assignment]
    hidden = serializers.BooleanField()
    constraints = ConstraintSerializer(many=True)


class ElementAddressSerializer(serializers.Serializer[Any]):
    setting = serializers.CharField(allow_blank=True)
    connectionPoint = serializers.CharField(allow_blank=True)


class DayOneSerializer(serializers.Serializer[Any]):
    template = serializers.CharField(help_text="File of the package.")
    vduId = serializers.CharField(allow_blank=True, help_text="Loaded for each component; empty: for the element.")
    removal = serializers.CharField(
        allow_blank=True, help_text="File that removes it when a component is removed; empty: none."
    )


class ElementSpecSerializer(serializers.Serializer[Any]):
    """The VNF as a network element."""

    driver = serializers.CharField()
    managementAddress = ElementAddressSerializer()
    cards = serializers.ListField(child=serializers.CharField(), help_text="VDUs whose components are its cards.")
    perComponentOf = serializers.CharField(
        allow_blank=True, help_text="VDU each of whose components is an element of its own."
    )
    dayOne = DayOneSerializer(many=True)
    ping = serializers.ListField(child=serializers.CharField(), help_text="Addresses that the element must reach.")
    secondsToServe = serializers.IntegerField()


class AddressPlanSerializer(serializers.Serializer[Any]):
    """Settings that must agree with each other: fixed addresses of one subnet."""

    cidr = serializers.CharField(help_text="Name of the setting with the subnet; so are the others.")
    addresses = serializers.ListField(child=serializers.CharField())
    gateway = serializers.CharField(allow_blank=True)
    virtualLinkId = serializers.CharField(
        allow_blank=True, help_text="The link that the subnet is of; empty: the VNFD does not say."
    )


class DescriptorSerializer(serializers.Serializer[Any]):
    """Describes what `descriptor_view` returns."""

    vnfdId = serializers.UUIDField()
    provider = serializers.CharField()
    productName = serializers.CharField()
    softwareVersion = serializers.CharField()
    vnfdVersion = serializers.CharField()
    description = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())
    flavours = FlavourSerializer(many=True)
    vdus = VduSerializer(many=True)
    virtualLinks = VirtualLinkSerializer(many=True)
    softwareImages = SoftwareImageSerializer(many=True)
    settings = SettingSerializer(many=True)
    addressPlans = AddressPlanSerializer(many=True)
    limits = CountLimitSerializer(many=True)
    chains = ChainSerializer(many=True)
    upgradeOrder = serializers.ListField(
        child=serializers.CharField(), help_text="VDU ids or vdu/slot, in the order of an upgrade; the rest follow."
    )
    element = ElementSpecSerializer(allow_null=True, help_text="Null: the package does not describe its element.")


class VnfdSerializer(DescriptorSerializer):
    packageId = serializers.UUIDField()


def vnfd_view(package: VnfPackage) -> dict[str, Any]:
    return {**descriptor_view(vnfd_of(package)), "packageId": str(package.id)}


def descriptor_view(vnfd: Vnfd) -> dict[str, Any]:
    return {
        "vnfdId": str(vnfd.vnfd_id),
        "provider": vnfd.provider,
        "productName": vnfd.product_name,
        "softwareVersion": vnfd.software_version,
        "vnfdVersion": vnfd.vnfd_version,
        "description": vnfd.description,
        "notes": list(vnfd.notes),
        "flavours": [_flavour(flavour) for flavour in vnfd.flavours],
        "vdus": [_vdu(vdu) for vdu in vnfd.vdus],
        "virtualLinks": [_virtual_link(link) for link in vnfd.virtual_links],
        "softwareImages": [_image(image, vnfd) for image in vnfd.software_images],
        "settings": [_setting(setting) for setting in vnfd.settings],
        "addressPlans": [_address_plan(plan) for plan in vnfd.address_plans],
        "limits": [
            {"vdus": dict(limit.weights), "maximum": limit.maximum, "message": limit.message} for limit in vnfd.limits
        ],
        "chains": [_chain(chain) for chain in vnfd.chains],
        "upgradeOrder": list(vnfd.upgrade_order),
        "element": _element(vnfd.element) if vnfd.element else None,
    }


def _element(spec: ElementSpec) -> dict[str, Any]:
    return {
        "driver": spec.driver,
        "managementAddress": {"setting": spec.address_setting, "connectionPoint": spec.address_point},
        "cards": list(spec.cards),
        "perComponentOf": spec.per_component,
        "dayOne": [
            {"template": entry.template, "vduId": entry.vdu_id, "removal": entry.removal} for entry in spec.day_one
        ],
        "ping": list(spec.ping),
        "secondsToServe": spec.seconds_to_serve,
    }


def _flavour(flavour: Flavour) -> dict[str, Any]:
    return {
        "id": flavour.id,
        "description": flavour.description,
        "defaultInstantiationLevelId": flavour.default_level,
        "instantiationLevels": [
            {"id": level.id, "description": level.description, "scale": dict(level.scale_levels)}
            for level in flavour.levels
        ],
        "scalingAspects": [
            {
                "id": aspect.id,
                "name": aspect.name,
                "description": aspect.description,
                "maxScaleLevel": aspect.max_scale_level,
                "vduId": aspect.vdu_id,
                "step": aspect.step,
            }
            for aspect in flavour.aspects
        ],
        "needs": {vdu_id: _needs(needs) for vdu_id, needs in flavour.needs.items()},
    }


def _needs(needs: ResourceNeeds) -> dict[str, Any]:
    return {
        "vcpus": needs.vcpus,
        "memoryMib": needs.memory_mib,
        "diskGib": needs.disk_gib,
        "cpuPolicy": needs.cpu_policy,
        "memPageSize": needs.mem_page_size,
        "numaNodes": needs.numa_nodes,
        "sriovPorts": needs.sriov_ports,
    }


def _vdu(vdu: Vdu) -> dict[str, Any]:
    return {
        "id": vdu.id,
        "name": vdu.name,
        "description": vdu.description,
        "needs": _needs(vdu.needs),
        "flavorParameter": vdu.flavor_parameter,
        "imageParameter": vdu.image_parameter,
        "minimum": vdu.minimum,
        "maximum": vdu.maximum,
        "slots": list(vdu.slots),
        "pairs": vdu.pairs_parameter != "",
        "connectionPoints": [_connection_point(cp) for cp in vdu.connection_points],
        "healing": list(vdu.healing),
    }


def _connection_point(cp: ConnectionPoint) -> dict[str, Any]:
    return {"id": cp.id, "name": cp.name, "virtualLinkId": cp.virtual_link, "vnicType": cp.vnic_type}


def _chain(chain: Chain) -> dict[str, Any]:
    return {
        "head": chain.head,
        "vduId": chain.vdu_id,
        "inward": chain.inward,
        "outward": chain.outward,
        "links": list(chain.links),
    }


def _virtual_link(link: VirtualLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "name": link.name,
        "description": link.description,
        "internal": link.internal,
        "networkParameter": link.network_parameter,
        "vnicType": link.vnic_type,
    }


def _image(image: SoftwareImage, vnfd: Vnfd) -> dict[str, Any]:
    return {
        "id": image.id,
        "name": image.name,
        "placeholder": image.placeholder,
        "size": image.size,
        "sha256": image.sha256,
        "parameter": next((vdu.image_parameter for vdu in vnfd.vdus if vdu.software_image == image.id), ""),
    }


def _setting(setting: Setting) -> dict[str, Any]:
    return {
        "name": setting.name,
        "label": setting.label,
        "description": setting.description,
        "group": setting.group,
        "type": setting.type,
        **({"format": setting.format} if setting.format else {}),
        "default": setting.default,
        "required": setting.required,
        "hidden": setting.hidden,
        "constraints": [_constraint(rule) for rule in setting.constraints],
    }


def _address_plan(plan: AddressPlan) -> dict[str, Any]:
    return {
        "cidr": plan.cidr,
        "addresses": list(plan.addresses),
        "gateway": plan.gateway,
        "virtualLinkId": plan.virtual_link,
    }


def _constraint(rule: Constraint) -> dict[str, Any]:
    spec = dict(rule.spec) if rule.kind in ("length", "range") else {_SPEC_NAMES[rule.kind]: rule.spec}
    return {"kind": rule.kind, **spec, "message": rule.message}

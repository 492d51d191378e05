"""The VNFD on the wire."""

from functools import lru_cache
from typing import Any, get_args
from uuid import UUID

from rest_framework import serializers

from hot.constraints import Constraint
from vnfm.catalog.domain.conditional_vdus import condition_text, least
from vnfm.catalog.domain.vnfd import HealMethod, Setting, Vdu, Vnfd
from vnfm.catalog.models import VnfPackage
from vnfm.catalog.selectors import vnfd_of_package

_SPEC_NAMES = {"allowed_values": "values", "allowed_pattern": "pattern", "custom_constraint": "name"}


class InstantiationLevelSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    description = serializers.CharField()
    scale = serializers.DictField(
        source="scale_levels", child=serializers.IntegerField(), help_text="Scaling aspect to level."
    )


class AspectDeltaSerializer(serializers.Serializer[Any]):
    vduId = serializers.CharField(source="vdu_id")
    step = serializers.IntegerField(help_text="VNFCs of this VDU per step.")


class ScalingAspectSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    maxScaleLevel = serializers.IntegerField(source="max_scale_level")
    vduId = serializers.CharField(source="first.vdu_id", help_text="The first of `deltas`, as `step`.")
    step = serializers.IntegerField(source="first.step", help_text="VNFCs per step.")
    deltas = AspectDeltaSerializer(many=True, help_text="Of all VDUs that the aspect scales together.")


class NeedsSerializer(serializers.Serializer[Any]):
    vcpus = serializers.IntegerField()
    memoryMib = serializers.IntegerField(source="memory_mib")
    diskGib = serializers.IntegerField(source="disk_gib")
    cpuPolicy = serializers.CharField(source="cpu_policy", allow_blank=True)
    memPageSize = serializers.CharField(source="mem_page_size", allow_blank=True)
    numaNodes = serializers.IntegerField(source="numa_nodes", help_text="0: any.")
    sriovPorts = serializers.IntegerField(source="sriov_ports")


class FlavourSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    description = serializers.CharField()
    defaultInstantiationLevelId = serializers.CharField(source="default_level")
    instantiationLevels = InstantiationLevelSerializer(source="levels", many=True)
    scalingAspects = ScalingAspectSerializer(source="aspects", many=True)
    needs = serializers.DictField(
        child=NeedsSerializer(), help_text="VDU id to its needs in this flavour, where they are not the VDU's own."
    )


class ConnectionPointSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    virtualLinkId = serializers.CharField(source="virtual_link")
    vnicType = serializers.CharField(source="vnic_type")


class VduSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    needs = NeedsSerializer()
    flavorParameter = serializers.CharField(
        source="flavor_parameter", allow_blank=True, help_text="Empty: the template names or makes the flavor itself."
    )
    fixedFlavor = serializers.CharField(
        source="fixed_flavor", allow_blank=True, help_text="The flavor that is written into the template."
    )
    flavorResource = serializers.CharField(
        source="flavor_resource", allow_blank=True, help_text="The OS::Nova::Flavor of the stack, where it makes one."
    )
    imageParameter = serializers.CharField(
        source="image_parameter", allow_blank=True, help_text="Empty: the template names the image itself."
    )
    fixedImage = serializers.CharField(
        source="fixed_image", allow_blank=True, help_text="The image that is written into the template."
    )
    minimum = serializers.SerializerMethodField(
        help_text="The least number, whatever the settings: 0 where it exists under a condition only."
    )
    condition = serializers.SerializerMethodField(
        help_text="What the condition of the HOT under which it exists depends on; empty: it always exists."
    )
    initial = serializers.IntegerField(
        source="minimum", required=False, help_text="The number at scale level 0, where it exists."
    )
    volumes = serializers.IntegerField(help_text="Cinder volumes that the stack creates for each component.")
    volumesGib = serializers.IntegerField(source="volumes_gib", help_text="GiB of these volumes together.")
    maximum = serializers.IntegerField()
    slots = serializers.ListField(
        child=serializers.CharField(),
        help_text="In the order of their assignment; VDUs that name the same slots share them.",
    )
    pairs = serializers.BooleanField(
        source="in_pairs", help_text="Components are added and removed in pairs, each with its mate (1+1)."
    )
    connectionPoints = ConnectionPointSerializer(source="connection_points", many=True)
    healing = serializers.ListField(
        child=serializers.ChoiceField(choices=get_args(HealMethod)), help_text="Healing methods, least intrusive first."
    )

    def get_minimum(self, vdu: Vdu) -> int:
        return least(vdu)

    def get_condition(self, vdu: Vdu) -> str:
        return condition_text(vdu)


class CountLimitSerializer(serializers.Serializer[Any]):
    vdus = serializers.DictField(
        source="weights", child=serializers.IntegerField(), help_text="VDU id to the weight of one component."
    )
    maximum = serializers.IntegerField()
    message = serializers.CharField()


class ChainSerializer(serializers.Serializer[Any]):
    """Components in a row behind a head, each connected to its neighbours only."""

    head = serializers.CharField(help_text="Connection point at which the row begins.")
    vduId = serializers.CharField(
        source="vdu_id", help_text="Its components form the row, in the order of their slots."
    )
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
    networkParameter = serializers.CharField(
        source="network_parameter",
        allow_blank=True,
        help_text="Empty: the stack creates the network, or the template names it.",
    )
    fixedNetwork = serializers.CharField(
        source="fixed_network", allow_blank=True, help_text="The existing network that is written into the template."
    )
    vnicType = serializers.CharField(source="vnic_type")


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

    def to_representation(self, instance: Constraint) -> dict[str, Any]:
        """The limits as HOT writes them, under the key of their kind."""
        name = _SPEC_NAMES.get(instance.kind)
        return {
            "kind": instance.kind.removesuffix("_constraint"),
            **({name: instance.spec} if name else instance.spec),
            "message": instance.description,
        }


class SettingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the base class has one of that name; so below
    description = serializers.CharField(allow_blank=True)
    group = serializers.CharField()
    type = serializers.ChoiceField(choices=["string", "number", "boolean", "list", "json"])
    format = serializers.ChoiceField(choices=["ipv4", "cidr", "flavor", "network", "image"], required=False)
    default = serializers.JSONField(allow_null=True)
    follows = serializers.CharField(
        required=False, help_text="Another setting, whose value is the default of this one; empty for none."
    )
    required = serializers.BooleanField()  # type: ignore[assignment]
    hidden = serializers.BooleanField()
    constraints = ConstraintSerializer(many=True)

    def to_representation(self, instance: Setting) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        return data if instance.format else {key: value for key, value in data.items() if key != "format"}


class ElementAddressSerializer(serializers.Serializer[Any]):
    setting = serializers.CharField(source="address_setting", allow_blank=True)
    connectionPoint = serializers.CharField(source="address_point", allow_blank=True)


class DayOneSerializer(serializers.Serializer[Any]):
    template = serializers.CharField(help_text="File of the package.")
    vduId = serializers.CharField(
        source="vdu_id", allow_blank=True, help_text="Loaded for each component; empty: for the element."
    )
    removal = serializers.CharField(
        allow_blank=True, help_text="File that removes it when a component is removed; empty: none."
    )
    forEach = serializers.CharField(
        source="for_each",
        allow_blank=True,
        help_text="Setting with words such as mda/1=m20-v: loaded once for each of them; empty: once.",
    )


class PingSerializer(serializers.Serializer[Any]):
    address = serializers.CharField(help_text="An address, or a template of one.")
    routingInstance = serializers.CharField(
        source="routing_instance", allow_blank=True, help_text="Such as management; empty: the base instance."
    )


class ElementSpecSerializer(serializers.Serializer[Any]):
    """The VNF as a network element."""

    driver = serializers.CharField()
    managementAddress = ElementAddressSerializer(source="*")
    cards = serializers.ListField(child=serializers.CharField(), help_text="VDUs whose components are its cards.")
    perComponentOf = serializers.CharField(
        source="per_component", allow_blank=True, help_text="VDU each of whose components is an element of its own."
    )
    dayOne = DayOneSerializer(source="day_one", many=True)
    ping = PingSerializer(many=True, help_text="What the element must reach.")
    secondsToServe = serializers.IntegerField(source="seconds_to_serve")
    configureSnmp = serializers.BooleanField(
        source="configures_snmp", help_text="Whether a new element gets the SNMP access of its mediation policy."
    )


class AddressPlanSerializer(serializers.Serializer[Any]):
    """Settings that must agree with each other: fixed addresses of one subnet."""

    cidr = serializers.CharField(help_text="Name of the setting with the subnet; so are the others.")
    addresses = serializers.ListField(child=serializers.CharField())
    gateway = serializers.CharField(allow_blank=True)
    virtualLinkId = serializers.CharField(
        source="virtual_link",
        allow_blank=True,
        help_text="The link that the subnet is of; empty: the VNFD does not say.",
    )


class DescriptorSerializer(serializers.Serializer[Any]):
    """The VNFD: settings with type, default and constraints, needs, scaling, networks, images."""

    vnfdId = serializers.UUIDField(source="vnfd_id")
    provider = serializers.CharField()
    productName = serializers.CharField(source="product_name")
    softwareVersion = serializers.CharField(source="software_version")
    vnfdVersion = serializers.CharField(source="vnfd_version")
    description = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())
    flavours = FlavourSerializer(many=True)
    vdus = VduSerializer(many=True)
    virtualLinks = VirtualLinkSerializer(source="virtual_links", many=True)
    softwareImages = SoftwareImageSerializer(source="software_images", many=True)
    settings = SettingSerializer(many=True)
    addressPlans = AddressPlanSerializer(source="address_plans", many=True)
    limits = CountLimitSerializer(many=True)
    chains = ChainSerializer(many=True)
    upgradeOrder = serializers.ListField(
        source="upgrade_order",
        child=serializers.CharField(),
        help_text="VDU ids or vdu/slot, in the order of an upgrade; the rest follow.",
    )
    element = ElementSpecSerializer(allow_null=True, help_text="Null: the package does not describe its element.")


class VnfdSerializer(DescriptorSerializer):
    packageId = serializers.UUIDField()


def vnfd_view(package: VnfPackage) -> dict[str, Any]:
    return {**_descriptor_of(package.id), "packageId": str(package.id)}


def descriptor_view(vnfd: Vnfd) -> dict[str, Any]:
    return dict(DescriptorSerializer(vnfd).data)


@lru_cache(maxsize=256)
def _descriptor_of(package_id: UUID) -> dict[str, Any]:
    """Cached, since it takes some milliseconds and onboarded content never changes."""
    return descriptor_view(vnfd_of_package(package_id))

"""The VNFD on the wire: settings with type, default and constraints, needs, scaling, networks, images."""

from typing import Any, get_args

from rest_framework import serializers

from vnfm.catalog.domain.vnfd import (
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
    numaNodes = serializers.IntegerField(help_text="0: it does not matter.")
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


class VduSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    needs = NeedsSerializer()
    flavorParameter = serializers.CharField()
    imageParameter = serializers.CharField()
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField()
    healing = serializers.ListField(
        child=serializers.ChoiceField(choices=get_args(HealMethod)), help_text="What may be tried, gentlest first."
    )


class CountLimitSerializer(serializers.Serializer[Any]):
    vdus = serializers.DictField(child=serializers.IntegerField(), help_text="VDU id to what one component counts.")
    maximum = serializers.IntegerField()
    message = serializers.CharField()


class VirtualLinkSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    internal = serializers.BooleanField()
    networkParameter = serializers.CharField(allow_blank=True, help_text="Empty: the stack always makes the network.")
    vnicType = serializers.CharField()


class SoftwareImageSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    placeholder = serializers.BooleanField(help_text="Boots nothing: bring your own licensed image.")
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    parameter = serializers.CharField(help_text="Setting that takes another image instead.")


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


class VnfdSerializer(serializers.Serializer[Any]):
    """Describes what `vnfd_view` returns."""

    vnfdId = serializers.UUIDField()
    provider = serializers.CharField()
    productName = serializers.CharField()
    softwareVersion = serializers.CharField()
    vnfdVersion = serializers.CharField()
    description = serializers.CharField()
    packageId = serializers.UUIDField()
    notes = serializers.ListField(child=serializers.CharField())
    flavours = FlavourSerializer(many=True)
    vdus = VduSerializer(many=True)
    virtualLinks = VirtualLinkSerializer(many=True)
    softwareImages = SoftwareImageSerializer(many=True)
    settings = SettingSerializer(many=True)
    limits = CountLimitSerializer(many=True)
    upgradeOrder = serializers.ListField(
        child=serializers.CharField(), help_text="VDU ids or vdu/slot, in the order of an upgrade; the rest follow."
    )


def vnfd_view(package: VnfPackage) -> dict[str, Any]:
    vnfd = vnfd_of(package)
    return {
        "vnfdId": str(vnfd.vnfd_id),
        "provider": vnfd.provider,
        "productName": vnfd.product_name,
        "softwareVersion": vnfd.software_version,
        "vnfdVersion": vnfd.vnfd_version,
        "description": vnfd.description,
        "packageId": str(package.id),
        "notes": list(vnfd.notes),
        "flavours": [_flavour(flavour) for flavour in vnfd.flavours],
        "vdus": [_vdu(vdu) for vdu in vnfd.vdus],
        "virtualLinks": [_virtual_link(link) for link in vnfd.virtual_links],
        "softwareImages": [_image(image, vnfd) for image in vnfd.software_images],
        "settings": [_setting(setting) for setting in vnfd.settings],
        "limits": [
            {"vdus": dict(limit.weights), "maximum": limit.maximum, "message": limit.message} for limit in vnfd.limits
        ],
        "upgradeOrder": list(vnfd.upgrade_order),
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
        "healing": list(vdu.healing),
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


def _constraint(rule: Constraint) -> dict[str, Any]:
    spec = dict(rule.spec) if rule.kind in ("length", "range") else {_SPEC_NAMES[rule.kind]: rule.spec}
    return {"kind": rule.kind, **spec, "message": rule.message}

"""The support status of resource types in Heat 5.0.0; types that are not listed were always supported."""

from __future__ import annotations

from typing import Any

STATUSES = ("UNKNOWN", "SUPPORTED", "DEPRECATED", "UNSUPPORTED", "HIDDEN")

_SINCE = {
    "2014.1": (
        "OS::Ceilometer::CombinationAlarm",
        "OS::Heat::AutoScalingGroup", "OS::Heat::CloudConfig", "OS::Heat::MultipartMime",
        "OS::Heat::RandomString", "OS::Heat::ResourceGroup", "OS::Heat::SoftwareConfig",
        "OS::Heat::SoftwareDeployment", "OS::Heat::StructuredConfig", "OS::Heat::StructuredDeployment",
        "OS::Heat::UpdateWaitConditionHandle", "OS::Neutron::PoolMember", "OS::Neutron::ProviderNet",
        "OS::Neutron::SecurityGroup", "OS::Nova::FloatingIP", "OS::Nova::FloatingIPAssociation", "OS::Nova::KeyPair",
    ),
    "2014.2": (
        "OS::Glance::Image", "OS::Heat::SoftwareComponent", "OS::Heat::WaitCondition", "OS::Heat::WaitConditionHandle",
        "OS::Nova::Flavor", "OS::Nova::ServerGroup",
    ),
    "5.0.0": ("OS::Heat::None", "OS::Heat::SoftwareDeploymentGroup", "OS::Heat::StructuredDeploymentGroup"),
}  # fmt: skip
_VERSIONS = {name: version for version, names in _SINCE.items() for name in names}
_DISCOURAGED = "This resource is deprecated and use is discouraged. Please use resource {} instead."
_GATEWAY = "Use the `external_gateway_info` property in the router resource to set up the gateway."
_OTHERS = {
    "OS::Heat::SoftwareDeployments": (
        "DEPRECATED", _DISCOURAGED.format("OS::Heat:SoftwareDeploymentGroup"), "2014.2",
    ),
    "OS::Heat::StructuredDeployments": (
        "DEPRECATED", _DISCOURAGED.format("OS::Heat:StructuredDeploymentGroup"), "2014.2",
    ),
    "OS::Neutron::ExtraRoute": ("UNSUPPORTED", "This resource is not supported, use at your own risk.", None),
    "OS::Neutron::RouterGateway": ("HIDDEN", _GATEWAY, "5.0.0"),
}  # fmt: skip


def status_of(type_name: str) -> dict[str, Any]:
    """Return the `support_status` of a type's schema."""
    status, message, version = _OTHERS.get(type_name, ("SUPPORTED", None, _VERSIONS.get(type_name)))
    return {"status": status, "message": message, "version": version, "previous_status": None}

"""Whether a notification matches the filter of a subscription (SOL003 4.4.1.5 and 7.5.3.2, SOL005 9.5.3.6)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class VnfIdentity:
    """The VNF instance of a notification; "" for attributes that are unknown as it is deleted."""

    id: str
    name: str
    vnfd_id: str = ""
    provider: str = ""
    product: str = ""
    software_version: str = ""
    vnfd_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSubject:
    """Filters are matched against it. `traits` are the values for the filter's own arrays, by attribute."""

    vnf: VnfIdentity | None
    """None: it is about no VNF instance in particular, and matches whatever is said of instances."""
    traits: Mapping[str, Collection[str]]


def matches(criteria: Mapping[str, Any], subject: FilterSubject) -> bool:
    """Whether every attribute of the filter has a matching value; missing and empty attributes match all."""
    traits = (
        any(value in found for value in criteria[name]) for name, found in subject.traits.items() if criteria.get(name)
    )
    if subject.vnf is None:
        return all(traits)
    instance = criteria.get("vnfInstanceSubscriptionFilter") or {}
    return _vnf_matches(instance, subject.vnf) and _product_named(criteria, subject.vnf) and all(traits)


def _vnf_matches(criteria: Mapping[str, Any], vnf: VnfIdentity) -> bool:
    plain = {"vnfdIds": vnf.vnfd_id, "vnfInstanceIds": vnf.id, "vnfInstanceNames": vnf.name}
    named = all(has in criteria[name] for name, has in plain.items() if criteria.get(name))
    return named and _product_named(criteria, vnf)


def _product_named(criteria: Mapping[str, Any], vnf: VnfIdentity) -> bool:
    providers = criteria.get("vnfProductsFromProviders")
    return not providers or any(_provider_matches(each, vnf) for each in providers)


def _provider_matches(criteria: Mapping[str, Any], vnf: VnfIdentity) -> bool:

    products = criteria.get("vnfProducts")
    return criteria["vnfProvider"] == vnf.provider and (
        not products or any(_product_matches(each, vnf) for each in products)
    )


def _product_matches(criteria: Mapping[str, Any], vnf: VnfIdentity) -> bool:
    versions = criteria.get("versions")
    return criteria["vnfProductName"] == vnf.product and (
        not versions or any(_version_matches(each, vnf) for each in versions)
    )


def _version_matches(criteria: Mapping[str, Any], vnf: VnfIdentity) -> bool:
    vnfds = criteria.get("vnfdVersions")
    return criteria["vnfSoftwareVersion"] == vnf.software_version and (not vnfds or vnf.vnfd_version in vnfds)

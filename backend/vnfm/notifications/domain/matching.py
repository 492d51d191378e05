"""Which subscription a notification is for (SOL003 4.4.1.5 and 7.5.3.2)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Vnf:
    """The VNF instance that a notification is about; "" is what nobody knows of one that is deleted."""

    id: str
    name: str
    vnfd_id: str = ""
    provider: str = ""
    product: str = ""
    software_version: str = ""
    vnfd_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What filters look at. `traits` are the values by which a filter's arrays of its own match."""

    vnf: Vnf
    traits: Mapping[str, Collection[str]]


def matches(wanted: Mapping[str, Any], subject: Subject) -> bool:
    """Whether every attribute of the filter has a value that fits; one that is missing or empty asks for nothing."""
    return _vnf_matches(wanted.get("vnfInstanceSubscriptionFilter") or {}, subject.vnf) and all(
        any(value in found for value in wanted[name]) for name, found in subject.traits.items() if wanted.get(name)
    )


def _vnf_matches(wanted: Mapping[str, Any], vnf: Vnf) -> bool:
    plain = {"vnfdIds": vnf.vnfd_id, "vnfInstanceIds": vnf.id, "vnfInstanceNames": vnf.name}
    providers = wanted.get("vnfProductsFromProviders")
    return all(has in wanted[name] for name, has in plain.items() if wanted.get(name)) and (
        not providers or any(_provider_matches(each, vnf) for each in providers)
    )


def _provider_matches(wanted: Mapping[str, Any], vnf: Vnf) -> bool:
    """Each level narrows the one above it, where it is given."""
    products = wanted.get("vnfProducts")
    return wanted["vnfProvider"] == vnf.provider and (
        not products or any(_product_matches(each, vnf) for each in products)
    )


def _product_matches(wanted: Mapping[str, Any], vnf: Vnf) -> bool:
    versions = wanted.get("versions")
    return wanted["vnfProductName"] == vnf.product and (
        not versions or any(_version_matches(each, vnf) for each in versions)
    )


def _version_matches(wanted: Mapping[str, Any], vnf: Vnf) -> bool:
    vnfds = wanted.get("vnfdVersions")
    return wanted["vnfSoftwareVersion"] == vnf.software_version and (not vnfds or vnf.vnfd_version in vnfds)

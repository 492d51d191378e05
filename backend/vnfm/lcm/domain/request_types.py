"""Data types that the requests of SOL003 5.5.2 share (SOL003 4.4.1), as they are on the wire."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from vnfm.kit.web.message import Reasons, wire

MAX_ID = 255
MAX_SECRET = 500
MAX_ACCOUNT = 100
MAX_PROJECT_ID = 64
"""Names in Keystone are as long as a VIM keeps them."""
MAX_COUNT = 2**31 - 1
"""PostgreSQL's integer holds what is counted, such as levels of a scaling aspect."""

DIRECT_MODE = "We manage resources in direct mode only (SOL003 4.4.1.6): name the VIM."
OWN_PORTS = "The ports of a VNF are made by its package; none that exists already can be taken."
CHOSEN_BY_PACKAGE = "Addresses are what the package's settings say: give them in additionalParams."


@dataclass(frozen=True, slots=True)
class ScaleInfo:
    """The level of one scaling aspect (SOL003 4.4.1.4)."""

    cannot: ClassVar[Reasons] = {"vnfdId": "A VNF instance has one VNFD."}

    aspect_id: str = wire(max_length=100)
    scale_level: int = wire(min_value=0, max_value=MAX_COUNT)


@dataclass(frozen=True, slots=True)
class IpAddresses:
    """The VIM chooses an address (SOL003 4.4.1.10c IpOverEthernetAddressData)."""

    cannot: ClassVar[Reasons] = dict.fromkeys(("fixedAddresses", "addressRange", "subnetId"), CHOSEN_BY_PACKAGE)

    type: Literal["IPV4", "IPV6"]
    num_dynamic_addresses: int | None = wire(None, min_value=1, max_value=MAX_COUNT)


@dataclass(frozen=True, slots=True)
class IpOverEthernet:
    """SOL003 4.4.1.10c IpOverEthernetAddressData."""

    cannot: ClassVar[Reasons] = {
        "macAddress": "The VIM chooses MAC addresses.",
        "segmentationId": "Packages have no trunk ports.",
        "segmentationType": "Packages have no trunk ports.",
    }

    ip_addresses: tuple[IpAddresses, ...] = ()


@dataclass(frozen=True, slots=True)
class CpProtocolData:
    """SOL003 4.4.1.10b."""

    layer_protocol: Literal["IP_OVER_ETHERNET"]
    ip_over_ethernet: IpOverEthernet | None = None


@dataclass(frozen=True, slots=True)
class CpConfig:
    """We make a port with an address of the VIM's choice (SOL003 4.4.1.10a VnfExtCpConfig)."""

    cannot: ClassVar[Reasons] = {
        "linkPortId": OWN_PORTS,
        "createExtLinkPort": OWN_PORTS,
        "cpInstanceId": "All CPs of a VL are connected alike: name the cpdId alone.",
        "parentCpConfigId": "Packages have no trunk ports.",
        "netAttDefResourceId": "That is for containers.",
    }

    cp_protocol_data: tuple[CpProtocolData, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtCp:
    """SOL003 4.4.1.10 VnfExtCpData."""

    cpd_id: str = wire(max_length=100)
    cp_config: Mapping[str, CpConfig] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExtVirtualLink:
    """An existing network for connection points of the VNF (SOL003 4.4.1.11 ExtVirtualLinkData)."""

    cannot: ClassVar[Reasons] = {"resourceProviderId": DIRECT_MODE, "extLinkPorts": OWN_PORTS}

    id: str = wire(max_length=MAX_ID)
    resource_id: str = wire(max_length=MAX_ID)
    """Id or name of the Neutron network."""
    ext_cps: tuple[ExtCp, ...] = wire(allow_empty=False)
    vim_connection_id: str | None = wire(None, max_length=MAX_ID)

    @property
    def cpd_ids(self) -> tuple[str, ...]:
        return tuple(each.cpd_id for each in self.ext_cps)


@dataclass(frozen=True, slots=True)
class ExtManagedVirtualLink:
    """A network that the NFVO made for an internal virtual link (SOL003 4.4.1.12 ExtManagedVirtualLinkData)."""

    cannot: ClassVar[Reasons] = {
        "resourceProviderId": DIRECT_MODE,
        "vnfLinkPort": OWN_PORTS,
        "extManagedMultisiteVirtualLinkId": "A VNF instance is in one VIM.",
        "netAttDefResourceId": "That is for containers.",
    }

    id: str = wire(max_length=MAX_ID)
    vnf_virtual_link_desc_id: str = wire(max_length=100)
    resource_id: str = wire(max_length=MAX_ID)
    """Id or name of the Neutron network."""
    vim_connection_id: str | None = wire(None, max_length=MAX_ID)


@dataclass(frozen=True, slots=True)
class InterfaceInfo:
    """The way to an OpenStack VIM (SOL003 4.4.1.6: KeyValuePairs, by ETSI's registry of VIM types)."""

    cannot: ClassVar[Reasons] = {
        "skipCertificateHostnameCheck": "The name is checked wherever the certificate is: skip both, or none."
    }
    unknown: ClassVar[str] = "A VIM of this type needs no such member."

    endpoint: str = wire("", max_length=500)
    """Keystone's URL."""
    trusted_certificates: tuple[str, ...] = ()
    skip_certificate_verification: bool | None = None


@dataclass(frozen=True, slots=True)
class AccessInfo:
    """We log in to an OpenStack VIM, by the same registry, with a user's name and password alone."""

    unknown: ClassVar[str] = (
        "We log in with username, password, project or projectId, userDomain and projectDomain alone."
    )

    username: str = wire("", max_length=MAX_ACCOUNT)
    password: str = wire("", secret=True, max_length=MAX_SECRET)
    project: str = wire("", max_length=MAX_ACCOUNT)
    project_id: str = wire("", max_length=MAX_PROJECT_ID)
    """Keystone's id of the project, in place of its name and domain; the registry does not have it."""
    user_domain: str = wire("", max_length=MAX_ACCOUNT)
    project_domain: str = wire("", max_length=MAX_ACCOUNT)
    region: str = wire("", max_length=MAX_ACCOUNT, allow_blank=True)


@dataclass(frozen=True, slots=True)
class VimConnectionInfo:
    """SOL003 4.4.1.6: a registered VIM by `vimId`, or full credentials in `interfaceInfo` and `accessInfo`."""

    cannot: ClassVar[Reasons] = {"extra": "This VIM type has no further parameters."}

    vim_id: str | None = wire(None, max_length=MAX_ID)
    vim_type: Literal["ETSINFV.OPENSTACK_KEYSTONE.V_3", "ETSINFV.OPENSTACK_KEYSTONE.v_3"] | None = None
    """SOL003 requires it; `vimId` says as much of a registered VIM."""
    interface_info: InterfaceInfo | None = None
    access_info: AccessInfo | None = None

    def conflicts(self) -> Iterator[tuple[str, str]]:
        if self.vim_id is None and self.vim_type is None:
            yield "vimType", "This field is required without vimId."

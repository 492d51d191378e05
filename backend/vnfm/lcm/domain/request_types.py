"""Data types that the requests of SOL003 5.5.2 share (SOL003 4.4.1), as they are on the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vnfm.kit.message import wire

MAX_ID = 255
MAX_SECRET = 500
MAX_ACCOUNT = 100
MAX_PROJECT_ID = 64
"""Names in Keystone are as long as a VIM keeps them."""
MAX_COUNT = 2**31 - 1
"""PostgreSQL's integer holds what is counted, such as levels of a scaling aspect."""


@dataclass(frozen=True, slots=True)
class ScaleInfo:
    """The level of one scaling aspect (SOL003 4.4.1.4)."""

    aspect_id: str = wire(max_length=100)
    scale_level: int = wire(min_value=0, max_value=MAX_COUNT)


@dataclass(frozen=True, slots=True)
class IpAddresses:
    """The VIM chooses an address (SOL003 4.4.1.10c IpOverEthernetAddressData)."""

    type: Literal["IPV4", "IPV6"]
    num_dynamic_addresses: int | None = wire(None, min_value=1, max_value=MAX_COUNT)


@dataclass(frozen=True, slots=True)
class IpOverEthernet:
    """SOL003 4.4.1.10c IpOverEthernetAddressData."""

    ip_addresses: tuple[IpAddresses, ...] = ()


@dataclass(frozen=True, slots=True)
class CpProtocolData:
    """SOL003 4.4.1.10b."""

    layer_protocol: Literal["IP_OVER_ETHERNET"]
    ip_over_ethernet: IpOverEthernet | None = None


@dataclass(frozen=True, slots=True)
class CpConfig:
    """We make a port with an address of the VIM's choice (SOL003 4.4.1.10a VnfExtCpConfig)."""

    cp_protocol_data: tuple[CpProtocolData, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtCp:
    """SOL003 4.4.1.10 VnfExtCpData."""

    cpd_id: str = wire(max_length=100)
    cp_config: Mapping[str, CpConfig] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExtVirtualLink:
    """An existing network for connection points of the VNF (SOL003 4.4.1.11 ExtVirtualLinkData)."""

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

    id: str = wire(max_length=MAX_ID)
    vnf_virtual_link_desc_id: str = wire(max_length=100)
    resource_id: str = wire(max_length=MAX_ID)
    """Id or name of the Neutron network."""
    vim_connection_id: str | None = wire(None, max_length=MAX_ID)


@dataclass(frozen=True, slots=True)
class InterfaceInfo:
    """How an OpenStack VIM is reached (SOL003 4.4.1.6: KeyValuePairs, by ETSI's registry of VIM types)."""

    endpoint: str = wire("", max_length=500)
    """Keystone's URL."""
    trusted_certificates: tuple[str, ...] = ()
    skip_certificate_verification: bool | None = None


@dataclass(frozen=True, slots=True)
class AccessInfo:
    """How we log in to an OpenStack VIM, from the same registry: with a user's name and password alone."""

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

    vim_id: str | None = wire(None, max_length=MAX_ID)
    vim_type: Literal["ETSINFV.OPENSTACK_KEYSTONE.V_3", "ETSINFV.OPENSTACK_KEYSTONE.v_3"] | None = None
    """SOL003 requires it; `vimId` says as much of a registered VIM."""
    interface_info: InterfaceInfo | None = None
    access_info: AccessInfo | None = None

"""The VNFCs, ports and links of a VNF instance, as operations record them and as they are on record."""

from dataclasses import dataclass, field
from uuid import UUID

from vnfm.inventory.domain.observation import UNKNOWN


@dataclass(frozen=True, slots=True)
class RecordedPort:
    """A port of a VNFC's server; `cp_id` is the VNFD's connection point that it realises."""

    port_id: str
    network_id: str
    cp_id: str = ""
    mac_address: str = ""
    ip_addresses: tuple[str, ...] = ()
    vnic_type: str = ""
    status: str = ""
    vif_type: str = ""


@dataclass(frozen=True, slots=True)
class RecordedVnfc:
    """A VNFC that an operation created or kept, with its server as it was then."""

    vdu_id: str
    server_id: str
    name: str
    slot: str = ""
    group_index: int | None = None
    status: str = UNKNOWN
    fault: str = ""
    host: str = ""
    flavor: str = ""
    """The flavor as Nova reports it: the id on Liberty."""
    host_hash: str = ""
    ports: tuple[RecordedPort, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedLink:
    """A network that the instance uses."""

    vl_id: str
    network_id: str
    name: str
    created_by_stack: bool
    external_id: str = ""
    """The NFVO's id of an external virtual link."""


@dataclass(frozen=True, slots=True)
class LinkInfo(RecordedLink):
    id: int = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class VnfcInfo:
    """A VNFC on record, and what Nova last said of its server."""

    id: UUID
    vdu_id: str
    slot: str
    server_id: str
    name: str
    server_name: str
    """The present name in Nova."""
    desired: str
    """STARTED or STOPPED."""
    status: str
    host: str
    host_hash: str
    expected_flavor_id: str
    flavor_id: str
    flavor: str
    """For people."""
    ports: tuple[RecordedPort, ...]

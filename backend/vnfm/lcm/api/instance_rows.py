"""Rows from which a VnfInstance is built: those of an instance, with the facts of its VNFD."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from vnfm.catalog import selectors as catalog
from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.lcm.domain.chains import link_at


class VnfInstanceRow(NamedTuple):
    """`busy`: it has an operation under way, so no task is possible."""

    instance: Any
    """A VnfInstance, or a tuple with the columns of the mandatory attributes."""
    package: PackageRecord
    busy: bool


@dataclass(frozen=True, slots=True)
class Cp:
    port: VnfcPort
    external: bool


@dataclass(frozen=True, slots=True)
class VnfcRow:
    vnfc: Vnfc
    cps: Sequence[Cp]


@dataclass(frozen=True, slots=True)
class ExternalLink:
    link: VnfVirtualLink
    ports: Sequence[VnfcPort]


class InstantiatedRow:
    """An instantiated VNF. `state` is what it is meant to be: STARTED while any VNFC is."""

    def __init__(self, instance: VnfInstance) -> None:
        vnfd = catalog.vnfd_of(instance.package)
        flavour = vnfd.flavour(instance.flavour_id)
        links = list(instance.virtual_links.all())
        # Only in a chain does the network say more than the connection point.
        networks = {link.vl_id: link.network_id for link in links} if vnfd.chains else {}
        external = {vl.id for vl in vnfd.virtual_links if not vl.internal}
        vl_of = {
            port: link_at(vnfd, port.cp_id, port.network_id, networks)
            for vnfc in instance.vnfcs.all()
            for port in vnfc.ports.all()
        }
        self.instance = instance
        self.aspects = flavour.aspects if flavour else ()
        self.vnfcs = [
            VnfcRow(vnfc, [Cp(port, vl_of[port] in external) for port in vnfc.ports.all()])
            for vnfc in instance.vnfcs.all()
        ]
        started = any(row.vnfc.desired == Vnfc.Desired.STARTED for row in self.vnfcs)
        self.state = Vnfc.Desired.STARTED if started else Vnfc.Desired.STOPPED
        self.external_ports = [cp.port for row in self.vnfcs for cp in row.cps if cp.external]
        self.external_links = [
            ExternalLink(link, [port for port in self.external_ports if vl_of[port] == link.vl_id])
            for link in links
            if link.vl_id in external
        ]
        internal = [link for link in links if link.vl_id not in external]
        self.managed_links = [
            ExternalLink(link, [port for port, vl_id in vl_of.items() if vl_id == link.vl_id])
            for link in internal
            if link.external_id
        ]
        """Internal ones whose network the NFVO manages: SOL003 5.5.2.2 lists them apart from the others."""
        self.internal_links = [link for link in internal if not link.external_id]

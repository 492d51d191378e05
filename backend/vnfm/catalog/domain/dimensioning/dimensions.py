"""The dimensions of a demand: the table from which the API's fields and the form are generated."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from vnfm.catalog.domain.dimensioning.units import UNITS, Bases, Quantity


@dataclass(frozen=True, slots=True)
class Dimension:
    id: str
    label: str
    description: str
    units: tuple[str, ...]
    """Allowed units, the usual one first."""

    @property
    def bases(self) -> Bases:
        return UNITS[self.units[0]][1]


_ALL = (
    Dimension("packetRate", "Packet rate", "Packets forwarded, each counted once.",
              ("Mpps", "kpps", "pps")),
    Dimension("throughput", "Throughput", "Bits of Ethernet frames, without preamble and gap: what counters count.",
              ("Gbit/s", "Mbit/s", "bit/s")),
    Dimension("wireRate", "Rate on the wire", "With 20 bytes of preamble and gap a frame: what ports are sold by.",
              ("Gbit/s", "Mbit/s", "bit/s")),
    Dimension("sessions", "Sessions", "PDN sessions kept at the same time.", ("session",)),
    Dimension("setupRate", "Attaches", "Sessions set up each second.", ("session/s",)),
    Dimension("bearers", "Bearers", "Bearers kept at the same time.", ("bearer",)),
    Dimension("routes", "Routes", "Prefixes, or entries of the forwarding table.", ("route",)),
    Dimension("peers", "BGP peers", "Peers, or clients of a route reflector.", ("peer",)),
    Dimension("macs", "MAC addresses", "MAC addresses, or EVPN routes.", ("MAC",)),
    Dimension("flows", "Flows", "Traffic flows at the same time.", ("flow",)),
    Dimension("services", "VPN services", "IP VPN, VPWS and VPLS instances together.", ("service",)),
    Dimension("vrouters", "Routers in the chain", "vRouters that the traffic passes one by one.", ("vRouter",)),
)  # fmt: skip
DIMENSIONS: Mapping[str, Dimension] = MappingProxyType({dimension.id: dimension for dimension in _ALL})
RATES = ("packetRate", "throughput", "wireRate")
"""Three measures of traffic; a figure's unit and layer determine which one it is."""
FORWARDING = "forwarding"
"""Stands for all of RATES in a bound."""


@dataclass(frozen=True, slots=True)
class Demand:
    amounts: Mapping[str, Quantity]
    """By dimension; others are not demanded."""
    frame: int | None = None
    """Bytes of every Ethernet frame, with its FCS; None where it is not given."""
    imix: bool = False
    """A mix of frame sizes, as the lab used it."""


def labels(dimension_ids: tuple[str, ...]) -> str:
    """Their labels, for messages."""
    names = [DIMENSIONS[each].label for each in dimension_ids]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

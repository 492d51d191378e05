"""Measured figures of a VNF (figures.yaml), each with its conditions and source."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from vnfm.catalog.domain.dimensioning.units import Quantity

Meaning = Literal["value", "maximum", "tested"]
"""maximum: measured as the limit; tested: it worked, more was not tried; value: neither, such as a time."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    id: str
    title: str
    seed: str
    """File name of the copy that the figures were read from; "" where there was none."""


@dataclass(frozen=True, slots=True)
class FigureSource:
    document: SourceDocument
    place: str
    """Page, table or heading."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions of a measurement; the figure is valid for them only."""

    host: str = ""
    """Id of the host; "" where the figure does not depend on it."""
    frame: int | None = None
    """Bytes of every frame."""
    frame_at_least: int | None = None
    """The figure holds for frames of at least this many bytes."""
    imix: bool = False
    mean_frame: Fraction | None = None
    """Average frame size of the mix in bytes, if the source has it."""
    wire: bool = False
    """The bit rate includes preamble and gap."""
    at: Mapping[str, Quantity] = field(default_factory=dict)
    """Dimension to its amount during the measurement."""
    notes: tuple[str, ...] = ()
    """Everything else, for people."""


@dataclass(frozen=True, slots=True)
class Figure:
    id: str
    name: str
    number: float
    """As written, in `unit`."""
    unit: str
    value: Quantity
    meaning: Meaning
    conditions: Conditions
    source: FigureSource
    quote: str
    """The source's own words."""
    derived: str = ""
    """The computation by which it follows from the source; "" where the source has the number itself."""
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HostType:
    """A type of host that was used for measurements."""

    id: str
    name: str
    description: str
    source: FigureSource
    flavour: str = ""
    """The deployment flavour for such hosts; "" for any."""
    sriov_ports: int = 0
    """SR-IOV ports that each VM of a unit had during the measurements; 0 where they do not count."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Figures of a source that contradict each other; they are not merged."""

    figures: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit that is added for more capacity, such as a redundant pair of VMs."""

    name: str
    plural: str
    vdu: str
    vms: int = 1
    """VNFCs of the VDU in one unit."""
    chosen_by: str = ""
    """Dimension that sets the number of units: chosen by the operator, not by capacity."""
    together: tuple[str, ...] = ()
    """Figures of how many units carried their load together, for each host type; more were not measured."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Capacity of one unit, or of one VNF instance, in a dimension. All bounds hold at the same time."""

    dimension: str
    """Or FORWARDING."""
    figures: tuple[str, ...]
    """Capacities under different conditions; the best one that covers the demand's conditions is used."""
    per_unit: bool
    depends_on: tuple[str, ...] = ()
    """Dimensions that the capacity depends on: only figures with at least as much of them are used."""
    load: tuple[str, ...] = ()
    """As `given`, but without a demand there is none of them: services, routes."""
    pool: tuple[str, ...] = ()
    """Figures of how many units carried it together, for each host type."""
    any_frame: bool = False
    """Whether it holds at every frame size, such as an interface's limit."""


@dataclass(frozen=True, slots=True)
class Companion:
    """A VDU that grows with the units, in the proportion of the measured system."""

    vdu: str
    figure: str
    """Figure with the number of its VNFCs …"""
    units: str
    """… and figure with the number of units."""


@dataclass(frozen=True, slots=True)
class Count:
    """A resource that is counted by units: sockets, servers."""

    name: str
    figures: tuple[str, ...]
    shared: bool
    """Whether the figure is the number of units that share one, instead of how many one unit needs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A property of a size that is not a capacity, such as a time or a latency."""

    name: str
    figures: tuple[str, ...]
    depends_on: tuple[str, ...] = ()
    """Dimensions that it depends on; it is left out where one of them is not demanded."""
    exact: bool = False
    """Whether only figures under exactly the demand's conditions count, or also those under harder ones."""
    memory_of: str = ""
    """The VDU that needs this much memory."""


@dataclass(frozen=True, slots=True)
class Sizing:
    bounds: tuple[Bound, ...]
    unit: Unit | None = None
    companions: tuple[Companion, ...] = ()
    cores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """VDU to figures of the cores of one VNFC, for each host type."""
    counts: tuple[Count, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    figures: Mapping[str, Figure] = field(default_factory=dict)
    hosts: tuple[HostType, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    unknown: tuple[str, ...] = ()
    """Open questions of the sources, as sentences."""
    sizing: Sizing | None = None
    """None where the figures do not limit a deployment."""

    def host(self, host_id: str) -> HostType | None:
        return next((host for host in self.hosts if host.id == host_id), None)

    def on_host(self, figure_ids: tuple[str, ...], host: HostType | None) -> list[Figure]:
        """The figures that hold on this host type."""
        allowed = {"", host.id if host else ""}
        return [f for each in figure_ids if (f := self.figures[each]).conditions.host in allowed]

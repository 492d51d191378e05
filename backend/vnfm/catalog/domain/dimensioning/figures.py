"""What was measured of a VNF (figures.yaml), each figure with its conditions and where it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from vnfm.catalog.domain.dimensioning.units import Quantity

Meaning = Literal["value", "maximum", "tested"]
"""maximum: measured as the limit; tested: it worked, and nobody tried more; value: neither, such as a time."""


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    seed: str
    """File name of the copy that the figures were read from; "" where there was none."""


@dataclass(frozen=True, slots=True)
class Source:
    document: Document
    place: str
    """Page, table or heading."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under what a figure was measured; it says nothing about anything else."""

    host: str = ""
    """Id of the host; "" where the figure does not depend on it."""
    frame: int | None = None
    """Bytes of every frame."""
    frame_at_least: int | None = None
    """It holds for frames of so many bytes and more."""
    imix: bool = False
    mean_frame: Fraction | None = None
    """Bytes of the mix's average frame, where the source tells."""
    wire: bool = False
    """A bit rate that counts preamble and gap."""
    at: Mapping[str, Quantity] = field(default_factory=dict)
    """Dimension to how much of it there was at the same time."""
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
    source: Source
    quote: str
    """The source's own words."""
    derived: str = ""
    """How it was computed from what the source says; "" where the source says the number itself."""
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Host:
    """A kind of host that something was measured on."""

    id: str
    name: str
    description: str
    source: Source
    flavour: str = ""
    """The deployment flavour for such hosts; "" where every flavour will do."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What a source says twice, and differently; never merged into one."""

    figures: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """What is added when more is demanded, such as a redundant pair of VMs."""

    name: str
    plural: str
    vdu: str
    vms: int = 1
    """VNFCs of the VDU in one unit."""
    chosen_by: str = ""
    """Dimension that says how many there are: the operator's choice and no matter of capacity."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How much of a dimension one unit, or one VNF instance, carries. All bounds hold at the same time."""

    dimension: str
    """Or FORWARDING."""
    figures: tuple[str, ...]
    """Each is a capacity under its own conditions; the best one that covers the demand's conditions counts."""
    per_unit: bool
    given: tuple[str, ...] = ()
    """Dimensions that the capacity depends on: only figures that had at least as much of them count."""
    pool: tuple[str, ...] = ()
    """Figures that say how many units carried it together, on each host."""
    any_frame: bool = False
    """A limit that does not come from handling packets, such as an interface's, holds at every frame size."""


@dataclass(frozen=True, slots=True)
class Companion:
    """A VDU that grows with the units, in the proportion that was built."""

    vdu: str
    figure: str
    """How many VNFCs there were …"""
    beside: str
    """… beside this figure's number of units."""


@dataclass(frozen=True, slots=True)
class Count:
    """Something that can be counted for a number of units: sockets, servers."""

    name: str
    figures: tuple[str, ...]
    shared: bool
    """The figure says how many units share one, instead of how many one unit takes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes with a size and is no capacity, such as a time or a latency."""

    name: str
    figures: tuple[str, ...]
    given: tuple[str, ...] = ()
    """Dimensions that it depends on; it is of no interest where one of them is not demanded."""
    exact: bool = False
    """Only what was measured under the very conditions of the demand counts; else also what was under harder ones."""
    memory_of: str = ""
    """The VDU that needs this much memory."""


@dataclass(frozen=True, slots=True)
class Sizing:
    bounds: tuple[Bound, ...]
    unit: Unit | None = None
    companions: tuple[Companion, ...] = ()
    cores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """VDU to figures of the cores of one VNFC, on each host."""
    counts: tuple[Count, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    figures: Mapping[str, Figure] = field(default_factory=dict)
    hosts: tuple[Host, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    unknown: tuple[str, ...] = ()
    """What the sources leave open, in sentences."""
    sizing: Sizing | None = None
    """How the figures bound a deployment; None where they do not."""

    def host(self, host_id: str) -> Host | None:
        return next((host for host in self.hosts if host.id == host_id), None)

    def on_host(self, figure_ids: tuple[str, ...], host: Host | None) -> list[Figure]:
        """Those of them that hold on that host."""
        allowed = {"", host.id if host else ""}
        return [f for each in figure_ids if (f := self.figures[each]).conditions.host in allowed]

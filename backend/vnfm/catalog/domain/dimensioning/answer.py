"""The answer to "how big must it be?", as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from vnfm.catalog.domain.dimensioning.figures import Figure
from vnfm.catalog.domain.dimensioning.units import Quantity


class Verdict(StrEnum):
    FITS = "FITS"
    """By figures that were measured."""
    NOT_KNOWN = "NOT_KNOWN"
    """Nothing speaks against it, but of some of the demand no figure speaks."""
    DOES_NOT_FIT = "DOES_NOT_FIT"


@dataclass(frozen=True, slots=True)
class Row:
    """One dimension of the demand against one bound."""

    dimension: str
    demand: Quantity
    capacity: Quantity
    """Of the size that is proposed."""
    used: Fraction | None
    """Share of the capacity that the demand takes; None where there is no capacity at all."""
    figure: Figure
    per_unit: bool
    units: int | None
    """Units that this alone would need; None where it bounds the instance."""
    note: str
    most: Quantity | None = None
    """More than this is sure not to be carried by an instance; between it and the capacity nothing is known."""
    binds: bool = False
    """Less of it would allow a smaller size, or it is the fullest of those that bound the instance."""

    @property
    def headroom(self) -> Fraction | None:
        """Share of the capacity that is left; negative where there is too little."""
        return None if self.used is None else 1 - self.used


@dataclass(frozen=True, slots=True)
class VduSize:
    vdu: str
    vms: int
    cores_each: Fraction | None
    """By a figure; None where no source says it."""
    vcpus_each: int
    memory_mib_each: int


@dataclass(frozen=True, slots=True)
class Counted:
    """Units, sockets or servers."""

    name: str
    number: int
    figure: Figure | None


@dataclass(frozen=True, slots=True)
class Result:
    """A time, a latency or a memory that comes with the size."""

    name: str
    figure: Figure | None
    """None where it was not measured under these conditions; it is not estimated."""
    memory_of: str = ""
    """The VDU that needs this much memory."""
    at_most: bool = False
    """The figure was measured under harder conditions."""


@dataclass(frozen=True, slots=True)
class Answer:
    verdict: Verdict
    flavour: str
    scale_levels: Mapping[str, int]
    """Scaling aspect to the level that suffices; empty where the demand does not fit."""
    level: str
    """The smallest instantiation level that suffices; "" where there is none."""
    level_is_exact: bool
    rows: tuple[Row, ...] = ()
    vdus: tuple[VduSize, ...] = ()
    counted: tuple[Counted, ...] = ()
    results: tuple[Result, ...] = ()
    reasons: tuple[str, ...] = ()
    """Why it does not fit."""
    warnings: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = field(default=())
    """What the answer rests on."""

    @property
    def vms(self) -> int:
        return sum(each.vms for each in self.vdus)

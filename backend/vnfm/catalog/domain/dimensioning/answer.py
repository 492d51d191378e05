"""The answer of dimensioning, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from vnfm.catalog.domain.dimensioning.figures import Figure
from vnfm.catalog.domain.dimensioning.units import Quantity


class Fit(StrEnum):
    FITS = "FITS"
    """Measured figures show that it fits."""
    NOT_KNOWN = "NOT_KNOWN"
    """No figure is exceeded, but part of the demand was not measured."""
    DOES_NOT_FIT = "DOES_NOT_FIT"


@dataclass(frozen=True, slots=True)
class DimensionResult:
    """One dimension of the demand against one bound."""

    dimension: str
    demand: Quantity
    capacity: Quantity
    """Capacity of the proposed size."""
    used: Fraction | None
    """Share of the capacity that the demand takes; None where there is no capacity at all."""
    figure: Figure
    per_unit: bool
    units: int | None
    """Units that this dimension alone would need; None where it limits the instance."""
    note: str
    most: Quantity | None = None
    """An instance does not carry more than this; between it and the capacity nothing is known."""
    binds: bool = False
    """This dimension determines the size: less of it would allow a smaller size, or it has the least headroom."""

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
class UnitCount:
    """Units, sockets or servers."""

    name: str
    number: int
    figure: Figure | None


@dataclass(frozen=True, slots=True)
class OutcomeValue:
    """A time, a latency or a memory size at this size."""

    name: str
    figure: Figure | None
    """None where it was not measured under these conditions; nothing is estimated."""
    memory_of: str = ""
    """The VDU that needs this much memory."""
    at_most: bool = False
    """The figure was measured under harder conditions."""


@dataclass(frozen=True, slots=True)
class Answer:
    fit: Fit
    flavour: str
    scale_levels: Mapping[str, int]
    """Scaling aspect to the level that suffices; empty where the demand does not fit."""
    level: str
    """The smallest instantiation level that suffices; "" where there is none."""
    level_is_exact: bool
    rows: tuple[DimensionResult, ...] = ()
    vdus: tuple[VduSize, ...] = ()
    counted: tuple[UnitCount, ...] = ()
    results: tuple[OutcomeValue, ...] = ()
    reasons: tuple[str, ...] = ()
    """Why it does not fit."""
    warnings: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = field(default=())
    """The figures that the answer uses."""

    @property
    def vms(self) -> int:
        return sum(each.vms for each in self.vdus)

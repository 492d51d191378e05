"""Finds the figure that gives the capacity of a unit or instance under the conditions of a demand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS, RATES, Demand, labels
from vnfm.catalog.domain.dimensioning.figures import Bound, Figure
from vnfm.catalog.domain.dimensioning.units import Quantity, quantity

PREAMBLE_AND_GAP = 20
"""Bytes around every Ethernet frame on the wire: preamble, start delimiter, inter-frame gap (IEEE 802.3)."""


@dataclass(frozen=True, slots=True)
class Capacity:
    amount: Quantity
    """Guaranteed capacity."""
    figure: Figure
    note: str = ""
    """It says how the capacity is derived, where the figure was not measured under the demand's conditions."""
    most: Quantity | None = None
    """Upper limit; None where none was measured. Between `amount` and it nothing is known."""


@dataclass(frozen=True, slots=True)
class NotKnown:
    why: str
    """The reason is a sentence."""


def find_capacity(bound: Bound, figures: Sequence[Figure], demand: Demand, dimension: str) -> Capacity | NotKnown:
    """Return the capacity that the figures guarantee or exclude in this dimension, under the demand's conditions."""
    label = DIMENSIONS[dimension].label
    given_dimensions = tuple(each for each in (*bound.depends_on, *bound.load) if each in demand.amounts)
    if bound.depends_on and not set(bound.depends_on) & set(given_dimensions):
        return NotKnown(f"{label}: depends on {labels(bound.depends_on)}; say how many.")
    if not figures:
        return NotKnown(f"{label}: nothing was measured on this kind of host.")
    covering = [figure for figure in figures if covers(figure, demand, given_dimensions)]
    covered = [
        figure for figure in figures if figure.meaning == "maximum" and _is_covered(figure, demand, given_dimensions)
    ]
    sure = _capacities(bound, covering, demand, dimension, upper=False)
    limits = _capacities(bound, covered, demand, dimension, upper=True)
    limit = min(limits, key=lambda each: each.amount.amount, default=None)
    if sure:
        best = max(sure, key=lambda each: (each.amount.amount, not each.note))
        return replace(best, most=limit.amount if limit else None)
    if limit and not demand.amounts[dimension] <= limit.amount:
        return replace(limit, most=limit.amount)
    return NotKnown(f"{label}: {_why(demand, given_dimensions, framed=bool(covering) and dimension in RATES)}")


def covers(figure: Figure, demand: Demand, dimensions: Iterable[str]) -> bool:
    """Return whether the figure was measured with at least the demanded amount in each of these dimensions."""
    at = figure.conditions.at
    return all(each in at and demand.amounts[each] <= at[each] for each in dimensions)


def _is_covered(figure: Figure, demand: Demand, dimensions: Sequence[str]) -> bool:
    """Return whether the figure was measured with at most the amounts of the demand."""
    return all(each in dimensions and least <= demand.amounts[each] for each, least in figure.conditions.at.items())


def _capacities(
    bound: Bound, figures: Iterable[Figure], demand: Demand, dimension: str, *, upper: bool
) -> list[Capacity]:
    if dimension not in RATES:
        return [Capacity(figure.value, figure) for figure in figures]
    rates = (_rate(figure, demand, dimension, any_frame=bound.any_frame, upper=upper) for figure in figures)
    return [each for each in rates if each is not None]


def _why(demand: Demand, given_dimensions: tuple[str, ...], *, framed: bool) -> str:
    if not framed:
        return f"nothing was measured with this demand of {labels(given_dimensions)}."
    if demand.imix:
        return "was not measured with a mix of frame sizes."
    if demand.frame is None:
        return "depends on the frame size; say it, or say that it is a mix."
    return f"was not measured with frames of {demand.frame} bytes."


def rate_of(figure: Figure) -> str:
    """Return the member of RATES that the figure measures."""
    if figure.value.bases == DIMENSIONS["packetRate"].bases:
        return "packetRate"
    return "wireRate" if figure.conditions.wire else "throughput"


def per_packet(rate: str, size: Fraction | int) -> Quantity:
    """Return the amount that one frame of `size` bytes adds to this rate."""
    packet = quantity(1, "packet")
    counted = {"throughput": size, "wireRate": size + PREAMBLE_AND_GAP}
    return quantity(counted[rate], "B") / packet if rate in counted else packet / packet


def _rate(figure: Figure, demand: Demand, rate: str, *, any_frame: bool, upper: bool) -> Capacity | None:
    """The figure converted to this rate; None where it does not apply to the demand's frames."""
    measured, conditions = rate_of(figure), figure.conditions
    mixed = conditions.imix and not any_frame
    if demand.frame is not None:
        return None if mixed else _at_frame(figure, demand.frame, rate, any_frame=any_frame, upper=upper)
    framed = (conditions.frame is not None or conditions.frame_at_least is not None) and not any_frame
    if framed or (mixed and not demand.imix):
        return None
    if measured == rate:
        return Capacity(figure.value, figure)
    if demand.imix and conditions.mean_frame:
        mean = conditions.mean_frame
        return Capacity(figure.value / per_packet(measured, mean) * per_packet(rate, mean), figure)
    return None


def _at_frame(figure: Figure, frame: int, rate: str, *, any_frame: bool, upper: bool) -> Capacity:
    """Return the capacity that the figure guarantees, or with `upper` excludes, for frames of this size.

    The packet rate does not rise with the frame size, and the bit rate does not fall. So a measurement at one size
    limits all other sizes, from both sides, and nothing is interpolated.
    """
    point = None if any_frame else figure.conditions.frame
    least = None if any_frame else figure.conditions.frame_at_least
    size = point or max(frame, least or frame)
    packets = figure.value / per_packet(rate_of(figure), size)
    of_equal_bits, one = Fraction(size, frame), Fraction(1)
    amount = packets.times(max(of_equal_bits, one) if upper else min(of_equal_bits, one)) * per_packet(rate, frame)
    note = (
        f"{frame} bytes were not measured: taken from {size} bytes, since neither the packet rate rises nor the bit "
        "rate falls with the frame size."
    )
    return Capacity(amount, figure, note if size != frame else "")

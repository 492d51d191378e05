"""Sizes a VNF for a demand, by measured figures. Extrapolation is always marked."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import ceil

from vnfm.catalog.domain.dimensioning.answer import Answer, DimensionResult, Fit, OutcomeValue, UnitCount, VduSize
from vnfm.catalog.domain.dimensioning.capacity import NotKnown, covers, find_capacity
from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS, FORWARDING, RATES, Demand
from vnfm.catalog.domain.dimensioning.figures import Bound, Figure, Figures, HostType, Outcome, Sizing
from vnfm.catalog.domain.dimensioning.shape import Shape, choose_flavour, shape_of
from vnfm.catalog.domain.dimensioning.units import Quantity, ratio
from vnfm.catalog.domain.vnfd import Vnfd


@dataclass(frozen=True, slots=True)
class _Found:
    rows: tuple[DimensionResult, ...]
    unknown: tuple[str, ...]


def dimension(vnfd: Vnfd, figures: Figures, demand: Demand, host: HostType | None) -> Answer:
    """The smallest size that carries the demand on this host type, with the limiting dimensions and unknowns."""
    sizing = figures.sizing
    if sizing is None:
        return _unmeasured(vnfd, figures)
    found = _find(figures, sizing, demand, host)
    units = _units(sizing, found.rows, demand)
    rows = _binding([_for_units(row, units) for row in found.rows])
    outcomes = [outcome for outcome in sizing.outcomes if demand.amounts.keys() >= set(outcome.depends_on)]
    results = tuple(_result(outcome, figures, demand, host) for outcome in outcomes)
    flavour, short = choose_flavour(vnfd, host, _memory(results))
    shape = shape_of(vnfd, figures, flavour, units)
    reasons, beyond = _exceeded(rows)
    counted = tuple(_counted(figures, sizing, host, units))
    cores = {vdu: next(iter(figures.on_host(ids, host)), None) for vdu, ids in sizing.cores.items()}
    built = [figures.figures[each] for pair in sizing.companions for each in (pair.figure, pair.units)]
    sources = [row.figure for row in rows], [each.figure for each in results], [each.figure for each in counted]
    used = _once([*chain.from_iterable(sources), *cores.values(), *built])
    reasons = (*reasons, *shape.reasons)
    unknown = (*found.unknown, *beyond, *shape.unknown, *_unmeasured_size(vnfd, figures, host, shape, units))
    level = None if reasons else shape.smallest_level()
    return Answer(
        fit=Fit.DOES_NOT_FIT if reasons else Fit.NOT_KNOWN if unknown else Fit.FITS,
        flavour=flavour.id,
        scale_levels={} if reasons else shape.levels,
        level=level.id if level else "",
        level_is_exact=level is not None and level.scale_levels == shape.levels,
        rows=rows,
        vdus=_vdus(vnfd, shape, cores),
        counted=counted,
        results=results,
        reasons=reasons,
        warnings=(*short, *_warnings(used, figures)),
        unknown=(*unknown, *figures.unknown),
        figures=used,
    )


def _unmeasured_size(vnfd: Vnfd, figures: Figures, host: HostType | None, shape: Shape, units: int) -> Iterator[str]:
    """Yield sentences about differences between the size and every size that was measured."""
    unit = figures.sizing.unit if figures.sizing else None
    if unit is None:
        return
    measured = next(iter(figures.on_host(unit.together, host)), None)
    if measured is not None and units > measured.value.amount:
        most = int(measured.value.amount)
        yield f"{units} {unit.plural} together were not measured, only {most}."
    ports = shape.flavour.needs_of(vnfd.vdu(unit.vdu)).sriov_ports
    if host is not None and ports < host.sriov_ports:
        yield (
            f"{unit.name}: it had {host.sriov_ports} SR-IOV ports when it was measured; the flavour {shape.flavour.id} "
            f"has {ports}, which was not measured."
        )


def _unmeasured(vnfd: Vnfd, figures: Figures) -> Answer:
    """The package's default size, since there are no figures."""
    flavour = vnfd.flavours[0]
    shape = shape_of(vnfd, figures, flavour, 0)
    return Answer(
        fit=Fit.NOT_KNOWN,
        flavour=flavour.id,
        scale_levels=shape.levels,
        level=flavour.default_level,
        level_is_exact=True,
        vdus=_vdus(vnfd, shape, {}),
        unknown=("Nothing was measured that says how big this VNF must be.", *figures.unknown),
    )


def dimensions_of(sizing: Sizing | None) -> list[str]:
    """Dimensions that a demand on this VNF may have, in the order of DIMENSIONS."""
    if sizing is None:
        return []
    known = {bound.dimension for bound in sizing.bounds} | {
        each for bound in sizing.bounds for each in bound.depends_on
    }
    known |= {each for bound in sizing.bounds for each in bound.load}
    known |= {each for outcome in sizing.outcomes for each in outcome.depends_on}
    if FORWARDING in known:
        known |= set(RATES)
    if sizing.unit and sizing.unit.chosen_by:
        known.add(sizing.unit.chosen_by)
    return [each for each in DIMENSIONS if each in known]


def _find(figures: Figures, sizing: Sizing, demand: Demand, host: HostType | None) -> _Found:
    rows = []
    foreign = [each for each in demand.amounts if each not in dimensions_of(sizing)]
    unknown = [f"{DIMENSIONS[each].label}: this package has no figures for it." for each in foreign]
    for bound in sizing.bounds:
        for each in RATES if bound.dimension == FORWARDING else (bound.dimension,):
            if each not in demand.amounts:
                continue
            row = _row(bound, each, figures, demand, host)
            if isinstance(row, NotKnown):
                unknown.append(row.why)
            else:
                rows.append(row)
    return _Found(tuple(rows), tuple(dict.fromkeys(unknown)))


def _row(
    bound: Bound, dimension_id: str, figures: Figures, demand: Demand, host: HostType | None
) -> DimensionResult | NotKnown:
    """The result for one unit, or for the instance.

    A figure under more load than the demand has guarantees, and does not bound: up to the measured maximum one unit may
    carry the demand, so that no second one is asked for, and it is said that it was not tested.
    """
    found = find_capacity(bound, figures.on_host(bound.figures, host), demand, dimension_id)
    if isinstance(found, NotKnown):
        return found
    capacity, note = found.amount, found.note
    pool = next(iter(figures.on_host(bound.pool, host)), None)
    if pool is not None:
        capacity = capacity.times(1 / pool.value.amount)
        note = f"An equal share of what {int(pool.value.amount)} carried together. {note}".strip()
    wanted = demand.amounts[dimension_id]
    used = ratio(wanted, capacity) if capacity.amount else None
    under_more_load = pool is None and bool(found.figure.conditions.at.keys() - demand.amounts.keys())
    reach = found.most if under_more_load and found.most is not None and found.most.amount else capacity
    units = ceil(ratio(wanted, reach)) if bound.per_unit and used is not None else None
    return DimensionResult(dimension_id, wanted, capacity, used, found.figure, bound.per_unit, units, note, found.most)


def _units(sizing: Sizing, rows: tuple[DimensionResult, ...], demand: Demand) -> int:
    if sizing.unit is None:
        return 0
    if sizing.unit.chosen_by:
        chosen = demand.amounts.get(sizing.unit.chosen_by)
        return ceil(chosen.amount) if chosen else 0
    return max([1, *(row.units for row in rows if row.units is not None)])


def _for_units(row: DimensionResult, units: int) -> DimensionResult:
    """The result for the whole size."""
    if not row.per_unit or row.used is None:
        return row
    most = row.most.times(units) if row.most is not None else None
    return replace(row, capacity=row.capacity.times(units), used=row.used / units, most=most)


def _binding(rows: list[DimensionResult]) -> tuple[DimensionResult, ...]:
    scaled = [row for row in rows if row.per_unit] or rows
    fullest = max((row.used for row in scaled if row.used is not None), default=None)
    return tuple(
        replace(row, binds=(row in scaled and row.used == fullest) or row.used is None or row.used > 1) for row in rows
    )


def _exceeded(rows: tuple[DimensionResult, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """For dimensions above the guaranteed capacity: reasons why it does not fit, and unknowns."""
    reasons, unknown = [], []
    for row in rows:
        if row.used is not None and row.used <= 1:
            continue
        wanted = f"{DIMENSIONS[row.dimension].label}: {format_amount(row.demand, row.dimension)} is wanted"
        if row.most is not None and not row.demand <= row.most:
            carried = format_amount(row.most, row.dimension) if row.most.amount else "next to nothing"
            reasons.append(f"{wanted}; one instance carries {carried}.")
        elif row.capacity.amount:
            unknown.append(f"{wanted}; more than {format_amount(row.capacity, row.dimension)} was not tested.")
        else:
            unknown.append(f"{wanted}; whether so much is carried was not tested.")
    return tuple(reasons), tuple(unknown)


def format_amount(amount: Quantity, dimension_id: str) -> str:
    """In the largest unit that gives at least 1; without unit for dimensions that have only one."""
    units = DIMENSIONS[dimension_id].units
    unit = next((each for each in units if amount.number_in(each) >= 1), units[-1])
    number = f"{float(amount.number_in(unit)):,.2f}".rstrip("0").rstrip(".")
    return number if len(units) == 1 else f"{number} {unit}"


def _result(outcome: Outcome, figures: Figures, demand: Demand, host: HostType | None) -> OutcomeValue:
    candidates = figures.on_host(outcome.figures, host)
    if outcome.exact:
        candidates = [figure for figure in candidates if _same_conditions(figure, outcome, demand)]
    else:
        candidates = [figure for figure in candidates if covers(figure, demand, outcome.depends_on)]
    best = min(candidates, key=lambda figure: figure.value.amount, default=None)
    harder = best is not None and any(best.conditions.at[each] != demand.amounts[each] for each in outcome.depends_on)
    return OutcomeValue(outcome.name, best, outcome.memory_of, at_most=harder)


def _same_conditions(figure: Figure, outcome: Outcome, demand: Demand) -> bool:
    conditions = figure.conditions
    framed = conditions.frame is not None or conditions.imix
    same_frame = conditions.frame == demand.frame and conditions.imix == demand.imix
    same = all(conditions.at.get(each) == demand.amounts[each] for each in outcome.depends_on)
    return same and (same_frame or not framed)


def _memory(results: tuple[OutcomeValue, ...]) -> dict[str, Quantity]:
    """VDU to the memory that it needs."""
    memory: dict[str, Quantity] = {}
    for result in results:
        if result.memory_of and result.figure:
            needed, known = result.figure.value, memory.get(result.memory_of)
            memory[result.memory_of] = known if known and needed <= known else needed
    return memory


def _counted(figures: Figures, sizing: Sizing, host: HostType | None, units: int) -> Iterator[UnitCount]:
    if sizing.unit:
        yield UnitCount(sizing.unit.name if units == 1 else sizing.unit.plural, units, None)
    for count in sizing.counts:
        figure = next(iter(figures.on_host(count.figures, host)), None)
        if figure is not None:
            share = Fraction(units) / figure.value.amount if count.shared else units * figure.value.amount
            yield UnitCount(count.name, ceil(share), figure)


def _vdus(vnfd: Vnfd, shape: Shape, cores: dict[str, Figure | None]) -> tuple[VduSize, ...]:
    sizes = []
    for vdu in vnfd.vdus:
        needs, figure = shape.flavour.needs_of(vdu), cores.get(vdu.id)
        each = figure.value.amount if figure else None
        sizes.append(VduSize(vdu.id, shape.vnfcs[vdu.id], each, needs.vcpus, needs.memory_mib))
    return tuple(sizes)


def _once(found: Iterable[Figure | None]) -> tuple[Figure, ...]:
    return tuple({figure.id: figure for figure in found if figure is not None}.values())


def _warnings(used: tuple[Figure, ...], figures: Figures) -> Iterator[str]:
    ids = {figure.id for figure in used}
    for contradiction in figures.contradictions:
        if ids & set(contradiction.figures):
            yield contradiction.text
    for figure in used:
        for caveat in figure.caveats:
            yield f"{figure.name}: {caveat}"

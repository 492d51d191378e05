"""Properties that hold for every package and every demand."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.factories.packages import ROOT, shipped_folders
from tests.factories.sizing import shipped
from vnfm.catalog.domain.dimensioning.answer import Fit
from vnfm.catalog.domain.dimensioning.capacity import Capacity, find_capacity
from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS, FORWARDING, Demand
from vnfm.catalog.domain.dimensioning.reader import NAME
from vnfm.catalog.domain.dimensioning.sizing import dimension, dimensions_of
from vnfm.catalog.domain.dimensioning.units import Quantity, quantity

FOLDERS = [folder.relative_to(ROOT / "catalog").as_posix() for folder in shipped_folders() if (folder / NAME).is_file()]
WORSE = [Fit.FITS, Fit.NOT_KNOWN, Fit.DOES_NOT_FIT]
unhurried = settings(deadline=None)
"""The first question about a package reads it."""
FRAME_SIZES = st.integers(min_value=64, max_value=9216)


@st.composite
def questions(draw):
    """A package, a host and a demand on some of what its figures speak of."""
    folder = draw(st.sampled_from(FOLDERS))
    figures = shipped(folder)[1]
    host = draw(st.sampled_from([each.id for each in figures.hosts])) if figures.hosts else ""
    known = dimensions_of(figures.sizing) or ["routes"]
    chosen = draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    most = {figure.value.bases: figure.value.amount for figure in figures.figures.values()}
    amounts = {}
    for each in chosen:
        bases = DIMENSIONS[each].bases
        share = draw(st.fractions(min_value=0, max_value=3, max_denominator=1000))
        amounts[each] = Quantity(share * most.get(bases, Fraction(1000)), bases)
    frame = draw(st.none() | FRAME_SIZES)
    return folder, host, Demand(amounts, frame, frame is None and draw(st.booleans()))


def answered(question):
    folder, host, demand = question
    vnfd, figures = shipped(folder)
    return dimension(vnfd, figures, demand, figures.host(host))


@unhurried
@given(questions(), st.fractions(min_value=1, max_value=5, max_denominator=100), st.data())
def test_more_demand_never_gives_fewer_vms(question, factor, data):
    folder, host, demand = question
    grown = data.draw(st.sampled_from(sorted(demand.amounts)))
    more = Demand({**demand.amounts, grown: demand.amounts[grown].times(factor)}, demand.frame, demand.imix)
    one, other = answered(question), answered((folder, host, more))
    assert WORSE.index(one.fit) <= WORSE.index(other.fit)
    known = {row.dimension for row in one.rows} == {row.dimension for row in other.rows}
    if known:
        assert one.vms <= other.vms
        assert all(number <= dict_of(other)[name] for name, number in dict_of(one).items() if name in dict_of(other))


def dict_of(answer):
    return {each.name: each.number for each in answer.counted if each.figure is not None}


@unhurried
@given(questions())
def test_a_fit_has_headroom_and_a_misfit_reasons(question):
    answer = answered(question)
    if answer.fit is Fit.FITS:
        assert all(row.headroom is not None and row.headroom >= 0 for row in answer.rows)
        assert answer.reasons == ()
    if answer.fit is Fit.DOES_NOT_FIT:
        assert answer.reasons
        assert answer.scale_levels == {}
        assert answer.level == ""


@unhurried
@given(questions())
def test_one_unit_less_would_be_too_little(question):
    answer = answered(question)
    sizing = shipped(question[0])[1].sizing
    unit = sizing.unit if sizing else None
    if unit is None or unit.chosen_by or answer.counted[0].number == 1:
        return
    units = answer.counted[0].number
    assert any(row.per_unit and row.used * units > units - 1 for row in answer.rows)


@unhurried
@given(questions())
def test_a_level_that_is_named_suffices(question):
    answer = answered(question)
    if answer.level:
        level = shipped(question[0])[0].flavour(answer.flavour).level(answer.level)
        assert all(level.scale_levels[aspect] >= wanted for aspect, wanted in answer.scale_levels.items())
        assert answer.level_is_exact == (level.scale_levels == answer.scale_levels)


@unhurried
@given(questions(), FRAME_SIZES, FRAME_SIZES)
def test_bits_do_not_shrink_and_packets_do_not_grow_with_the_frame_size(question, one, other):
    folder, host, demand = question
    figures = shipped(folder)[1]
    small, large = sorted((one, other))
    for bound in figures.sizing.bounds if figures.sizing else ():
        for rate in ("packetRate", "throughput") if bound.dimension == FORWARDING else ():
            amounts = {**demand.amounts, rate: quantity(1, DIMENSIONS[rate].units[0])}
            candidates = figures.on_host(bound.figures, figures.host(host))
            left, right = (find_capacity(bound, candidates, Demand(amounts, size), rate) for size in (small, large))
            if isinstance(left, Capacity) and isinstance(right, Capacity):
                lesser, greater = (left, right) if rate == "throughput" else (right, left)
                assert lesser.amount <= greater.amount
                assert left.most is None or left.amount <= left.most

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories.packages import schema
from vnfm.catalog.domain.dimensioning.dimensions import DIMENSIONS
from vnfm.catalog.domain.dimensioning.units import UNITS, Quantity, UnitError, quantity, ratio

AMOUNTS = st.fractions(min_value=0, max_value=10**12)
NAMES = st.sampled_from(sorted(UNITS))


def test_decimal_quantities_are_exact():
    assert ratio(quantity(7.2, "Mpps"), quantity(2.4, "Mpps")) == 3
    assert ratio(quantity("0.7", "Mpps"), quantity(0.1, "Mpps")) == 7


def test_packets_of_a_size_are_bits():
    rate = quantity(57.5, "Mpps") * (quantity(84, "B") / quantity(1, "packet"))
    assert float(rate.number_in("Gbit/s")) == pytest.approx(38.64)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ratio(quantity(1, "Gbit/s"), quantity(1, "Mpps")),
        lambda: quantity(1, "session").number_in("session/s"),
        lambda: quantity(1, "GB") <= quantity(1, "s"),
        lambda: quantity(1, "furlong"),
    ],
)
def test_incompatible_units_are_refused(wrong):
    with pytest.raises(UnitError):
        wrong()


@given(AMOUNTS, NAMES)
def test_there_and_back_is_the_same(amount, unit):
    size, bases = UNITS[unit]
    assert Quantity(amount * size, bases).number_in(unit) == amount


@given(AMOUNTS, NAMES, NAMES)
def test_units_of_one_kind_convert_by_their_sizes(amount, one, other):
    (size, bases), (other_size, other_bases) = UNITS[one], UNITS[other]
    if bases == other_bases:
        assert Quantity(amount * size, bases).number_in(other) == amount * size / other_size


@given(AMOUNTS, NAMES, st.fractions(min_value=Fraction(1, 10**9), max_value=10**9), NAMES)
def test_multiplying_and_dividing_cancel(amount, one, factor, other):
    (size, bases), (other_size, other_bases) = UNITS[one], UNITS[other]
    left, right = Quantity(amount * size, bases), Quantity(factor * other_size, other_bases)
    assert left * right / right == left


def test_the_schema_knows_the_same_units_and_dimensions():
    definitions = schema("figures")["$defs"]
    assert set(definitions["unit"]["enum"]) | {"bit", "packet"} == set(UNITS)
    assert set(definitions["dimension"]["enum"]) | {"packetRate", "throughput", "wireRate"} == set(DIMENSIONS)


def test_every_dimension_has_units_of_one_kind():
    for each in DIMENSIONS.values():
        assert {UNITS[unit][1] for unit in each.units} == {each.bases}

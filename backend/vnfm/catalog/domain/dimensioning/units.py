"""Quantities with units: different kinds cannot be combined, and nothing is rounded.

The units are a closed list, since packages are not trusted. Magnitudes are fractions: with floats, 0.7 Mpps at 0.1 Mpps
per VM would be 6.999…, and other results would be one VM too many.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

Bases = tuple[tuple[str, int], ...]
"""Base units with their exponents, in alphabetical order; empty for a plain number."""

_COUNTED = (
    "session", "bearer", "subscriber", "route", "peer", "MAC", "flow", "service", "eNodeB", "MME",
    "VM", "vRouter", "core", "socket", "server", "port", "slot", "packet",
)  # fmt: skip


class UnitError(ValueError):
    """An unknown unit, or quantities of different kinds."""


def _bases(**exponents: int) -> Bases:
    return tuple(sorted(exponents.items()))


_BIT_RATE, _PACKET_RATE = _bases(bit=1, s=-1), _bases(packet=1, s=-1)
UNITS: Mapping[str, tuple[Fraction, Bases]] = MappingProxyType(
    {
        **{name: (Fraction(1), _bases(**{name: 1})) for name in _COUNTED},
        **{f"{name}/s": (Fraction(1), _bases(**{name: 1, "s": -1})) for name in ("session", "route", "MAC")},
        "pps": (Fraction(1), _PACKET_RATE),
        "kpps": (Fraction(10**3), _PACKET_RATE),
        "Mpps": (Fraction(10**6), _PACKET_RATE),
        "bit/s": (Fraction(1), _BIT_RATE),
        "Mbit/s": (Fraction(10**6), _BIT_RATE),
        "Gbit/s": (Fraction(10**9), _BIT_RATE),
        "Tbit/s": (Fraction(10**12), _BIT_RATE),
        "bit": (Fraction(1), _bases(bit=1)),
        "B": (Fraction(8), _bases(bit=1)),
        "MiB": (Fraction(8 * 2**20), _bases(bit=1)),
        "GB": (Fraction(8 * 10**9), _bases(bit=1)),
        "us": (Fraction(1, 10**6), _bases(s=1)),
        "ms": (Fraction(1, 10**3), _bases(s=1)),
        "s": (Fraction(1), _bases(s=1)),
        "h": (Fraction(3600), _bases(s=1)),
        "W": (Fraction(1), _bases(W=1)),
        "W/(Gbit/s)": (Fraction(1, 10**9), _bases(W=1, bit=-1, s=1)),
        "%": (Fraction(1, 100), ()),
        "ppm": (Fraction(1, 10**6), ()),
    }
)
"""Symbol to its size in base units."""


@dataclass(frozen=True, slots=True)
class Quantity:
    amount: Fraction
    """In base units."""
    bases: Bases

    def __mul__(self, other: "Quantity") -> "Quantity":
        return Quantity(self.amount * other.amount, _combined(self.bases, other.bases, 1))

    def __truediv__(self, other: "Quantity") -> "Quantity":
        """Raises ZeroDivisionError."""
        return Quantity(self.amount / other.amount, _combined(self.bases, other.bases, -1))

    def __le__(self, other: "Quantity") -> bool:
        _same(self.bases, other.bases)
        return self.amount <= other.amount

    def times(self, factor: Fraction | int) -> "Quantity":
        return Quantity(self.amount * factor, self.bases)

    def number_in(self, unit: str) -> Fraction:
        """The number in this unit; raises UnitError for a unit of another kind."""
        size, bases = _known(unit)
        _same(self.bases, bases)
        return self.amount / size


def quantity(value: object, unit: str) -> Quantity:
    """The exact value as written, such as 57.5 for "57.5"; raises UnitError for an unknown unit."""
    size, bases = _known(unit)
    return Quantity(Fraction(str(value)) * size, bases)


def ratio(part: Quantity, whole: Quantity) -> Fraction:
    """Raises UnitError for different kinds, ZeroDivisionError for a zero `whole`."""
    _same(part.bases, whole.bases)
    return part.amount / whole.amount


def _known(unit: str) -> tuple[Fraction, Bases]:
    if unit not in UNITS:
        raise UnitError(f"There is no unit {unit!r}; known are {', '.join(UNITS)}.")
    return UNITS[unit]


def _same(one: Bases, other: Bases) -> None:
    if one != other:
        raise UnitError(f"{_name(one)} and {_name(other)} are different kinds of quantity.")


def _combined(one: Bases, other: Bases, sign: int) -> Bases:
    exponents = dict(one)
    for base, exponent in other:
        exponents[base] = exponents.get(base, 0) + sign * exponent
    return _bases(**{base: exponent for base, exponent in exponents.items() if exponent})


def _name(bases: Bases) -> str:
    return " ".join(base if exponent == 1 else f"{base}^{exponent}" for base, exponent in bases) or "a plain number"

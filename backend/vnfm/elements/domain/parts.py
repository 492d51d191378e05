"""The parts of an element that can be read separately."""

from typing import Literal, get_args

Part = Literal["EQUIPMENT", "INTERFACES", "BGP", "FACTS", "NEIGHBOURS"]

PARTS: tuple[Part, ...] = get_args(Part)


def parts_of(scope: list[str]) -> frozenset[str]:
    """The parts of a stored scope; an empty one means all."""
    return frozenset(scope or PARTS)

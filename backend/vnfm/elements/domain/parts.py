"""What of an element can be read by itself."""

from typing import Literal, get_args

Part = Literal["EQUIPMENT", "INTERFACES", "BGP", "FACTS", "NEIGHBOURS"]

PARTS: tuple[Part, ...] = get_args(Part)


def parts_of(scope: list[str]) -> frozenset[str]:
    """The parts that a stored scope means: an empty one means all."""
    return frozenset(scope or PARTS)

"""Allocates numbers (addresses, VLANs) from ranges, the lowest free one first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Exhausted(Exception):
    """All numbers are used."""


class Allocator:
    """Allocates numbers of closed ranges; n numbers take time in proportion to n, not to its square."""

    def __init__(self, ranges: Sequence[tuple[int, int]], used: Iterable[int] = ()) -> None:
        self._ranges = sorted(ranges)
        self._used = set(used)
        self._low = self._ranges[0][0] if self._ranges else 0
        """The number below which none is free."""

    def take(self) -> int:
        """Allocate the lowest free number. Raises Exhausted."""
        for first, last in self._ranges:
            number = max(first, self._low)
            while number <= last:
                if number not in self._used:
                    self._used.add(number)
                    self._low = number + 1
                    return number
                number += 1
        self._low = self._ranges[-1][1] + 1 if self._ranges else 0
        raise Exhausted

    def take_exactly(self, number: int) -> bool:
        """Allocate a number inside or outside of the ranges; return False if it is used."""
        if number in self._used:
            return False
        self._used.add(number)
        return True

    def release(self, number: int) -> None:
        self._used.discard(number)
        self._low = min(self._low, number)

"""Handing out numbers (addresses, VLANs) from ranges, lowest free first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Exhausted(Exception):
    """No number is left."""


class Allocator:
    """Numbers of closed ranges. Taking n numbers costs time in proportion to n, not to its square."""

    def __init__(self, ranges: Sequence[tuple[int, int]], used: Iterable[int] = ()) -> None:
        self._ranges = sorted(ranges)
        self._used = set(used)
        self._low = self._ranges[0][0] if self._ranges else 0
        """No number below this is free."""

    def take(self) -> int:
        """The lowest free number. Raises Exhausted."""
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
        """Take a number, in the ranges or not; False when it is taken."""
        if number in self._used:
            return False
        self._used.add(number)
        return True

    def release(self, number: int) -> None:
        self._used.discard(number)
        self._low = min(self._low, number)

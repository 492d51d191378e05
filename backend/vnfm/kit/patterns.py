r"""Regular expressions for text of other systems: devices, clouds, guests, packages.

RE2 takes time in proportion to the text, whatever the text is; Python's `re` takes hours for 1 MB of blank lines that
meet `^\s*Error`. RE2's syntax is Python's without lookaround and backreferences. Its `\d`, `\w` and `\s` are ASCII, and
`$` is the very end of the text, or with `(?m)` of a line.

Each match found costs some 2 µs: what may match at every character is better a plain set of characters of `re`, which
is linear too.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, cast

import re2

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False


class Match:
    """A match; a group that has no part in it is None."""

    __slots__ = ("_found",)

    def __init__(self, found: Any) -> None:  # re2 has no types
        self._found = found

    def __getitem__(self, group: int | str) -> str | Any:  # Any: as in `re`, the caller knows which groups take part
        octets: bytes | None = self._found[group]
        return octets if octets is None else octets.decode()

    def groups(self) -> tuple[str | None, ...]:
        return tuple(part if part is None else part.decode() for part in self._found.groups())

    def start(self) -> int:
        """The position of its first character; takes time in proportion to that."""
        return len(self._found.string[: self._found.start()].decode())

    def end(self) -> int:
        """The position after its last character; takes time in proportion to that."""
        return len(self._found.string[: self._found.end()].decode())

    def replaced(self, group: str, instead: str) -> str:
        """The matched text with another text for the group; as it is where the group has no part in it."""
        number = self._found.re.groupindex[group]
        whole, (start, end), base = self._found[0], self._found.span(number), self._found.start()
        if start < 0:
            return cast("str", whole.decode())
        return cast("str", (whole[: start - base] + instead.encode() + whole[end - base :]).decode())


class Pattern:
    """A compiled expression with the methods of `re.Pattern`."""

    __slots__ = ("_compiled", "pattern")

    def __init__(self, expression: str) -> None:
        self.pattern = expression
        try:
            self._compiled: Any = re2.compile(expression, _OPTIONS)  # re2 has no types
        except re2.error as error:
            raise ValueError(f"RE2 does not compile {expression!r}: {error}") from error

    def search(self, text: str) -> Match | None:
        found = self._compiled.search(_octets(text))
        return None if found is None else Match(found)

    def match(self, text: str) -> Match | None:
        found = self._compiled.match(_octets(text))
        return None if found is None else Match(found)

    def fullmatch(self, text: str) -> Match | None:
        found = self._compiled.fullmatch(_octets(text))
        return None if found is None else Match(found)

    def finditer(self, text: str) -> Iterator[Match]:
        return map(Match, self._compiled.finditer(_octets(text)))

    def sub(self, instead: str | Callable[[Match], str], text: str) -> str:
        """`instead` is taken literally, or called with each match."""
        fill = instead if callable(instead) else lambda _: instead
        return cast("str", self._compiled.sub(lambda found: fill(Match(found)).encode(), _octets(text)).decode())


@lru_cache(maxsize=1024)
def pattern(expression: str) -> Pattern:
    """The compiled expression; flags are written in it, as `(?im)`. Raises ValueError where RE2 refuses it."""
    return Pattern(expression)


def escape(text: str) -> str:
    """The text as an expression that matches nothing else."""
    return cast("str", re2.escape(text))


def _octets(text: str) -> bytes:
    """JSON may hold halves of surrogate pairs, which have no UTF-8: each becomes "?"."""
    return text.encode(errors="replace")

"""HOT's `allowed_pattern` without Python's matcher, which a vendor's `(a+)+$` can keep busy for years.

The pattern is read by Python's own parser. Matching then follows all ways through it at once, as a set of places in
the text; each place is entered once per repeat, and the work as a whole has a bound.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

MAX_LENGTH = 1000
"""Characters of a pattern, and of a value that is held against one."""
MAX_DEPTH = 30
"""Of groups in groups."""
MAX_WORK = 500_000
"""Characters looked at in one match: well under a second."""

_PLAIN = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})
_ANCHORS = frozenset({"AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING"})
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT"})
_LOOKAHEADS = frozenset({"ASSERT", "ASSERT_NOT"})
_parser: Any = import_module("re._parser")  # what re.compile itself reads patterns with; typeshed leaves it out


class PatternError(Exception):
    """The pattern cannot be used, or not for this value; the message says why, as a sentence."""


def pattern_fault(pattern: str) -> str:
    """Why a package must not have this pattern, as a sentence; "" when it may."""
    try:
        _parsed(pattern)
    except PatternError as error:
        return str(error)
    return ""


def matches(pattern: str, text: str) -> bool:
    """As `re.fullmatch`, in bounded time. Raises PatternError when it would take more, or cannot be told at all."""
    if len(text) > MAX_LENGTH:
        raise PatternError(f"Only {MAX_LENGTH} characters can be checked against a pattern, not {len(text)}.")
    return len(text) in _Walk(text).ends(_parsed(pattern), {0})


@lru_cache(maxsize=256)
def _parsed(pattern: str) -> Any:
    if len(pattern) > MAX_LENGTH:
        raise PatternError(f"The pattern is longer than {MAX_LENGTH} characters.")
    try:
        tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"This is not a regular expression: {error}.") from error
    if tree.state.flags & ~re.UNICODE:
        raise PatternError("The pattern must not set flags such as (?i).")
    _check(tree, MAX_DEPTH)
    return tree


def _check(nodes: Any, depth: int) -> None:
    if depth == 0:
        raise PatternError(f"The pattern nests groups more than {MAX_DEPTH} deep.")
    for code, value in nodes:
        name = str(code)
        lookahead = name in _LOOKAHEADS and value[0] == 1
        known = name in _PLAIN or name in _REPEATS or name in {"SUBPATTERN", "BRANCH"} or lookahead
        if not known and not (name == "AT" and str(value) in _ANCHORS):
            raise PatternError(f"The pattern uses {name.lower()}, which cannot be checked in bounded time.")
        if name == "SUBPATTERN" and (value[1] or value[2]):
            raise PatternError("The pattern must not set flags such as (?i).")
        for child in _children(name, value):
            _check(child, depth - 1)


def _children(name: str, value: Any) -> Iterable[Any]:
    if name == "BRANCH":
        return tuple(value[1])
    return (value[-1],) if name in _REPEATS or name in _LOOKAHEADS or name == "SUBPATTERN" else ()


class _Walk:
    """All ways of one pattern through one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.work = 0

    def ends(self, nodes: Any, starts: set[int]) -> set[int]:
        """Where a match of the nodes, one after the other, can end that starts at one of `starts`."""
        for code, value in nodes:
            self.work += len(starts) + 1
            if self.work > MAX_WORK:
                raise PatternError("The pattern is too intricate to be checked against this value.")
            starts = set(self._step(str(code), value, starts))
        return starts

    def _step(self, name: str, value: Any, starts: set[int]) -> Iterator[int]:
        if name in _PLAIN:
            size = len(self.text)
            yield from (at + 1 for at in starts if at < size and _fits(name, value, self.text[at]))
        elif name == "AT":
            yield from (at for at in starts if self._anchored(str(value), at))
        elif name in _LOOKAHEADS:
            yield from (at for at in starts if bool(self.ends(value[1], {at})) == (name == "ASSERT"))
        elif name in _REPEATS:
            least, most, body = value
            yield from self._repeated(least, most, body, starts)
        else:
            for child in _children(name, value):
                yield from self.ends(child, starts)

    def _repeated(self, least: int, most: int, body: Any, starts: set[int]) -> set[int]:
        places = starts
        for _ in range(least):
            if not places:
                break
            places = self.ends(body, places)
        found, fresh, count = set(places), places, least
        while fresh and count < most:
            fresh = self.ends(body, fresh) - found
            found |= fresh
            count += 1
        return found

    def _anchored(self, anchor: str, at: int) -> bool:
        if anchor.startswith("AT_BEGINNING"):
            return at == 0
        rest = self.text[at:]
        return not rest or (anchor == "AT_END" and rest == "\n")


def _fits(name: str, value: Any, character: str) -> bool:
    """Whether one part that takes a single character takes this one."""
    if name == "IN":
        negated = str(value[0][0]) == "NEGATE"
        return any(_fits(str(code), item, character) for code, item in value[negated:]) != negated
    if name == "ANY":
        return character != "\n"
    if name == "RANGE":
        return bool(value[0] <= ord(character) <= value[1])
    if name == "CATEGORY":
        return _in_category(str(value).removeprefix("CATEGORY_"), character)
    return (character == chr(value)) == (name == "LITERAL")


def _in_category(category: str, character: str) -> bool:
    kind = category.removeprefix("NOT_")
    inside = {
        "DIGIT": character.isdecimal(),
        "SPACE": character.isspace(),
        "WORD": character.isalnum() or character == "_",
    }[kind]
    return inside == (kind == category)

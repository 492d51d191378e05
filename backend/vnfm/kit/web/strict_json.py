"""JSON from outside, without what neither PostgreSQL nor our own code can hold (a profile as RFC 7493 is one)."""

import json
import math
import re
from typing import Any, NoReturn

MAX_DEPTH = 32
"""Arrays and objects within each other."""

_INTEGERS = range(-(2**63), 2**64)
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class InvalidJsonError(ValueError):
    """`pointer` (RFC 6901) leads to what is refused, "" to all of it; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self._path: list[str] = []

    @property
    def pointer(self) -> str:
        return "".join(f"/{part}" for part in self._path)

    def below(self, key: object) -> "InvalidJsonError":
        """The same error, seen from the array or object that holds its place at `key`."""
        shown = _NO_TEXT.sub("\ufffd", str(key))
        self._path.insert(0, shown.replace("~", "~0").replace("/", "~1"))
        return self


def loads(text: str | bytes) -> Any:
    """The value that `text` (bytes: UTF-8) describes.

    Raises InvalidJsonError for any other text, and for a depth above MAX_DEPTH, the character U+0000, a lone surrogate,
    and a number beyond 64 bits.
    """
    try:
        value = json.loads(text if isinstance(text, str) else text.decode(), parse_constant=_refuse_constant)
    except RecursionError as error:
        raise InvalidJsonError(_TOO_DEEP) from error
    except InvalidJsonError:
        raise
    except ValueError as error:
        raise InvalidJsonError(f"This is no JSON: {error}.") from error
    _check(value, 1)
    return value


_TOO_DEEP = f"Arrays and objects may be nested {MAX_DEPTH} deep."


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidJsonError(f"{name} is no number in JSON.")


def _check(value: Any, depth: int) -> None:
    """Raises InvalidJsonError; recursive, at most MAX_DEPTH deep."""
    if isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise InvalidJsonError(_TOO_DEEP)
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            try:
                _check(key, depth)
                _check(item, depth + 1)
            except InvalidJsonError as error:
                raise error.below(key) from error.__cause__
    elif isinstance(value, str):
        if _NO_TEXT.search(value):
            raise InvalidJsonError("A text cannot hold the character U+0000, nor half of a surrogate pair.")
    elif not _is_number_of_64_bits(value):
        raise InvalidJsonError("The number is too large.")


def _is_number_of_64_bits(value: float | bool | None) -> bool:
    """None and booleans pass, too."""
    return math.isfinite(value) if isinstance(value, float) else value is None or value in _INTEGERS

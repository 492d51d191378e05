r"""HOT's `allowed_pattern`, matched by RE2 in linear time, where Python's `re` takes years for a vendor's `(a+)+$`.

RE2 has Python's syntax but for a few spellings, which are translated. It has no lookaround and no backreferences:
patterns with these only Heat checks. Its `\d`, `\w` and `\s` are ASCII, as in Liberty's Heat on Python 2 (ADR-0035).
"""

import re
from functools import lru_cache
from typing import Any

import re2

MAX_LENGTH = 1000
"""Characters of a pattern, and of a value that is matched; also RE2's limit for a count in `{min,max}`."""
_TOKEN: Any = re2.compile(
    r"(?s)\\.|(?P<set>\[\^?\]?(?:\\.|[^\\\]])*\])|\{(?P<min>\d*),(?P<max>\d*)\}|(?P<flags>\(\?[aiLmsux-]+[:)])"
)
_OPTIONS = re2.Options()
_OPTIONS.max_mem = 1 << 20
_OPTIONS.log_errors = False


class PatternError(Exception):
    """The pattern is not a regular expression; the message says why, as a sentence."""


class UncheckedError(PatternError):
    """The pattern is one for Heat, but cannot be matched here in bounded time."""


def pattern_fault(pattern: str) -> str:
    """Why no package can have this pattern, as a sentence; "" when one can."""
    try:
        _compiled(pattern)
    except UncheckedError:
        return ""
    except PatternError as error:
        return str(error)
    return ""


def unchecked_reason(pattern: str) -> str:
    """Why values cannot be checked against the pattern, as a sentence; "" when they can."""
    try:
        _compiled(pattern)
    except PatternError as error:
        return str(error)
    return ""


def matches(pattern: str, text: str) -> bool:
    """Return, as Heat does, whether the first match at the begin of the text is the whole text. Raises PatternError.

    That is less than a full match: `a|ab` does not match `ab` (heat/engine/constraints.py, AllowedPattern).
    """
    if len(text) > MAX_LENGTH:
        raise UncheckedError(f"Only {MAX_LENGTH} characters can be checked against a pattern, not {len(text)}.")
    subject = text.encode(errors="replace")
    found = _compiled(pattern).match(subject)
    return found is not None and found.end() == len(subject)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:  # re2 has no types
    if len(pattern) > MAX_LENGTH:
        raise UncheckedError(f"The pattern is longer than {MAX_LENGTH} characters.")
    pattern = pattern.encode(errors="replace").decode()  # Half of a surrogate pair has no UTF-8.
    try:
        re.compile(_TOKEN.sub(_without_flags, pattern))
        return re2.compile(_TOKEN.sub(_translated, pattern).encode(), _OPTIONS)
    except re2.error as error:
        message = (
            f"The pattern cannot be checked in bounded time ({error.args[0].decode()}). Do without lookaround, "
            "backreferences and other extensions."
        )
        raise UncheckedError(message) from error
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"This is not a regular expression: {error}.") from error


def _without_flags(token: Any) -> str:
    """Drop flags such as (?i): behind the begin, Python 3.11 refuses them, and Heat on an older one takes them."""
    return "" if (token["flags"] or "").endswith(")") else token[0]


def _translated(token: Any) -> str:
    """Translate what the two write differently: the text's end, `[` in a set, `{,max}`, counts beyond RE2's limit."""
    text = token[0]
    if token["flags"]:
        raise UncheckedError("The pattern sets flags such as (?i), so it cannot be checked in bounded time.")
    if token["set"]:
        return "[" + re.sub(r"(?s)(\\.)|\[", lambda found: found[1] or r"\[", text[1:])
    if token["max"] is not None:
        return f"{{{token['min'] or 0},{token['max'] if int(token['max'] or 0) <= MAX_LENGTH else ''}}}"
    return r"\z" if text == r"\Z" else text

"""The language of configuration templates: text with holes, `${setting.fabric_mtu}`, and nothing else.

No expressions, loops or escapes: a package comes from somebody else and must not be able to compute. What repeats is a
template of its own, rendered once for each component. A `$` that begins no hole is itself.
"""

import re
from collections.abc import Iterator, Mapping

_HOLE = re.compile(r"\$\{([^{}\n]*)\}")
_UNFIT = re.compile(r'["\x00-\x1f\x7f]')
"""A value with one of these would end the line or the quoted text that it stands in, and begin another command."""


class UndefinedNameError(LookupError):
    """A hole that nothing fills; the argument is its name."""


def names(text: str) -> Iterator[tuple[int, str]]:
    """The holes of a template: line, from 1, and name."""
    for number, line in enumerate(text.splitlines(), start=1):
        for found in _HOLE.finditer(line):
            yield number, found[1]


def render(text: str, values: Mapping[str, str]) -> str:
    """The text with its holes filled. Raises UndefinedNameError, and ValueError with a sentence for an unfit value."""

    def fill(found: "re.Match[str]") -> str:
        name = found[1]
        if name not in values:
            raise UndefinedNameError(name)
        if _UNFIT.search(values[name]):
            raise ValueError(f"{name} has a quotation mark or a control character, so no configuration can have it.")
        return values[name]

    return _HOLE.sub(fill, text)

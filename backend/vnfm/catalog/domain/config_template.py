"""The language of configuration templates: text with placeholders such as `${setting.fabric_mtu}`.

No expressions, loops or escapes: packages are not trusted and must not run code. Text that repeats is a template of its
own, rendered once for each component. Any other `$` is plain text.
"""

from collections.abc import Iterator, Mapping

from vnfm.kit.patterns import Match, pattern

_PLACEHOLDER = pattern(r"\$\{([^{}\n]*)\}")
_FORBIDDEN = pattern(r'["\x00-\x1f\x7f]')
"""Characters that would end the line or the quoted text, so that the value could begin another command."""
_NUMBERED = pattern(r"(?:^|\s)[\w-]+/(\d+)=(\S+)")


class UndefinedNameError(LookupError):
    """A placeholder without a value; the argument is its name."""


def names(text: str) -> Iterator[tuple[int, str]]:
    """The placeholders of a template: line, from 1, and name."""
    for number, line in enumerate(text.splitlines(), start=1):
        for found in _PLACEHOLDER.finditer(line):
            yield number, found[1]


def numbered_words(text: str) -> list[tuple[str, str]]:
    """Number and value of each word such as `mda/1=m20-v`, in order: how a boot string lists the parts of a card."""
    return [(found[1], found[2]) for found in _NUMBERED.finditer(text)]


def render(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders. Raises UndefinedNameError, and ValueError with a sentence for a forbidden value."""

    def fill(found: Match) -> str:
        name = found[1]
        if name not in values:
            raise UndefinedNameError(name)
        if _FORBIDDEN.search(values[name]):
            raise ValueError(
                f"{name} has a quotation mark or a control character, which a configuration must not have."
            )
        return values[name]

    return _PLACEHOLDER.sub(fill, text)

"""Changes that FRR's vtysh loads as a file: `vtysh -C -f` checks one, `vtysh -f` loads it."""

from collections.abc import Sequence

from vnfm.configuration.domain.statements import Line, Syntax
from vnfm.kit.patterns import pattern

_ERROR = pattern(r"(?m)^line (\d{1,9}): (.*)$")
_OUTER = pattern(
    r"(?:interface|router|route-map|vrf|bfd|line vty|key chain|l2vpn|nexthop-group|pbr-map|segment-routing|affinity-map"
    r"|mpls ldp|debug-group)\b.*"
)
_LEAF = pattern(r" .* daemon\b")
_INNER = pattern(r"(?:address-family|peer|profile|key \d+|vni|member|segment-list|policy|pcep|srv6)\b.*")
"""Lines that open a context in the configuration, and in such a context."""


def file_text(lines: Sequence[Line]) -> str:
    """The file with these lines, each on the line of its place in the sequence, from 1."""
    return "".join(f"{line.text}\n" for line in lines)


def line_errors(output: str) -> dict[int, str]:
    """Errors of vtysh by the line of the file, in order."""
    return {int(found[1]): found[2].strip() for found in _ERROR.finditer(output)}


def outer_exit_before(syntax: Syntax, lines: Sequence[Line], number: int) -> int | None:
    """The place of a line that left the configuration right before line `number`, from 0; None where none did.

    A vtysh that has left it refuses all that follows.
    """
    depth, outer = 0, None
    for place, line in enumerate(lines[: number - 1]):
        text = line.text.strip()
        if text in syntax.closers:
            outer = place if depth == 0 else None
            depth = max(0, depth - 1)
        else:
            outer = None
            depth = 2 if depth and _INNER.fullmatch(text) else 1 if _opens(text) else depth
    return outer


def _opens(text: str) -> bool:
    """`debug-group … daemon` and its like are leaves."""
    return _OUTER.fullmatch(text) is not None and _LEAF.search(text) is None

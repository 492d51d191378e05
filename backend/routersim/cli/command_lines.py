"""Which command line an element has: its family's, or another one that some of the family have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from routersim.cli.md_shell import MdShell
from routersim.cli.shell import SHELLS, Shell
from routersim.cli.vrp5_shell import Vrp5Shell

if TYPE_CHECKING:
    from routersim.router import Router

COMMAND_LINES: Mapping[str, Mapping[str, type[Shell]]] = {"sros": {"md-cli": MdShell}, "vrp": {"vrp5": Vrp5Shell}}
"""Others than the usual one, by family and name."""


def shell_of(router: Router) -> Shell:
    """A new session."""
    kind = router.element.behaviour.command_line
    return (COMMAND_LINES[router.family][kind] if kind else SHELLS[router.family])(router)

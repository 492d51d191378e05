"""The choice of an element's command line: its family's usual one, or another one of the family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from routersim.cli.md_shell import MdShell
from routersim.cli.shell import SHELLS, Shell
from routersim.cli.vrp5_shell import Vrp5Shell

if TYPE_CHECKING:
    from routersim.router import Router

_OTHERS: Mapping[str, type[Shell]] = {"md-cli": MdShell, "vrp5": Vrp5Shell}
"""The shells of `model.kinds.COMMAND_LINES`."""


def shell_of(router: Router) -> Shell:
    """Open a new session."""
    kind = router.element.behaviour.command_line
    return (_OTHERS[kind] if kind else SHELLS[router.family])(router)

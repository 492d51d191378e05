"""The command line of VRP 5, which has no candidate: every line of the system view takes effect at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from routersim.cli.config import RejectedLine
from routersim.cli.shell import VrpShell
from routersim.cli.show import show
from routersim.cli.vrp_cipher import decrypted

if TYPE_CHECKING:
    from routersim.router import Router

_MISSING = re.compile(r"commit.*|abort.*|clear configuration.*|display configuration.*|rollback.*")


class Vrp5Shell(VrpShell):
    """The command line of VRP 5, whose prompts have neither ~ nor *."""

    def __init__(self, router: Router) -> None:
        super().__init__(router)
        self._in_system_view = False

    def prompt(self) -> str:
        name = self.router.element.sys_name
        place = "".join(f"-{part.replace('interface ', '').replace(' ', '')}" for part in self.context)
        return f"[{name}{place}]" if self._in_system_view else f"<{name}>"

    def _run(self, line: str) -> str:
        if _MISSING.fullmatch(line):
            raise RejectedLine(f"      ^\n{self.grammar.bad_line}")
        if line == "system-view":
            self._in_system_view = True
            return "Enter system view, return user view with Ctrl+Z."
        if line == "return" or (line == "quit" and self._in_system_view and not self.context):
            self._in_system_view, self.context = False, ()
            return ""
        if line == "quit" and self.context:
            self.context = self.context[:-1]
            return ""
        if line.startswith(("save", "screen-", "quit", "#", "!")) or not line:
            return super()._run(line)
        output = show(self.router, line)
        if output is not None:
            return output
        if not self._in_system_view:
            raise RejectedLine(f"      ^\n{self.grammar.bad_line}")
        return self._edit(decrypted(line))

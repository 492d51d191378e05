"""Command line sessions with context and candidate, a class per family; `ssh` has their input and output."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from routersim.cli.config import GRAMMARS, SEPARATOR, Path, RejectedLine, apply_line, parse, render, split_words
from routersim.cli.confirmed_commit import confirmed_commit_of
from routersim.cli.model import check, commit, running
from routersim.cli.show import show
from routersim.cli.vrp_cipher import decrypted

if TYPE_CHECKING:
    from collections.abc import Callable

    from routersim.router import Router


MIN_TRIAL_SECONDS, TRIAL_SECONDS, MAX_TRIAL_SECONDS = 60, 600, 65_535
"""Limits and default of VRP's `commit trial`, in seconds."""


class SessionEnded(Exception):
    """The session is over."""


class Shell:
    """The common part of both families: a context, a candidate, and lines that change it."""

    def __init__(self, router: Router) -> None:
        self.router = router
        self.grammar = GRAMMARS[router.family]
        self.context: Path = ()
        self.candidate: list[str] | None = None
        """The configuration being edited; None while changes take effect at once."""
        self._question = ""
        self._then: Callable[[str], str] | None = None

    def greeting(self) -> str:
        return ""

    def prompt(self) -> str:
        raise NotImplementedError

    def prompt_or_question(self) -> str:
        """Return the question that the next line answers, or the prompt."""
        return self._question or self.prompt()

    def close(self) -> None:
        """End the session."""

    def run(self, line: str) -> str:
        """Run a line and return its output. Raises SessionEnded."""
        try:
            if self._then is not None:
                then, self._then, self._question = self._then, None, ""
                return then(line.strip()[:1].upper())
            return self._run(line.strip())
        except RejectedLine as error:
            return str(error)

    def _run(self, line: str) -> str:
        raise NotImplementedError

    def _ask_user(self, question: str, then: Callable[[str], str]) -> None:
        """Ask a question; `then` gets the first letter of the next line."""
        self._question, self._then = question, then

    def _edit(self, line: str) -> str:
        """Apply a line of configuration."""
        context, leaf = parse(self.grammar, self.context, split_words(line))
        if not leaf:
            self.context = context
            return ""
        target = running(self.router) if self.candidate is None else self.candidate
        apply_line(self.grammar, target, context, leaf)
        if self.candidate is None:
            commit(self.router, target, checkpoint=False)
        return ""

    def _revert(self, number: int) -> str:
        checkpoints = self.router.element.checkpoints
        if number >= len(checkpoints):
            raise RejectedLine("Error: there is no such checkpoint.")
        commit(self.router, list(checkpoints[number]))
        return ""


class SrosShell(Shell):
    """The classic command line of SR OS: changes apply at once, or with `candidate edit` at `candidate commit`."""

    def __init__(self, router: Router) -> None:
        super().__init__(router)
        self._commands: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
            (r"logout|quit", lambda _: self._leave()),
            (r"exit all", lambda _: self._up(0)),
            (r"exit|back", lambda _: self._up(max(0, len(self.context) - 1))),
            (r"environment .*|#.*|echo.*", lambda _: ""),
            (r"candidate edit(?: exclusive)?", lambda found: self._begin("exclusive" in found[0])),
            (r"candidate view", lambda _: render(self.grammar, self._editing())),
            (r"candidate commit(?: no-checkpoint)?", lambda found: self._commit("no-checkpoint" not in found[0])),
            (r"candidate discard(?: now)?", lambda _: self._discard()),
            (
                r"admin save.*",
                lambda _: "Writing configuration to cf3:\\config.cfg\nSaving configuration ... OK\nCompleted.",
            ),
            (r"admin rollback save.*", lambda _: self._save()),
            (r"admin rollback revert (?P<number>latest-rb|\d+)(?: now)?", lambda found: self._roll(found["number"])),
            (r"admin reboot(?: active)? now", lambda _: self._reboot()),
            (r"admin redundancy force-switchover now", lambda _: self._switch_over()),
        )

    def prompt(self) -> str:
        element = self.router.element
        place = "".join(f">{part.split()[0].replace('configure', 'config')}" for part in self.context)
        star = "*" if self.candidate is not None else ""
        edit = ">edit-cfg" if self.candidate is not None else ""
        return f"{star}{element.chassis.active_control or 'A'}:{element.sys_name}{edit}{place}# "

    def close(self) -> None:
        """End the session, and with it its exclusive candidate."""
        if self.router.editor is self:
            self.router.editor = None

    def _run(self, line: str) -> str:
        """Run a line, with a leading slash from the top level, and enter the contexts that it opens."""
        if not line.startswith("/"):
            return self._from_here(line)
        before, self.context, edited = self.context, (), self.candidate is not None
        try:
            return self._from_here(line[1:])
        finally:
            if edited == (self.candidate is not None):
                self.context = self.context or before

    def _from_here(self, line: str) -> str:
        for pattern, command in self._commands:
            found = re.fullmatch(pattern, line)
            if found:
                return command(found)
        output = show(self.router, line) if line else ""
        if output is not None:
            return output
        if line.startswith("configure") == bool(self.context):
            raise RejectedLine(self.grammar.bad_line)
        return self._edit(line)

    def _leave(self) -> str:
        raise SessionEnded

    def _up(self, depth: int) -> str:
        self.context = self.context[:depth]
        return ""

    def _begin(self, exclusive: bool) -> str:
        if self.router.editor not in (None, self):
            raise RejectedLine("MINOR: CLI The candidate is locked by another session.")
        if exclusive:
            self.router.editor = self
        if self.candidate is None:
            self.candidate = running(self.router)
        return ""

    def _editing(self) -> list[str]:
        if self.candidate is None:
            raise RejectedLine("MINOR: CLI Not in candidate edit mode.")
        return self.candidate

    def _commit(self, checkpoint: bool) -> str:
        commit(self.router, self._editing(), checkpoint=checkpoint)
        return self._discard()

    def _discard(self) -> str:
        self._editing()
        self.candidate, self.context = None, ()
        self.close()
        return ""

    def _save(self) -> str:
        element = self.router.element
        element.checkpoints = [running(self.router), *element.checkpoints]
        self.router.changed()
        return "Saving rollback configuration to cf3:\\rollback... OK"

    def _roll(self, number: str) -> str:
        self._revert(0 if number == "latest-rb" else int(number))
        return "Restoring rollback configuration... OK"

    def _reboot(self) -> str:
        self.router.reboot()
        self.router.changed()
        raise SessionEnded

    def _switch_over(self) -> str:
        if not self.router.switch_over():
            raise RejectedLine("MINOR: CLI Redundancy is not ready.")
        self.router.changed()
        return ""


class VrpShell(Shell):
    """VRP 8: `system-view` edits a candidate, `commit` makes it the running configuration."""

    def __init__(self, router: Router) -> None:
        super().__init__(router)
        self._commands: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
            (r"system-view(?: immediately)?", lambda _: self._enter()),
            (r"quit", lambda _: self._quit()),
            (r"return", lambda _: self._leave()),
            (r"screen-(?:length|width) .*|#|!.*", lambda _: ""),
            (r"commit", lambda _: self._commit()),
            (
                r"commit trial(?: (?P<seconds>\d+))?",
                lambda found: self._commit_trial(int(found["seconds"] or TRIAL_SECONDS)),
            ),
            (r"abort trial", lambda _: self._abort()),
            (r"clear configuration candidate", lambda _: self._clear()),
            (r"display configuration candidate", lambda _: self._uncommitted()),
            (r"display configuration candidate merge", lambda _: render(self.grammar, self._candidate())),
            (r"save(?: .*)?", lambda _: self._save()),
            (
                r"rollback configuration (?:to last|last) (?P<number>\d+)",
                lambda found: self._roll(int(found["number"])),
            ),
            (r"slave switchover", lambda _: self._switch_over()),
        )

    def prompt(self) -> str:
        name = self.router.element.sys_name
        if self.candidate is None:
            return f"<{name}>"
        changed = "*" if self.candidate != running(self.router) else "~"
        place = "".join(f"-{part.replace('interface ', '').replace(' ', '')}" for part in self.context)
        return f"[{changed}{name}{place}]"

    def _run(self, line: str) -> str:
        for pattern, command in self._commands:
            found = re.fullmatch(pattern, line)
            if found:
                return command(found)
        output = show(self.router, line) if line else ""
        if output is not None:
            return output
        if self.candidate is None:
            raise RejectedLine(self.grammar.bad_line)
        return self._edit(decrypted(line))

    def _edit(self, line: str) -> str:
        """Apply a line; top-level words leave the current view, as in VRP."""
        first = line.split(maxsplit=1)[0]
        if self.context and first in ("interface", "bgp", "aaa", "sysname", "snmp-agent"):
            self.context = ()
        check(self.router, [SEPARATOR.join(parse(self.grammar, self.context, split_words(line))[0])])
        return super()._edit(line)

    def _save(self) -> str:
        self._ask_user(
            "Are you sure to continue? [Y/N]:",
            lambda yes: "Info: Save the configuration successfully." if yes == "Y" else "",
        )
        return "Warning: The current configuration will be written to the device."

    def _uncommitted(self) -> str:
        candidate, now = self._candidate(), running(self.router)
        removed = [text.rpartition(SEPARATOR) for text in now if text not in candidate]
        undone = [f"{context}{separator}undo {leaf}" for context, separator, leaf in removed]
        return render(self.grammar, [*(text for text in candidate if text not in now), *undone])

    def _enter(self) -> str:
        self.candidate = running(self.router)
        return "Enter system view, return user view with return command."

    def _candidate(self) -> list[str]:
        if self.candidate is None:
            raise RejectedLine(self.grammar.bad_line)
        return self.candidate

    def _quit(self) -> str:
        if self.context:
            self.context = self.context[:-1]
        elif self.candidate is not None:
            return self._leave()
        else:
            raise SessionEnded
        return ""

    def _leave(self) -> str:
        """Leave the system view; ask first if uncommitted changes would be lost."""
        if self.candidate is None or self.candidate == running(self.router):
            return self._return()
        self._ask_user(
            "Are you sure to commit them before exiting? [Y(yes)/N(no)/C(cancel)]:",
            lambda choice: {"Y": self._commit_and_return, "N": self._return}.get(choice, lambda: "")(),
        )
        return "Warning: Uncommitted configurations found."

    def _commit_and_return(self) -> str:
        return self._commit() + self._return()

    def _return(self) -> str:
        """Leave the system view and drop uncommitted changes."""
        self.candidate, self.context = None, ()
        return ""

    def _commit(self) -> str:
        self._commit_candidate(None)
        return "Committing.....done."

    def _commit_candidate(self, seconds: float | None) -> None:
        """Commit the candidate permanently, or for `seconds` unless a permanent commit follows."""
        self._require_trial_of(None, self)
        confirmed_commit_of(self.router).commit(self, self._candidate(), seconds, self._on_rollback)
        self.candidate = running(self.router)

    def _require_trial_of(self, *sessions: object) -> None:
        session = confirmed_commit_of(self.router).session
        if session not in sessions:
            problem = "is not in the trial configuration mode" if session is None else "runs the trial of another user"
            raise RejectedLine(f"Error: The system {problem}.")

    def _on_rollback(self) -> None:
        if self.candidate is not None:
            self.candidate = running(self.router)

    def _commit_trial(self, seconds: int) -> str:
        if not MIN_TRIAL_SECONDS <= seconds <= MAX_TRIAL_SECONDS:
            raise RejectedLine("Error: Wrong parameter found at '^' position.")
        self._commit_candidate(seconds)
        return (
            "Committing.....done.\nInfo: The system enters the trial configuration mode. It goes back to the "
            f"configuration before unless the trial is confirmed in {seconds} seconds."
        )

    def _abort(self) -> str:
        self._require_trial_of(self)
        self._ask_user(
            "Continue? [Y/N]:",
            lambda yes: (
                "Info: The trial was ended." if yes == "Y" and confirmed_commit_of(self.router).rollback() else ""
            ),
        )
        return "Warning: The trial configuration will be taken back."

    def _clear(self) -> str:
        self._candidate()
        self.candidate, self.context = running(self.router), ()
        return ""

    def _roll(self, number: int) -> str:
        self._revert(number - 1)
        return "Info: The configuration rollback succeeded."

    def _switch_over(self) -> str:
        if not self.router.switch_over():
            raise RejectedLine("Error: The slave board is not ready.")
        self.router.changed()
        return ""


SHELLS: dict[str, type[Shell]] = {"sros": SrosShell, "vrp": VrpShell}

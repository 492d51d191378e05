"""The model-driven command line of SR OS: prompts have two lines, contexts have braces, changes go to a candidate."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from difflib import unified_diff
from typing import TYPE_CHECKING

from routersim.cli.config import SEPARATOR, RejectedLine, apply_line, parse, split_words
from routersim.cli.confirmed_commit import confirmed_commit_of
from routersim.cli.model import check, running
from routersim.cli.shell import SessionEnded, Shell
from routersim.cli.show import show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from routersim.router import Router

_STATES = {"no shutdown": "admin-state enable", "shutdown": "admin-state disable"}
"""Leaves of this command line by those of the classic one, in which configurations are stored."""


class MdShell(Shell):
    """`edit-config exclusive`, lines, `compare`, `commit`, or `commit confirmed` and its acceptance; `quit-config`."""

    def __init__(self, router: Router) -> None:
        super().__init__(router)
        self._commands: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
            (r"logout", lambda _: self._end()),
            (r"#.*|environment more (?:true|false)", lambda _: ""),
            (r"exit all|/", lambda _: self._up(0)),
            (r"exit|back|\}", lambda _: self._up(max(0, len(self.context) - 1))),
            (r"edit-config exclusive", lambda _: self._begin()),
            (r"admin show configuration", lambda _: self._configuration()),
            (r"admin save", lambda _: "Writing configuration to cf3:\\config.cfg\nSaving configuration OK\nCompleted."),
            (r"validate", lambda _: self._validate()),
            (r"compare", lambda _: self._compare()),
            (r"commit", lambda _: self._commit(None)),
            (r"commit confirmed (?P<minutes>\d+)", lambda found: self._commit(60.0 * int(found["minutes"]))),
            (r"commit confirmed accept", lambda _: self._accept()),
            (r"commit confirmed cancel", lambda _: self._cancel()),
            (r"discard(?: /)?", lambda _: self._discard()),
            (r"quit-config", lambda _: self._quit()),
        )

    def prompt(self) -> str:
        star = "*" if self.candidate is not None and self.candidate != running(self.router) else ""
        mode = "(ex)" if self.candidate is not None else ""
        place = "/".join(part.replace(" Base", "") for part in self.context)
        element = self.router.element
        return f"\n{star}{mode}[/{place}]\n{element.chassis.active_control or 'A'}:admin@{element.sys_name}# "

    def close(self) -> None:
        if self.router.editor is self:
            self.router.editor = None

    def _run(self, line: str) -> str:
        for pattern, command in self._commands:
            found = re.fullmatch(pattern, line)
            if found:
                return command(found)
        output = show(self.router, line) if line else ""
        if output is not None and not line.startswith("admin"):
            return output
        return self._edited(line)

    def _edited(self, line: str) -> str:
        """Apply a line in this context, or with a slash at the top level; `delete` may precede either."""
        text = line.removeprefix("delete ").removesuffix("{").strip()
        if text.startswith("/"):
            self.context, text = (), text[1:]
        if text.startswith("configure") == bool(self.context):
            raise _unknown(line.split(maxsplit=1)[0].strip("/") or line)
        if self.candidate is None:
            raise RejectedLine("MINOR: MGMT_CORE #2203: Not in edit-config mode")
        if "no" in text.split():
            raise _unknown("no")
        for classic, own in _STATES.items():
            text = re.sub(rf"\b{own}$", classic, text)
        negated = ["no", *split_words(text)] if line.startswith("delete ") else split_words(text)
        try:
            context, leaf = parse(self.grammar, self.context, negated)
        except RejectedLine as error:
            raise _unknown(split_words(text)[-1]) from error
        if not leaf:
            self.context = context if line.endswith("{") or context == ("configure",) else self.context
            return ""
        apply_line(self.grammar, self.candidate, context, leaf)
        return ""

    def _end(self) -> str:
        raise SessionEnded

    def _up(self, depth: int) -> str:
        self.context = self.context[:depth]
        return ""

    def _begin(self) -> str:
        trial = confirmed_commit_of(self.router).session
        if trial is not None or self.router.editor not in (None, self):
            why = "commit confirmed in progress" if trial is not None else "locked by another session"
            raise RejectedLine(f"MINOR: MGMT_CORE #2052: Exclusive datastore access unavailable - {why}")
        self.router.editor, self.candidate = self, running(self.router)
        return "INFO: CLI #2060: Entering exclusive configuration mode"

    def _configuration(self) -> str:
        now = datetime.fromtimestamp(self.router.clock.time(), tz=UTC).isoformat()
        body = render_braces(running(self.router))
        head = f"# {self.router.element.description}\n# Configuration format version 23.10 revision 0"
        return f"{head}\n# Generated {now}\n\n{body}\n\n# Finished {now}"

    def _editing(self) -> list[str]:
        if self.candidate is None:
            raise RejectedLine("MINOR: MGMT_CORE #2203: Not in edit-config mode")
        return self.candidate

    def _validate(self) -> str:
        try:
            check(self.router, self._editing())
        except RejectedLine as error:
            reason = str(error).partition("CLI ")[2]
            raise RejectedLine(f"MINOR: MGMT_CORE #4001: configure - {reason}") from error
        return ""

    def _compare(self) -> str:
        now, then = (render_braces(one).splitlines() for one in (running(self.router), self._editing()))
        if _unquoted(now) == _unquoted(then):
            return ""
        lines = unified_diff(now, then, lineterm="", n=len(now) + len(then))
        return "\n".join(f"{line[0]}   {line[1:]}" for line in [*lines][3:])

    def _commit(self, seconds: float | None) -> str:
        self._validate()
        confirmed_commit_of(self.router).commit(self, self._editing(), seconds, self._reset)
        self.candidate = running(self.router)
        return ""

    def _reset(self) -> None:
        if self.candidate is not None:
            self.candidate = running(self.router)

    def _require_trial(self) -> None:
        if confirmed_commit_of(self.router).session is None:
            raise RejectedLine("MINOR: MGMT_CORE #2070: No commit confirmed in progress")

    def _accept(self) -> str:
        self._require_trial()
        confirmed_commit_of(self.router).commit(self, running(self.router), None, self._reset)
        return ""

    def _cancel(self) -> str:
        self._require_trial()
        confirmed_commit_of(self.router).rollback()
        return ""

    def _discard(self) -> str:
        self._editing()
        self.candidate, self.context = running(self.router), ()
        return ""

    def _quit(self) -> str:
        self._editing()
        self.candidate, self.context = None, ()
        self.close()
        return "INFO: CLI #2074: Exiting exclusive configuration mode"


def _unquoted(lines: Sequence[str]) -> list[str]:
    return [line.replace('"', "") for line in lines]


def _unknown(word: str) -> RejectedLine:
    return RejectedLine(f"{'^' * len(word)}\nMINOR: MGMT_CORE #2201: Unknown element - '{word}'")


def render_braces(statements: Sequence[str]) -> str:
    """Return the configuration as this command line prints it."""
    lines: list[str] = []
    open_: tuple[str, ...] = ()
    for text in statements:
        *path, leaf = text.replace("router Base", 'router "Base"').split(SEPARATOR)
        shared = 0
        while shared < min(len(open_), len(path)) and open_[shared] == path[shared]:
            shared += 1
        lines += ["    " * depth + "}" for depth in reversed(range(shared, len(open_)))]
        lines += ["    " * depth + path[depth] + " {" for depth in range(shared, len(path))]
        lines.append("    " * len(path) + _STATES.get(leaf, leaf))
        open_ = tuple(path)
    lines += ["    " * depth + "}" for depth in reversed(range(len(open_)))]
    return "\n".join(lines)

"""Speaking to the command line of one element, in its dialect: reading its configuration, and changing it."""

import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass

from vnfm.configuration.domain.dialects.base import Dialect, Say
from vnfm.configuration.domain.statements import Line, canonical, difference, foreseen, missing
from vnfm.configuration.domain.turning import turned
from vnfm.configuration.unconfirmed import CONFIRM_SECONDS, Read, Unconfirmed
from vnfm.devices.errors import DeviceError, DeviceRejected, Garbled, Locked
from vnfm.devices.ports import Cli

LINE_SECONDS = 30.0
WHOLE_SECONDS = 300.0
"""For what takes long on a large router: printing its configuration, a commit, saving."""

_QUESTION = r"[^\r\n]*(?:\[[Yy]/[Nn]\]|\([Yy]/[Nn]\)|\[Y\(yes\)/N\(no\)(?:/C\(cancel\))?\]|\(yes/no\)) ?[:?]? ?"
_CANCEL = "C(cancel)"
"""Offered where leaving would lose or commit what is being edited: never what a push wants."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What came of loading lines. `after` is the running configuration then, or None after a dry run."""

    after: str | None
    diff: str
    takes_back: bool | None = None
    """Of a dry run: whether the element would take the change back by itself, were we cut off by it."""


Connect = Callable[[], AbstractAsyncContextManager[Cli]]


class Conversation:
    """With an element that is logged in; `connect` makes another login. Every method raises DeviceError."""

    def __init__(self, cli: Cli, connect: Connect, dialect: Dialect, address: str) -> None:
        self._cli, self._connect, self._dialect, self._address = cli, connect, dialect, address
        self._until = re.compile(rf"(?:^|[\r\n])(?:{dialect.prompt}|{_QUESTION})$")
        home = re.fullmatch(dialect.home, cli.prompt.strip())
        name = re.escape(home["name"].strip()) if home is not None else ".+"
        self._top = re.compile(dialect.top.replace("{name}", name))

    async def begin(self) -> None:
        """Have it print without pages."""
        for say in self._dialect.quiet:
            await self._say(say)

    async def running(self) -> str:
        """The running configuration, without what changes by itself."""
        return self._canonical(await self._say(self._dialect.running, WHOLE_SECONDS))

    async def settled(self) -> None:
        """What runs is there to stay. Raises Locked while it is a change that is being tried out, if only by one of
        ours that died before it had confirmed it.
        """
        if not self._dialect.takes_back:
            return
        await self._enter()
        try:
            await self.confirm(WHOLE_SECONDS)  # of nothing; refused during the trial of another session
        except DeviceRejected as error:
            words = f"{self._address} runs a change that is tried out and may be taken back: {error.words}"
            raise Locked(words, address=self._address) from error
        finally:
            await self._give_up()

    async def ask(self, command: str, seconds: float) -> str:
        """What it prints after a command that changes nothing."""
        return await self._speak(Say(command), seconds)

    async def load(self, before: str, lines: Sequence[Line], *, dry_run: bool) -> Spoken:
        """Make the lines part of the running configuration, which was `before`, and save it.

        With `dry_run`, only find out what that would do.
        """
        dialect = self._dialect
        for line in lines:
            self._check(line)
        if not missing(dialect.syntax, before, lines):
            if not dry_run:
                await self._save()
            return Spoken(before, "", takes_back=dialect.takes_back if dry_run else None)
        if dry_run:
            return Spoken(None, await self._try(before, lines), takes_back=dialect.takes_back)
        after = await self._edit(before, lines)
        await self._save()
        return Spoken(after, difference(before, after))

    def _check(self, line: Line) -> None:
        words = self._dialect.unfit(line.text.strip())
        if words:
            raise self._rejected(line, words)

    async def _try(self, before: str, lines: Sequence[Line]) -> str:
        """The difference that the lines would make; the element checks them as far as it can without doing it."""
        dialect = self._dialect
        if not dialect.atomic:
            return foreseen(dialect.syntax, before, lines)
        await self._enter()
        try:
            await self._send(lines)
            if dialect.candidate is None:
                return foreseen(dialect.syntax, before, lines)
            return difference(before, await self._candidate(), names=("running", "foreseen"))
        finally:
            await self._give_up()

    async def _candidate(self) -> str:
        """What would run after a commit, where the element can say that."""
        assert self._dialect.candidate is not None, "only such a dialect is asked"
        return self._canonical(await self._say(self._dialect.candidate, WHOLE_SECONDS))

    async def _edit(self, before: str, lines: Sequence[Line]) -> str:
        """What runs then. Raises CutOff when the element does not answer any more, and has taken it back."""
        after, began = None, time.monotonic()
        await self._enter()
        try:
            await self._send(lines)
            if self._dialect.takes_back and turned(self._dialect.syntax, before, await self._candidate()):
                unconfirmed = Unconfirmed(self, self._address, CONFIRM_SECONDS)
                after = await unconfirmed.committed(before, time.monotonic() - began)
            else:
                await self.confirm(WHOLE_SECONDS)
        except DeviceError:
            await self._give_up()
            raise
        for say in self._dialect.leave:
            await self._say(say)
        return after if after is not None else await self.running()

    @asynccontextmanager
    async def anew(self) -> AsyncIterator[Read]:
        """See `Way`, as the next three."""
        async with self._connect() as cli:
            other = Conversation(cli, self._connect, self._dialect, self._address)
            await other.begin()
            yield other.running

    async def try_out(self, seconds: int) -> None:
        trial = self._dialect.trial
        assert trial is not None, "only such a dialect is asked"
        await self._say(Say(trial.command.format(seconds=seconds), trial.answer), seconds / 2)

    async def confirm(self, seconds: float) -> None:
        for say in self._dialect.commit:
            await self._say(say, seconds)

    async def let_go(self) -> None:
        if self._dialect.abort is not None:
            with suppress(DeviceError):
                await self._say(self._dialect.abort)

    async def _enter(self) -> None:
        for say in self._dialect.begin:
            await self._say(say)

    async def _give_up(self) -> None:
        """Leave nothing behind, as far as it still listens; a session that is lost takes its candidate with it."""
        with suppress(DeviceError):
            for say in self._dialect.discard:
                await self._say(say)

    async def _send(self, lines: Sequence[Line]) -> None:
        for sent, line in enumerate(lines):
            if line.text.strip() in self._dialect.syntax.closers and self._top.fullmatch(
                self._cli.prompt.strip("\r\n")
            ):
                continue
            words = await self._send_line(line)
            if words:
                raise self._rejected(line, words, in_force=0 if self._dialect.atomic else sent)

    async def _send_line(self, line: Line) -> str:
        """The words by which the element refuses it in every form; "" when it takes one."""
        refusals = []
        for text in (line.text.strip(), *line.others):
            words = self._dialect.refused(await self._speak(Say(text, "Y"), LINE_SECONDS))
            if not words:
                return ""
            refusals.append(words)
        return refusals[0]

    async def _save(self) -> None:
        try:
            await self._say(self._dialect.save, WHOLE_SECONDS)
        except DeviceRejected as error:
            words = f"{error.message} The configuration is in force, but would be lost at a restart."
            raise DeviceRejected(words, address=self._address, words=error.words) from error

    async def _say(self, say: Say, seconds: float = LINE_SECONDS) -> str:
        """What it printed. Raises Rejected when it says no."""
        output = await self._speak(say, seconds)
        words = self._dialect.refused(output) if say != self._dialect.running else ""
        if words:
            told = f"{self._address} refuses {say.command!r}: {words}"
            raise DeviceRejected(told, address=self._address, words=words)
        return output

    async def _speak(self, say: Say, seconds: float) -> str:
        """What it printed, its questions answered."""
        output = await self._cli.say(say.command, until=self._until, seconds=seconds)
        while re.fullmatch(_QUESTION, question := self._cli.prompt):
            if not say.answer or _CANCEL in question:
                await self._cli.say("C" if _CANCEL in question else "N", until=self._until, seconds=seconds)
                words = f"{self._address} asks {question.strip()!r} after {self._dialect.masked(say.command)!r}."
                raise Garbled(words, address=self._address)
            output += "\n" + await self._cli.say(say.answer, until=self._until, seconds=seconds)
        return output

    def _rejected(self, line: Line, words: str, *, in_force: int = 0) -> DeviceRejected:
        mask = self._dialect.masked
        told = f"{self._address} refuses line {line.number}, {mask(line.text.strip())!r}: {mask(words)}"
        if not self._dialect.atomic and in_force:
            before = "The line before it is" if in_force == 1 else f"The {in_force} lines before it are"
            told += f". {before} in force: {self._dialect.name} cannot take lines back as a whole"
        return DeviceRejected(told, address=self._address, words=mask(words), line=line.number)

    def _canonical(self, text: str) -> str:
        return canonical(self._dialect.syntax, text)

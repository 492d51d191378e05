"""Reads and changes the configuration of one element at its command line, in its dialect."""

import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from vnfm.configuration.domain.config_diff import changes_between
from vnfm.configuration.domain.dialects.base import Command, Dialect
from vnfm.configuration.domain.statements import (
    Line,
    canonical,
    difference,
    missing_statements,
    predicted_difference,
)
from vnfm.configuration.session.confirmed_commit import CONFIRM_SECONDS, ConfirmedCommit, LoadResult, ReadRunning
from vnfm.devices.errors import DeviceError, DeviceRejected, Garbled, Locked
from vnfm.devices.ports import Cli

LINE_SECONDS = 30.0
LONG_SECONDS = 300.0
"""For what takes long on a large router: printing its configuration, a commit, saving."""

_QUESTION = r"[^\r\n]*(?:\[[Yy]/[Nn]\]|\([Yy]/[Nn]\)|\[Y\(yes\)/N\(no\)(?:/C\(cancel\))?\]|\(yes/no\)) ?[:?]? ?"
_CANCEL = "C(cancel)"
"""Offered where leaving would discard or commit the candidate: never what a push wants."""

Connect = Callable[[], AbstractAsyncContextManager[Cli]]


class AsyncCliSession:
    """A command line that is logged in; `connect` makes another login. Every method raises DeviceError."""

    def __init__(self, cli: Cli, connect: Connect, dialect: Dialect, address: str) -> None:
        self._cli, self._connect, self._dialect, self._address = cli, connect, dialect, address
        self._until = re.compile(rf"(?:^|[\r\n])(?:{dialect.prompt}|{_QUESTION})$")
        login = re.fullmatch(dialect.login_prompt, cli.prompt.strip())
        name = re.escape(login["name"].strip()) if login is not None else ".+"
        self._top_prompt = re.compile(dialect.top_prompt.replace("{name}", name))

    async def disable_paging(self) -> None:
        for command in self._dialect.disable_paging:
            await self._run(command)

    async def running(self) -> str:
        """The running configuration, without volatile lines."""
        return self._canonical(await self._run(self._dialect.show_running, LONG_SECONDS))

    async def require_no_trial(self) -> None:
        """Raises Locked while the running configuration is an unconfirmed trial, be it of a worker that died."""
        if not self._dialect.takes_back:
            return
        await self._enter()
        try:
            await self.confirm(LONG_SECONDS)  # confirms nothing; refused during the trial of another session
        except DeviceRejected as error:
            words = f"{self._address} runs a change that is tried out and may be taken back: {error.words}"
            raise Locked(words, address=self._address) from error
        finally:
            await self._discard()

    async def output_of(self, command: str, seconds: float) -> str:
        """The output of a command that changes nothing."""
        return await self._exchange(Command(command), seconds)

    async def load(self, before: str, lines: Sequence[Line], *, dry_run: bool) -> LoadResult:
        """Make the lines part of the running configuration, which was `before`, and save it.

        A dry run only finds out what that would change.
        """
        dialect = self._dialect
        for line in lines:
            self._check(line)
        if not missing_statements(dialect.syntax, before, lines):
            if not dry_run:
                await self._save()
            return LoadResult(before, "", takes_back=dialect.takes_back if dry_run else None)
        if dry_run:
            return LoadResult(None, await self._dry_run(before, lines), takes_back=dialect.takes_back)
        after = await self._edit(before, lines)
        await self._save()
        return LoadResult(after, difference(before, after))

    def _check(self, line: Line) -> None:
        words = self._dialect.rejection(line.text.strip())
        if words:
            raise self._rejected(line, words)

    async def _dry_run(self, before: str, lines: Sequence[Line]) -> str:
        """The difference that the lines would make; an element with a candidate also checks them."""
        dialect = self._dialect
        if not dialect.atomic:
            return predicted_difference(dialect.syntax, before, lines)
        await self._enter()
        try:
            await self._send(lines)
            if not dialect.can_preview:
                return predicted_difference(dialect.syntax, before, lines)
            return difference(before, await self._candidate(), names=("running", "foreseen"))
        finally:
            await self._discard()

    async def _candidate(self) -> str:
        """What would run after a commit, for dialects that can preview."""
        assert self._dialect.show_candidate is not None
        return self._canonical(await self._run(self._dialect.show_candidate, LONG_SECONDS))

    async def _edit(self, before: str, lines: Sequence[Line]) -> str:
        """Returns the running configuration. Raises CutOff when the element no longer answers and has reverted."""
        after, started = None, time.monotonic()
        await self._enter()
        try:
            await self._send(lines)
            if self._dialect.takes_back and changes_between(self._dialect.syntax, before, await self._candidate()):
                commit = ConfirmedCommit(self, self._address, CONFIRM_SECONDS)
                after = await commit.commit(before, time.monotonic() - started)
            else:
                await self.confirm(LONG_SECONDS)
        except DeviceError:
            await self._discard()
            raise
        for command in self._dialect.exit:
            await self._run(command)
        return after if after is not None else await self.running()

    @asynccontextmanager
    async def reconnect(self) -> AsyncIterator[ReadRunning]:
        """Of `CommitPort`, as the next three methods."""
        async with self._connect() as cli:
            other = type(self)(cli, self._connect, self._dialect, self._address)
            await other.disable_paging()
            yield other.running

    async def commit_trial(self, seconds: int) -> None:
        trial = self._dialect.commit_trial
        assert trial is not None
        await self._run(Command(trial.text.format(seconds=seconds), trial.answer), seconds / 2)

    async def confirm(self, seconds: float) -> None:
        for command in self._dialect.commit:
            await self._run(command, seconds)

    async def cancel(self) -> None:
        if self._dialect.abort_trial is not None:
            with suppress(DeviceError):
                await self._run(self._dialect.abort_trial)

    async def _enter(self) -> None:
        for command in self._dialect.enter:
            await self._run(command)

    async def _discard(self) -> None:
        """Discard the candidate, as far as the element still listens; a lost session loses its candidate anyway."""
        with suppress(DeviceError):
            for command in self._dialect.discard:
                await self._run(command)

    async def _send(self, lines: Sequence[Line]) -> None:
        for sent, line in enumerate(lines):
            if line.text.strip() in self._dialect.syntax.closers and self._top_prompt.fullmatch(
                self._cli.prompt.strip("\r\n")
            ):
                continue
            words = await self._send_line(line)
            if words:
                raise self._rejected(line, words, in_force=0 if self._dialect.atomic else sent)

    async def _send_line(self, line: Line) -> str:
        """The element's error message when it rejects the line in every form; "" when it accepts one."""
        errors = []
        for text in (line.text.strip(), *line.others):
            words = self._dialect.error_in(await self._exchange(Command(text, "Y"), LINE_SECONDS))
            if not words:
                return ""
            errors.append(words)
        return errors[0]

    async def _save(self) -> None:
        try:
            await self._run(self._dialect.save, LONG_SECONDS)
        except DeviceRejected as error:
            words = f"{error.message} The configuration is in force, but would be lost at a restart."
            raise DeviceRejected(words, address=self._address, words=error.words) from error

    async def _run(self, command: Command, seconds: float = LINE_SECONDS) -> str:
        """Its output. Raises DeviceRejected when the element reports an error."""
        output = await self._exchange(command, seconds)
        words = self._dialect.error_in(output) if command != self._dialect.show_running else ""
        if words:
            message = f"{self._address} refuses {command.text!r}: {words}"
            raise DeviceRejected(message, address=self._address, words=words)
        return output

    async def _exchange(self, command: Command, seconds: float) -> str:
        """Its output, with the element's questions answered."""
        output = await self._cli.say(command.text, until=self._until, seconds=seconds)
        while re.fullmatch(_QUESTION, question := self._cli.prompt):
            if not command.answer or _CANCEL in question:
                await self._cli.say("C" if _CANCEL in question else "N", until=self._until, seconds=seconds)
                words = f"{self._address} asks {question.strip()!r} after {self._dialect.masked(command.text)!r}."
                raise Garbled(words, address=self._address)
            output += "\n" + await self._cli.say(command.answer, until=self._until, seconds=seconds)
        return output

    def _rejected(self, line: Line, words: str, *, in_force: int = 0) -> DeviceRejected:
        mask = self._dialect.masked
        message = f"{self._address} refuses line {line.number}, {mask(line.text.strip())!r}: {mask(words)}"
        if not self._dialect.atomic and in_force:
            before = "The line before it is" if in_force == 1 else f"The {in_force} lines before it are"
            message += f". {before} in force: {self._dialect.name} cannot take lines back as a whole"
        return DeviceRejected(message, address=self._address, words=mask(words), line=line.number)

    def _canonical(self, text: str) -> str:
        return canonical(self._dialect.syntax, text)

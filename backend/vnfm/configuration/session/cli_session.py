"""Reads and changes the configuration of one element at its command line, in its dialect."""

import math
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
from vnfm.devices.prompts import CANCEL, PAGE, QUESTION, answer_to
from vnfm.kit.patterns import escape, pattern

LINE_SECONDS = 30.0
LONG_SECONDS = 300.0
"""For what takes long on a large router: printing its configuration, a commit, saving."""
MAX_QUESTIONS = 5
"""After one command."""
_QUESTION = pattern(QUESTION)
_PAGE = pattern(PAGE)

Connect = Callable[[], AbstractAsyncContextManager[Cli]]


class AsyncCliSession:
    """A command line that is logged in; `connect` makes another login. Every method raises DeviceError."""

    def __init__(self, cli: Cli, connect: Connect, dialect: Dialect, address: str) -> None:
        self._cli, self._connect, self._address = cli, connect, address
        self._context = cli.greeting.rstrip("\n").rpartition("\n")[2].strip()
        """The line before the prompt."""
        other = dialect.model_driven
        is_other = other is not None and other.context_line is not None and other.context_line.fullmatch(self._context)
        self._use(other if other is not None and is_other else dialect)

    def _use(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._until = pattern(rf"^(?:{dialect.prompt}|{QUESTION}|{PAGE})$")
        login = pattern(dialect.login_prompt).fullmatch(self._cli.prompt.strip())
        self._name = escape(login["name"].strip()) if login is not None else ".+"

    @property
    def dialect(self) -> Dialect:
        """The one that the element has turned out to speak."""
        return self._dialect

    async def disable_paging(self) -> None:
        """Also finds out by the first answer which of two command lines of the family this is."""
        other, known = self._dialect.model_driven, self._dialect.mode_error
        try:
            await self._disable_paging()
        except DeviceRejected as error:
            if other is None or known is None or not known.search(error.words):
                raise
            self._use(other)
            await self._disable_paging()

    async def _disable_paging(self) -> None:
        for command in self._dialect.disable_paging:
            await self._run(command)

    async def running(self) -> str:
        """The running configuration, without volatile lines. Raises DeviceRejected for anything else."""
        return self._configuration(await self._exchange(self._dialect.show_running, LONG_SECONDS))

    async def require_no_trial(self) -> None:
        """Raises Locked while the running configuration is an unconfirmed trial, be it of a worker that died."""
        await self._enter()  # which also shows whether it has a candidate at all
        try:
            if self._dialect.takes_back and not self._dialect.confirm_trial:
                await self.confirm(LONG_SECONDS)  # confirms nothing; refused during the trial of another session
        except DeviceRejected as error:
            words = f"{self._address} runs a change that is tried out and may be taken back: {error.words}"
            raise Locked(words, address=self._address) from error
        finally:
            await self._discard()

    async def output_of(self, command: str, seconds: float) -> str:
        """The output of a command that changes nothing. Raises DeviceRejected when the element refuses it."""
        return await self._run(Command(command), seconds)

    async def load(self, before: str, lines: Sequence[Line], *, dry_run: bool) -> LoadResult:
        """Make the lines part of the running configuration, which was `before`, and save it.

        A dry run only finds out what that would change.
        """
        dialect = self._dialect
        for line, words in dialect.rejections(lines):
            raise self._rejected(line, words)
        if not missing_statements(dialect.syntax, before, lines):
            if not dry_run:
                await self._save()
            return LoadResult(before, "", takes_back=dialect.takes_back if dry_run else None)
        if dry_run:
            return LoadResult(None, await self._dry_run(before, lines), takes_back=dialect.takes_back)
        after = await self._edit(before, lines)
        await self._save()
        return LoadResult(after, difference(before, after))

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
            if dialect.compare is not None:
                return await self._compared()
            return difference(before, await self._candidate(), names=("running", "foreseen"))
        finally:
            await self._discard()

    async def _candidate(self) -> str:
        """The configuration after a commit, for dialects with `show_candidate`."""
        assert self._dialect.show_candidate is not None
        return self._canonical(await self._run(self._dialect.show_candidate, LONG_SECONDS))

    async def _compared(self) -> str:
        """The element's own difference between what runs and the candidate, which it checks; "" for none."""
        assert self._dialect.compare is not None
        if self._dialect.validate is not None:
            await self._run(self._dialect.validate, LONG_SECONDS)
        output = await self._run(self._dialect.compare, LONG_SECONDS)
        lines = [line for line in output.splitlines() if line.strip()]
        return "\n".join(("--- running", "+++ foreseen", *lines, "")) if lines else ""

    async def _edit(self, before: str, lines: Sequence[Line]) -> str:
        """Returns the running configuration. Raises CutOff when the element no longer answers and has reverted."""
        after, started = None, time.monotonic()
        await self._enter()
        try:
            await self._send(lines)
            if self._dialect.takes_back and await self._would_change(before):
                commit = ConfirmedCommit(self, self._address, CONFIRM_SECONDS)
                after = await commit.commit(before, time.monotonic() - started)
            else:
                await self._commit(LONG_SECONDS)
        except DeviceError:
            await self._discard()
            raise
        for command in self._dialect.exit:
            await self._run(command)
        self._require(not self._is_editing(), "still edits after the commit")
        return after if after is not None else await self.running()

    async def _would_change(self, before: str) -> bool:
        if self._dialect.compare is not None:
            return bool(await self._compared())
        return bool(changes_between(self._dialect.syntax, before, await self._candidate()))

    @asynccontextmanager
    async def reconnect(self) -> AsyncIterator[ReadRunning]:
        """Implements `CommitPort`, as do the next three methods."""
        async with self._connect() as cli:
            other = type(self)(cli, self._connect, self._dialect, self._address)
            await other.disable_paging()
            yield other.running

    async def commit_trial(self, seconds: int) -> None:
        trial = self._dialect.commit_trial
        assert trial is not None
        text = trial.text.format(seconds=seconds, minutes=math.ceil(seconds / 60))
        await self._run(Command(text, trial.answer), seconds / 2)

    async def confirm(self, seconds: float) -> None:
        for command in self._dialect.confirm_trial or self._dialect.commit:
            await self._run(command, seconds)

    async def cancel(self) -> None:
        if self._dialect.abort_trial is not None:
            with suppress(DeviceError):
                await self._run(self._dialect.abort_trial)

    async def _commit(self, seconds: float) -> None:
        for command in self._dialect.commit:
            await self._run(command, seconds)

    async def _enter(self) -> None:
        """Start to edit. Raises Locked while another session edits, Garbled when the prompt shows that we do not."""
        for command in self._dialect.enter:
            try:
                await self._run(command)
            except DeviceRejected as error:
                if self._dialect.in_use is None or not self._dialect.in_use.search(error.words):
                    raise
                raise Locked(error.message, address=self._address) from error
        if not self._is_editing() and self._dialect.without_candidate is not None:
            self._dialect = self._dialect.without_candidate
        self._require(self._is_editing(), f"does not edit after {self._dialect.enter[-1].text!r}")

    def _place(self) -> str:
        """The prompt, after the line of its context where there is one."""
        prompt = self._cli.prompt.strip("\r\n")
        return prompt if self._dialect.context_line is None else f"{self._context}\n{prompt}"

    def _is_editing(self) -> bool:
        return self._dialect.editing.fullmatch(self._place()) is not None

    def _is_at_top(self) -> bool:
        """Return whether leaving a context would leave the configuration."""
        return pattern(self._dialect.top_prompt.replace("{name}", self._name)).fullmatch(self._place()) is not None

    def _require(self, fact: bool, words: str) -> None:
        if not fact:
            raise Garbled(f"{self._address} {words}: its prompt is {self._place()!r}.", address=self._address)

    async def _discard(self) -> None:
        """Discard the candidate, as far as the element still listens; a lost session loses its candidate anyway."""
        for command in self._dialect.discard:
            with suppress(DeviceError):
                await self._run(command)

    async def _send(self, lines: Sequence[Line]) -> None:
        for sent, line in enumerate(lines):
            if line.text.strip() in self._dialect.syntax.closers and self._is_at_top():
                continue
            words = await self._send_line(line)
            if not words and not self._is_editing():
                words = f"it ended the editing, and the prompt is {self._place()!r}"
            if words:
                raise self._rejected(line, words, in_force=0 if self._dialect.atomic else sent)
            renames = self._dialect.renames
            if renames is not None and (renamed := renames.fullmatch(line.text.strip())):
                self._name = escape(renamed["name"])

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
        words = self._dialect.error_in(output)
        if words:
            message = f"{self._address} refuses {command.text!r}: {words}"
            raise DeviceRejected(message, address=self._address, words=words)
        return output

    async def _exchange(self, command: Command, seconds: float) -> str:
        """Its output, with the element's questions answered."""
        output = await self._say(command.text, seconds)
        for _ in range(MAX_QUESTIONS):
            question = self._cli.prompt
            if _PAGE.fullmatch(question):
                await self._say("q", seconds)
                words = f"{self._address} stops its output after a page, {question.strip()!r}: paging is not off."
                raise Garbled(words, address=self._address)
            if not _QUESTION.fullmatch(question):
                return self._without_context(output)
            if not command.answer or CANCEL in question:
                await self._say(answer_to(question, "N"), seconds)
                words = f"{self._address} asks {question.strip()!r} after {self._dialect.masked(command.text)!r}."
                raise Garbled(words, address=self._address)
            output += "\n" + await self._say(answer_to(question, command.answer.upper()), seconds)
        raise Garbled(f"{self._address} does not stop asking {question.strip()!r}.", address=self._address)

    async def _say(self, line: str, seconds: float) -> str:
        return await self._cli.say(line, until=self._until, seconds=seconds)

    def _without_context(self, output: str) -> str:
        """Remember the first line of a prompt of two lines, and cut it off: it is not output."""
        if self._dialect.context_line is None:
            return output
        rest, _, last = output.rstrip("\n").rpartition("\n")
        if not self._dialect.context_line.fullmatch(last.strip()):
            return output
        self._context = last.strip()
        return rest

    def _configuration(self, output: str) -> str:
        """Its canonical form. Raises DeviceRejected unless what the element printed is a whole configuration."""
        words = self._dialect.fault_in_configuration(output)
        if words:
            command = self._dialect.show_running.text
            message = f"{self._address} shows no configuration of {self._dialect.name} by {command!r}: {words}"
            raise DeviceRejected(
                self._dialect.masked(message), address=self._address, words=self._dialect.masked(words)
            )
        return self._canonical(output)

    def _rejected(self, line: Line, words: str, *, in_force: int = 0) -> DeviceRejected:
        mask = self._dialect.masked
        message = f"{self._address} refuses line {line.number}, {mask(line.text.strip())!r}: {mask(words)}"
        if not self._dialect.atomic and in_force:
            before = "The line before it is" if in_force == 1 else f"The {in_force} lines before it are"
            message += f". {before} in force: {self._dialect.name} cannot take lines back as a whole"
        return DeviceRejected(message, address=self._address, words=mask(words), line=line.number)

    def _canonical(self, text: str) -> str:
        return canonical(self._dialect.syntax, text)

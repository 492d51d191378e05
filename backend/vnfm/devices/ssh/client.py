"""A command line over SSH: logs in, learns the prompt, runs one command after the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncssh

from vnfm.devices.errors import Garbled, NotSupported, Refused, Unreachable
from vnfm.devices.ports import Cli
from vnfm.devices.prompts import ANY_PROMPT, ANY_QUESTION, LONGEST, NEW_PASSWORD, answer_to
from vnfm.devices.ssh.login import ssh_login
from vnfm.devices.types import SshTarget
from vnfm.kit.patterns import Pattern, pattern

MAX_OUTPUT = 32 * 1024 * 1024
"""Characters of one command's output: the configuration of a large router has a few million."""
MAX_LINES = 1_000_000
"""The lines of one command's output; the configuration of a large router has a hundred thousand."""
MAX_QUESTIONS = 5
"""A login asks at most these between password and prompt."""
_QUIET_SECONDS = 0.1
"""After a greeting that seems to end with a prompt: a banner may have a line of # just where a packet ends."""
_WAITING = pattern(f"{ANY_PROMPT.pattern}|{ANY_QUESTION.pattern}|{NEW_PASSWORD.pattern}")


@asynccontextmanager
async def connect(target: SshTarget) -> AsyncIterator[Cli]:
    """Log in and wait for the first prompt."""
    async with ssh_login(target) as (connection, host_key):
        shell = _Shell(target, host_key)
        await shell.start(connection)
        yield shell


class _Shell:
    def __init__(self, target: SshTarget, host_key: str) -> None:
        self._target = target
        self._host_key = host_key
        self._last_prompt = ""
        self._greeting = ""
        self._process: asyncssh.SSHClientProcess[str] | None = None

    @property
    def host_key(self) -> str:
        return self._host_key

    @property
    def prompt(self) -> str:
        return self._last_prompt

    @property
    def greeting(self) -> str:
        return self._greeting

    async def start(self, connection: asyncssh.SSHClientConnection) -> None:
        """Open the shell, and answer No to the questions before the first prompt: a Yes would change something."""
        address = self._target.address
        try:
            self._process = await connection.create_process(
                term_type="dumb", term_size=(500, 0), errors="replace", stderr=asyncssh.STDOUT
            )
        except asyncssh.Error as error:
            raise NotSupported(f"{address} gives no shell: {error}", address=address) from error
        text = await self._greeting_part()
        for _ in range(MAX_QUESTIONS):
            last = _last_line(text)
            if NEW_PASSWORD.search(last):
                words = f"{address} lets the user {self._target.username} in only with a new password."
                raise Refused(f"{words} Log in by hand, set one, and put it into the policy.", address=address)
            if not ANY_QUESTION.search(last):
                break
            self._write(answer_to(last, "N"))
            text += await self._greeting_part()
        else:
            raise Garbled(
                f"{address} asks more than {MAX_QUESTIONS} questions before it shows a prompt.", address=address
            )
        self._greeting, _, self._last_prompt = _with_newlines(text).rpartition("\n")

    async def _greeting_part(self) -> str:
        """All output up to a prompt or a question that nothing follows."""
        text = await self._to_prompt(self._target.timeout, _WAITING)
        while more := await self._read_more():
            text += more
            if not _WAITING.search(_last_line(text)):
                text += await self._to_prompt(self._target.timeout, _WAITING, text)
        return text

    async def _read_more(self) -> str:
        """Return the output that follows at once; "" when there is none."""
        assert self._process is not None
        try:
            async with asyncio.timeout(_QUIET_SECONDS):
                return await self._process.stdout.read(65536)
        except TimeoutError:
            return ""
        except asyncssh.Error as error:
            raise self._lost(f"was lost: {error}") from error

    async def say(self, line: str, *, until: Pattern, seconds: float = 30.0) -> str:
        self._write(line)
        text = _with_newlines(await self._to_prompt(seconds, until))
        _, _, after_echo = text.partition("\n")
        output, _, self._last_prompt = after_echo.rpartition("\n")
        return output

    def _write(self, line: str) -> None:
        assert self._process is not None
        try:
            self._process.stdin.write(line + "\n")
        except OSError as error:
            raise self._lost("closed the session.") from error

    async def _to_prompt(self, seconds: float, prompt: Pattern, before: str = "") -> str:
        """All output up to a last line in which the prompt is found; `before` was read already."""
        assert self._process is not None
        parts: list[str] = []
        tail, size, lines = before[-LONGEST - 1 :], len(before), before.count("\n")
        try:
            async with asyncio.timeout(seconds):
                while not parts or not prompt.search(_last_line(tail)):
                    part = await self._process.stdout.read(65536)
                    if not part:
                        raise self._lost("closed the session.")
                    parts.append(part)
                    tail, size, lines = (tail + part)[-LONGEST - 1 :], size + len(part), lines + part.count("\n")
                    if size > MAX_OUTPUT or lines > MAX_LINES:
                        words = f"{self._target.address} does not stop printing."
                        raise Garbled(words, address=self._target.address)
        except TimeoutError as error:
            words = f"{self._target.address} showed no prompt within {seconds:g} s; the last was {tail[-80:]!r}."
            raise Garbled(words, address=self._target.address) from error
        except asyncssh.Error as error:
            raise self._lost(f"was lost: {error}") from error
        return "".join(parts)

    def _lost(self, words: str) -> Unreachable:
        return Unreachable(f"{self._target.address} {words}", address=self._target.address)


def _last_line(text: str) -> str:
    """Return the text after the last line end; "" where that is too long for a prompt."""
    tail = text[-LONGEST - 1 :]
    start = max(tail.rfind("\n"), tail.rfind("\r")) + 1
    return "" if start == 0 and len(tail) > LONGEST else tail[start:]


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")

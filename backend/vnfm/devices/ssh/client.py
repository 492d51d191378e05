"""A command line over SSH: logs in, learns the prompt, runs one command after the other."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncssh

from vnfm.devices.errors import DeviceRejected, Garbled, NotSupported, Unreachable
from vnfm.devices.ports import Cli
from vnfm.devices.ssh.login import logged_in
from vnfm.devices.types import SshTarget

LONGEST_OUTPUT = 32 * 1024 * 1024
"""Characters of one command's output: the configuration of a large router has a few million."""

_PROMPT = r"(?:^|[\r\n])([^\r\n]*{stem}[^\r\n]*[#>\]$%]) ?$"
_FIRST = re.compile(_PROMPT.format(stem=r"[\w.-]+"))
_NO = re.compile(r"^\s*(?:Error:|(?:MINOR|MAJOR|CRITICAL): [A-Z]+|%% |% ?[A-Z]|\^$).*", re.MULTILINE)
"""How SR OS, VRP and FRR begin the line that says no."""


@asynccontextmanager
async def connect(target: SshTarget) -> AsyncIterator[Cli]:
    """Logged in, at the first prompt."""
    async with logged_in(target) as (connection, host_key):
        shell = _Shell(target, host_key)
        await shell.start(connection)
        yield shell


class _Shell:
    def __init__(self, target: SshTarget, host_key: str) -> None:
        self._target = target
        self._host_key = host_key
        self._prompt = _FIRST
        self._shown = ""
        self._process: asyncssh.SSHClientProcess[str] | None = None

    @property
    def host_key(self) -> str:
        return self._host_key

    async def start(self, connection: asyncssh.SSHClientConnection) -> None:
        """Open the shell, and learn from its first prompt how the element calls itself."""
        try:
            self._process = await connection.create_process(
                term_type="dumb", term_size=(500, 0), errors="replace", stderr=asyncssh.STDOUT
            )
        except asyncssh.Error as error:
            raise NotSupported(
                f"{self._target.address} gives no shell: {error}", address=self._target.address
            ) from error
        greeting = await self._to_prompt(self._target.timeout, _FIRST)
        found = _FIRST.search(greeting)
        assert found is not None  # it is what ended the reading
        self._shown = found[1]
        stem = max(re.findall(r"[\w.-]+", found[1]), key=len)
        self._prompt = re.compile(_PROMPT.format(stem=re.escape(stem)))

    @property
    def prompt(self) -> str:
        return self._shown

    async def say(self, line: str, *, until: re.Pattern[str], seconds: float = 30.0) -> str:
        assert self._process is not None
        try:
            self._process.stdin.write(line + "\n")
        except OSError as error:
            raise Unreachable(f"{self._target.address} closed the session.", address=self._target.address) from error
        text = (await self._to_prompt(seconds, until)).replace("\r\n", "\n").replace("\r", "\n")
        _, _, after_echo = text.partition("\n")
        output, _, self._shown = after_echo.rpartition("\n")
        return output

    async def run(self, command: str, *, seconds: float = 30.0) -> str:
        output = await self.say(command, until=self._prompt, seconds=seconds)
        refusal = _NO.search(output)
        if refusal is not None:
            words = f"{self._target.address} refuses {command.split(maxsplit=1)[0]!r}: {refusal[0].strip()}"
            raise DeviceRejected(words, address=self._target.address, words=refusal[0].strip())
        return output

    async def _to_prompt(self, seconds: float, prompt: re.Pattern[str]) -> str:
        """Everything up to the next prompt."""
        assert self._process is not None
        text = ""
        try:
            async with asyncio.timeout(seconds):
                while not prompt.search(text[-300:]) and len(text) < LONGEST_OUTPUT:
                    part = await self._process.stdout.read(65536)
                    if not part:
                        raise Unreachable(f"{self._target.address} closed the session.", address=self._target.address)
                    text += part
        except TimeoutError as error:
            words = f"{self._target.address} showed no prompt within {seconds:g} s; the last was {text[-80:]!r}."
            raise Garbled(words, address=self._target.address) from error
        except asyncssh.Error as error:
            raise Unreachable(f"{self._target.address} was lost: {error}", address=self._target.address) from error
        if len(text) >= LONGEST_OUTPUT:
            raise Garbled(f"{self._target.address} does not stop printing.", address=self._target.address)
        return text

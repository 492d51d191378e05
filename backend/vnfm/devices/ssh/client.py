"""A command line over SSH: logs in, learns the prompt, runs one command after the other."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncssh

from vnfm.devices.errors import DeviceRejected, Garbled, NotSupported, Unreachable
from vnfm.devices.ports import Cli
from vnfm.devices.ssh.login import ssh_login
from vnfm.devices.types import SshTarget

MAX_OUTPUT = 32 * 1024 * 1024
"""Characters of one command's output: the configuration of a large router has a few million."""

_PROMPT = r"(?:^|[\r\n])([^\r\n]*{stem}[^\r\n]*[#>\]$%]) ?$"
_ANY_PROMPT = re.compile(_PROMPT.format(stem=r"[\w.-]+"))
_ERROR_LINE = re.compile(r"^\s*(?:Error:|(?:MINOR|MAJOR|CRITICAL): [A-Z]+|%% |% ?[A-Z]|\^$).*", re.MULTILINE)
"""Error lines of SR OS, VRP and FRR."""


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
        self._prompt = _ANY_PROMPT
        self._last_prompt = ""
        self._process: asyncssh.SSHClientProcess[str] | None = None

    @property
    def host_key(self) -> str:
        return self._host_key

    async def start(self, connection: asyncssh.SSHClientConnection) -> None:
        """Open the shell, and learn the host name in its prompt."""
        try:
            self._process = await connection.create_process(
                term_type="dumb", term_size=(500, 0), errors="replace", stderr=asyncssh.STDOUT
            )
        except asyncssh.Error as error:
            raise NotSupported(
                f"{self._target.address} gives no shell: {error}", address=self._target.address
            ) from error
        greeting = await self._to_prompt(self._target.timeout, _ANY_PROMPT)
        found = _ANY_PROMPT.search(greeting)
        assert found is not None  # reading ended with a match
        self._last_prompt = found[1]
        stem = max(re.findall(r"[\w.-]+", found[1]), key=len)
        self._prompt = re.compile(_PROMPT.format(stem=re.escape(stem)))

    @property
    def prompt(self) -> str:
        return self._last_prompt

    async def say(self, line: str, *, until: re.Pattern[str], seconds: float = 30.0) -> str:
        assert self._process is not None
        try:
            self._process.stdin.write(line + "\n")
        except OSError as error:
            raise Unreachable(f"{self._target.address} closed the session.", address=self._target.address) from error
        text = (await self._to_prompt(seconds, until)).replace("\r\n", "\n").replace("\r", "\n")
        _, _, after_echo = text.partition("\n")
        output, _, self._last_prompt = after_echo.rpartition("\n")
        return output

    async def run(self, command: str, *, seconds: float = 30.0) -> str:
        output = await self.say(command, until=self._prompt, seconds=seconds)
        refusal = _ERROR_LINE.search(output)
        if refusal is not None:
            message = f"{self._target.address} refuses {command.split(maxsplit=1)[0]!r}: {refusal[0].strip()}"
            raise DeviceRejected(message, address=self._target.address, words=refusal[0].strip())
        return output

    async def _to_prompt(self, seconds: float, prompt: re.Pattern[str]) -> str:
        """All output up to the next prompt."""
        assert self._process is not None
        text = ""
        try:
            async with asyncio.timeout(seconds):
                while not prompt.search(text[-300:]) and len(text) < MAX_OUTPUT:
                    part = await self._process.stdout.read(65536)
                    if not part:
                        raise Unreachable(f"{self._target.address} closed the session.", address=self._target.address)
                    text += part
        except TimeoutError as error:
            words = f"{self._target.address} showed no prompt within {seconds:g} s; the last was {text[-80:]!r}."
            raise Garbled(words, address=self._target.address) from error
        except asyncssh.Error as error:
            raise Unreachable(f"{self._target.address} was lost: {error}", address=self._target.address) from error
        if len(text) >= MAX_OUTPUT:
            raise Garbled(f"{self._target.address} does not stop printing.", address=self._target.address)
        return text

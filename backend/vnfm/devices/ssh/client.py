"""A command line over SSH: logs in, learns the prompt, runs one command after the other."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncssh

from vnfm.devices.errors import DeviceError, Garbled, NotSupported, Refused, Rejected, Unreachable
from vnfm.devices.ports import Cli
from vnfm.devices.ssh.algorithms import CURRENT, OLD
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
    pin = _Pin(target)
    try:
        async with asyncio.timeout(target.timeout):
            connection = await _open(target, pin)
    except (asyncssh.Error, OSError, ValueError) as error:
        raise _mapped(error, target, pin) from error
    async with connection:
        shell = _Shell(target, pin.offered)
        await shell.start(connection)
        yield shell


async def _open(target: SshTarget, pin: "_Pin") -> asyncssh.SSHClientConnection:
    offered = OLD if target.old_algorithms else CURRENT
    keys = [asyncssh.import_private_key(target.private_key)] if target.private_key else []
    connection, _ = await asyncssh.create_connection(
        lambda: pin,
        target.address,
        target.port,
        username=target.username,
        password=target.password or None,
        client_keys=keys,
        known_hosts=lambda *_: ([], [], []),  # so that asyncssh asks `pin`, and reads no file of the machine
        config=None,
        agent_path=None,
        kex_algs=offered.kex,
        server_host_key_algs=_host_key_algorithms(target) or offered.host_key,
        encryption_algs=offered.encryption,
        mac_algs=offered.mac,
        keepalive_interval=15,
    )
    return connection


def _host_key_algorithms(target: SshTarget) -> list[str]:
    """A server with several keys must offer the pinned one again, not another that it prefers."""
    algorithm = target.host_key.partition(" ")[0]
    if algorithm != "ssh-rsa":
        return [algorithm] if algorithm else []
    return ["rsa-sha2-256", "rsa-sha2-512", *(["ssh-rsa"] if target.old_algorithms else [])]


class _Pin(asyncssh.SSHClient):
    """Trust at first use: any key when none is pinned, and afterwards none but that."""

    def __init__(self, target: SshTarget) -> None:
        self._wanted = target.host_key
        self.offered = ""
        self._connection: asyncssh.SSHClientConnection | None = None

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        self.offered = _plain(key)
        return not self._wanted or self._wanted == self.offered

    @property
    def broken(self) -> bool:
        return bool(self._wanted and self.offered and self._wanted != self.offered)

    @property
    def greeted_only(self) -> bool:
        """The server said which SSH it speaks, and never showed a key."""
        return not self.offered and bool(self._connection and self._connection.get_extra_info("server_version"))


def _plain(key: asyncssh.SSHKey) -> str:
    """Algorithm and key, without a comment."""
    return " ".join(key.export_public_key().decode().split()[:2])


def _mapped(error: Exception, target: SshTarget, pin: _Pin) -> DeviceError:
    address, where = target.address, f"{target.address}:{target.port}"
    match error:
        case _ if pin.broken:
            return Refused(
                f"The SSH host key of {where} is not the one that was pinned at the first contact. If the element was "
                "replaced or its keys were made anew, forget the pinned key; else somebody may stand between.",
                address=address,
            )
        case asyncssh.PermissionDenied():
            return Refused(
                f"{where} does not accept the user {target.username} or its password or key.", address=address
            )
        case asyncssh.KeyExchangeFailed():
            advice = "" if target.old_algorithms else " Old software may need a policy that allows old algorithms."
            return NotSupported(f"{where} has no algorithm in common with us: {error}.{advice}", address=address)
        case asyncssh.ConnectionLost() if pin.greeted_only and not target.old_algorithms:
            return NotSupported(
                f"{where} hung up while algorithms were agreed on. Old software may need a policy that allows old "
                "algorithms.",
                address=address,
            )
        case asyncssh.KeyImportError():
            return Refused(f"The private key for {where} cannot be read: {error}", address=address)
        case _:
            words = str(error) or f"no answer in {target.timeout:g} s"
            return Unreachable(f"No SSH connection to {where}: {words}", address=address)


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
        self._process.stdin.write(line + "\n")
        text = (await self._to_prompt(seconds, until)).replace("\r\n", "\n").replace("\r", "\n")
        _, _, after_echo = text.partition("\n")
        output, _, self._shown = after_echo.rpartition("\n")
        return output

    async def run(self, command: str, *, seconds: float = 30.0) -> str:
        output = await self.say(command, until=self._prompt, seconds=seconds)
        refusal = _NO.search(output)
        if refusal is not None:
            words = f"{self._target.address} refuses {command.split(maxsplit=1)[0]!r}: {refusal[0].strip()}"
            raise Rejected(words, address=self._target.address, words=refusal[0].strip())
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

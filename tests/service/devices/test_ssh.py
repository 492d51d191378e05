"""The SSH adapter against command lines in this process, correct and faulty."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncssh
import pytest

from vnfm.devices.errors import DeviceError, Garbled, NotSupported, Refused, Unreachable
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget
from vnfm.kit.patterns import pattern

PROMPT = pattern(r"\*?A:[\w>-]+# $")
OUTPUT = {"show version": "TiMOS-C-13.0.R6\r\nline two#\r\n", "show nothing": ""}
RSA = asyncssh.generate_private_key("ssh-rsa", key_size=2048)
ED25519 = asyncssh.generate_private_key("ssh-ed25519")


class Server(asyncssh.SSHServer):
    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == ("admin", "good")


async def shell(process: Any) -> None:
    """Like SR OS: banner, prompt with a star for unsaved changes, echo, and error messages."""
    process.stdout.write("Welcome to #1\r\nA:vsr-1# ")
    async for line in process.stdin:
        command = line.strip()
        process.stdout.write(f"{command}\r\n")
        if command == "hang":
            continue
        if command == "bye":
            process.exit(0)
            return
        process.stdout.write(OUTPUT.get(command, "Error: Bad command.\r\n"))
        process.stdout.write("*A:vsr-1>config# ")


@asynccontextmanager
async def server(key: asyncssh.SSHKey = ED25519, **options: Any) -> AsyncIterator[int]:
    handler = options.pop("process_factory", shell)
    listener = await asyncssh.create_server(
        Server, "127.0.0.1", 0, server_host_keys=[key], process_factory=handler, line_editor=False, **options
    )
    async with listener:
        yield listener.sockets[0].getsockname()[1]


def target(port: int, **fields: Any) -> SshTarget:
    return SshTarget("127.0.0.1", port, "admin", **{"password": "good", "timeout": 5.0, **fields})


def with_server(work: Callable[[int], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        async with server(**options) as port:
            return await work(port)

    return asyncio.run(run())


def test_commands_return_only_their_output() -> None:
    async def work(port: int) -> Any:
        async with Devices().cli(target(port)) as cli:
            return (
                await cli.say("show version", until=PROMPT),
                await cli.say("show nothing", until=PROMPT),
                cli.host_key,
            )

    version, nothing, key = with_server(work)
    assert version == "TiMOS-C-13.0.R6\nline two#"
    assert nothing == ""
    assert key == " ".join(ED25519.export_public_key().decode().split()[:2])


@pytest.mark.parametrize(("command", "error"), [("hang", Garbled), ("bye", Unreachable)])
def test_a_lost_command_line(command: str, error: type[DeviceError]) -> None:
    async def work(port: int) -> None:
        async with Devices().cli(target(port)) as cli:
            await cli.say(command, until=PROMPT, seconds=0.5)

    with pytest.raises(error):
        with_server(work)


def plain(key: asyncssh.SSHKey) -> str:
    return " ".join(key.export_public_key().decode().split()[:2])


@pytest.mark.parametrize("key", [ED25519, RSA], ids=["ed25519", "rsa"])
def test_only_the_pinned_key_is_accepted(key: asyncssh.SSHKey) -> None:
    async def work(port: int) -> str:
        async with Devices().cli(target(port, host_key=plain(key))) as cli:
            return cli.host_key

    assert with_server(work, key=key) == plain(key)
    other = asyncssh.generate_private_key(key.algorithm.decode())
    with pytest.raises(Refused, match="not the one that was pinned"):
        with_server(work, key=other)


def test_no_password_is_sent_to_a_server_with_another_key() -> None:
    asked = []

    class Listening(Server):
        def validate_password(self, username: str, password: str) -> bool:
            asked.append(password)
            return True

    async def run() -> None:
        listener = await asyncssh.create_server(Listening, "127.0.0.1", 0, server_host_keys=[RSA])
        async with listener:
            port = listener.sockets[0].getsockname()[1]
            async with Devices().cli(target(port, host_key=plain(ED25519))):
                pass

    with pytest.raises(DeviceError):
        asyncio.run(run())
    assert asked == []


def test_a_wrong_password_is_refused() -> None:
    async def work(port: int) -> None:
        async with Devices().cli(target(port, password="bad")):
            pass

    with pytest.raises(Refused, match="user admin"):
        with_server(work)


@pytest.mark.parametrize(
    "options",
    [
        {"kex_algs": ["diffie-hellman-group14-sha1"]},
        {"kex_algs": ["diffie-hellman-group1-sha1"]},
        {"encryption_algs": ["aes128-cbc"]},
        {"mac_algs": ["hmac-sha1"], "encryption_algs": ["aes128-ctr"]},
        {"signature_algs": ["ssh-rsa"], "key": RSA},
    ],
    ids=["group14", "group1", "cbc", "sha1", "ssh-rsa"],
)
def test_old_algorithms_only_where_the_policy_allows_them(options: dict[str, Any]) -> None:
    def work(old: bool) -> Callable[[int], Awaitable[str]]:
        async def go(port: int) -> str:
            async with Devices().cli(target(port, old_algorithms=old)) as cli:
                return await cli.say("show version", until=PROMPT)

        return go

    if "signature_algs" not in options:
        with pytest.raises(NotSupported, match="allows old algorithms"):
            with_server(work(False), **options)
    assert with_server(work(True), **options)


def test_a_port_without_a_server() -> None:
    async def work() -> None:
        async with Devices().cli(target(1)):
            pass

    with pytest.raises(Unreachable):
        asyncio.run(work())

"""A NETCONF session over SSH: operations one after another, each waits for its reply."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import asyncssh

from vnfm.devices.errors import DeviceError, Garbled, NotSupported, Unreachable
from vnfm.devices.netconf.framing import FrameError, Frames, framed
from vnfm.devices.netconf.replies import BASE, BASE_1_0, BASE_1_1, capabilities_of, error_of
from vnfm.devices.ports import Datastore, Netconf
from vnfm.devices.ssh.login import ssh_login
from vnfm.devices.types import SshTarget
from vnfm.kit.xml import XmlError, XmlNode, parse_leniently, render

ANSWER_SECONDS = 30.0
SLOW_ANSWER_SECONDS = 300.0
"""Some operations take long on a large router: reading its configuration, a commit, saving."""


@asynccontextmanager
async def connect(target: SshTarget) -> AsyncIterator[Netconf]:
    """Log in and exchange hellos. At the end the session is closed, or only the connection if there is no answer."""
    async with ssh_login(target) as (connection, host_key):
        session = _Session(target, host_key)
        await session.start(connection)
        try:
            yield session
        finally:
            with suppress(DeviceError):
                await session.close()


class _Session:
    def __init__(self, target: SshTarget, host_key: str) -> None:
        self._target, self._host_key = target, host_key
        self._frames = Frames()
        self._sent = 0
        self._lost = False
        self._process: asyncssh.SSHClientProcess[bytes] | None = None
        self._capabilities: frozenset[str] = frozenset()

    @property
    def host_key(self) -> str:
        return self._host_key

    @property
    def capabilities(self) -> frozenset[str]:
        return self._capabilities

    async def start(self, connection: asyncssh.SSHClientConnection) -> None:
        """Exchange hellos (RFC 6241, 8.1)."""
        address = self._target.address
        try:
            self._process = await connection.create_process(subsystem="netconf", encoding=None)
        except asyncssh.Error as error:
            words = f"{address}:{self._target.port} has no NETCONF: {error}"
            raise NotSupported(words, address=address) from error
        hello = XmlNode(
            "capabilities", BASE, children=[XmlNode("capability", BASE, one) for one in (BASE_1_0, BASE_1_1)]
        )
        self._write(XmlNode("hello", BASE, children=[hello]))
        theirs = await self._read(self._target.timeout)
        if theirs.name != "hello":
            raise self._garbled(f"began with {theirs.name!r} instead of a hello")
        self._capabilities = capabilities_of(theirs)
        self._frames.chunked = BASE_1_1 in self._capabilities
        if not self._capabilities & {BASE_1_0, BASE_1_1}:
            raise NotSupported(f"{address} speaks no version of NETCONF that we do.", address=address)

    async def get_config(self, source: Datastore) -> Sequence[XmlNode]:
        reply = await self._rpc(_operation("get-config", _store("source", source)), SLOW_ANSWER_SECONDS)
        data = reply.find("data")
        if data is None:
            raise self._garbled("answered get-config without data")
        return data.children

    async def edit_config(self, target: Datastore, config: Sequence[XmlNode]) -> None:
        options = [_store("target", target), XmlNode("default-operation", BASE, "merge")]
        if "validate:1.1" in self._capabilities:
            options.append(XmlNode("test-option", BASE, "test-then-set"))
        if "rollback-on-error:1.0" in self._capabilities:
            options.append(XmlNode("error-option", BASE, "rollback-on-error"))
        await self._rpc(
            _operation("edit-config", *options, XmlNode("config", BASE, children=[*config])), SLOW_ANSWER_SECONDS
        )

    async def lock(self, target: Datastore) -> None:
        await self._rpc(_operation("lock", _store("target", target)))

    async def unlock(self, target: Datastore) -> None:
        await self._rpc(_operation("unlock", _store("target", target)))

    async def validate(self, source: Datastore) -> None:
        await self._rpc(_operation("validate", _store("source", source)), SLOW_ANSWER_SECONDS)

    async def commit(self, *, confirm_within: int | None = None, seconds: float = SLOW_ANSWER_SECONDS) -> None:
        options = []
        if confirm_within is not None:
            options = [XmlNode("confirmed", BASE), XmlNode("confirm-timeout", BASE, str(confirm_within))]
        await self._rpc(_operation("commit", *options), seconds)

    async def cancel_commit(self) -> None:
        await self._rpc(_operation("cancel-commit"), self._target.timeout)

    async def discard_changes(self) -> None:
        await self._rpc(_operation("discard-changes"))

    async def copy_config(self, source: Datastore, target: Datastore) -> None:
        await self._rpc(
            _operation("copy-config", _store("target", target), _store("source", source)), SLOW_ANSWER_SECONDS
        )

    async def close(self) -> None:
        if self._process is None or self._lost:
            return
        try:
            await self._rpc(_operation("close-session"), self._target.timeout)
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        self._lost = True
        if self._process is not None:
            self._process.close()

    async def _rpc(self, operation: XmlNode, seconds: float = ANSWER_SECONDS) -> XmlNode:
        """The reply. A session that missed one is closed: the next answer would belong to the previous request."""
        if self._lost:
            raise Unreachable(f"The NETCONF session with {self._target.address} is over.", address=self._target.address)
        self._sent += 1
        number, reply = str(self._sent), None
        try:
            self._write(XmlNode("rpc", BASE, children=[operation], attributes={("", "message-id"): number}))
            reply = await self._reply(number, seconds)
        finally:
            if reply is None:
                self.hang_up()
        error = error_of(reply, self._target.address, operation.name)
        if error is not None:
            raise error
        return reply

    async def _reply(self, number: str, seconds: float) -> XmlNode:
        reply = await self._read(seconds)
        if reply.name != "rpc-reply":
            raise self._garbled(f"answered with {reply.name!r}")
        theirs = reply.attributes.get(("", "message-id"), number)  # absent where the server could not parse the request
        if theirs != number:
            raise self._garbled(f"answered request {theirs} instead of {number}")
        return reply

    def _write(self, message: XmlNode) -> None:
        assert self._process is not None
        octets = b'<?xml version="1.0" encoding="UTF-8"?>\n' + render(message).encode()
        try:
            self._process.stdin.write(framed(octets, chunked=self._frames.chunked))
        except OSError as error:
            raise self._unreachable(f"was lost: {error}") from error

    async def _read(self, seconds: float) -> XmlNode:
        """The next message."""
        assert self._process is not None
        try:
            async with asyncio.timeout(seconds):
                while (message := self._frames.take()) is None:
                    octets = await self._process.stdout.read(65536)
                    if not octets:
                        raise self._unreachable("closed the session")
                    self._frames.feed(octets)
            return parse_leniently(message)
        except TimeoutError as error:
            raise self._unreachable(f"did not answer within {seconds:g} s") from error
        except (FrameError, XmlError) as error:
            raise self._garbled(f"sent what cannot be parsed: {error}") from error
        except asyncssh.Error as error:
            raise self._unreachable(f"was lost: {error}") from error

    def _unreachable(self, words: str) -> Unreachable:
        return Unreachable(f"{self._target.address} {words}.", address=self._target.address)

    def _garbled(self, words: str) -> Garbled:
        return Garbled(f"{self._target.address} {words}.", address=self._target.address)


def _operation(name: str, *parts: XmlNode) -> XmlNode:
    return XmlNode(name, BASE, children=[*parts])


def _store(role: str, store: Datastore) -> XmlNode:
    return XmlNode(role, BASE, children=[XmlNode(store, BASE)])

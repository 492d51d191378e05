"""SSH servers of the elements, for their command line and NETCONF.

Each has a listening socket; the cryptography of a connection is set up only when a client connects.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import asyncssh

from routersim.cli.command_lines import shell_of
from routersim.cli.shell import SessionEnded, Shell
from routersim.model.build import InvalidSpec
from routersim.netconf import session as netconf
from routersim.netconf.store import Datastores
from routersim.store import Store

if TYPE_CHECKING:
    from collections import Counter

    from routersim.clock import Clock
    from routersim.router import Router

log = logging.getLogger("routersim.ssh")

OLD_KEX = ("diffie-hellman-group14-sha1", "diffie-hellman-group1-sha1")
OLD_CIPHERS = ("aes128-cbc", "3des-cbc")
OLD_MACS = ("hmac-sha1",)
"""The MACs of TiMOS 13, which current clients refuse by default."""
MAX_LINE = 4_096


class _Login(asyncssh.SSHServer):
    """Password authentication."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def begin_auth(self, username: str) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        element = self._router.element
        return (username, password) == (element.user, element.password)


Serve = Callable[["Router", Any], Awaitable[None]]


def _generated(algorithm: str) -> str:
    return asyncssh.generate_private_key(algorithm).export_private_key().decode()


class SshServers:
    """The SSH side of a fleet."""

    def __init__(self, clock: Clock, counters: Counter[str], store: Store) -> None:
        self._clock, self._counters, self._store = clock, counters, store
        self._sockets: dict[str, list[socket.socket]] = {}
        self._tasks: dict[str, set[asyncio.Task[None]]] = {}
        self._keys: dict[bool, asyncssh.SSHKey] = {}
        self._stores: dict[str, Datastores] = {}

    async def open(self, router: Router) -> None:
        """Listen on the element's SSH and NETCONF ports, if any. Raises InvalidSpec."""
        element = router.element
        self._stores[element.name] = Datastores(router)
        if element.ssh_port:
            self._listen(router, element.ssh_port, self._command_line, "utf-8")
        if element.netconf_port:
            self._listen(router, element.netconf_port, self._netconf, None)

    def _listen(self, router: Router, port: int, serve: Serve, encoding: str | None) -> None:
        element = router.element
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((element.address, port))
        except OSError as error:
            listener.close()
            raise InvalidSpec(f"{element.name}: cannot listen on {element.address}:{port}: {error}") from error
        listener.listen(16)
        listener.setblocking(False)
        self._sockets.setdefault(element.name, []).append(listener)
        asyncio.get_running_loop().add_reader(listener, self._accept, router, listener, serve, encoding)

    async def close(self, name: str) -> None:
        self._stores.pop(name, None)
        for listener in self._sockets.pop(name, ()):
            asyncio.get_running_loop().remove_reader(listener)
            listener.close()
        tasks = self._tasks.pop(name, set())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def stop(self) -> None:
        for name in [*self._sockets]:
            await self.close(name)

    def _accept(self, router: Router, listener: socket.socket, serve: Serve, encoding: str | None) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:  # the client has already left
            return
        if not router.element.answers(self._clock.time()):
            connection.close()
            return
        self._counters["sshConnections"] += 1
        task = asyncio.get_running_loop().create_task(self._serve(router, connection, serve, encoding))
        tasks = self._tasks.setdefault(router.element.name, set())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def _key(self, old: bool) -> asyncssh.SSHKey:
        """Return the host key of all old or all current elements, generated once and stored, since clients pin it."""
        if old not in self._keys:
            algorithm = "ssh-rsa" if old else "ssh-ed25519"
            text = self._store.text(algorithm, lambda: _generated(algorithm))
            self._keys[old] = asyncssh.import_private_key(text)
        return self._keys[old]

    async def _serve(self, router: Router, connection: socket.socket, serve: Serve, encoding: str | None) -> None:
        old = router.element.old_ssh
        algorithms: dict[str, object] = {}
        if old:
            algorithms = {
                "kex_algs": OLD_KEX,
                "encryption_algs": OLD_CIPHERS,
                "mac_algs": OLD_MACS,
                "signature_algs": ("ssh-rsa",),
            }

        async def session(process: asyncssh.SSHServerProcess[Any]) -> None:
            await serve(router, process)

        try:
            connected = await asyncssh.run_server(
                connection,
                server_factory=lambda: _Login(router),
                server_host_keys=[self._key(old)],
                process_factory=session,
                encoding=encoding,
                server_version="OpenSSH_3.5p1" if old else "OpenSSH_7.4",
                **algorithms,
            )
            async with connected:
                await connected.wait_closed()
        except (OSError, asyncssh.Error) as error:
            log.info("%s: %s", router.element.name, error)
        finally:
            connection.close()

    async def _netconf(self, router: Router, process: asyncssh.SSHServerProcess[bytes]) -> None:
        """Serve a session; while the element does not answer, it misses messages and the end of the session."""
        if process.subsystem != "netconf":
            process.exit(1)
            return
        session = netconf.Session(self._stores[router.element.name])
        process.stdout.write(netconf.frame(netconf.hello(router), chunked=False))
        buffer = bytearray()
        try:
            with contextlib.suppress(netconf.SessionEnded, BrokenPipeError, asyncssh.Error, SyntaxError, ValueError):
                while octets := await process.stdin.read(65536):
                    buffer += octets
                    await self._answer(router, session, buffer, process)
        finally:
            session.ended(noticed=router.element.answers(self._clock.time()))
        process.exit(0)

    async def _answer(
        self, router: Router, session: netconf.Session, buffer: bytearray, process: asyncssh.SSHServerProcess[bytes]
    ) -> None:
        """Answer all complete messages."""
        while (message := netconf.unframe(buffer, chunked=session.chunked)) is not None:
            await asyncio.sleep(router.element.behaviour.seconds)
            if not router.element.answers(self._clock.time()):
                continue
            try:
                reply = session.answer(message)
            except netconf.SessionEnded as bye:
                process.stdout.write(netconf.frame(bye.args[0], chunked=session.chunked))
                raise
            if reply:
                process.stdout.write(netconf.frame(_altered(router, reply), chunked=session.chunked))

    async def _command_line(self, router: Router, process: asyncssh.SSHServerProcess[str]) -> None:
        """Serve an interactive session or a single command."""
        if process.subsystem is not None:
            process.exit(1)
            return
        shell = shell_of(router)
        try:
            with contextlib.suppress(SessionEnded, BrokenPipeError, asyncssh.BreakReceived):
                if process.command is not None:
                    process.stdout.write(_lines(shell.run(process.command)))
                else:
                    await self._interact(shell, process)
        finally:
            shell.close()
        process.exit(0)

    async def _interact(self, shell: Shell, process: asyncssh.SSHServerProcess[str]) -> None:
        router = shell.router
        behaviour = router.element.behaviour
        process.stdout.write(behaviour.greeting + shell.greeting())
        for question in behaviour.login_questions:
            process.stdout.write(question)
            if (await process.stdin.readline()).strip().upper().startswith("Y"):
                process.stdout.write("Old password:")
                return
        process.stdout.write(shell.prompt_or_question())
        while True:
            try:
                line = await process.stdin.readline()
            except asyncssh.TerminalSizeChanged:
                continue
            if not line or not router.element.answers(self._clock.time()):
                return
            await asyncio.sleep(router.element.behaviour.seconds)
            answer = behaviour.cli_answers.get(line.strip())
            output = _lines(shell.run(line[:MAX_LINE]) if answer is None else answer)
            process.stdout.write(output + shell.prompt_or_question())


def _altered(router: Router, reply: bytes) -> bytes:
    for text, instead in router.element.behaviour.netconf_texts.items():
        reply = reply.replace(text.encode(), instead.encode("latin-1"))
    return reply


def _lines(text: str) -> str:
    return f"{text}\n" if text else ""

"""An exclusive session with the configuration of one element: by NETCONF or SSH policy, with its host key pinned.

Synchronous, so that the database may be used between two calls. For workers, never for a web request.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from threading import BoundedSemaphore, Event
from typing import Protocol, TypeVar

from vnfm.configuration.domain.config_diff import changes_between
from vnfm.configuration.domain.dialects import DIALECTS, VTYSH, Dialect
from vnfm.configuration.domain.language import Language
from vnfm.configuration.domain.login_warning import login_warning
from vnfm.configuration.domain.statements import Line, is_removed, lines_of
from vnfm.configuration.domain.xml import (
    GENERIC_MODEL,
    MODELS,
    XML_WITHOUT_NETCONF,
    XmlEdit,
    XmlModel,
    nodes_of,
    removes_from,
    xml_changes_between,
)
from vnfm.configuration.session.cli_session import AsyncCliSession, Connect
from vnfm.configuration.session.confirmed_commit import LoadResult
from vnfm.configuration.session.frr_session import AsyncFrrSession, is_shell
from vnfm.configuration.session.netconf_session import AsyncNetconfSession
from vnfm.devices.errors import Busy, DeviceError, DeviceRejected, NotSupported
from vnfm.devices.ports import Cli, Netconf
from vnfm.devices.registry import provider
from vnfm.devices.types import SshTarget
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import login_target_of
from vnfm.elements.services.elements import element_pin_host_key, element_record_login_warning
from vnfm.kit.durable.lease import hold
from vnfm.kit.xml import XmlError, is_xml, parse
from vnfm.metrics.catalogue import ELEMENT_SESSIONS, UNKNOWN_DRIVER

T = TypeVar("T")

BUSY_TIMEOUT_SECONDS = 60.0
"""Another session with the same element is waited for so long; most take seconds."""

MAX_SESSIONS = 8
"""Sessions of one process at once. A worker has sixteen threads: slow routers leave half of them for other tasks."""

_RETRY_SECONDS = 0.5
_slots = BoundedSemaphore(MAX_SESSIONS)


ConfigChange = Sequence[Line] | XmlEdit
"""A change to load, in the form of the session; empty when there is nothing to do."""


class Session(Protocol):
    """A session that is logged in. Every method blocks until the element has answered, and raises DeviceError."""

    @property
    def language(self) -> Language: ...

    def running(self) -> str:
        """The running configuration, in its canonical form."""

    def parse(self, text: str) -> ConfigChange:
        """The change that a text makes. Raises DeviceRejected for a text of another language."""

    def removal(self, running: str, texts: Sequence[str]) -> ConfigChange:
        """Those of the texts, which all remove something, that still have something to remove. Raises as `parse`."""

    def changes_between(self, running: str, target: str, *, explicit: bool = False) -> ConfigChange:
        """The change from one configuration to another of the same language; see `domain.config_diff`."""

    def locked(self) -> AbstractContextManager[None]:
        """Keeps other sessions from changing what is read in it, as far as the element supports that."""

    def load(self, before: str, change: ConfigChange, *, dry_run: bool) -> LoadResult:
        """Make the change in the running configuration, which was `before`, and save it; only while it is `locked`.

        A dry run only finds out what that would change.
        """


class CliSession:
    """Over SSH, at the command line."""

    def __init__(self, runner: asyncio.Runner, session: AsyncCliSession) -> None:
        self._runner, self._session = runner, session

    @property
    def language(self) -> Dialect:
        return self._session.dialect

    def running(self) -> str:
        return self._runner.run(self._session.running())

    def parse(self, text: str) -> Sequence[Line]:
        if is_xml(text):
            raise DeviceRejected(XML_WITHOUT_NETCONF)
        return lines_of(self.language.syntax, text)

    def removal(self, running: str, texts: Sequence[str]) -> Sequence[Line]:
        syntax = self.language.syntax
        changes = [self.parse(text) for text in texts]
        return [line for lines in changes if not is_removed(syntax, running, lines) for line in lines]

    def changes_between(self, running: str, target: str, *, explicit: bool = False) -> Sequence[Line]:
        return changes_between(self.language.syntax, running, target, explicit=explicit)

    def locked(self) -> AbstractContextManager[None]:
        """No command line has a lock that also covers reading. Raises Locked during a trial of another session."""
        self._runner.run(self._session.require_no_trial())
        return nullcontext()

    def load(self, before: str, change: ConfigChange, *, dry_run: bool) -> LoadResult:
        assert not isinstance(change, XmlEdit)
        return self._runner.run(self._session.load(before, change, dry_run=dry_run))

    def output_of(self, command: str, *, seconds: float) -> str:
        """The output of a command that changes nothing."""
        return self._runner.run(self._session.output_of(command, seconds))


class NetconfSession:
    """A session by NETCONF."""

    def __init__(self, runner: asyncio.Runner, session: AsyncNetconfSession, model: XmlModel) -> None:
        self._runner, self._session = runner, session
        self.language = model

    def running(self) -> str:
        return self._runner.run(self._session.running())

    def parse(self, text: str) -> XmlEdit:
        try:
            return XmlEdit(nodes_of(text))
        except XmlError as error:
            raise DeviceRejected(str(error)) from error

    def removal(self, running: str, texts: Sequence[str]) -> XmlEdit:
        there = parse(running).children
        return XmlEdit(tuple(node for text in texts for node in self.parse(text).nodes if removes_from(there, node)))

    def changes_between(self, running: str, target: str, *, explicit: bool = False) -> XmlEdit:
        return xml_changes_between(running, target)

    def locked(self) -> AbstractContextManager[None]:
        return _in_runner(self._runner, self._session.locked())

    def load(self, before: str, change: ConfigChange, *, dry_run: bool) -> LoadResult:
        assert isinstance(change, XmlEdit)
        return self._runner.run(self._session.load(before, change, dry_run=dry_run))


@contextmanager
def open_session(element: NetworkElement, *, timeout: float = BUSY_TIMEOUT_SECONDS) -> Iterator[Session]:
    """By NETCONF where the element has a policy for it, else at its command line. Not inside a transaction.

    Raises DeviceError; Busy when another session with the element, or MAX_SESSIONS others, outlast `timeout`.
    """
    if element.netconf_policy is None:
        with open_cli(element, timeout=timeout) as session:
            yield session
        return
    target = login_target_of(element.netconf_policy, element)
    with (
        _counted(element, "NETCONF"),
        _exclusive(element, timeout),
        _slot(element, timeout),
        asyncio.Runner() as runner,
    ):

        def connect() -> AbstractAsyncContextManager[Netconf]:
            return provider().netconf(target)

        with _in_runner(runner, connect()) as netconf:
            element_pin_host_key(element=element, column="netconf_host_key", host_key=netconf.host_key)
            target = replace(target, host_key=netconf.host_key)  # a reconnect must reach the same server
            opened = AsyncNetconfSession(netconf, connect, target.address)
            yield NetconfSession(runner, opened, MODELS.get(element.driver, GENERIC_MODEL))


@contextmanager
def open_cli(element: NetworkElement, *, timeout: float = BUSY_TIMEOUT_SECONDS) -> Iterator[CliSession]:
    """As `open_session`, but always at the command line."""
    dialect, target = dialect_of(element), _ssh_target(element)
    with _counted(element, "SSH"), _exclusive(element, timeout), _slot(element, timeout), asyncio.Runner() as runner:

        def connect() -> AbstractAsyncContextManager[Cli]:
            return provider().cli(target)

        with _in_runner(runner, connect()) as cli:
            element_pin_host_key(element=element, column="ssh_host_key", host_key=cli.host_key)
            element_record_login_warning(element=element, warning=login_warning(cli.greeting))
            target = replace(target, host_key=cli.host_key)  # a reconnect must reach the same server
            session = runner.run(cli_session_of(cli, connect, dialect, target.address))
            runner.run(session.disable_paging())
            yield CliSession(runner, session)


async def cli_session_of(cli: Cli, connect: Connect, dialect: Dialect, address: str) -> AsyncCliSession:
    """The session of this dialect at a command line that is logged in; FRR's may be vtysh or a shell."""
    if not dialect.by_file:
        return AsyncCliSession(cli, connect, dialect, address)
    if await is_shell(cli):
        return AsyncFrrSession(cli, connect, dialect, address)
    return AsyncCliSession(cli, connect, VTYSH, address)


@contextmanager
def _in_runner(runner: asyncio.Runner, manager: AbstractAsyncContextManager[T]) -> Iterator[T]:
    """An asynchronous context manager as a synchronous one."""

    async def enter() -> T:
        return await manager.__aenter__()

    async def leave() -> None:
        await manager.__aexit__(None, None, None)

    entered = runner.run(enter())
    try:
        yield entered
    finally:
        runner.run(leave())


def dialect_of(element: NetworkElement) -> Dialect:
    """Raises NotSupported for an element whose driver is not known yet."""
    dialect = DIALECTS.get(element.driver)
    if dialect is None:
        words = f"{element.name} has not been polled yet, so the dialect of its command line is unknown."
        raise NotSupported(words, address=element.management_address)
    return dialect


def _ssh_target(element: NetworkElement) -> SshTarget:
    if element.ssh_policy is None:
        words = f"{element.name} has no SSH policy, so its command line cannot be reached."
        raise NotSupported(words, address=element.management_address)
    return login_target_of(element.ssh_policy, element)


@contextmanager
def _counted(element: NetworkElement, protocol: str) -> Iterator[None]:
    """Counts the session with the error that ended it, or "ok"."""
    result = "ok"
    try:
        yield
    except DeviceError as error:
        result = type(error).__name__
        raise
    finally:
        ELEMENT_SESSIONS.add(element.driver or UNKNOWN_DRIVER, protocol, result)


@contextmanager
def _exclusive(element: NetworkElement, timeout: float) -> Iterator[None]:
    """One session at a time with an element: two would mix their candidates, or read in the middle of a push."""
    deadline = time.monotonic() + timeout
    while True:
        with hold(f"configuration:{element.id}") as held:
            if held is not None:
                yield
                return
        if time.monotonic() >= deadline:
            words = f"Another job is at the configuration of {element.name}."
            raise Busy(words, address=element.management_address)
        Event().wait(_RETRY_SECONDS)


@contextmanager
def _slot(element: NetworkElement, timeout: float) -> Iterator[None]:
    if not _slots.acquire(timeout=timeout):
        words = f"{MAX_SESSIONS} sessions with other elements are open; {element.name} has to wait."
        raise Busy(words, address=element.management_address)
    try:
        yield
    finally:
        _slots.release()

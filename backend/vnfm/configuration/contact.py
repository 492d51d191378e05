"""Being at one element's configuration: alone, logged in by its NETCONF or SSH policy, its host key pinned.

Synchronous outside, asynchronous inside: between two questions the database may be spoken to. For workers, never for a
web request.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from threading import BoundedSemaphore, Event
from typing import Protocol, TypeVar

from vnfm.configuration.conversation import Conversation, Spoken
from vnfm.configuration.domain.dialects import DIALECTS, Dialect
from vnfm.configuration.domain.language import Language
from vnfm.configuration.domain.statements import Line, has_gone, lines_of
from vnfm.configuration.domain.turning import turned
from vnfm.configuration.domain.xml import MODELS, NOT_AT_THE_COMMAND_LINE, PLAIN, Edit, XmlModel, nodes_of
from vnfm.configuration.domain.xml import turned as xml_turned
from vnfm.configuration.netconf import NetconfConversation
from vnfm.devices.errors import Busy, DeviceRejected, NotSupported
from vnfm.devices.ports import Cli, Netconf
from vnfm.devices.registry import provider
from vnfm.devices.types import SshTarget
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import login_target_of
from vnfm.elements.services.elements import element_pin_host_key
from vnfm.kit.lease import hold
from vnfm.kit.xml import XmlError, is_xml

T = TypeVar("T")

PATIENCE_SECONDS = 60.0
"""How long somebody waits for the other who is at the same element; most are done in seconds."""

TALKS = 8
"""Elements that one process speaks to at once. A worker has sixteen threads: however many routers are slow, half of
them are left for everything else.
"""

_AGAIN_SECONDS = 0.5
_talks = BoundedSemaphore(TALKS)


Change = Sequence[Line] | Edit
"""What is to be loaded, in the form that the session gave; empty where nothing is to be done."""


class Session(Protocol):
    """An element that is logged in. Every method waits for its answers, and raises DeviceError."""

    @property
    def language(self) -> Language: ...

    def running(self) -> str:
        """The running configuration, without what changes by itself."""

    def read(self, text: str) -> Change:
        """What somebody wants to have pushed. Raises Rejected for a text that is none of its language."""

    def removal(self, running: str, texts: Sequence[str]) -> Change:
        """Those of the texts, each of which takes something away, whose something is there. Raises as `read` does."""

    def turned(self, running: str, wanted: str, *, explicit: bool = False) -> Change:
        """What leads from one configuration to another of the same language; see `domain.turning`."""

    def held(self) -> AbstractContextManager[None]:
        """In it nobody else changes the configuration, as far as the element can promise that: what is read in it is
        what is changed.
        """

    def load(self, before: str, change: Change, *, dry_run: bool) -> Spoken:
        """Make the change in what runs, which was `before`, and save it; or only find out what that would do.

        Only while it is `held`.
        """


class CliSession:
    """At the command line."""

    def __init__(self, runner: asyncio.Runner, conversation: Conversation, dialect: Dialect) -> None:
        self._runner, self._conversation = runner, conversation
        self.language = dialect

    def running(self) -> str:
        return self._runner.run(self._conversation.running())

    def read(self, text: str) -> Sequence[Line]:
        if is_xml(text):
            raise DeviceRejected(NOT_AT_THE_COMMAND_LINE)
        return lines_of(self.language.syntax, text)

    def removal(self, running: str, texts: Sequence[str]) -> Sequence[Line]:
        syntax = self.language.syntax
        return [line for text in texts if not has_gone(syntax, running, self.read(text)) for line in self.read(text)]

    def turned(self, running: str, wanted: str, *, explicit: bool = False) -> Sequence[Line]:
        return turned(self.language.syntax, running, wanted, explicit=explicit)

    def held(self) -> AbstractContextManager[None]:
        """No command line keeps others away while it prints what runs. Raises as `Conversation.settled` does."""
        self._runner.run(self._conversation.settled())
        return nullcontext()

    def load(self, before: str, change: Change, *, dry_run: bool) -> Spoken:
        """See `Conversation.load`."""
        assert not isinstance(change, Edit)
        return self._runner.run(self._conversation.load(before, change, dry_run=dry_run))

    def ask(self, command: str, *, seconds: float) -> str:
        """What it prints after a command that changes nothing."""
        return self._runner.run(self._conversation.ask(command, seconds))


class NetconfSession:
    """By NETCONF."""

    def __init__(self, runner: asyncio.Runner, conversation: NetconfConversation, model: XmlModel) -> None:
        self._runner, self._conversation = runner, conversation
        self.language = model

    def running(self) -> str:
        return self._runner.run(self._conversation.running())

    def read(self, text: str) -> Edit:
        try:
            return Edit(nodes_of(text))
        except XmlError as error:
            raise DeviceRejected(str(error)) from error

    def removal(self, running: str, texts: Sequence[str]) -> Edit:
        """All of them: what is not there any more is no error where the operation is `remove` (RFC 6241, 7.2)."""
        return Edit(tuple(node for text in texts for node in self.read(text).nodes))

    def turned(self, running: str, wanted: str, *, explicit: bool = False) -> Edit:
        return xml_turned(running, wanted)

    def held(self) -> AbstractContextManager[None]:
        return _entered(self._runner, self._conversation.held())

    def load(self, before: str, change: Change, *, dry_run: bool) -> Spoken:
        """See `NetconfConversation.load`."""
        assert isinstance(change, Edit)
        return self._runner.run(self._conversation.load(before, change, dry_run=dry_run))


@contextmanager
def session(element: NetworkElement, *, patience: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """By NETCONF where the element has a policy for it, else at its command line. Not inside a transaction.

    Raises DeviceError; Busy when another is at the element, or too many are at theirs, for longer than `patience`.
    """
    if element.netconf_policy is None:
        with command_line(element, patience=patience) as open_session:
            yield open_session
        return
    target = login_target_of(element.netconf_policy, element)
    with _alone(element, patience), _admitted(element, patience), asyncio.Runner() as runner:

        def connecting() -> AbstractAsyncContextManager[Netconf]:
            return provider().netconf(target)

        with _entered(runner, connecting()) as netconf:
            element_pin_host_key(element=element, column="netconf_host_key", host_key=netconf.host_key)
            target = replace(target, host_key=netconf.host_key)  # of the same server, whoever connects again
            conversation = NetconfConversation(netconf, connecting, target.address)
            yield NetconfSession(runner, conversation, MODELS.get(element.driver, PLAIN))


@contextmanager
def command_line(element: NetworkElement, *, patience: float = PATIENCE_SECONDS) -> Iterator[CliSession]:
    """As `session`, at the command line whatever else the element speaks."""
    dialect, target = dialect_of(element), _target(element)
    with _alone(element, patience), _admitted(element, patience), asyncio.Runner() as runner:

        def connecting() -> AbstractAsyncContextManager[Cli]:
            return provider().cli(target)

        with _entered(runner, connecting()) as cli:
            element_pin_host_key(element=element, column="ssh_host_key", host_key=cli.host_key)
            target = replace(target, host_key=cli.host_key)  # of the same server, whoever connects again
            conversation = Conversation(cli, connecting, dialect, target.address)
            runner.run(conversation.begin())
            yield CliSession(runner, conversation, dialect)


@contextmanager
def _entered(runner: asyncio.Runner, connecting: AbstractAsyncContextManager[T]) -> Iterator[T]:
    entered = runner.run(_enter(connecting))
    try:
        yield entered
    finally:
        runner.run(_leave(connecting))


async def _enter(connecting: AbstractAsyncContextManager[T]) -> T:
    return await connecting.__aenter__()


async def _leave(connecting: AbstractAsyncContextManager[T]) -> None:
    await connecting.__aexit__(None, None, None)


def dialect_of(element: NetworkElement) -> Dialect:
    """Raises NotSupported for an element of which nobody knows yet what it is."""
    dialect = DIALECTS.get(element.driver)
    if dialect is None:
        words = f"What {element.name} is has not been read yet, so nobody knows how to speak to its command line."
        raise NotSupported(words, address=element.management_address)
    return dialect


def _target(element: NetworkElement) -> SshTarget:
    if element.ssh_policy is None:
        words = f"{element.name} has no SSH policy, so nobody can log in."
        raise NotSupported(words, address=element.management_address)
    return login_target_of(element.ssh_policy, element)


@contextmanager
def _alone(element: NetworkElement, patience: float) -> Iterator[None]:
    """One at a time at an element: two candidates, or a reading in the middle of a push, would be neither's."""
    deadline = time.monotonic() + patience
    while True:
        with hold(f"configuration:{element.id}") as held:
            if held is not None:
                yield
                return
        if time.monotonic() >= deadline:
            raise Busy(f"Somebody else is at the configuration of {element.name}.", address=element.management_address)
        Event().wait(_AGAIN_SECONDS)


@contextmanager
def _admitted(element: NetworkElement, patience: float) -> Iterator[None]:
    if not _talks.acquire(timeout=patience):
        words = f"{TALKS} other elements are being spoken to; the turn of {element.name} comes."
        raise Busy(words, address=element.management_address)
    try:
        yield
    finally:
        _talks.release()

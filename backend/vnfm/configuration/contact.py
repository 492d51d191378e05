"""Being at one element's command line: alone, logged in by its SSH policy, its host key pinned.

Synchronous outside, asynchronous inside: between two questions the database may be spoken to. For workers, never for a
web request.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from threading import Event

from vnfm.configuration.conversation import Conversation, Spoken
from vnfm.configuration.domain.dialects import DIALECTS, Dialect
from vnfm.configuration.domain.statements import Line
from vnfm.devices.errors import Busy, NotSupported
from vnfm.devices.ports import Cli
from vnfm.devices.registry import provider
from vnfm.devices.types import SshTarget
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import ssh_target_of
from vnfm.elements.services import element_pin_host_key
from vnfm.kit.lease import hold

PATIENCE_SECONDS = 60.0
"""How long somebody waits for the other who is at the same element; most are done in seconds."""

_AGAIN_SECONDS = 0.5


class Session:
    """An element that is logged in. Every method waits for its answers, and raises DeviceError."""

    def __init__(self, runner: asyncio.Runner, conversation: Conversation, dialect: Dialect) -> None:
        self._runner, self._conversation = runner, conversation
        self.dialect = dialect

    def running(self) -> str:
        """The running configuration, without what changes by itself."""
        return self._runner.run(self._conversation.running())

    def load(self, before: str, lines: Sequence[Line], *, dry_run: bool) -> Spoken:
        """See `Conversation.load`."""
        return self._runner.run(self._conversation.load(before, lines, dry_run=dry_run))

    def ask(self, command: str, *, seconds: float) -> str:
        """What it prints after a command that changes nothing."""
        return self._runner.run(self._conversation.ask(command, seconds))


@contextmanager
def session(element: NetworkElement, *, patience: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """Not inside a transaction. Raises DeviceError; Busy when another is at the element for longer than `patience`."""
    dialect, target = dialect_of(element), _target(element)
    with _alone(element, patience), asyncio.Runner() as runner:
        connecting = provider().cli(target)
        cli = runner.run(_enter(connecting))
        try:
            element_pin_host_key(element=element, host_key=cli.host_key)
            conversation = Conversation(cli, dialect, target.address)
            runner.run(conversation.begin())
            yield Session(runner, conversation, dialect)
        finally:
            runner.run(_leave(connecting))


async def _enter(connecting: AbstractAsyncContextManager[Cli]) -> Cli:
    return await connecting.__aenter__()


async def _leave(connecting: AbstractAsyncContextManager[Cli]) -> None:
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
    return ssh_target_of(element.ssh_policy, element)


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

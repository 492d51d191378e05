"""Ports towards a network element. Whatever fails is a `DeviceError`; nothing waits longer than its bounds.

Everything is asynchronous: one thread speaks to hundreds of elements, of which any number may be silent.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from re import Pattern
from typing import Literal, Protocol

from vnfm.devices.types import Bounds, SnmpTarget, SshTarget, Table, Value
from vnfm.kit.xml import Node

Datastore = Literal["running", "candidate", "startup"]
"""Of a NETCONF server (RFC 6241, 5.1)."""


class Snmp(Protocol):
    """An SNMP agent. Names are numeric, without a leading dot. Raises Unreachable, Refused, Rejected, Garbled."""

    async def get(self, names: Sequence[str]) -> Mapping[str, Value]:
        """These instances, in one request; those that the agent does not have are left out."""

    async def columns(self, names: Sequence[str], bounds: Bounds) -> Table:
        """These columns of tables, whole. Raises Garbled when they are longer than the bounds allow."""


class Cli(Protocol):
    """A command line that is logged in. Raises Unreachable when it is lost, Garbled when no prompt comes back."""

    @property
    def host_key(self) -> str:
        """The server's key in OpenSSH's form, to be pinned."""

    @property
    def prompt(self) -> str:
        """What it showed last, after its output: the prompt at which it waits, or a question."""

    async def run(self, command: str, *, seconds: float = 30.0) -> str:
        """What the element printed, without the echo of the command and without the prompt after it.

        Raises Rejected when it says no, as far as that can be told without knowing its family.
        """

    async def say(self, line: str, *, until: Pattern[str], seconds: float = 30.0) -> str:
        """As `run`, but whatever it prints is returned, up to a last line in which `until` is found.

        For who knows the family: what it says may be a question, and the next prompt may be under another name.
        """


class Netconf(Protocol):
    """A NETCONF session. Raises Unreachable when it is lost, Garbled when what comes makes no sense.

    An rpc-error is Rejected with the server's words, or Locked (lock-denied, in-use), Refused (access-denied),
    NotSupported (operation-not-supported). After Unreachable and Garbled the session is over.
    """

    @property
    def host_key(self) -> str:
        """The server's key in OpenSSH's form, to be pinned."""

    @property
    def capabilities(self) -> frozenset[str]:
        """Standard ones by name and version (`candidate:1.0`, `confirmed-commit:1.1`), others by URI."""

    async def get_config(self, source: Datastore) -> Sequence[Node]:
        """What it holds, whole: the elements at the top of its data models."""

    async def edit_config(self, target: Datastore, config: Sequence[Node]) -> None:
        """Merge elements into it; attributes `operation` in them may say otherwise (RFC 6241, 7.2)."""

    async def lock(self, target: Datastore) -> None:
        """For this session alone, until it unlocks or ends. Raises Locked while another has it."""

    async def unlock(self, target: Datastore) -> None: ...

    async def validate(self, source: Datastore) -> None:
        """Of servers with :validate."""

    async def commit(self, *, confirm_within: int | None = None, seconds: float = ...) -> None:
        """Make the candidate the running configuration. `seconds` is how long the reply is waited for.

        With `confirm_within` (:confirmed-commit) the server takes it back by itself when it does not hear another
        commit within so many seconds, or when this session ends before (RFC 6241, 8.4).
        """

    async def cancel_commit(self) -> None:
        """Take a commit back that is not confirmed; of servers with :confirmed-commit:1.1."""

    async def discard_changes(self) -> None:
        """Make the candidate what runs."""

    async def copy_config(self, source: Datastore, target: Datastore) -> None: ...

    def hang_up(self) -> None:
        """End it without a word: what is not confirmed is taken back as soon as the server sees that."""


class DeviceProvider(Protocol):
    """Makes connections; a context ends with its connection closed."""

    def snmp(self, target: SnmpTarget) -> AbstractAsyncContextManager[Snmp]:
        """Over UDP: entering it speaks to nobody, except to discover the engine of SNMPv3."""

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        """Logs in. Raises Refused for a host key that is another than the pinned one, before any password is sent."""

    def netconf(self, target: SshTarget) -> AbstractAsyncContextManager[Netconf]:
        """As `cli`, with hellos exchanged. Raises NotSupported where there is no such subsystem."""

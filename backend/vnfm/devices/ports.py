"""Ports towards a network element. Whatever fails is a `DeviceError`; nothing waits longer than its bounds.

Everything is asynchronous: one thread speaks to hundreds of elements, of which any number may be silent.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from re import Pattern
from typing import Protocol

from vnfm.devices.types import Bounds, SnmpTarget, SshTarget, Table, Value


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


class DeviceProvider(Protocol):
    """Makes connections; a context ends with its connection closed."""

    def snmp(self, target: SnmpTarget) -> AbstractAsyncContextManager[Snmp]:
        """Over UDP: entering it speaks to nobody, except to discover the engine of SNMPv3."""

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        """Logs in. Raises Refused for a host key that is another than the pinned one, before any password is sent."""

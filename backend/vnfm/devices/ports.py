"""Ports towards a network element. All failures are a `DeviceError`; nothing waits longer than its bounds.

All calls are asynchronous: one thread speaks to hundreds of elements, of which any number may be silent.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol

from vnfm.devices.types import Bounds, SnmpTarget, SshTarget, TableRead, Value
from vnfm.kit.patterns import Pattern
from vnfm.kit.xml import XmlNode

Datastore = Literal["running", "candidate", "startup"]
"""A datastore of a NETCONF server (RFC 6241, 5.1)."""


class Snmp(Protocol):
    """An SNMP agent. Names are numeric, without a leading dot. Raises Unreachable, Refused, DeviceRejected, Garbled."""

    async def get(self, names: Sequence[str]) -> Mapping[str, Value]:
        """These instances, in one request; those that the agent does not have are left out."""

    async def columns(self, names: Sequence[str], bounds: Bounds) -> TableRead:
        """These columns of tables. A column that cannot be read is named in the result and costs no other one."""


class Cli(Protocol):
    """A command line after login. Raises Unreachable when it is lost, Garbled when no prompt comes back."""

    @property
    def host_key(self) -> str:
        """The server's key in OpenSSH's form, to be pinned."""

    @property
    def prompt(self) -> str:
        """The last line of its output: the prompt at which it waits, or a question."""

    @property
    def greeting(self) -> str:
        """All that it printed before the first prompt: banners, warnings, and questions, answered by No."""

    async def say(self, line: str, *, until: Pattern, seconds: float = 30.0) -> str:
        """All output up to a last line in which `until` is found, without the echo of the line and without that last
        line; error messages too, as only the family's dialect tells them from output.
        """


class Netconf(Protocol):
    """A NETCONF session. Raises Unreachable when it is lost, Garbled for messages that cannot be parsed.

    An rpc-error is DeviceRejected with the server's message, or Locked (lock-denied, in-use), Refused (access-denied),
    NotSupported (operation-not-supported). After Unreachable and Garbled the session is over.
    """

    @property
    def host_key(self) -> str:
        """The server's key in OpenSSH's form, to be pinned."""

    @property
    def capabilities(self) -> frozenset[str]:
        """Standard ones by name and version (`candidate:1.0`, `confirmed-commit:1.1`), others by URI."""

    async def get_config(self, source: Datastore) -> Sequence[XmlNode]:
        """The complete datastore: the top-level elements of its data models."""

    async def edit_config(self, target: Datastore, config: Sequence[XmlNode]) -> None:
        """Merge elements into it; attributes `operation` in them may say otherwise (RFC 6241, 7.2)."""

    async def lock(self, target: Datastore) -> None:
        """Lock it for this session until it unlocks or ends. Raises Locked while another session holds it."""

    async def unlock(self, target: Datastore) -> None: ...

    async def validate(self, source: Datastore) -> None:
        """Only servers with :validate have it."""

    async def commit(self, *, confirm_within: int | None = None, seconds: float = ...) -> None:
        """Make the candidate the running configuration. `seconds`: limit for the reply.

        With `confirm_within` (:confirmed-commit) the server rolls it back unless another commit follows within these
        seconds, or when this session ends before that (RFC 6241, 8.4).
        """

    async def cancel_commit(self) -> None:
        """Roll back an unconfirmed commit; for servers with :confirmed-commit:1.1."""

    async def discard_changes(self) -> None:
        """Reset the candidate to the running configuration."""

    async def copy_config(self, source: Datastore, target: Datastore) -> None: ...

    def hang_up(self) -> None:
        """Drop the connection: the server rolls back an unconfirmed commit when it notices."""


class DeviceProvider(Protocol):
    """Opens connections; leaving a context closes its connection."""

    def snmp(self, target: SnmpTarget) -> AbstractAsyncContextManager[Snmp]:
        """It uses UDP: entering the context sends nothing, except to discover the engine of SNMPv3."""

    async def snmp_engine_id(self, target: SnmpTarget) -> bytes:
        """Return the id of the SNMPv3 agent there, which its users' keys belong to. Raises Unreachable if silent."""

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        """Logs in. Raises Refused for a host key that is not the pinned one, before any password is sent."""

    def netconf(self, target: SshTarget) -> AbstractAsyncContextManager[Netconf]:
        """Logs in as `cli`, and exchanges hellos. Raises NotSupported where the subsystem does not exist."""

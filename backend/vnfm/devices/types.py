"""Arguments and results of `devices.ports`, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

AuthProtocol = Literal["", "MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"]
"""USM authentication (RFC 3414, RFC 7860); "" sends in clear and unsigned."""

PrivProtocol = Literal["", "DES", "AES", "AES-192", "AES-256"]
"""USM privacy (RFC 3414, RFC 3826; the longer AES as net-snmp and the routers do it); "" does not encrypt."""

Value = int | float | str | bytes | None
"""Integers and times as int, object identifiers and IP addresses as str, octets as bytes."""

Index = tuple[int, ...]
"""The part of an instance name after the column: the row."""

Table = Mapping[str, Mapping[Index, Value]]
"""Column → its rows; empty for a column that the element does not have."""


@dataclass(frozen=True, slots=True)
class Community:
    """SNMPv2c."""

    name: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SnmpUser:
    """SNMPv3 with the user-based security model."""

    name: str
    auth_protocol: AuthProtocol = ""
    auth_password: str = field(default="", repr=False)
    priv_protocol: PrivProtocol = ""
    priv_password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SnmpTarget:
    """An agent and its access parameters. Times in seconds."""

    address: str
    port: int
    credentials: Community | SnmpUser
    timeout: float = 2.0
    """The time for one answer."""
    retries: int = 1
    """Repetitions of a request: UDP loses packets, and a lost packet must not look like a lost element."""
    repetitions: int = 40
    """max-repetitions of GETBULK. An agent returns fewer rows when more do not fit into its largest packet."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for reading tables, as an agent decides how long its tables are."""

    seconds: float = 60.0
    """The time for all columns of one call."""
    rows: int = 20_000
    """The limit of one column."""
    octets: int = 32 * 2**20
    """The memory of all columns of a session."""


@dataclass(frozen=True, slots=True)
class Unread:
    """The reason why a column could not be read whole."""

    reason: str
    """A clause: "it repeats a row"."""
    cut: bool = False
    """It is longer than the bounds: the rows up to there are in the table."""
    late: bool = False
    """Its rows were not complete in time: none are in the table."""
    large: bool = False
    """It is more than the bounds, with the columns before it: none of its rows are in the table, as other columns of
    the same table have other rows by then."""

    @property
    def may_pass(self) -> bool:
        """True if another attempt soon may end otherwise: the bounds are the same."""
        return not (self.cut or self.late or self.large)


@dataclass(frozen=True, slots=True)
class TableRead:
    """Columns that were read; those of `unread` are not in the table, unless they are cut."""

    table: Table
    unread: Mapping[str, Unread]


@dataclass(frozen=True, slots=True)
class SshTarget:
    """An SSH server of a network element."""

    address: str
    port: int
    username: str
    password: str = field(default="", repr=False)
    private_key: str = field(default="", repr=False)
    """PEM or OpenSSH; "" for none."""
    host_key: str = ""
    """The key pinned at the first contact, in OpenSSH's form; "" accepts any key."""
    old_algorithms: bool = False
    """Also offer SHA-1 key exchange, ssh-rsa and CBC, for software of 2016 and before."""
    timeout: float = 10.0

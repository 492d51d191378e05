"""The SNMP adapter: gufo_snmp's session, with retries, bounds and our errors."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from types import TracebackType
from typing import TypeVar

from gufo.snmp import (
    Aes128Key,
    Aes192Key,
    Aes256Key,
    BaseAuthKey,
    BasePrivKey,
    DesKey,
    Md5Key,
    NoSuchInstance,
    Sha1Key,
    Sha224Key,
    Sha256Key,
    Sha384Key,
    Sha512Key,
    SnmpAuthError,
    SnmpDecodeError,
    SnmpError,
    User,
)
from gufo.snmp.aio import SnmpSession
from gufo.snmp.user import KeyType

from vnfm.devices.errors import DeviceError, DeviceRejected, Garbled, Refused, Unreachable
from vnfm.devices.ports import Snmp
from vnfm.devices.types import Bounds, Community, Index, SnmpTarget, SnmpUser, Value

T = TypeVar("T")

SMALL_BULK = 8
"""max-repetitions after a truncated answer: gufo_snmp takes datagrams of 4 KiB, and some agents send larger ones."""

MASTER_KEYS = 1024
"""Passwords whose keys are remembered: each poll would compute them again, 2 to 5 ms of processor."""

AUTH: Mapping[str, type[BaseAuthKey]] = {
    "MD5": Md5Key,
    "SHA": Sha1Key,
    "SHA-224": Sha224Key,
    "SHA-256": Sha256Key,
    "SHA-384": Sha384Key,
    "SHA-512": Sha512Key,
}
PRIV: Mapping[str, type[BasePrivKey]] = {"DES": DesKey, "AES": Aes128Key, "AES-192": Aes192Key, "AES-256": Aes256Key}


@asynccontextmanager
async def connect(target: SnmpTarget) -> AsyncIterator[Snmp]:
    """A session with the agent: one socket for the length of the context."""
    session = _session(target)
    client = _Client(session, target)
    await client.retrying(session.refresh)
    yield client


def _session(target: SnmpTarget) -> SnmpSession:
    try:
        return SnmpSession(
            target.address,
            target.port,
            community=target.credentials.name if isinstance(target.credentials, Community) else "",
            user=None if isinstance(target.credentials, Community) else _user(target.credentials),
            timeout=target.timeout,
            max_repetitions=target.repetitions,
        )
    except (OSError, ValueError) as error:
        raise Unreachable(f"No way to {target.address}: {error}", address=target.address) from error


def _user(user: SnmpUser) -> User:
    if not user.auth_protocol:
        return User(user.name)
    kind = AUTH[user.auth_protocol]
    auth = kind(_master_key(user.auth_protocol, user.auth_password), key_type=KeyType.Master)
    if not user.priv_protocol:
        return User(user.name, auth_key=auth)
    priv = PRIV[user.priv_protocol](_master_key(user.auth_protocol, user.priv_password), key_type=KeyType.Master)
    return User(user.name, auth_key=auth, priv_key=priv)


@lru_cache(maxsize=MASTER_KEYS)
def _master_key(protocol: str, password: str) -> bytes:
    """The key that a password stands for, before it is an agent's (RFC 3414 A.2): the hash of a megabyte of it."""
    return AUTH[protocol].get_master_key(password.encode())


class _Client:
    def __init__(self, session: SnmpSession, target: SnmpTarget) -> None:
        self._session = session
        self._target = target

    async def get(self, names: Sequence[str]) -> Mapping[str, Value]:
        requested = list(names)
        values = await self.retrying(lambda: self._session.get_many(requested))
        return {name: value for name, value in values.items() if value is not None}

    async def columns(self, names: Sequence[str], bounds: Bounds) -> Mapping[str, Mapping[Index, Value]]:
        try:
            async with asyncio.timeout(bounds.seconds):
                return {name: await self._column(name, bounds.rows) for name in names}
        except TimeoutError as error:
            words = f"{self._target.address} did not return its tables in {bounds.seconds:.0f} s."
            raise Garbled(words, address=self._target.address) from error

    async def _column(self, name: str, limit: int) -> dict[Index, Value]:
        try:
            return await self._walk_column(name, limit, self._target.repetitions)
        except Garbled as error:
            if not isinstance(error.__cause__, SnmpDecodeError) or self._target.repetitions <= SMALL_BULK:
                raise
            return await self._walk_column(name, limit, SMALL_BULK)

    async def _walk_column(self, name: str, limit: int, repetitions: int) -> dict[Index, Value]:
        rows: dict[Index, Value] = {}
        walk = self._session.getbulk(name, max_repetitions=repetitions)
        await self.retrying(lambda: self._drain(walk, name, rows, limit), lambda: len(rows))
        return rows

    async def _drain(
        self, walk: AsyncIterator[tuple[str, Value]], name: str, rows: dict[Index, Value], limit: int
    ) -> None:
        """The rest of the column. May be called again after a lost answer: the walk keeps its position."""
        cut = len(name) + 1
        with suppress(NoSuchInstance):
            async for instance, value in walk:
                index = tuple(map(int, instance[cut:].split(".")))
                if index in rows or len(rows) >= limit:
                    problem = f"repeats itself at {instance}" if index in rows else f"has more than {limit} rows"
                    raise Garbled(f"{self._target.address}: the column {name} {problem}.", address=self._target.address)
                rows[index] = value

    async def retrying(self, ask: Callable[[], Awaitable[T]], progress: Callable[[], int] = lambda: 0) -> T:
        """The result of `ask`, which is repeated after a timeout; all errors become a DeviceError.

        `progress`: when it has grown between two lost answers, the count of lost answers restarts.
        """
        lost, before = 0, progress()
        while True:
            try:
                with _PanicsAsGarbled(self._target.address):
                    return await ask()
            except TimeoutError as error:
                lost, before = (lost + 1 if progress() == before else 1), progress()
                if lost > self._target.retries:
                    raise self._mapped(error) from error
            except (SnmpError, OSError, ValueError) as error:
                raise self._mapped(error) from error

    def _mapped(self, error: Exception) -> DeviceError:
        address, words = self._target.address, str(error) or type(error).__name__
        match error:
            case TimeoutError() | OSError():
                requests = self._target.retries + 1
                return Unreachable(
                    f"No SNMP answer from {address}:{self._target.port} to {requests} requests of "
                    f"{self._target.timeout:g} s each.",
                    address=address,
                )
            case SnmpAuthError():
                return Refused(f"{address} does not accept the SNMPv3 user or its passwords.", address=address)
            case SnmpDecodeError() | ValueError():
                return Garbled(f"{address} sent what is no SNMP answer: {words}", address=address)
            case _:
                return DeviceRejected(f"{address} refuses the request: {words}", address=address)


class _PanicsAsGarbled:
    """The decoder of gufo_snmp panics at some truncated datagrams, with a BaseException; this maps it to Garbled."""

    def __init__(self, address: str) -> None:
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and kind.__name__ == "PanicException":
            raise Garbled(f"{self._address} sent what is no SNMP answer: {error}", address=self._address) from error

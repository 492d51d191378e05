"""The SNMP adapter: gufo_snmp's session, with retries, bounds and our errors."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
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
from gufo.snmp._fast import GetIter
from gufo.snmp.aio import SnmpSession
from gufo.snmp.user import KeyType

from vnfm.devices.errors import DeviceError, DeviceRejected, Garbled, Refused, Unreachable
from vnfm.devices.ports import Snmp
from vnfm.devices.types import Bounds, Community, Index, SnmpTarget, SnmpUser, TableRead, Unread, Value

T = TypeVar("T")

SYS_UPTIME = "1.3.6.1.2.1.1.3.0"
SMALL_BULK = 8
"""max-repetitions where more fail: gufo_snmp takes datagrams of 4 KiB, agents send larger ones, networks lose these."""
NEXT = 0
"""The place of max-repetitions has it for GETNEXT, for agents that do not answer GETBULK."""
BEHIND_ALL = "2.999"
"""A name behind those of all MIBs, which are below 1."""
ANSWERED_BY_ERROR = "the element answers with an error"
UNANSWERED = "the element does not answer for it"
SILENT_COLUMNS = 2
"""Columns of a table that are not answered before the rest of the table is left: each costs all retries."""
REMEMBERED_SECONDS, REMEMBERED_AGENTS = 3600.0, 10_000
"""Seconds for which, and number of agents of which, it is remembered which requests they answer."""
VALUE_OCTETS = 64
"""Memory that a row takes besides its octets."""

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


class _BadWalk(Garbled):
    """An agent does not go on in its table. `reason`: a clause."""

    def __init__(self, reason: str, *, address: str) -> None:
        super().__init__(f"{address}: a table could not be read, as {reason}.", address=address)
        self.reason = reason


@dataclass(slots=True)
class _Abilities:
    """Kinds of requests that an agent answers. `since`: seconds of the monotonic clock."""

    since: float
    several: bool = False
    """It has answered a request for several variables."""
    single: bool = False
    """It answers one variable in a message only."""
    bulk: bool = False
    """It has answered a GETBULK of the wanted size."""
    first: int = 0
    """Position in `kinds` of the first that it answers."""

    def kinds(self, repetitions: int) -> Sequence[tuple[int, int]]:
        """Position and max-repetitions of the kinds of requests to try for a column, the quickest first."""
        every = (repetitions, min(repetitions, SMALL_BULK), NEXT)
        return [*enumerate(every)][self.first :]

    def answered(self, position: int) -> None:
        self.bulk = self.bulk or position == 0
        if not self.bulk:
            self.first = position


_agents: OrderedDict[tuple[str, int], _Abilities] = OrderedDict()


def _abilities_of(target: SnmpTarget) -> _Abilities:
    """Return what is remembered; of no agent for longer than REMEMBERED_SECONDS, as software is replaced."""
    key, now = (target.address, target.port), time.monotonic()
    known = _agents.get(key)
    if known is None or now - known.since > REMEMBERED_SECONDS:
        known = _agents[key] = _Abilities(now)
    _agents.move_to_end(key)
    if len(_agents) > REMEMBERED_AGENTS:
        _agents.popitem(last=False)
    return known


class _Client:
    def __init__(self, session: SnmpSession, target: SnmpTarget) -> None:
        self._session = session
        self._target = target
        self._abilities = _abilities_of(target)
        self._silent: Counter[str] = Counter()
        """Columns that were not answered, by table."""
        self._octets = 0

    async def get(self, names: Sequence[str]) -> Mapping[str, Value]:
        abilities = self._abilities
        if len(names) > 1 and not abilities.single:
            try:
                found = await self._get_many(names)
            except Unreachable:
                if abilities.several or not await self._answers():
                    raise
            except (Garbled, DeviceRejected):
                pass
            else:
                abilities.several = abilities.several or bool(found)
                if found:
                    return found
        return await self._get_each(names) if len(names) > 1 else await self._get_many(names)

    async def _get_many(self, names: Sequence[str]) -> Mapping[str, Value]:
        """Empty for an error-status, too, which gufo_snmp does not tell from objects that do not exist."""
        requested = list(names)
        values = await self.retrying(lambda: self._session.get_many(requested))
        return {name: value for name, value in values.items() if value is not None}

    async def _get_each(self, names: Sequence[str]) -> Mapping[str, Value]:
        """Some agents answer one variable in a message, or refuse all because of one: send one request for each."""
        found: dict[str, Value] = {}
        for name in names:
            with suppress(Unreachable, Garbled, DeviceRejected):
                found.update(await self._get_many([name]))
        self._abilities.single = not self._abilities.several
        return found

    async def _answers(self) -> bool:
        """True if it answers a request of the simplest kind, be it with an error."""
        try:
            await self._get_many([SYS_UPTIME])
        except Unreachable:
            return False
        except (Garbled, DeviceRejected):
            return True
        return True

    async def columns(self, names: Sequence[str], bounds: Bounds) -> TableRead:
        table: dict[str, Mapping[Index, Value]] = {}
        unread: dict[str, Unread] = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(bounds.seconds):
                for name in names:
                    table[name], problem = await self._column(name, bounds)
                    if problem is not None:
                        unread[name] = problem
        late = Unread(f"it was not read within {bounds.seconds:.0f} s", late=True)
        unread |= {name: late for name in names if name not in table}
        complete = {name: rows for name, rows in table.items() if name not in unread or unread[name].cut}
        return TableRead(complete, unread)

    async def _column(self, name: str, bounds: Bounds) -> tuple[dict[Index, Value], Unread | None]:
        """Read it by ever simpler requests while the agent answers something at all; raises Unreachable otherwise."""
        entry, problem = name.rpartition(".")[0], Unread(UNANSWERED)
        if self._silent[entry] >= SILENT_COLUMNS:
            return {}, problem
        for position, repetitions in self._abilities.kinds(self._target.repetitions):
            rows: dict[Index, Value] = {}
            try:
                cut = await self._walk_column(name, bounds, repetitions, rows)
            except Unreachable:
                if not await self._answers():
                    raise
                problem = Unread(UNANSWERED)
            except (Garbled, DeviceRejected) as error:
                problem = Unread(error.reason if isinstance(error, _BadWalk) else ANSWERED_BY_ERROR)
            else:
                self._abilities.answered(position)
                return rows, cut
        self._silent[entry] += problem.reason == UNANSWERED
        return {}, problem

    async def _walk_column(
        self, name: str, bounds: Bounds, repetitions: int, rows: dict[Index, Value]
    ) -> Unread | None:
        """Rows in an order of the agent's own are taken as they come; one that comes again is the end of it."""
        at, prefix = name, f"{name}."
        while answer := await self.retrying(partial(self._after, at, repetitions)):
            for at, value in answer.items():
                if not at.startswith(prefix):
                    if _arcs(at) < _arcs(name):
                        raise _BadWalk("it goes back to its beginning", address=self._target.address)
                    return None
                index = _arcs(at[len(prefix) :])
                if index in rows:
                    raise _BadWalk("it repeats a row", address=self._target.address)
                if len(rows) >= bounds.rows:
                    return Unread(f"it has more than {bounds.rows} rows", cut=True)
                self._octets += VALUE_OCTETS + (len(value) if isinstance(value, bytes | str) else 0)
                if self._octets > bounds.octets:
                    return Unread(f"the tables have more than {bounds.octets >> 20} MiB", large=True)
                rows[index] = value
        if not await self.retrying(partial(self._is_end, at)):
            raise _BadWalk(ANSWERED_BY_ERROR, address=self._target.address)
        return None

    async def _is_end(self, at: str) -> bool:
        """True if an empty answer to "what follows `at`?" is the end of all objects, and not an error.

        Old agents answer both by an error: those do so, too, behind all that exists.
        """
        return await self._says_end(at) or (not await self._says_end(BEHIND_ALL))

    async def _says_end(self, at: str) -> bool:
        """gufo_snmp has endOfMibView as NoSuchInstance, an error as None, and a following object as its value."""
        session, socket = self._session, self._session._sock  # noqa: SLF001 - as for `_after`
        await session._send(partial(socket.send_get_next, GetIter(at)))  # noqa: SLF001 - as above
        try:
            await session._recv(socket.recv_get)  # noqa: SLF001 - as above
        except NoSuchInstance:
            return True
        return False

    async def _after(self, at: str, repetitions: int) -> Mapping[str, Value]:
        """The instances that follow; empty at the end of all objects, and for an error.

        By gufo_snmp's parts: its own iterators end without a word at an error-status, and at a row that comes again.
        """
        session, socket = self._session, self._session._sock  # noqa: SLF001 - as above
        send = socket.send_get_next if repetitions == NEXT else socket.send_get_bulk
        await session._send(partial(send, GetIter(at, repetitions or None)))  # noqa: SLF001 - as above
        return await session._recv(socket.recv_get_many)  # noqa: SLF001 - as above

    async def retrying(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The result of `ask`, which is repeated after a timeout; all errors become a DeviceError."""
        lost = 0
        while True:
            try:
                with _PanicsAsGarbled(self._target.address):
                    return await ask()
            except TimeoutError as error:
                lost += 1
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


def _arcs(text: str) -> Index:
    return tuple(map(int, text.split(".")))


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

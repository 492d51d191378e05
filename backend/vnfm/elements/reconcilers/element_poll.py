"""One SNMP poll of one element. Its only access to the database is `PollRequest.last_rows`."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from vnfm.devices.ports import DeviceProvider, Snmp
from vnfm.devices.types import Bounds, SnmpTarget, Table, TableRead, Unread, Value
from vnfm.elements.domain.drivers import driver_for, driver_named
from vnfm.elements.domain.drivers.base import SYS_OBJECT_ID, SYS_UPTIME, SYSTEM_NAMES, Driver, Reading, text
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import Omission, Snapshot, SystemGroup
from vnfm.elements.reconcilers.partial_reading import interpret

BOUNDS = Bounds()
POLL_SECONDS = 600.0
"""For all columns of a poll together."""

LastRows = Callable[[Collection[str]], Awaitable[Table | None]]


@dataclass(frozen=True, slots=True)
class PollRequest:
    """The agent to poll, and what to read of it."""

    target: SnmpTarget
    driver: str
    """Name of the driver of the last poll; "" before the first one."""
    parts: frozenset[str] = frozenset()
    """Parts to read in any case; empty: everything, but only if the state columns differ from `digest`."""
    digest: bytes = b""
    refresh: bool = False
    """Where the state columns are unchanged, read the driver's gauges."""
    progress: Callable[[int], None] | None = None
    """Called with the percentage of columns that are read."""
    last_rows: LastRows | None = None
    """The rows of these columns as they were read last; None for an element that was never read completely."""
    bounds: Bounds = BOUNDS
    """For the state columns together, and for each other one."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """The agent's answer. `snapshot` is None when its state columns are unchanged."""

    driver: str
    system: SystemGroup
    parts: frozenset[str]
    snapshot: Snapshot | None
    digest: bytes
    """Digest of the state columns of the last complete poll."""
    refreshed: bool = False
    """States are unchanged and gauges were read: the stored rows stay those of the digest."""
    stale: frozenset[str] = frozenset()
    """The `parts` whose states could not be read: stored states of them are older than this poll."""
    unread: tuple[Omission, ...] = ()
    """Tables that could not be read whole."""
    failed: bool = False
    """Some of these, or states of which no change would be found, may be read by another full poll soon."""
    columns: Table = field(default_factory=dict)
    """Columns of `parts` that were read whole, to be the last rows of a later poll."""
    scalars: Table = field(default_factory=dict)
    """The scalars that were answered, each as a column of one row without an index, for the same purpose."""


async def poll_element(devices: DeviceProvider, request: PollRequest) -> PollResult:
    """Raises DeviceError when it does not answer at all; a table that cannot be read costs no other one."""
    async with devices.snmp(_limited(request)) as snmp:
        scalars, driver = await _system(snmp, request)
        parts, digest, states = request.parts or frozenset(PARTS), request.digest, TableRead({}, {})
        if parts.issuperset(PARTS):
            # First, and at once, in every poll: so that the bounds cut them at the same rows.
            states = await snmp.columns(driver.states(), request.bounds)
            digest = _digest(driver, scalars, states)
        unchanged = not request.parts and digest == request.digest
        if unchanged and not (request.refresh and driver.gauges):
            return PollResult(driver.name, driver.system(scalars), frozenset(), None, digest)
        parts = driver.gauges if unchanged else parts
        read = await _others(snmp, request, driver.columns(parts), states)
        result = await _result(request, driver, scalars=scalars, parts=parts, read=read, digest=digest)
        # States that only the second attempt could read are not in the digest.
        return replace(
            result, refreshed=unchanged, failed=result.failed or any(map(_is_missing, states.unread.values()))
        )


def _is_missing(unread: Unread) -> bool:
    return not (unread.cut or unread.large)


def _limited(request: PollRequest) -> SnmpTarget:
    """With the repetitions that suit the agent, as far as it is known."""
    most = driver_named(request.driver).repetitions
    return (
        request.target if most is None else replace(request.target, repetitions=min(most, request.target.repetitions))
    )


async def _others(snmp: Snmp, request: PollRequest, columns: tuple[str, ...], states: TableRead) -> TableRead:
    """These columns, of which `states` has some; one that could not be read is tried once more."""
    left = tuple(column for column in columns if column not in states.table)
    read = await read_columns(snmp, left, request.progress, request.bounds)
    table = {column: states.table[column] for column in columns if column in states.table}
    unread = {column: states.unread[column] for column in table if column in states.unread}
    return TableRead({**table, **read.table}, {**unread, **read.unread})


async def _result(
    request: PollRequest,
    driver: Driver,
    *,
    scalars: Mapping[str, Value],
    parts: Collection[str],
    read: TableRead,
    digest: bytes,
) -> PollResult:
    failed = frozenset(column for column, unread in read.unread.items() if not unread.cut)
    kept = [name for name in (*SYSTEM_NAMES, *driver.scalars()) if name != SYS_UPTIME]
    silent = [name for name in kept if name not in scalars] if driver.name == request.driver else []
    names = {*failed, *silent}
    last = await request.last_rows(names) if names and request.last_rows is not None else None
    known = {**_last_scalars(last or {}, silent), **scalars}
    reading = Reading(request.target.address, known, read.table)
    partial = interpret(driver, reading, frozenset(parts), read.unread, last)
    without_id = () if SYS_OBJECT_ID in scalars else (_without_object_id(driver),)
    return PollResult(
        driver=driver.name,
        system=driver.system(known),
        parts=frozenset(parts),
        snapshot=replace(partial.snapshot, omissions=(*without_id, *partial.snapshot.omissions)),
        digest=digest,
        stale=partial.stale,
        unread=partial.unread,
        failed=partial.failed,
        columns={name: rows for name, rows in read.table.items() if name not in read.unread},
        scalars={name: {(): scalars[name]} for name in kept if name in scalars},
    )


def _last_scalars(last: Table, names: Collection[str]) -> Mapping[str, Value]:
    """Return the last values of scalars that the element does not answer now: it had them, and may have them again."""
    return {name: value for name in names for value in last.get(name, {}).values()}


def _without_object_id(driver: Driver) -> Omission:
    words = f"The element does not say what it is (sysObjectID), so it is read by the driver {driver.name}."
    return Omission("system", "", words)


async def _system(snmp: Snmp, request: PollRequest) -> tuple[Mapping[str, Value], Driver]:
    """The system group and the driver's scalars, in one request unless the product has changed.

    An agent may hide what it is: it is then read as what it was before.
    """
    last = driver_named(request.driver)
    scalars = await snmp.get([*SYSTEM_NAMES, *last.scalars()])
    driver = driver_for(text(scalars[SYS_OBJECT_ID])) if SYS_OBJECT_ID in scalars else last
    if driver is not last and driver.scalars():
        scalars = {**scalars, **await snmp.get(driver.scalars())}
    return scalars, driver


async def read_columns(
    snmp: Snmp, columns: tuple[str, ...], progress: Callable[[int], None] | None = None, bounds: Bounds = BOUNDS
) -> TableRead:
    """Each within `bounds`, and all of them within POLL_SECONDS."""
    table: dict[str, Mapping[tuple[int, ...], Value]] = {}
    unread: dict[str, Unread] = {}
    clock = asyncio.get_running_loop().time
    ends = clock() + POLL_SECONDS
    for number, column in enumerate(columns, start=1):
        left = ends - clock()
        if left <= 0:
            unread[column] = Unread(f"all tables together took more than {POLL_SECONDS:.0f} s", late=True)
            continue
        read = await snmp.columns([column], replace(bounds, seconds=min(bounds.seconds, left)))
        table.update(read.table)
        unread.update(read.unread)
        if progress is not None:
            progress(100 * number // len(columns))
    return TableRead(table, unread)


def _digest(driver: Driver, scalars: Mapping[str, Value], read: TableRead) -> bytes:
    """Digests are equal while all states are, up to where a column is cut; sysUpTime is not a state."""
    states = sorted((name, value) for name, value in scalars.items() if name != SYS_UPTIME)
    rows = [(column, column in read.unread, sorted(read.table.get(column, {}).items())) for column in driver.states()]
    return hashlib.blake2b(repr((driver.name, states, rows)).encode(), digest_size=16).digest()

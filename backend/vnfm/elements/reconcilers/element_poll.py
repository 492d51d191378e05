"""One SNMP poll of one element. No database access."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from vnfm.devices.errors import Garbled
from vnfm.devices.ports import DeviceProvider, Snmp
from vnfm.devices.types import Bounds, Index, SnmpTarget, Value
from vnfm.elements.domain.drivers import driver_for, driver_named
from vnfm.elements.domain.drivers.base import SYS_OBJECT_ID, SYS_UPTIME, SYSTEM_NAMES, Driver, Reading, text
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import Snapshot, SystemGroup

BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class PollRequest:
    """The agent to poll, and what to read of it."""

    target: SnmpTarget
    driver: str
    """Name of the driver of the last poll; "" before the first one."""
    parts: frozenset[str] = frozenset()
    """To read in any case; empty: everything, but only if the state columns differ from `digest`."""
    digest: bytes = b""
    refresh: bool = False
    """Where the state columns are unchanged, read the driver's gauges."""
    progress: Callable[[int], None] | None = None
    """Called with the percentage of columns that are read."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """What the agent answered. `snapshot` is None when its state columns are unchanged."""

    driver: str
    system: SystemGroup
    parts: frozenset[str]
    snapshot: Snapshot | None
    digest: bytes
    """Of the state columns of the last complete poll."""
    refreshed: bool = False
    """Of unchanged states, gauges were read: the stored rows stay those of the digest."""


async def poll_element(devices: DeviceProvider, request: PollRequest) -> PollResult:
    """Raises DeviceError when it does not answer, or with nonsense (Garbled)."""
    async with devices.snmp(_limited(request)) as snmp:
        scalars, driver = await _system(snmp, request)
        parts = request.parts
        if not parts:
            states = await snmp.columns(driver.states(), BOUNDS)
            digest = _digest(driver, scalars, states)
            if digest == request.digest:
                if request.refresh and driver.gauges:
                    return await _refresh(snmp, request, driver, scalars, states)
                return PollResult(driver.name, driver.system(scalars), frozenset(), None, digest)
            parts = frozenset(PARTS)
        table = await _tables(snmp, driver.columns(parts), request.progress)
        reading = Reading(request.target.address, scalars, table)
        whole = parts.issuperset(PARTS)
        return PollResult(
            driver=driver.name,
            system=driver.system(scalars),
            parts=parts,
            snapshot=build_snapshot(driver, reading, parts),
            digest=_digest(driver, scalars, table) if whole else request.digest,
        )


def _limited(request: PollRequest) -> SnmpTarget:
    """With the repetitions that suit the agent, as far as it is known."""
    most = driver_named(request.driver).repetitions
    return (
        request.target if most is None else replace(request.target, repetitions=min(most, request.target.repetitions))
    )


async def _refresh(
    snmp: Snmp,
    request: PollRequest,
    driver: Driver,
    scalars: Mapping[str, Value],
    states: Mapping[str, Mapping[Index, Value]],
) -> PollResult:
    """The digest has the states that came with the gauges, which may have changed since they were compared."""
    table = await _tables(snmp, driver.columns(driver.gauges), None)
    reading = Reading(request.target.address, scalars, table)
    return PollResult(
        driver=driver.name,
        system=driver.system(scalars),
        parts=frozenset(driver.gauges),
        snapshot=build_snapshot(driver, reading, frozenset(driver.gauges)),
        digest=_digest(driver, scalars, {**states, **table}),
        refreshed=True,
    )


def build_snapshot(driver: Driver, reading: Reading, parts: frozenset[str]) -> Snapshot:
    """Raises Garbled for rows that no MIB allows, such as one with half an index."""
    try:
        return driver.snapshot(reading, parts)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        message = f"{reading.address} has tables that {driver.name} cannot interpret: {error!r}"
        raise Garbled(message, address=reading.address) from error


async def _system(snmp: Snmp, request: PollRequest) -> tuple[Mapping[str, Value], Driver]:
    """The system group and the driver's scalars, in one request unless the product has changed."""
    last = driver_named(request.driver)
    scalars = await snmp.get([*SYSTEM_NAMES, *last.scalars()])
    if SYS_OBJECT_ID not in scalars:
        message = f"{request.target.address} answers, but does not say what it is (sysObjectID)."
        raise Garbled(message, address=request.target.address)
    driver = driver_for(text(scalars[SYS_OBJECT_ID]))
    if driver is not last and driver.scalars():
        scalars = {**scalars, **await snmp.get(driver.scalars())}
    return scalars, driver


async def _tables(
    snmp: Snmp, columns: tuple[str, ...], progress: Callable[[int], None] | None
) -> Mapping[str, Mapping[Index, Value]]:
    table: dict[str, Mapping[Index, Value]] = {}
    for number, column in enumerate(columns, start=1):
        table.update(await snmp.columns([column], BOUNDS))
        if progress is not None:
            progress(100 * number // len(columns))
    return table


def _digest(driver: Driver, scalars: Mapping[str, Value], table: Mapping[str, Mapping[Index, Value]]) -> bytes:
    """Equal as long as all states are equal; sysUpTime is no state."""
    states = sorted((name, value) for name, value in scalars.items() if name != SYS_UPTIME)
    rows = [(column, sorted(table.get(column, {}).items())) for column in driver.states()]
    return hashlib.blake2b(repr((driver.name, states, rows)).encode(), digest_size=16).digest()

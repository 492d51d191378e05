"""One look at one element over the network; nothing here knows of a database."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
    """Whom to look at, and how much of it to read."""

    target: SnmpTarget
    driver: str
    """As known so far; "" before the first look."""
    parts: frozenset[str] = frozenset()
    """To read in any case; with none, everything, and only if the states are others than `digest` says."""
    digest: bytes = b""
    progress: Callable[[int], None] | None = None
    """Told the percentage of the tables that are read."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """What it answered. `snapshot` is None when its states are as they were."""

    driver: str
    system: SystemGroup
    parts: frozenset[str]
    snapshot: Snapshot | None
    digest: bytes
    """Of the states that the snapshot, or the look before it, was made from."""


async def poll_element(devices: DeviceProvider, wanted: PollRequest) -> PollResult:
    """Raises DeviceError when it does not answer, or not in a way that makes sense."""
    async with devices.snmp(wanted.target) as snmp:
        scalars, driver = await _system(snmp, wanted)
        parts = wanted.parts
        if not parts:
            states = await snmp.columns(driver.states(), BOUNDS)
            digest = _digest(driver, scalars, states)
            if digest == wanted.digest:
                return PollResult(driver.name, driver.system(scalars), frozenset(), None, digest)
            parts = frozenset(PARTS)
        table = await _tables(snmp, driver.columns(parts), wanted.progress)
        reading = Reading(wanted.target.address, scalars, table)
        whole = parts.issuperset(PARTS)
        return PollResult(
            driver=driver.name,
            system=driver.system(scalars),
            parts=parts,
            snapshot=build_snapshot(driver, reading, parts),
            digest=_digest(driver, scalars, table) if whole else wanted.digest,
        )


def build_snapshot(driver: Driver, reading: Reading, parts: frozenset[str]) -> Snapshot:
    """What the driver makes of it. Raises Garbled for rows that no MIB allows, such as one with half an index."""
    try:
        return driver.snapshot(reading, parts)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        words = f"{reading.address} has tables that {driver.name} cannot make sense of: {error!r}"
        raise Garbled(words, address=reading.address) from error


async def _system(snmp: Snmp, wanted: PollRequest) -> tuple[Mapping[str, Value], Driver]:
    """The system group, and the driver's scalars, in one request unless it is another product than before."""
    guess = driver_named(wanted.driver)
    scalars = await snmp.get([*SYSTEM_NAMES, *guess.scalars()])
    if SYS_OBJECT_ID not in scalars:
        words = f"{wanted.target.address} answers, but does not say what it is (sysObjectID)."
        raise Garbled(words, address=wanted.target.address)
    driver = driver_for(text(scalars[SYS_OBJECT_ID]))
    if driver is not guess and driver.scalars():
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
    """The same as long as all states are the same; the time since the start is none."""
    told = sorted((name, value) for name, value in scalars.items() if name != SYS_UPTIME)
    rows = [(column, sorted(table.get(column, {}).items())) for column in driver.states()]
    return hashlib.blake2b(repr((driver.name, told, rows)).encode(), digest_size=16).digest()

"""Reads the counters of every element that answers, at an interval of its own, and writes what was counted between.

One process at a time does it for all (a lease). What it read last is in its memory alone: the first interval after a
change of processes is a gap, as is any in which an element did not answer.
"""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event
from uuid import UUID

import structlog
from cryptography.fernet import InvalidToken
from django.db import DatabaseError, connections

from vnfm.devices.errors import DeviceError
from vnfm.devices.ports import DeviceProvider
from vnfm.devices.types import Bounds, SnmpTarget
from vnfm.elements.models import Interface, NetworkElement
from vnfm.elements.selectors import snmp_target_of
from vnfm.kit import clock, lease
from vnfm.kit.database_threads import DatabaseThreads
from vnfm.performance.domain.counters import (
    DISCONTINUITY,
    FIRST,
    INSTEAD,
    SYS_UPTIME,
    Counted,
    Reading,
    between,
    interfaces,
    short_ones_needed,
    speeds,
)
from vnfm.performance.domain.load import load_source
from vnfm.telemetry import counters

KEY = "counters of elements"
AT_ONCE = 50
"""Elements that are being read: the poller's looks go before."""
BOUNDS = Bounds(seconds=30.0)
LIST_SECONDS = 10.0
WRITE_SECONDS = 2.0
ROLL_UP_SECONDS = 300.0
TICK_SECONDS = 0.5
AGAIN_SECONDS = 5.0
TICKS = 100
MOST_WAITING = 500_000
"""Rows in memory while the database is away; then those that wait longest are lost, which is a gap."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Counted:
    """An element that is read. `due` is of the monotonic clock."""

    target: SnmpTarget
    driver: str
    due: float
    busy: bool = False
    last: Reading | None = None


class Collector:
    """`interval` in seconds, from reading to reading of an element."""

    def __init__(self, *, devices: DeviceProvider, interval: float) -> None:
        self._devices, self._interval = devices, interval
        self._elements: dict[UUID, _Counted] = {}
        self._rows: list[counters.Row] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, stop: Event) -> None:
        """Collect until `stop` is set; of several processes one does it. A lost database is waited for."""
        while not stop.is_set():
            try:
                with lease.hold(KEY) as held:
                    if held is not None:
                        self._elements.clear()
                        asyncio.run(self._collect(held, stop))
            except DatabaseError as error:
                log.warning("counters.database_unavailable", error=str(error))
            except Exception:  # whatever it was, the counting goes on
                log.exception("counters.collecting_failed")
            finally:
                connections.close_all()
            stop.wait(AGAIN_SECONDS)

    async def _collect(self, held: lease.Held, stop: Event) -> None:
        lane, in_thread = asyncio.Semaphore(AT_ONCE), DatabaseThreads(1)
        listed = written = rolled = float("-inf")
        try:
            while not stop.is_set():
                now = time.monotonic()
                if now - listed >= LIST_SECONDS:
                    listed = now
                    if not await in_thread(held.is_current):
                        return
                    self._follow(await in_thread(_targets), now)
                if now - written >= WRITE_SECONDS:
                    written = now
                    await in_thread(self._write)
                if now - rolled >= ROLL_UP_SECONDS:
                    rolled = now
                    await in_thread(_roll_up)
                self._start_due(lane, in_thread, now)
                await asyncio.sleep(TICK_SECONDS)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            with suppress(DatabaseError):
                await in_thread(self._write)
            in_thread.close()

    def _follow(self, targets: Mapping[UUID, tuple[SnmpTarget, str]], now: float) -> None:
        """Newcomers are spread over an interval, not all read at once."""
        for gone in self._elements.keys() - targets.keys():
            del self._elements[gone]
        new = targets.keys() - self._elements.keys()
        for number, element_id in enumerate(new):
            spread = self._interval * number / len(new)
            self._elements[element_id] = _Counted(*targets[element_id], due=now + spread)
        for element_id, (target, driver) in targets.items():
            self._elements[element_id].target, self._elements[element_id].driver = target, driver

    def _start_due(self, lane: asyncio.Semaphore, in_thread: DatabaseThreads, now: float) -> None:
        for element_id, element in self._elements.items():
            if element.due <= now and not element.busy:
                element.busy = True
                element.due = max(element.due + self._interval, now)
                task = asyncio.create_task(self._read(element_id, element, lane, in_thread))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _read(
        self, element_id: UUID, element: _Counted, lane: asyncio.Semaphore, in_thread: DatabaseThreads
    ) -> None:
        try:
            async with lane:
                names, by_number = await in_thread(_interfaces, element_id)
                reading = await self._reading(element, names, by_number)
        except DeviceError as error:
            log.debug("counters.not_read", address=error.address, error=error.message)
            return
        except DatabaseError as error:
            log.warning("counters.database_unavailable", error=str(error))
            return
        except Exception:  # whatever is wrong with one element must not end the counting of the others
            log.exception("counters.reading_failed", element_id=str(element_id))
            return
        finally:
            element.busy = False
        if element.last is not None:
            self._rows += [_row(element_id, one) for one in between(element.last, reading, self._interval)]
        element.last = reading

    async def _reading(self, element: _Counted, names: Mapping[int, str], by_number: Mapping[int, int]) -> Reading:
        load = load_source(element.driver)
        async with self._devices.snmp(element.target) as snmp:
            scalars = await snmp.get([SYS_UPTIME, *load.scalars])
            at = clock.now().timestamp()
            table = await snmp.columns([*FIRST, DISCONTINUITY, *load.columns], BOUNDS)
            if short_ones_needed(table):
                table = {**table, **await snmp.columns(INSTEAD, BOUNDS)}
        uptime = scalars.get(SYS_UPTIME)
        ticks = float(uptime) if isinstance(uptime, int | float) else 0.0
        cpu, memory = load.read(scalars, table)
        carried = speeds(table, names, by_number)
        return Reading(at, ticks / TICKS, interfaces(table, names), cpu, memory, carried)

    def _write(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            if not counters.write(rows):
                log.error("counters.lost", rows=len(rows), elements=len({row[0] for row in rows}))
        except counters.UnavailableError as error:
            self._rows = (rows + self._rows)[-MOST_WAITING:]
            log.warning("counters.database_unavailable", error=str(error))


def _row(element_id: UUID, counted: Counted) -> counters.Row:
    return element_id, counted.name, datetime.fromtimestamp(counted.at, UTC), counted.seconds, counted.values


def _targets() -> dict[UUID, tuple[SnmpTarget, str]]:
    """Whoever answers the poller."""
    rows = NetworkElement.objects.filter(
        state=NetworkElement.State.MANAGED, reachable="True", snmp_policy__isnull=False
    )
    found = {}
    for row in rows.select_related("snmp_policy").only("id", "driver", "management_address", "snmp_policy"):
        assert row.snmp_policy is not None
        with suppress(InvalidToken):  # the poller has told of it
            found[row.id] = snmp_target_of(row.snmp_policy, row.management_address), row.driver
    return found


def _interfaces(element_id: UUID) -> tuple[dict[int, str], dict[int, int]]:
    """Names, and speeds in bit/s, by ifIndex; one that says 0 has no speed of its own (RFC 2863, ifHighSpeed)."""
    rows = list(Interface.objects.filter(element_id=element_id).values_list("if_index", "name", "speed"))
    return {number: name for number, name, _ in rows if name}, {number: speed for number, _, speed in rows if speed}


def _roll_up() -> None:
    try:
        counters.roll_up(clock.now())
    except counters.UnavailableError as error:
        log.warning("counters.database_unavailable", error=str(error))

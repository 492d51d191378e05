"""Reads the counters of all reachable elements periodically, and writes their increases (`manage.py counters`).

One process at a time does it for all elements (a lease). The last readings are only in its memory: the first interval
after a change of process is a gap, as is any in which an element did not answer.
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

from vnfm.counters.domain.counters import (
    DISCONTINUITY,
    FALLBACK_COLUMNS,
    PREFERRED_COLUMNS,
    SYS_UPTIME,
    Delta,
    ElementReading,
    deltas_between,
    interface_counters,
    interface_speeds,
    needs_32_bit_columns,
)
from vnfm.counters.domain.load import load_source
from vnfm.counters.reconcilers.threshold_evaluation import ThresholdEvaluator
from vnfm.devices.errors import DeviceError, Refused
from vnfm.devices.ports import DeviceProvider
from vnfm.devices.types import Bounds, SnmpTarget
from vnfm.elements.models import Interface, NetworkElement
from vnfm.elements.selectors import snmp_target_of
from vnfm.history import counters
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat, lease
from vnfm.kit.durable.database_threads import DatabaseThreads
from vnfm.metrics.catalogue import ELEMENT_SESSIONS, UNKNOWN_DRIVER

LEASE_KEY = "counters of elements"
MAX_READS = 50
"""Concurrent reads: polls have priority."""
BOUNDS = Bounds(seconds=30.0)
LIST_SECONDS = 10.0
WRITE_SECONDS = 2.0
ROLL_UP_SECONDS = 300.0
TICK_SECONDS = 0.5
RETRY_SECONDS = 5.0
TICKS = 100
MAX_BUFFERED_ROWS = 500_000
"""Rows in memory while the database is away; beyond, the oldest are dropped, which is a gap."""

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _CollectedElement:
    """An element to read. `due` is of the monotonic clock."""

    target: SnmpTarget
    driver: str
    due: float
    busy: bool = False
    last: ElementReading | None = None


class Collector:
    """`interval`: seconds between two readings of an element."""

    def __init__(self, *, devices: DeviceProvider, interval: float) -> None:
        self._devices, self._interval = devices, interval
        self._elements: dict[UUID, _CollectedElement] = {}
        self._rows: list[counters.ElementSample] = []
        self._thresholds = ThresholdEvaluator(interval=interval)
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, stop: Event) -> None:
        """Collect until `stop` is set, in one of several processes; waits for a lost database."""
        while not stop.is_set():
            try:
                with lease.hold(LEASE_KEY) as held:
                    if held is not None:
                        self._elements.clear()
                        asyncio.run(self._collect(held, stop))
            except DatabaseError as error:
                log.warning("counters.database_unavailable", error=str(error))
            except Exception:  # no error ends the collecting
                log.exception("counters.collecting_failed")
            finally:
                heartbeat.beat()
                connections.close_all()
            stop.wait(RETRY_SECONDS)

    async def _collect(self, held: lease.ActiveLease, stop: Event) -> None:
        slots, database = asyncio.Semaphore(MAX_READS), DatabaseThreads(1)
        listed = written = rolled = float("-inf")
        try:
            while not stop.is_set():
                now = time.monotonic()
                if now - listed >= LIST_SECONDS:
                    listed = now
                    if not await database(held.is_current):
                        return
                    self._sync_elements(await database(_targets), now)
                if now - written >= WRITE_SECONDS:
                    written = now
                    await database(self._write)
                    await database(heartbeat.beat)
                if now - rolled >= ROLL_UP_SECONDS:
                    rolled = now
                    await database(_roll_up)
                self._start_due(slots, database, now)
                await asyncio.sleep(TICK_SECONDS)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            with suppress(DatabaseError):
                await database(self._write)
            database.close()

    def _sync_elements(self, targets: Mapping[UUID, tuple[SnmpTarget, str]], now: float) -> None:
        """First reads of new elements are spread over an interval."""
        for gone in self._elements.keys() - targets.keys():
            del self._elements[gone]
        new = targets.keys() - self._elements.keys()
        for number, element_id in enumerate(new):
            spread = self._interval * number / len(new)
            self._elements[element_id] = _CollectedElement(*targets[element_id], due=now + spread)
        for element_id, (target, driver) in targets.items():
            self._elements[element_id].target, self._elements[element_id].driver = target, driver

    def _start_due(self, slots: asyncio.Semaphore, database: DatabaseThreads, now: float) -> None:
        for element_id, element in self._elements.items():
            if element.due <= now and not element.busy:
                element.busy = True
                element.due = max(element.due + self._interval, now)
                task = asyncio.create_task(self._read(element_id, element, slots, database))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _read(
        self, element_id: UUID, element: _CollectedElement, slots: asyncio.Semaphore, database: DatabaseThreads
    ) -> None:
        try:
            async with slots:
                names, by_number = await database(_interface_names_and_speeds, element_id)
                reading = await self._reading(element, names, by_number)
            ELEMENT_SESSIONS.add(element.driver or UNKNOWN_DRIVER, "SNMP", "ok")
        except DeviceError as error:
            ELEMENT_SESSIONS.add(element.driver or UNKNOWN_DRIVER, "SNMP", type(error).__name__)
            log.debug("counters.not_read", address=error.address, error=error.message)
            return
        except DatabaseError as error:
            log.warning("counters.database_unavailable", error=str(error))
            return
        except Exception:  # an error of one element must not end the collecting of all others
            log.exception("counters.reading_failed", element_id=str(element_id))
            return
        finally:
            element.busy = False
        if element.last is not None:
            self._rows += [_row(element_id, delta) for delta in deltas_between(element.last, reading, self._interval)]
        element.last = reading

    async def _reading(
        self, element: _CollectedElement, names: Mapping[int, str], by_number: Mapping[int, int]
    ) -> ElementReading:
        load = load_source(element.driver)
        async with self._devices.snmp(element.target) as snmp:
            scalars = await snmp.get([SYS_UPTIME, *load.scalars])
            at = clock.now().timestamp()
            table = (await snmp.columns([*PREFERRED_COLUMNS, DISCONTINUITY, *load.columns], BOUNDS)).table
            if needs_32_bit_columns(table):
                table = {**table, **(await snmp.columns(FALLBACK_COLUMNS, BOUNDS)).table}
        uptime = scalars.get(SYS_UPTIME)
        ticks = float(uptime) if isinstance(uptime, int | float) else 0.0
        cpu, memory = load.read(scalars, table)
        speeds = interface_speeds(table, names, by_number)
        return ElementReading(at, ticks / TICKS, interface_counters(table, names), cpu, memory, speeds)

    def _write(self) -> None:
        """Store what was read, then evaluate the threshold rules by it."""
        rows, self._rows = self._rows, []
        try:
            if rows and not counters.write(rows):
                log.error("counters.lost", rows=len(rows), elements=len({row[0] for row in rows}))
        except counters.UnavailableError as error:
            self._rows = (rows + self._rows)[-MAX_BUFFERED_ROWS:]
            log.warning("counters.database_unavailable", error=str(error))
        else:
            self._thresholds.evaluate(rows)


def _row(element_id: UUID, delta: Delta) -> counters.ElementSample:
    return element_id, delta.name, datetime.fromtimestamp(delta.at, UTC), delta.seconds, delta.values


def _targets() -> dict[UUID, tuple[SnmpTarget, str]]:
    """The elements that answer the poller."""
    rows = NetworkElement.objects.filter(
        state=NetworkElement.State.MANAGED, reachable="True", snmp_policy__isnull=False
    )
    found = {}
    for row in rows.select_related("snmp_policy").only("id", "driver", "management_address", "snmp_policy"):
        assert row.snmp_policy is not None
        with suppress(InvalidToken, Refused):  # the poller has logged it
            found[row.id] = snmp_target_of(row.snmp_policy, row.management_address), row.driver
    return found


def _interface_names_and_speeds(element_id: UUID) -> tuple[dict[int, str], dict[int, int]]:
    """Names, and speeds in bit/s, by ifIndex; 0 means no speed (RFC 2863, ifHighSpeed)."""
    rows = list(Interface.objects.filter(element_id=element_id).values_list("if_index", "name", "speed"))
    return {number: name for number, name, _ in rows if name}, {number: speed for number, _, speed in rows if speed}


def _roll_up() -> None:
    try:
        counters.roll_up(clock.now())
    except counters.UnavailableError as error:
        log.warning("counters.database_unavailable", error=str(error))

"""The poller: looks at every managed element again and again. It has no input; what it missed, the next look finds.

One thread speaks to all elements (asyncio), a few write what changed. Silent elements have a lane of their own, so that
however many there are, those that answer do not wait for them.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from threading import Event
from uuid import UUID

import structlog
from django.db import DatabaseError

from vnfm.devices.errors import DeviceError, Refused
from vnfm.devices.ports import DeviceProvider
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.poll_interval import FULL_POLL_SECONDS, is_lost, next_poll
from vnfm.elements.reconcilers.discovery_scan import Scanner
from vnfm.elements.reconcilers.element_poll import PollRequest, PollResult, poll_element
from vnfm.elements.reconcilers.poll_records import (
    record_failure,
    record_poll,
    record_progress,
    record_resync_start,
    record_unchanged,
)
from vnfm.elements.reconcilers.polled_elements import PolledElement, load_targets, sync_polled_elements
from vnfm.elements.reconcilers.shards import Shards
from vnfm.elements.reconcilers.vnfc_links import link_cards_to_vnfcs
from vnfm.elements.services.elements import CHANNEL
from vnfm.kit import clock
from vnfm.kit.database_threads import DatabaseThreads
from vnfm.kit.listen import on_notification

AT_ONCE = 300
"""Looks under way at elements that answer; each holds a socket."""

SILENT_AT_ONCE = 300
"""Looks under way at those that did not answer last time, or were never asked."""

WRITERS = 3
TICK_SECONDS = 0.1
REGISTRY_SECONDS = 2.0
"""How often the list of elements is read when nobody rings."""

JOIN_SECONDS = 5.0
JITTER = 0.1
SPREAD_SECONDS = 2.0

log = structlog.get_logger(__name__)


class Poller:
    """All elements of the shards that this process gets the lease of."""

    def __init__(
        self, *, devices: DeviceProvider, period_seconds: float, written: Callable[[], object] = lambda: None
    ) -> None:
        """`written` is called after something has been written of an element, from the thread that speaks to them."""
        self._devices = devices
        self._written = written
        self._period = period_seconds
        self._watched: dict[UUID, PolledElement] = {}
        self._shards: set[int] = set()
        self._quiet: dict[UUID, datetime] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_thread = DatabaseThreads(WRITERS)
        self._scanner = Scanner(devices, self._in_thread)

    def run(self, stop: Event) -> None:
        """Poll until `stop` is set; a database that goes away is waited for."""
        asyncio.run(self._run(stop))

    async def _run(self, stop: Event) -> None:
        self._lane, self._silent_lane = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(SILENT_AT_ONCE)
        wake, shards = asyncio.Event(), Shards()
        loop = asyncio.get_running_loop()
        with on_notification(CHANNEL, lambda _: loop.call_soon_threadsafe(wake.set)):
            try:
                await self._poll(stop, wake, shards)
            finally:
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                await self._in_thread.survive(self._flush)
                await self._in_thread.survive(shards.release)
        self._in_thread.close()

    async def _poll(self, stop: Event, wake: asyncio.Event, shards: Shards) -> None:
        refreshed = joined = float("-inf")
        while not stop.is_set():
            now = time.monotonic()
            if wake.is_set() or now - refreshed >= REGISTRY_SECONDS:
                wake.clear()
                refreshed = now
                await self._in_thread.survive(self._refresh, shards)
                await self._in_thread.survive(self._flush)
                await self._scan()
            if now - joined >= JOIN_SECONDS:
                joined = now
                await self._in_thread.survive(link_cards_to_vnfcs)
            self._start_due()
            with suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), TICK_SECONDS)

    def _refresh(self, shards: Shards) -> None:
        self._shards = shards.held()
        sync_polled_elements(
            self._watched, load_targets(self._shards), time.monotonic(), min(SPREAD_SECONDS, self._period)
        )

    async def _scan(self) -> None:
        try:
            self._keep(*await self._scanner.scan_due(self._shards))
        except DatabaseError as error:
            log.warning("elements.database_unavailable", error=str(error))

    def _keep(self, *tasks: "asyncio.Task[None]") -> None:
        """A task that nobody holds may be collected before it is done."""
        for task in tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _flush(self) -> None:
        quiet, self._quiet = self._quiet, {}
        if quiet:
            record_unchanged(quiet.keys(), min(quiet.values()))

    def _start_due(self) -> None:
        now = time.monotonic()
        for element in list(self._watched.values()):
            if element.due <= now and not element.busy:
                element.busy = True
                self._keep(asyncio.create_task(self._visit(element)))

    async def _visit(self, element: PolledElement) -> None:
        lane = self._lane if element.reachable else self._silent_lane
        async with lane:
            requested_at, resync = element.requested_at, element.resync
            element.resync = None
            try:
                await self._look(element, resync, requested_at)
            except DatabaseError as error:
                element.resync, element.digest = resync, b""
                log.warning("elements.database_unavailable", error=str(error))
            except Exception:  # whatever is wrong with one look must not end the polling
                element.failures += 1
                log.exception("elements.look_failed", element_id=str(element.element_id))
            finally:
                element.busy = False
                element.due = time.monotonic() + (self._pause(element) if element.resync is None else 0.0)

    async def _look(self, element: PolledElement, resync: frozenset[str] | None, requested_at: datetime | None) -> None:
        now = clock.now()
        try:
            if resync is not None:
                await self._in_thread(record_resync_start, element.element_id)
            wanted, began = self._wanted(element, resync), time.monotonic()
            seen = await poll_element(self._devices, wanted)
        except DeviceError as error:
            await self._failed(element, error, now)
        else:
            if not wanted.parts:
                element.took = time.monotonic() - began
            await self._answered(element, seen, resync is not None, requested_at, now)

    def _wanted(self, element: PolledElement, resync: frozenset[str] | None) -> PollRequest:
        overdue = element.full_at is None or time.monotonic() - element.full_at > FULL_POLL_SECONDS
        parts = resync if resync is not None else frozenset(PARTS) if overdue else frozenset()
        told = _Progress(lambda percent: self._told(element, percent)) if resync is not None else None
        return PollRequest(element.target, element.driver, parts, element.digest, told)

    def _told(self, element: PolledElement, percent: int) -> None:
        self._keep(asyncio.create_task(self._in_thread.survive(record_progress, element.element_id, percent)))

    async def _answered(
        self, element: PolledElement, seen: PollResult, resynced: bool, requested_at: datetime | None, now: datetime
    ) -> None:
        moved = bool(element.digest) and seen.digest != element.digest
        rebooted = seen.system.uptime < element.uptime
        quiet = seen.snapshot is None and element.reachable and seen.driver == element.driver and not rebooted
        digest = seen.digest
        if quiet:
            self._quiet[element.element_id] = now
        else:
            asked = requested_at if resynced else None
            changed = await self._in_thread(record_poll, element.element_id, seen, requested_at=asked, now=now)
            if changed and not seen.parts.issuperset(PARTS):
                digest = b""  # what is on record is no longer what the digest is of
            self._written()
        if moved or rebooted:
            element.moved_at = time.monotonic()
        if seen.parts.issuperset(PARTS):
            spread = 1.0 if element.full_at is None else JITTER  # all first read at once are not read again at once
            element.full_at = time.monotonic() - FULL_POLL_SECONDS * random.uniform(0, spread)  # noqa: S311 - no secret
        if rebooted:
            element.full_at = None
        element.driver, element.digest, element.uptime = seen.driver, digest, seen.system.uptime
        element.failures, element.reachable = 0, True
        element.problems.clear()

    async def _failed(self, element: PolledElement, error: DeviceError, now: datetime) -> None:
        element.failures += 1
        lost = isinstance(error, Refused) or is_lost(failures=element.failures, retries=element.target.retries)
        if error.code not in element.problems:
            element.problems.add(error.code)
            log.info("elements.not_answering", address=error.address, code=error.code, error=error.message)
        if element.reachable or element.failures == 1 or lost:
            reason = _REASONS.get(error.code, "Failing")
            await self._in_thread(
                record_failure, element.element_id, reason=reason, message=error.message, lost=lost, now=now
            )
            self._written()
        if lost:
            element.reachable, element.full_at, element.digest = False, None, b""

    def _pause(self, element: PolledElement) -> float:
        since_moved = None if element.moved_at is None else time.monotonic() - element.moved_at
        seconds = next_poll(
            period=self._period,
            elements=len(self._watched),
            failures=element.failures,
            since_moved=since_moved,
            took=0.0 if element.failures else element.took,
        )
        return seconds * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - no secret


_REASONS = {"UNREACHABLE": "Unreachable", "REFUSED": "CredentialsRefused", "GARBLED": "Garbled"}


class _Progress:
    """Tells a percentage now and then: each costs a row and an event."""

    STEP_SECONDS = 1.0

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._told_at = time.monotonic()

    def __call__(self, percent: int) -> None:
        if percent < 100 and time.monotonic() - self._told_at >= self.STEP_SECONDS:  # noqa: PLR2004 - percent
            self._told_at = time.monotonic()
            self._tell(percent)

"""The poller (`manage.py elements`): polls every managed element by SNMP, periodically and when a resync is requested.

One asyncio thread speaks to all elements; a few threads write what changed. Silent elements have a concurrency limit of
their own, so that elements that answer never wait for them.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from threading import Event
from uuid import UUID

import structlog
from django.db import DatabaseError

from vnfm.devices.errors import DeviceError, Refused
from vnfm.devices.ports import DeviceProvider
from vnfm.elements.domain.drivers import driver_named
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.poll_interval import FULL_POLL_SECONDS, UNREAD_POLL_SECONDS, gauge_period, is_lost, next_poll
from vnfm.elements.domain.virtual_systems import DRIVERS
from vnfm.elements.reconcilers.discovery_scan import Scanner
from vnfm.elements.reconcilers.element_poll import PollRequest, PollResult, poll_element
from vnfm.elements.reconcilers.hosts import link_virtual_systems
from vnfm.elements.reconcilers.last_rows import load_last_rows
from vnfm.elements.reconcilers.poll_records import (
    record_failure,
    record_poll,
    record_progress,
    record_resync_start,
    record_unchanged,
)
from vnfm.elements.reconcilers.polled_elements import PolledElement, elements_of, load_targets, sync_polled_elements
from vnfm.elements.reconcilers.shards import Shards
from vnfm.elements.reconcilers.vnfc_links import link_cards_to_vnfcs
from vnfm.elements.services.emptied_slots import emptied_slots_keep
from vnfm.elements.services.poller import CHANNEL
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat
from vnfm.kit.durable.database_threads import DatabaseThreads
from vnfm.kit.durable.listen import on_notification
from vnfm.metrics.catalogue import ELEMENT_POLL_SECONDS, ELEMENT_POLLS, UNKNOWN_DRIVER

MAX_POLLS = 300
"""Concurrent polls of elements that answer; each holds a socket."""

MAX_SILENT_POLLS = 300
"""Concurrent polls of elements that did not answer last time, or were never polled."""

WRITERS = 3
TICK_SECONDS = 0.1
"""The shortest pause between two rounds: what falls due within it is started together."""
ACQUIRE_SECONDS = 2.0
"""Pause between two refreshes while shards are being acquired."""
REFRESH_SECONDS = 5.0
"""Pause between two reads of the list of elements without a NOTIFY."""
FLUSH_SECONDS = 2.0
"""Pause between two records that elements answered without a change."""

LINK_SECONDS = 5.0
JITTER = 0.1
SPREAD_SECONDS = 2.0

log = structlog.get_logger(__name__)


class Poller:
    """Polls the elements of the shards whose lease this process holds."""

    def __init__(
        self, *, devices: DeviceProvider, period_seconds: float, on_change: Callable[[], object] = lambda: None
    ) -> None:
        """`on_change` is called after a change of an element was written, by this process or the trap receiver."""
        self._devices = devices
        self._on_change = on_change
        self._period = period_seconds
        self._polled: dict[UUID, PolledElement] = {}
        self._shards: set[int] = set()
        self._unchanged: dict[UUID, datetime] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._database = DatabaseThreads(WRITERS)
        self._scanner = Scanner(devices, self._database)

    def run(self, stop: Event) -> None:
        """Poll until `stop` is set; a database that goes away is waited for."""
        asyncio.run(self._run(stop))

    async def _run(self, stop: Event) -> None:
        self._slots, self._silent_slots = asyncio.Semaphore(MAX_POLLS), asyncio.Semaphore(MAX_SILENT_POLLS)
        wake, shards = asyncio.Event(), Shards()
        loop = asyncio.get_running_loop()

        def on_notice(_payload: str) -> None:
            loop.call_soon_threadsafe(wake.set)
            self._on_change()

        with on_notification(CHANNEL, on_notice):
            try:
                await self._poll(stop, wake, shards)
            finally:
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                await self._database.attempt(self._flush)
                await self._database.attempt(shards.release)
        self._database.close()

    async def _poll(self, stop: Event, wake: asyncio.Event, shards: Shards) -> None:
        refresh_at = flush_at = link_at = float("-inf")
        while not stop.is_set():
            now = time.monotonic()
            if wake.is_set():
                wake.clear()
                await self._database.attempt(self._load)
                self._start_due()  # what a notification requested goes before all else
                await self._scan()
            if now >= refresh_at:
                before = len(self._shards)
                await self._database(heartbeat.beat)
                await self._database.attempt(self._refresh, shards)
                await self._scan()
                await self._database(heartbeat.beat)
                refresh_at = now + (ACQUIRE_SECONDS if len(self._shards) > before else REFRESH_SECONDS)
            if now >= flush_at:
                flush_at = now + FLUSH_SECONDS
                await self._database.attempt(self._flush)
            if now >= link_at:
                link_at = now + LINK_SECONDS
                await self._database.attempt(link_cards_to_vnfcs)
            self._start_due()
            with suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), self._idle_seconds(min(refresh_at, flush_at, link_at)))

    def _idle_seconds(self, until: float) -> float:
        """Return the seconds until something is due; short enough for an element whose poll ends in that time."""
        due = min((element.due for element in self._polled.values() if not element.busy), default=until)
        return max(TICK_SECONDS, min(due, until, time.monotonic() + self._period / 4) - time.monotonic())

    def _refresh(self, shards: Shards) -> None:
        acquired = shards.acquire()
        if new := acquired - self._shards:
            emptied_slots_keep(elements_of(new))
        self._shards = acquired
        self._load()

    def _load(self) -> None:
        sync_polled_elements(
            self._polled, load_targets(self._shards), time.monotonic(), min(SPREAD_SECONDS, self._period)
        )

    async def _scan(self) -> None:
        try:
            self._track(*await self._scanner.scan_due(self._shards))
        except DatabaseError as error:
            log.warning("elements.database_unavailable", error=str(error))

    def _track(self, *tasks: "asyncio.Task[None]") -> None:
        """Keep a reference, without which a task may be garbage-collected before it is done."""
        for task in tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _flush(self) -> None:
        unchanged, self._unchanged = self._unchanged, {}
        if unchanged:
            record_unchanged(unchanged.keys(), min(unchanged.values()))

    def _start_due(self) -> None:
        now = time.monotonic()
        for element in list(self._polled.values()):
            if element.due <= now and not element.busy:
                element.busy = True
                self._track(asyncio.create_task(self._poll_element(element)))

    async def _poll_element(self, element: PolledElement) -> None:
        async with self._slots if element.reachable else self._silent_slots:
            requested_at, resync = element.requested_at, element.resync
            element.resync = None
            try:
                await self._poll_and_record(element, resync, requested_at)
            except DatabaseError as error:
                element.resync, element.digest = resync, b""
                log.warning("elements.database_unavailable", error=str(error))
            except Exception:  # one failing poll must not end the polling
                element.failures, element.digest = element.failures + 1, b""
                log.exception("elements.poll_failed", element_id=str(element.element_id))
            finally:
                element.busy = False
                element.due = time.monotonic() + (self._interval(element) if element.resync is None else 0.0)

    async def _poll_and_record(
        self, element: PolledElement, resync: frozenset[str] | None, requested_at: datetime | None
    ) -> None:
        now = clock.now()
        try:
            if resync is not None:
                await self._database(record_resync_start, element.element_id)
            request, started = self._request(element, resync), time.monotonic()
            result = await poll_element(self._devices, request)
        except DeviceError as error:
            ELEMENT_POLLS.add(element.driver or UNKNOWN_DRIVER, type(error).__name__)
            await self._record_failure(element, error, now)
        else:
            driver, seconds = result.driver or UNKNOWN_DRIVER, time.monotonic() - started
            ELEMENT_POLLS.add(driver, "ok")
            ELEMENT_POLL_SECONDS.observe(seconds, driver)
            if not request.parts:
                element.duration = seconds
            await self._record_result(element, result, resync is not None, requested_at, now)

    def _request(self, element: PolledElement, resync: frozenset[str] | None) -> PollRequest:
        limit = UNREAD_POLL_SECONDS if element.unread else FULL_POLL_SECONDS
        overdue = element.full_poll_at is None or time.monotonic() - element.full_poll_at > limit
        parts = resync if resync is not None else frozenset(PARTS) if overdue else frozenset()
        progress = _Progress(lambda percent: self._report(element, percent)) if resync is not None else None
        period = gauge_period(self._since_change(element), many=driver_named(element.driver).many_gauges)
        refresh = time.monotonic() - element.refreshed_at >= period
        last_rows = partial(self._database, load_last_rows, element.element_id)
        return PollRequest(element.target, element.driver, parts, element.digest, refresh, progress, last_rows)

    @staticmethod
    def _since_change(element: PolledElement) -> float | None:
        return None if element.changed_at is None else time.monotonic() - element.changed_at

    def _report(self, element: PolledElement, percent: int) -> None:
        self._track(asyncio.create_task(self._database.attempt(record_progress, element.element_id, percent)))

    async def _record_result(
        self, element: PolledElement, result: PollResult, resynced: bool, requested_at: datetime | None, now: datetime
    ) -> None:
        changed = bool(element.digest) and result.digest != element.digest
        uptime = element.uptime if result.system.uptime is None else result.system.uptime
        rebooted = uptime < element.uptime
        unchanged = result.snapshot is None and element.reachable and result.driver == element.driver and not rebooted
        digest = result.digest
        if unchanged:
            self._unchanged[element.element_id] = now
        else:
            whole = await self._database(record_poll, element.element_id, result, requested_at=requested_at, now=now)
            if result.driver in DRIVERS and "EQUIPMENT" in result.parts:
                await self._database(link_virtual_systems, element.element_id)
            if not whole or (resynced and not result.parts.issuperset(PARTS)):
                digest = b""  # the stored rows are not those of the digest: a notification changes some
            self._on_change()
        if changed or rebooted:
            element.changed_at = time.monotonic()
        if result.parts.issuperset(PARTS):
            element.unread = result.failed
            # Not all first full polls are repeated at once.
            spread = 0.0 if element.unread else 1.0 if element.full_poll_at is None else JITTER
            element.full_poll_at = time.monotonic() - FULL_POLL_SECONDS * random.uniform(0, spread)  # noqa: S311 - no secret
        if rebooted:
            element.full_poll_at = None
        if result.snapshot is not None:
            element.refreshed_at = time.monotonic()
        element.driver, element.digest, element.uptime = result.driver, digest, uptime
        element.failures, element.reachable = 0, True
        element.problems.clear()

    async def _record_failure(self, element: PolledElement, error: DeviceError, now: datetime) -> None:
        element.failures += 1
        lost = isinstance(error, Refused) or is_lost(failures=element.failures, retries=element.target.retries)
        if error.code not in element.problems:
            element.problems.add(error.code)
            log.info("elements.not_answering", address=error.address, code=error.code, error=error.message)
        if element.reachable or element.failures == 1 or lost:
            reason = _REASONS.get(error.code, "Failing")
            await self._database(
                record_failure, element.element_id, reason=reason, message=error.message, lost=lost, now=now
            )
            self._on_change()
        element.digest = b""  # a resync fails with it, whose notification may have changed rows
        if lost:
            element.reachable, element.full_poll_at = False, None

    def _interval(self, element: PolledElement) -> float:
        seconds = next_poll(
            period=self._period,
            elements=len(self._polled),
            failures=element.failures,
            since_change=self._since_change(element),
            duration=0.0 if element.failures else element.duration,
        )
        return seconds * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - no secret


_REASONS = {"UNREACHABLE": "Unreachable", "REFUSED": "CredentialsRefused", "GARBLED": "Garbled"}


class _Progress:
    """Reports a percentage at intervals: each report costs an UPDATE and an event."""

    STEP_SECONDS = 1.0

    def __init__(self, report: Callable[[int], None]) -> None:
        self._report = report
        self._reported_at = time.monotonic()

    def __call__(self, percent: int) -> None:
        if percent < 100 and time.monotonic() - self._reported_at >= self.STEP_SECONDS:  # noqa: PLR2004 - percent
            self._reported_at = time.monotonic()
            self._report(percent)

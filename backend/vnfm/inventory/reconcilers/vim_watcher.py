"""The watch: polls every VIM again and again. It has no input; what one poll misses, the next finds.

Whatever knows of a change earlier requests a poll (`inventory.services.poll_request`; `_VimWatch.wake` in this
process): that only makes the next poll start at once. The state is always read from the cloud.
"""

import random
import time
from collections.abc import Callable
from threading import Event, Thread
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vnfm.clouds.ports import Bus, Cloud
from vnfm.clouds.types import BusConnection
from vnfm.inventory.domain.poll_interval import PollInterval, PollSituation, next_poll
from vnfm.inventory.models import VimPollState
from vnfm.inventory.reconcilers.notification_listener import Connectors, NotificationListener
from vnfm.inventory.reconcilers.poll_situation import poll_situation
from vnfm.inventory.reconcilers.slow_poll import AfterPoll, SlowPoller
from vnfm.inventory.reconcilers.vim_poll import VimPollResult, poll_vim
from vnfm.inventory.reconcilers.vim_snapshot import has_baseline
from vnfm.inventory.services.polling import POLL_CHANNEL, poll_interval_record
from vnfm.kit import clock
from vnfm.kit.durable import heartbeat, lease
from vnfm.kit.durable.listen import on_notification
from vnfm.metrics.catalogue import VIM_POLL_SECONDS, VIM_POLLS
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.models import Vim

REGISTRY_SECONDS = 2.0
"""The interval at which registered and removed VIMs are looked for."""

STOP_SECONDS = 10.0
"""A stop waits so long for polls under way. The threads are daemons: one stuck in a call ends with the process."""

SLOW_POLL_STOP_SECONDS = 3.0
"""A stop waits so long for slow requests; one stuck in a call ends with the process."""

LISTENER_STOP_SECONDS = 3.0
"""A stop waits so long for the listener to a message bus, which checks once a second."""

log = structlog.get_logger(__name__)


class _VimWatch:
    """The watch over one VIM. `requested` ends the pause; a stop sets it, too."""

    def __init__(self, vim_id: UUID, run: "Callable[[_VimWatch], None]") -> None:
        self.vim_id = vim_id
        self.requested = Event()
        self.stopped = Event()
        self.requested_at: float | None = None
        """The time by the monotonic clock."""
        self.thread = Thread(target=run, args=(self,), name=f"watch {vim_id}", daemon=True)

    def wake(self) -> None:
        self.requested_at = time.monotonic()
        self.requested.set()

    def stop(self) -> None:
        self.stopped.set()
        self.requested.set()


class VimWatcher:
    """Each VIM in a thread of its own, so that a slow one delays no other; one watcher a VIM, by lease."""

    def __init__(
        self,
        *,
        period_seconds: float,
        connect: Callable[[VimRecord], Cloud],
        open_bus: Callable[[BusConnection], Bus],
        after_poll: AfterPoll,
        operation_runs: Callable[[UUID], bool],
    ) -> None:
        """`period_seconds` is the interval when nothing changes; `domain.poll_interval` has the others.

        `after_poll` is called after every poll, in its thread; also after those of `SlowPoller`.
        """
        self._period = period_seconds
        self._connectors = Connectors(connect, open_bus)
        self._after_poll = after_poll
        self._operation_runs = operation_runs
        self._watches: dict[UUID, _VimWatch] = {}

    def run(self, stop: Event) -> None:
        """Watch until `stop` is set; a lost database is waited for."""
        with on_notification(POLL_CHANNEL, self._wake):
            while not stop.is_set():
                try:
                    self._sync_watches(set(Vim.objects.values_list("id", flat=True)))
                    heartbeat.beat()
                except DatabaseError as error:
                    log.warning("watch.database_unavailable", error=str(error))
                    heartbeat.beat("database")
                finally:
                    connections.close_all()
                stop.wait(REGISTRY_SECONDS)
            self._sync_watches(set())

    def _wake(self, vim_id: str) -> None:
        watch = self._watches.get(UUID(vim_id))
        if watch is not None:  # else another process has it, or it is new and polled anyway
            watch.wake()

    def _sync_watches(self, vims: set[UUID]) -> None:
        gone = [self._watches.pop(vim_id) for vim_id in self._watches.keys() - vims]
        for watch in gone:
            watch.stop()
        deadline = time.monotonic() + STOP_SECONDS
        for watch in gone:
            watch.thread.join(max(0.0, deadline - time.monotonic()))
        for vim_id in vims - self._watches.keys():
            self._watches[vim_id] = watch = _VimWatch(vim_id, self._run_watch)
            watch.thread.start()

    def _run_watch(self, watch: _VimWatch) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(watch.vim_id))
        while not watch.stopped.is_set():
            try:
                with lease.hold(f"watch:{watch.vim_id}") as held:
                    if held is not None:
                        log.info("watch.started")
                        self._watch_leased(watch, held)
            except DatabaseError as error:
                log.warning("watch.database_unavailable", error=str(error))
            finally:
                connections.close_all()
            watch.stopped.wait(self._next_poll(PollSituation(duration=0.0)).seconds)
        log.info("watch.stopped")

    def _watch_leased(self, watch: _VimWatch, held: lease.ActiveLease) -> None:
        listener = NotificationListener(watch.vim_id, watch.wake, self._connectors)
        slow = SlowPoller(watch.vim_id, self._connectors.connect, self._after_poll, watch.requested.set)
        listener.start()
        slow.start()
        try:
            self._poll_while_leased(watch, held, slow)
        finally:
            listener.stop(LISTENER_STOP_SECONDS)
            slow.stop(SLOW_POLL_STOP_SECONDS)

    def _poll_while_leased(self, watch: _VimWatch, held: lease.ActiveLease, slow: SlowPoller) -> None:
        failures = 0
        while not watch.stopped.is_set():
            started = time.monotonic()
            try:
                if not held.is_current():
                    log.warning("watch.lease_lost")
                    return
                interval = self._poll(watch, slow)
                failures = 0
            except DatabaseError as error:
                failures += 1
                interval = self._next_poll(PollSituation(duration=0.0, failures=failures))
                log.warning("watch.database_unavailable", error=str(error))
            except Exception:  # an error in one poll must not end the watching
                failures += 1
                interval = self._next_poll(PollSituation(duration=0.0, failures=failures))
                log.exception("watch.poll_failed")
            finally:
                connections.close_all()
            _wait(watch, interval, started)

    def _poll(self, watch: _VimWatch, slow: SlowPoller) -> PollInterval:
        """One poll and its consequences; returns when to poll again."""
        vim_id, started, urgent = watch.vim_id, time.monotonic(), watch.requested.is_set()
        watch.requested.clear()
        vim = Vim.objects.select_related("poll_state").filter(id=vim_id).first()
        if vim is None:
            return self._next_poll(PollSituation(duration=0.0))
        result = self._poll_vim(vim, slow, urgent=urgent)
        duration = time.monotonic() - started
        VIM_POLLS.add(vim.name, "error" if result.error else "ok")
        VIM_POLL_SECONDS.observe(duration, vim.name)
        if result.changed or result.failures:
            log.info(
                "watch.polled",
                changed=len(result.changed),
                full=result.full,
                failures=result.failures,
                error=result.error,
            )
        now = clock.now()
        self._after_poll(vim_id, result, now)
        state = VimPollState.objects.filter(vim=vim).first()
        if state is None:  # the VIM has been deleted
            return self._next_poll(PollSituation(duration=0.0))
        slow.request(vim, state, urgent=urgent)
        requested_at = watch.requested_at
        interval = self._next_poll(
            poll_situation(
                state=state,
                result=result,
                duration=duration,
                requested_for=None if requested_at is None else time.monotonic() - requested_at,
                operation=self._operation_runs(vim_id),
                now=now,
                paused_until=vim.paused_until,
            )
        )
        poll_interval_record(state=state, interval=interval)
        return interval

    def _poll_vim(self, vim: VimRecord, slow: SlowPoller, *, urgent: bool) -> VimPollResult:
        """A lean poll; a complete one when there is no baseline and no slow poll is under way."""
        state = getattr(vim, "poll_state", None)
        assert state is None or isinstance(state, VimPollState)
        lean, suspects = state is not None and has_baseline(state), slow.suspects()
        complete = not lean and slow.slow_lock.acquire(blocking=False)
        try:
            cloud = self._connectors.connect(vim)
            result = poll_vim(
                vim=vim,
                cloud=cloud,
                now=clock.now(),
                urgent=urgent,
                lean=not complete,
                suspects=suspects,
                state=state,
            )
        finally:
            if complete:
                slow.slow_lock.release()
        if not result.error:
            slow.suspects_checked(suspects)
        return result

    def _next_poll(self, situation: PollSituation) -> PollInterval:
        return next_poll(situation, quiet_seconds=self._period, chance=random.random())  # noqa: S311 - no secret


def _wait(watch: _VimWatch, interval: PollInterval, started: float) -> None:
    """Until the next poll is due or requested; then until the cloud may be polled again."""
    if watch.requested.wait(max(0.0, started + interval.seconds - time.monotonic())):
        watch.stopped.wait(max(0.0, started + interval.min_seconds - time.monotonic()))

"""Slow requests to one VIM, in threads of their own, so that they delay none of the small polls.

Nothing older overwrites what is newer: `slow_lock` lets one poll at a time request hosts and stacks, and a full scan
records no state: it only names the suspects that the next small poll requests.
"""

from collections.abc import Callable
from datetime import datetime
from threading import Event, Lock, Thread
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimPollState
from vnfm.inventory.reconcilers.vim_poll import VimPollResult, full_scan, poll_slow
from vnfm.inventory.reconcilers.vim_snapshot import (
    FULL_LIST_PERIOD,
    MAX_SINGLE_REQUESTS,
    full_scan_is_due,
    has_baseline,
    slow_is_due,
)
from vnfm.kit import clock
from vnfm.vims.domain.vim_record import VimRecord
from vnfm.vims.selectors import is_paused

AfterPoll = Callable[[UUID, VimPollResult, datetime], object]

log = structlog.get_logger(__name__)


class _Worker:
    """A thread that works when requested; once more, if requested while it works."""

    def __init__(self, name: str, vim_id: UUID, work: Callable[[], None]) -> None:
        self._vim_id = vim_id
        self._work = work
        self._requested = Event()
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"{name} {vim_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def request(self) -> None:
        self._requested.set()

    def stop(self) -> None:
        self._stop.set()
        self._requested.set()

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _run(self) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(self._vim_id))
        while self._requested.wait() and not self._stop.is_set():
            self._requested.clear()
            try:
                self._work()
            except DatabaseError as error:
                log.warning("watch.database_unavailable", error=str(error))
            except Exception:  # an error in one poll must not end the watching
                log.exception("watch.poll_failed")
            finally:
                connections.close_all()


class SlowPoller:
    """For as long as we hold the watch over one VIM. `wake` makes the next small poll start at once."""

    def __init__(
        self, vim_id: UUID, connect: Callable[[VimRecord], Cloud], after_poll: AfterPoll, wake: Callable[[], None]
    ) -> None:
        self.slow_lock = Lock()
        """Held while hosts and stacks are requested, until the answers are recorded."""
        self._vim_id = vim_id
        self._connect = connect
        self._after_poll = after_poll
        self._wake = wake
        self._urgent = Event()
        self._guard = Lock()
        self._suspects: set[str] = set()
        self._retry_at: datetime | None = None
        """After a full scan that failed."""
        self._slow = _Worker("slow poll", vim_id, self._poll_slow)
        self._full = _Worker("full scan", vim_id, self._full_scan)

    def start(self) -> None:
        for worker in (self._slow, self._full):
            worker.start()

    def stop(self, seconds: float) -> None:
        """Stop, and wait so long for each thread; they are daemons."""
        for worker in (self._slow, self._full):
            worker.stop()
        for worker in (self._slow, self._full):
            worker.join(seconds)

    def suspects(self) -> frozenset[str]:
        """Servers that the next small poll is to request."""
        with self._guard:
            return frozenset(sorted(self._suspects)[:MAX_SINGLE_REQUESTS])

    def suspects_checked(self, checked: frozenset[str]) -> None:
        """A small poll has requested these."""
        with self._guard:
            self._suspects -= checked
            if self._suspects:
                self._wake()

    def request(self, vim: VimRecord, state: VimPollState, *, urgent: bool) -> None:
        """After each small poll, with the `state` that it left: start what is due.

        A cloud that does not answer is left to the small polls.
        """
        if urgent:
            self._urgent.set()
        now = clock.now()
        if not has_baseline(state) or state.failures or is_paused(vim, now):
            return
        if slow_is_due(vim, state, now, urgent=self._urgent.is_set()):
            self._slow.request()
        if full_scan_is_due(state, now, slow="servers" in vim.late) and (
            self._retry_at is None or now >= self._retry_at
        ):
            self._full.request()

    def _vim(self) -> VimRecord | None:
        """None when it is left to the small polls."""
        state = VimPollState.objects.select_related("vim").filter(vim=self._vim_id).first()
        return state.vim if state is not None and has_baseline(state) and not state.failures else None

    def _poll_slow(self) -> None:
        vim = self._vim()
        if vim is None:
            return
        urgent = self._urgent.is_set()
        self._urgent.clear()
        with self.slow_lock:
            result = poll_slow(vim=vim, cloud=self._connect(vim), now=clock.now(), urgent=urgent)
        if result.changed or result.error:
            log.info("watch.slow_polled", changed=len(result.changed), error=result.error)
        self._after_poll(self._vim_id, result, clock.now())

    def _full_scan(self) -> None:
        vim, now = self._vim(), clock.now()
        if vim is None:
            return
        result, suspects = full_scan(vim=vim, cloud=self._connect(vim), now=now)
        self._retry_at = now + FULL_LIST_PERIOD if result.error else None
        if suspects or result.error:
            log.info("watch.full_scanned", suspects=len(suspects), error=result.error)
        with self._guard:
            self._suspects |= suspects
        if suspects:
            self._wake()
        self._after_poll(self._vim_id, result, clock.now())

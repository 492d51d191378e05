"""The watcher: looks at every VIM again and again. It has no input; whatever it missed, the next look finds."""

import random
import time
from collections.abc import Callable
from datetime import datetime
from threading import Event, Thread
from typing import NamedTuple
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vnfm.clouds.ports import Cloud
from vnfm.inventory.reconcilers.observe import Look, observe_vim
from vnfm.kit import clock, lease
from vnfm.vims.models import Vim

AGAIN_SECONDS = 0.5
"""Pause after a first failed look: long enough for a dropped connection, short enough to tell an outage in seconds."""

LONGEST_PAUSE_SECONDS = 30.0
"""A VIM that comes back is seen after this long at the latest; one that is down is not hammered meanwhile."""

JITTER = 0.1
"""Spread of the pauses, so that the looks at many VIMs do not fall into step."""

REGISTRY_SECONDS = 2.0
"""How often to see whether VIMs were registered or removed."""

LEAVE_SECONDS = 10.0
"""How long a stop waits for looks under way. The threads are daemons: one stuck in a call ends with the process."""

log = structlog.get_logger(__name__)


class _Watching(NamedTuple):
    thread: Thread
    stop: Event


class Watcher:
    """Each VIM in a thread of its own, so that a slow one delays no other; one watcher a VIM, by lease."""

    def __init__(
        self,
        *,
        period_seconds: float,
        connect: Callable[[Vim], Cloud],
        after_look: Callable[[UUID, Look, datetime], object],
    ) -> None:
        self._period = period_seconds
        self._connect = connect
        self._after_look = after_look
        self._watched: dict[UUID, _Watching] = {}

    def run(self, stop: Event) -> None:
        """Watch until `stop` is set; a database that goes away is waited for."""
        while not stop.is_set():
            try:
                self._follow_registry(set(Vim.objects.values_list("id", flat=True)))
            except DatabaseError as error:
                log.warning("watch.database_unavailable", error=str(error))
            finally:
                connections.close_all()
            stop.wait(REGISTRY_SECONDS)
        self._follow_registry(set())

    def _follow_registry(self, vims: set[UUID]) -> None:
        gone = [self._watched.pop(vim_id) for vim_id in self._watched.keys() - vims]
        for watching in gone:
            watching.stop.set()
        deadline = time.monotonic() + LEAVE_SECONDS
        for watching in gone:
            watching.thread.join(max(0.0, deadline - time.monotonic()))
        for vim_id in vims - self._watched.keys():
            stop = Event()
            thread = Thread(target=self._watch, args=(vim_id, stop), name=f"watch {vim_id}", daemon=True)
            self._watched[vim_id] = _Watching(thread, stop)
            thread.start()

    def _watch(self, vim_id: UUID, stop: Event) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(vim_id))
        while not stop.is_set():
            try:
                with lease.hold(f"watch:{vim_id}") as held:
                    if held is not None:
                        log.info("watch.started")
                        self._look_while_held(vim_id, held, stop)
            except DatabaseError as error:
                log.warning("watch.database_unavailable", error=str(error))
            finally:
                connections.close_all()
            stop.wait(self._pause(0))
        log.info("watch.stopped")

    def _look_while_held(self, vim_id: UUID, held: lease.Held, stop: Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                if not held.is_current():
                    log.warning("watch.lease_lost")
                    return
                failures = self._look(vim_id)
            except DatabaseError as error:
                failures += 1
                log.warning("watch.database_unavailable", error=str(error))
            except Exception:  # whatever is wrong with one look must not end the watching
                failures += 1
                log.exception("watch.look_failed")
            finally:
                connections.close_all()
            stop.wait(self._pause(failures))

    def _look(self, vim_id: UUID) -> int:
        """One look and what follows from it; returns how many looks in a row the VIM has failed."""
        vim = Vim.objects.filter(id=vim_id).first()
        if vim is None:
            return 0
        now = clock.now()
        look = observe_vim(vim=vim, cloud=self._connect(vim), now=now)
        if look.changed or look.failures:
            log.info(
                "watch.looked", changed=len(look.changed), full=look.full, failures=look.failures, error=look.error
            )
        self._after_look(vim_id, look, clock.now())
        return look.failures

    def _pause(self, failures: int) -> float:
        if failures == 0:
            seconds = self._period
        elif failures == 1:
            seconds = min(AGAIN_SECONDS, self._period)
        else:
            seconds = min(self._period * 2 ** (failures - 2), max(LONGEST_PAUSE_SECONDS, self._period))
        return seconds * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311 - no secret

"""The watcher: looks at every VIM again and again. It has no input; whatever it missed, the next look finds.

Somebody who knows of news earlier rings (`inventory.services.look_ring`, or the VIM's bell in this process): that only
makes the next look come at once. What there is to know is always read.
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
from vnfm.inventory.domain.pace import Pace, Situation, pace
from vnfm.inventory.models import VimLook
from vnfm.inventory.reconcilers.beside import AfterLook, Beside
from vnfm.inventory.reconcilers.hearing import Hearing, Means
from vnfm.inventory.reconcilers.observe import Look, observe_vim
from vnfm.inventory.reconcilers.pacing import situation_after
from vnfm.inventory.reconcilers.sight import is_known
from vnfm.inventory.services import LOOK_CHANNEL, pace_record
from vnfm.kit import clock, lease
from vnfm.kit.listen import on_notification
from vnfm.vims.models import Vim

REGISTRY_SECONDS = 2.0
"""How often to see whether VIMs were registered or removed."""

LEAVE_SECONDS = 10.0
"""How long a stop waits for looks under way. The threads are daemons: one stuck in a call ends with the process."""

BESIDE_SECONDS = 3.0
"""How long the end of a look beside the small ones is waited for; one stuck in a call ends with the process."""

HEARING_SECONDS = 3.0
"""How long the end of listening to a message bus is waited for; it looks up once a second."""

log = structlog.get_logger(__name__)


class _Watching:
    """The watch over one VIM. `bell` cuts the pause short; to stop is to ring, too."""

    def __init__(self, vim_id: UUID, watch: "Callable[[_Watching], None]") -> None:
        self.vim_id = vim_id
        self.bell = Event()
        self.stop = Event()
        self.rung_at: float | None = None
        """By the monotonic clock."""
        self.thread = Thread(target=watch, args=(self,), name=f"watch {vim_id}", daemon=True)

    def ring(self) -> None:
        self.rung_at = time.monotonic()
        self.bell.set()

    def end(self) -> None:
        self.stop.set()
        self.bell.set()


class Watcher:
    """Each VIM in a thread of its own, so that a slow one delays no other; one watcher a VIM, by lease."""

    def __init__(
        self,
        *,
        period_seconds: float,
        connect: Callable[[Vim], Cloud],
        open_bus: Callable[[BusConnection], Bus],
        after_look: AfterLook,
        operation_runs: Callable[[UUID], bool],
    ) -> None:
        """`period_seconds` is the interval where nothing moves; `domain.pace` has the others.

        `after_look` is called after every look, also of those beside the small ones, in their threads.
        """
        self._period = period_seconds
        self._means = Means(connect, open_bus)
        self._after_look = after_look
        self._operation_runs = operation_runs
        self._watched: dict[UUID, _Watching] = {}

    def run(self, stop: Event) -> None:
        """Watch until `stop` is set; a database that goes away is waited for."""
        with on_notification(LOOK_CHANNEL, self._ring):
            while not stop.is_set():
                try:
                    self._follow_registry(set(Vim.objects.values_list("id", flat=True)))
                except DatabaseError as error:
                    log.warning("watch.database_unavailable", error=str(error))
                finally:
                    connections.close_all()
                stop.wait(REGISTRY_SECONDS)
            self._follow_registry(set())

    def _ring(self, vim_id: str) -> None:
        watching = self._watched.get(UUID(vim_id))
        if watching is not None:  # else another process has it, or it is new and looked at anyway
            watching.ring()

    def _follow_registry(self, vims: set[UUID]) -> None:
        gone = [self._watched.pop(vim_id) for vim_id in self._watched.keys() - vims]
        for watching in gone:
            watching.end()
        deadline = time.monotonic() + LEAVE_SECONDS
        for watching in gone:
            watching.thread.join(max(0.0, deadline - time.monotonic()))
        for vim_id in vims - self._watched.keys():
            self._watched[vim_id] = watching = _Watching(vim_id, self._watch)
            watching.thread.start()

    def _watch(self, watching: _Watching) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(watching.vim_id))
        while not watching.stop.is_set():
            try:
                with lease.hold(f"watch:{watching.vim_id}") as held:
                    if held is not None:
                        log.info("watch.started")
                        hearing = Hearing(watching.vim_id, watching.ring, self._means)
                        beside = Beside(watching.vim_id, self._means.connect, self._after_look, watching.bell.set)
                        hearing.start()
                        beside.start()
                        try:
                            self._look_while_held(watching, held, beside)
                        finally:
                            hearing.end(HEARING_SECONDS)
                            beside.end(BESIDE_SECONDS)
            except DatabaseError as error:
                log.warning("watch.database_unavailable", error=str(error))
            finally:
                connections.close_all()
            watching.stop.wait(self._pace(Situation(took=0.0)).seconds)
        log.info("watch.stopped")

    def _look_while_held(self, watching: _Watching, held: lease.Held, beside: Beside) -> None:
        failures = 0
        while not watching.stop.is_set():
            began = time.monotonic()
            try:
                if not held.is_current():
                    log.warning("watch.lease_lost")
                    return
                chosen = self._look(watching, beside)
                failures = 0
            except DatabaseError as error:
                failures += 1
                chosen = self._pace(Situation(took=0.0, failures=failures))
                log.warning("watch.database_unavailable", error=str(error))
            except Exception:  # whatever is wrong with one look must not end the watching
                failures += 1
                chosen = self._pace(Situation(took=0.0, failures=failures))
                log.exception("watch.look_failed")
            finally:
                connections.close_all()
            _rest(watching, chosen, began)

    def _look(self, watching: _Watching, beside: Beside) -> Pace:
        """One look and what follows from it; returns when to look again."""
        vim_id, began, rung = watching.vim_id, time.monotonic(), watching.bell.is_set()
        watching.bell.clear()
        vim = Vim.objects.filter(id=vim_id).first()
        if vim is None:
            return self._pace(Situation(took=0.0))
        look = self._look_at(vim, beside, rung=rung)
        took = time.monotonic() - began
        if look.changed or look.failures:
            log.info(
                "watch.looked", changed=len(look.changed), full=look.full, failures=look.failures, error=look.error
            )
        now = clock.now()
        self._after_look(vim_id, look, now)
        beside.nudge(vim, rung=rung)
        chosen = self._pace(
            situation_after(
                vim_id=vim_id,
                look=look,
                took=took,
                rung_for=None if watching.rung_at is None else time.monotonic() - watching.rung_at,
                operation=self._operation_runs(vim_id),
                now=now,
            )
        )
        pace_record(vim_id=vim_id, pace=chosen)
        return chosen

    def _look_at(self, vim: Vim, beside: Beside, *, rung: bool) -> Look:
        """A small look; one at everything where there is nothing to go on from, and nobody is asking part of it."""
        known = VimLook.objects.filter(vim=vim).first()
        lean, doubts = known is not None and is_known(known), beside.doubts()
        alone = not lean and beside.alone.acquire(blocking=False)
        try:
            look = observe_vim(
                vim=vim, cloud=self._means.connect(vim), now=clock.now(), urgent=rung, lean=not alone, doubts=doubts
            )
        finally:
            if alone:
                beside.alone.release()
        if not look.error:
            beside.settled(doubts)
        return look

    def _pace(self, situation: Situation) -> Pace:
        return pace(situation, quiet_seconds=self._period, chance=random.random())  # noqa: S311 - no secret


def _rest(watching: _Watching, chosen: Pace, began: float) -> None:
    """Until the next look is due, or somebody rings; then until the cloud may be asked again."""
    if watching.bell.wait(max(0.0, began + chosen.seconds - time.monotonic())):
        watching.stop.wait(max(0.0, began + chosen.soonest - time.monotonic()))

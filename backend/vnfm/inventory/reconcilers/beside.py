"""What takes long, asked beside the small looks at one VIM in threads of its own, so that it delays none of them.

Nothing older overwrites what is newer: hosts and stacks are asked by one at a time, and a list of everything records
no state: it only tells which servers the next small look is to ask for.
"""

from collections.abc import Callable
from datetime import datetime
from threading import Event, Lock, Thread
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimLook
from vnfm.inventory.reconcilers.observe import Look, observe_around, review
from vnfm.inventory.reconcilers.sight import ALONE_AT_MOST, FULL_EVERY, around_is_due, is_known, review_is_due
from vnfm.kit import clock
from vnfm.vims.models import Vim

AfterLook = Callable[[UUID, Look, datetime], object]

log = structlog.get_logger(__name__)


class _Lane:
    """Does its work whenever it is nudged; nudged meanwhile, once more."""

    def __init__(self, name: str, vim_id: UUID, work: Callable[[], None]) -> None:
        self._vim_id = vim_id
        self._work = work
        self._bell = Event()
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"{name} {vim_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def nudge(self) -> None:
        self._bell.set()

    def end(self) -> None:
        self._stop.set()
        self._bell.set()

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _run(self) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(self._vim_id))
        while self._bell.wait() and not self._stop.is_set():
            self._bell.clear()
            try:
                self._work()
            except DatabaseError as error:
                log.warning("watch.database_unavailable", error=str(error))
            except Exception:  # as with the small looks: whatever is wrong with one must not end the watching
                log.exception("watch.look_failed")
            finally:
                connections.close_all()


class Beside:
    """For as long as we hold the watch over one VIM. `ring` has the next small look come at once."""

    def __init__(
        self, vim_id: UUID, connect: Callable[[Vim], Cloud], after_look: AfterLook, ring: Callable[[], None]
    ) -> None:
        self.alone = Lock()
        """Held by whoever asks for hosts and stacks, until what they said is recorded."""
        self._vim_id = vim_id
        self._connect = connect
        self._after_look = after_look
        self._ring = ring
        self._rung = Event()
        self._guard = Lock()
        self._doubts: set[str] = set()
        self._not_before: datetime | None = None
        """After a list of everything that failed."""
        self._around = _Lane("watch around", vim_id, self._look_around)
        self._review = _Lane("review", vim_id, self._review_all)

    def start(self) -> None:
        for lane in (self._around, self._review):
            lane.start()

    def end(self, seconds: float) -> None:
        """Stop, and wait for each so long; the threads are daemons."""
        for lane in (self._around, self._review):
            lane.end()
        for lane in (self._around, self._review):
            lane.join(seconds)

    def doubts(self) -> frozenset[str]:
        """Servers that the next small look is to ask for."""
        with self._guard:
            return frozenset(sorted(self._doubts)[:ALONE_AT_MOST])

    def settled(self, doubts: frozenset[str]) -> None:
        """A small look has asked for these."""
        with self._guard:
            self._doubts -= doubts
            if self._doubts:
                self._ring()

    def nudge(self, vim: Vim, *, rung: bool) -> None:
        """After each small look: begin what is due. A cloud that does not answer is left to the small looks."""
        if rung:
            self._rung.set()
        look, now = VimLook.objects.filter(vim=vim).first(), clock.now()
        if look is None or not is_known(look):
            return
        if around_is_due(vim, look, now, urgent=self._rung.is_set()):
            self._around.nudge()
        if review_is_due(look, now) and (self._not_before is None or now >= self._not_before):
            self._review.nudge()

    def _vim(self) -> Vim | None:
        """None when it is left to the small looks."""
        look = VimLook.objects.select_related("vim").filter(vim=self._vim_id).first()
        return look.vim if look is not None and is_known(look) else None

    def _look_around(self) -> None:
        vim = self._vim()
        if vim is None:
            return
        urgent = self._rung.is_set()
        self._rung.clear()
        with self.alone:
            look = observe_around(vim=vim, cloud=self._connect(vim), now=clock.now(), urgent=urgent)
        if look.changed or look.error:
            log.info("watch.looked_around", changed=len(look.changed), error=look.error)
        self._after_look(self._vim_id, look, clock.now())

    def _review_all(self) -> None:
        vim, now = self._vim(), clock.now()
        if vim is None:
            return
        look, doubts = review(vim=vim, cloud=self._connect(vim), now=now)
        self._not_before = now + FULL_EVERY if look.error else None
        if doubts or look.error:
            log.info("watch.reviewed", doubts=len(doubts), error=look.error)
        with self._guard:
            self._doubts |= doubts
        if doubts:
            self._ring()
        self._after_look(self._vim_id, look, clock.now())

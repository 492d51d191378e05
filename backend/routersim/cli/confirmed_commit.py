"""Confirmed commit: rolled back unless confirmed in time; NETCONF (RFC 6241, 8.4), or VRP's `commit trial`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from routersim.cli.model import commit, running

if TYPE_CHECKING:
    from collections.abc import Callable

    from routersim.router import Router


def confirmed_commit_of(router: Router) -> ConfirmedCommit:
    """Return the element's confirmed commit, created at the first call."""
    if router.unconfirmed is None:
        router.unconfirmed = ConfirmedCommit(router)
    known: ConfirmedCommit = router.unconfirmed
    return known


class ConfirmedCommit:
    """The confirmed commit of an element, at most one at a time. A session is any object that represents one."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self._before: list[str] | None = None
        """The configuration before the unconfirmed commit."""
        self._timer: asyncio.TimerHandle | None = None
        self._on_rollback: Callable[[], None] = lambda: None
        self.session: object = None
        """The session with an unconfirmed commit, or None."""

    def commit(
        self, session: object, statements: list[str], seconds: float | None, on_rollback: Callable[[], None]
    ) -> None:
        """Make the statements the running configuration; without `seconds` permanently, which confirms an earlier one.

        `on_rollback` is called after a rollback. Raises RejectedLine, and then changes nothing.
        """
        before = running(self._router)
        commit(self._router, statements)
        self._disarm()
        if seconds is None:
            self._before = self.session = None
            return
        self._before, self.session, self._on_rollback = self._before or before, session, on_rollback
        within = self._router.element.behaviour.confirm_seconds or seconds
        self._timer = asyncio.get_running_loop().call_later(within, self.rollback)

    def rollback(self) -> bool:
        """Restore the configuration before the unconfirmed commit; return False if there is none."""
        self._disarm()
        before, self._before, self.session = self._before, None, None
        if before is None:
            return False
        commit(self._router, before, checkpoint=False)
        self._on_rollback()
        return True

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

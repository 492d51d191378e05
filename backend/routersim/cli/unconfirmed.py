"""A commit that is taken back unless it is confirmed in time: by NETCONF (RFC 6241, 8.4), or VRP's `commit trial`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from routersim.cli.model import commit, running

if TYPE_CHECKING:
    from collections.abc import Callable

    from routersim.router import Router


def unconfirmed_of(router: Router) -> Unconfirmed:
    """The element's, whoever asks."""
    if router.unconfirmed is None:
        router.unconfirmed = Unconfirmed(router)
    known: Unconfirmed = router.unconfirmed
    return known


class Unconfirmed:
    """At most one at an element; a session is any object that stands for one."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self._before: list[str] | None = None
        """What ran before it."""
        self._timer: asyncio.TimerHandle | None = None
        self._gone_back: Callable[[], None] = lambda: None
        self.by: object = None
        """The session that made it; None where there is none."""

    def commit(
        self, session: object, statements: list[str], seconds: float | None, gone_back: Callable[[], None]
    ) -> None:
        """Make them what runs; without `seconds` for good, which confirms what was committed before.

        `gone_back` is called when it was taken back. Raises BadLine, and nothing is changed.
        """
        before = running(self._router)
        commit(self._router, statements)
        self._disarm()
        if seconds is None:
            self._before = self.by = None
            return
        self._before, self.by, self._gone_back = self._before or before, session, gone_back
        within = self._router.element.behaviour.confirm_seconds or seconds
        self._timer = asyncio.get_running_loop().call_later(within, self.take_back)

    def take_back(self) -> bool:
        """What ran before it runs again; False where there is none."""
        self._disarm()
        before, self._before, self.by = self._before, None, None
        if before is None:
            return False
        commit(self._router, before, checkpoint=False)
        self._gone_back()
        return True

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

"""A confirmed commit: the element reverts a change by itself unless we log in again after it and confirm.

NETCONF has it by RFC 6241, 8.4, VRP's command line by `commit trial`.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Protocol

from vnfm.devices.errors import CutOff, DeviceError, Garbled, Locked, Unreachable

CONFIRM_SECONDS = 60
"""The shortest time after which the element reverts an unconfirmed commit. VRP accepts no less."""
MAX_CONFIRM_SECONDS = 600
"""The default of RFC 6241, 8.4.5."""
_RETRY_SECONDS = 1.0
_GRACE_SECONDS = 20.0
"""The element may be reachable again so much later than promised."""

ReadRunning = Callable[[], Awaitable[str]]
"""Returns the running configuration over a session that is logged in."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """`after` is the running configuration after the change; None after a dry run."""

    after: str | None
    diff: str
    takes_back: bool | None = None
    """The element would revert the change of a dry run by itself if it cut us off."""


class CommitPort(Protocol):
    """The operations that a confirmed commit needs of a session. Every method raises DeviceError."""

    def reconnect(self) -> AbstractAsyncContextManager[ReadRunning]:
        """Another login: an established connection may survive a change that prevents new ones."""

    async def commit_trial(self, seconds: int) -> None:
        """Commit; the element reverts that unless it is confirmed within `seconds`."""

    async def confirm(self, seconds: float) -> None:
        """Confirm, by the session that has committed, and wait at most `seconds` for the answer."""

    async def running(self) -> str:
        """The running configuration, by the session that has committed."""

    async def cancel(self) -> None:
        """Have the element revert the commit now, if it still hears us. Raises nothing."""


class ConfirmedCommit:
    """One change. The element reverts it after at least `confirm` seconds; we confirm within half of them."""

    def __init__(self, port: CommitPort, address: str, confirm: int) -> None:
        self._port, self._address, self._confirm = port, address, confirm

    async def commit(self, before: str, spent: float) -> str:
        """The running configuration after it. Raises CutOff when the element no longer answers as it should.

        Reading and editing took `spent` seconds, so the commit may take as long: that, and logging in, must fit into
        half of the time.
        """
        if 2 * spent > self._confirm:  # whole minutes, as some elements count only these
            self._confirm = min(MAX_CONFIRM_SECONDS, 60 * math.ceil(2 * spent / 60))
        started = time.monotonic()
        try:
            await self._port.commit_trial(self._confirm)
        except (Unreachable, Garbled) as error:
            if isinstance(error, Locked):
                raise
            await self._port.cancel()  # of a commit that outlasts our timeout the time counts from its end
            return await self._outcome(before, time.monotonic() + self._confirm, error, confirmed=False)
        return await self._confirm_in_time(before, started)

    async def _confirm_in_time(self, before: str, started: float) -> str:
        """A confirmation after the element has reverted would commit again, so it gets only half of the time."""
        deadline, confirmed = started + self._confirm / 2, False
        try:
            await self._log_in_again(deadline, read=False)
            if time.monotonic() > deadline:
                raise Unreachable("the confirmation would have come too late", address=self._address)
            confirmed = True
            await self._port.confirm(self._confirm / 2)
        except DeviceError as error:
            await self._port.cancel()
            return await self._outcome(before, started + self._confirm, error, confirmed=confirmed)
        after = await self._port.running()
        if after == before:
            reverted = Unreachable("it was reached again only when it had gone back", address=self._address)
            return await self._outcome(before, time.monotonic(), reverted, confirmed=True)
        return after

    async def _log_in_again(self, deadline: float, *, read: bool) -> str:
        """Log in by a new connection; with `read` return the running configuration. The deadline is for the login."""
        while True:
            try:
                async with AsyncExitStack() as stack:
                    async with asyncio.timeout_at(_loop_time(deadline)):
                        running = await stack.enter_async_context(self._port.reconnect())
                    return await running() if read else ""
            except TimeoutError as error:
                raise Unreachable(f"{self._address} does not answer any more.", address=self._address) from error
            except Unreachable:
                if time.monotonic() + _RETRY_SECONDS > deadline:
                    raise
                await asyncio.sleep(_RETRY_SECONDS)

    async def _outcome(self, before: str, promised: float, lost: DeviceError, *, confirmed: bool) -> str:
        """The configuration once the element is reachable again, if it received our confirmation. Raises CutOff."""
        now, last = "", lost
        while now != before and time.monotonic() < promised + (0 if now else _GRACE_SECONDS):
            try:
                now = await self._log_in_again(promised + _GRACE_SECONDS, read=True)
            except DeviceError as error:
                now, last = "", error
            if now != before:
                await asyncio.sleep(_RETRY_SECONDS)
        if now and now != before and confirmed:
            return now
        message = f"{self._address} did not answer as it should after the change ({lost.message.rstrip('.')}). "
        if now == before:
            message += "It has taken the change back by itself, and runs what it ran before."
        elif now:
            message += f"It was to take the change back within {self._confirm} s, and has not: see what it runs now."
        else:
            message += f"It was to take the change back within {self._confirm} s, and is not reached: {last.message}"
        raise CutOff(message, address=self._address, running=now if now != before else "") from lost


def _loop_time(moment: float) -> float:
    """A moment of the monotonic clock in the time of the event loop."""
    return asyncio.get_running_loop().time() + moment - time.monotonic()

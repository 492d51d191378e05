"""A change that the element takes back by itself, unless somebody could log in after it: then we confirm it.

NETCONF calls it a confirmed commit (RFC 6241, 8.4), VRP's command line `commit trial`.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Protocol

from vnfm.devices.errors import CutOff, DeviceError, Garbled, Locked, Unreachable

CONFIRM_SECONDS = 60
"""After which the element takes back what we have not confirmed, at least. VRP takes no less."""
LONGEST_CONFIRM_SECONDS = 600
"""What RFC 6241, 8.4.5 has by default."""
_AGAIN_SECONDS = 1.0
_LATE_SECONDS = 20.0
"""How much later than promised the element may be back."""

Read = Callable[[], Awaitable[str]]
"""What runs, by a session that is logged in."""


class Way(Protocol):
    """How an element is told. Every method raises DeviceError."""

    def anew(self) -> AbstractAsyncContextManager[Read]:
        """Another login, as an old connection may outlive the way to the element."""

    async def try_out(self, seconds: int) -> None:
        """Commit; the element takes it back when it hears nothing else within so many seconds."""

    async def confirm(self, seconds: float) -> None:
        """For good, by the session that has committed. `seconds` is how long the answer is waited for."""

    async def running(self) -> str:
        """By the session that has committed."""

    async def let_go(self) -> None:
        """Have it taken back now, if anything of ours still comes through. Raises nothing."""


class Unconfirmed:
    """One change. The element has at least `confirm` seconds for it, and we half of them."""

    def __init__(self, way: Way, address: str, confirm: int) -> None:
        self._way, self._address, self._confirm = way, address, confirm

    async def committed(self, before: str, spent: float) -> str:
        """What runs then. Raises CutOff when the element does not answer any more, and has taken it back.

        What was to be read and edited has taken the seconds that were `spent`, so in as many the element can commit
        it: half of the time is for that, and for logging in.
        """
        self._confirm = min(LONGEST_CONFIRM_SECONDS, max(self._confirm, math.ceil(2 * spent)))
        began = time.monotonic()
        try:
            await self._way.try_out(self._confirm)
        except (Unreachable, Garbled) as error:
            if isinstance(error, Locked):
                raise
            await self._way.let_go()  # a commit that takes longer than we wait is counted from its end
            return await self._settled(before, time.monotonic() + self._confirm, error, asked=False)
        return await self._confirmed(before, began)

    async def _confirmed(self, before: str, began: float) -> str:
        """A confirmation that came too late would commit it all again, so it is given only half the time."""
        sure, asked = began + self._confirm / 2, False
        try:
            await self._anew(sure, read=False)
            if time.monotonic() > sure:
                raise Unreachable("the confirmation would have come too late", address=self._address)
            asked = True
            await self._way.confirm(self._confirm / 2)
        except DeviceError as error:
            await self._way.let_go()
            return await self._settled(before, began + self._confirm, error, asked=asked)
        after = await self._way.running()
        if after == before:
            gone_back = Unreachable("it was reached again only when it had gone back", address=self._address)
            return await self._settled(before, time.monotonic(), gone_back, asked=True)
        return after

    async def _anew(self, deadline: float, *, read: bool) -> str:
        """Log in by a new connection; what runs, if that is `read`.

        The deadline is for being in: reading takes what it takes.
        """
        while True:
            try:
                async with AsyncExitStack() as stack:
                    async with asyncio.timeout_at(_in_loop(deadline)):
                        running = await stack.enter_async_context(self._way.anew())
                    return await running() if read else ""
            except TimeoutError as error:
                raise Unreachable(f"{self._address} does not answer any more.", address=self._address) from error
            except Unreachable:
                if time.monotonic() + _AGAIN_SECONDS > deadline:
                    raise
                await asyncio.sleep(_AGAIN_SECONDS)

    async def _settled(self, before: str, promised: float, lost: DeviceError, *, asked: bool) -> str:
        """What runs when the element is there again, where the confirmation that was `asked` came through after all."""
        now, last = "", lost
        while now != before and time.monotonic() < promised + (0 if now else _LATE_SECONDS):
            try:
                now = await self._anew(promised + _LATE_SECONDS, read=True)
            except DeviceError as error:
                now, last = "", error
            if now != before:
                await asyncio.sleep(_AGAIN_SECONDS)
        if now and now != before and asked:
            return now
        told = f"{self._address} did not answer as it should after the change ({lost.message.rstrip('.')}). "
        if now == before:
            told += "It has taken the change back by itself, and runs what it ran before."
        elif now:
            told += f"It was to take the change back within {self._confirm} s, and has not: see what it runs now."
        else:
            told += f"It was to take the change back within {self._confirm} s, and is not reached: {last.message}"
        raise CutOff(told, address=self._address, running=now if now != before else "") from lost


def _in_loop(moment: float) -> float:
    """A moment of the monotonic clock in the time of the loop."""
    return asyncio.get_running_loop().time() + moment - time.monotonic()

"""Configuring one element by NETCONF: its candidate is edited and seen, and what cuts us off it takes back by itself.

A commit is confirmed only when somebody could log in after it. Until then the element goes back: when its time runs
out, or when it sees our session end (RFC 6241, 8.4).
"""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress

from vnfm.configuration.conversation import Spoken
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import Edit, text_of
from vnfm.devices.errors import (
    CutOff,
    DeviceError,
    Garbled,
    Locked,
    NotSupported,
    Refused,
    Rejected,
    Unreachable,
)
from vnfm.devices.ports import Datastore, Netconf

CONFIRM_SECONDS = 60
"""After which the element takes back what we have not confirmed, at least."""
LONGEST_CONFIRM_SECONDS = 600
"""What RFC 6241, 8.4.5 has by default."""
_AGAIN_SECONDS = 1.0
_LATE_SECONDS = 20.0
"""How much later than promised the element may be back."""

Connect = Callable[[], AbstractAsyncContextManager[Netconf]]


class NetconfConversation:
    """With an element by one session; `connect` makes another. Every method raises DeviceError."""

    def __init__(self, netconf: Netconf, connect: Connect, address: str, *, confirm: int = CONFIRM_SECONDS) -> None:
        self._netconf, self._connect, self._address = netconf, connect, address
        self._confirm = confirm

    async def running(self) -> str:
        """The running configuration, without what changes by itself."""
        return text_of(await self._netconf.get_config("running"))

    async def load(self, before: str, edit: Edit, *, dry_run: bool) -> Spoken:
        """Make the edit part of the running configuration, which was `before`, and save it.

        With `dry_run`, only find out what that would do: the element edits, checks and forgets it again.
        """
        if not self._has("candidate"):
            words = f"{self._address} has no candidate, so nothing can be tried or taken back: we only read it."
            raise NotSupported(words, address=self._address)
        began = time.monotonic()
        await self._netconf.lock("candidate")
        try:
            if await self._candidate() != before:  # not all servers deny the lock then, and what is there is not ours
                words = f"The candidate of {self._address} holds changes of somebody else that are not committed."
                raise Locked(words, address=self._address)
            try:
                return await self._edited(before, edit, began, dry_run=dry_run)
            finally:
                with suppress(DeviceError):
                    await self._netconf.discard_changes()
        finally:
            with suppress(DeviceError):
                await self._netconf.unlock("candidate")

    async def _edited(self, before: str, edit: Edit, began: float, *, dry_run: bool) -> Spoken:
        for nodes in edit.parts():
            await self._netconf.edit_config("candidate", nodes)
        if edit and dry_run and self._has("validate"):  # a commit validates by itself
            await self._netconf.validate("candidate")
        wanted = await self._candidate()
        if dry_run:
            return Spoken(None, difference(before, wanted, names=("running", "foreseen")))
        after = await self._committed(before, time.monotonic() - began) if wanted != before else before
        await self._save()
        return Spoken(after, difference(before, after))

    async def _candidate(self) -> str:
        return text_of(await self._netconf.get_config("candidate"))

    def _has(self, capability: str) -> bool:
        """In whichever version."""
        return any(one.partition(":")[0] == capability for one in self._netconf.capabilities)

    async def _committed(self, before: str, spent: float) -> str:
        """What runs then. Raises CutOff when the element does not answer any more, and has taken it back.

        The element has read its configuration twice and tried the edit in the seconds that were `spent`, so in as many
        it can commit it: half of the time is for that, and for logging in.
        """
        if not self._has("confirmed-commit"):
            await self._netconf.commit()
            return await self.running()
        self._confirm = min(LONGEST_CONFIRM_SECONDS, max(self._confirm, math.ceil(2 * spent)))
        began = time.monotonic()
        try:
            await self._netconf.commit(confirm_within=self._confirm, seconds=self._confirm / 2)
        except (Unreachable, Garbled) as error:
            if isinstance(error, Locked):
                raise
            return await self._settled(before, began + self._confirm, error, asked=False)
        return await self._confirmed(before, began)

    async def _confirmed(self, before: str, began: float) -> str:
        """A confirmation that came too late would commit it all again, so it is given only half the time."""
        sure, asked = began + self._confirm / 2, False
        try:
            await self._anew(sure, read=False)
            if time.monotonic() > sure:
                raise Unreachable("the confirmation would have come too late", address=self._address)
            asked = True
            await self._netconf.commit(seconds=self._confirm / 2)
        except DeviceError as error:
            await self._let_go()
            return await self._settled(before, began + self._confirm, error, asked=asked)
        after = await self.running()
        if after == before:
            gone_back = Unreachable("it was reached again only when it had gone back", address=self._address)
            return await self._settled(before, time.monotonic(), gone_back, asked=True)
        return after

    async def _anew(self, deadline: float, *, read: bool) -> str:
        """Log in by a new connection, as an old one may outlive the way to the element; what runs, if that is `read`.

        The deadline is for being in: reading takes what it takes.
        """
        while True:
            try:
                async with AsyncExitStack() as stack:
                    async with asyncio.timeout_at(_in_loop(deadline)):
                        netconf = await stack.enter_async_context(self._connect())
                    return text_of(await netconf.get_config("running")) if read else ""
            except TimeoutError as error:
                raise Unreachable(f"{self._address} does not answer any more.", address=self._address) from error
            except Unreachable:
                if time.monotonic() + _AGAIN_SECONDS > deadline:
                    raise
                await asyncio.sleep(_AGAIN_SECONDS)

    async def _let_go(self) -> None:
        """Have it taken back now, if anything of ours still comes through."""
        if "confirmed-commit:1.1" in self._netconf.capabilities:
            with suppress(DeviceError):
                await self._netconf.cancel_commit()
        self._netconf.hang_up()

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

    async def _save(self) -> None:
        if not self._has("startup"):
            return
        source: Datastore = "running"
        try:
            await self._netconf.copy_config(source, "startup")
        except (Rejected, Refused, NotSupported) as error:
            words = f"{error.message} The configuration is in force, but would be lost at a restart."
            raise Rejected(words, address=self._address, words=getattr(error, "words", "")) from error


def _in_loop(moment: float) -> float:
    """A moment of the monotonic clock in the time of the loop."""
    return asyncio.get_running_loop().time() + moment - time.monotonic()

"""Configuring one element by NETCONF: its candidate is edited and seen, and what cuts us off it takes back by itself.

A commit is confirmed only when a connection that was made after it has shown what runs. Until then the element goes
back: when its time runs out, or when it sees our session end (RFC 6241, 8.4).
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress

from vnfm.configuration.conversation import Spoken
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import Edit, text_of
from vnfm.devices.errors import Busy, CutOff, DeviceError, Garbled, NotSupported, Rejected, Unreachable
from vnfm.devices.ports import Datastore, Netconf

CONFIRM_SECONDS = 60
"""After which the element takes back what we have not confirmed."""
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
        await self._netconf.lock("candidate")
        try:
            return await self._edited(before, edit, dry_run=dry_run)
        finally:
            with suppress(DeviceError):
                await self._netconf.discard_changes()
            with suppress(DeviceError):
                await self._netconf.unlock("candidate")

    async def _edited(self, before: str, edit: Edit, *, dry_run: bool) -> Spoken:
        if await self._candidate() != before:
            words = f"The candidate of {self._address} holds changes of somebody else that are not committed."
            raise Busy(words, address=self._address)
        if edit:
            await self._netconf.edit_config("candidate", edit.nodes)
            if dry_run and self._has("validate"):  # a commit validates by itself
                await self._netconf.validate("candidate")
        wanted = await self._candidate()
        if dry_run:
            return Spoken(None, difference(before, wanted, names=("running", "foreseen")))
        after = await self._committed(before) if wanted != before else before
        await self._save()
        return Spoken(after, difference(before, after))

    async def _candidate(self) -> str:
        return text_of(await self._netconf.get_config("candidate"))

    def _has(self, capability: str) -> bool:
        """In whichever version."""
        return any(one.partition(":")[0] == capability for one in self._netconf.capabilities)

    async def _committed(self, before: str) -> str:
        """What runs then. Raises CutOff when the element does not answer any more, and has taken it back."""
        if not self._has("confirmed-commit"):
            await self._netconf.commit()
            return await self.running()
        began = time.monotonic()
        try:
            await self._netconf.commit(confirm_within=self._confirm, seconds=self._confirm / 2)
        except (Unreachable, Garbled) as error:
            if isinstance(error, Busy):
                raise
            return await self._settled(before, began + self._confirm, error, asked=False)
        return await self._confirmed(before, began)

    async def _confirmed(self, before: str, began: float) -> str:
        """A confirmation that came too late would commit it all again, so it is given only half the time."""
        sure, asked = began + self._confirm / 2, False
        try:
            after = await self._seen_anew(sure)
            if after == before or time.monotonic() > sure:
                raise Unreachable("the confirmation would have come too late", address=self._address)
            asked = True
            await self._netconf.commit(seconds=self._confirm / 2)
        except DeviceError as error:
            await self._let_go()
            return await self._settled(before, began + self._confirm, error, asked=asked)
        return after

    async def _seen_anew(self, deadline: float) -> str:
        """What runs, over a new connection: an old one may outlive the way to the element."""
        while True:
            try:
                async with asyncio.timeout_at(_in_loop(deadline)), self._connect() as netconf:
                    return text_of(await netconf.get_config("running"))
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
                now = await self._seen_anew(promised + _LATE_SECONDS)
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
        raise CutOff(told, address=self._address) from lost

    async def _save(self) -> None:
        if not self._has("startup"):
            return
        source: Datastore = "running"
        try:
            await self._netconf.copy_config(source, "startup")
        except Rejected as error:
            words = f"{error.message} The configuration is in force, but would be lost at a restart."
            raise Rejected(words, address=self._address, words=error.words) from error


def _in_loop(moment: float) -> float:
    """A moment of the monotonic clock in the time of the loop."""
    return asyncio.get_running_loop().time() + moment - time.monotonic()

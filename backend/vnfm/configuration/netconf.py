"""Configuring one element by NETCONF: its candidate is edited and seen, and what cuts us off it takes back by itself.

A commit is confirmed only when somebody could log in after it. Until then the element goes back: when its time runs
out, or when it sees our session end (RFC 6241, 8.4).
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from vnfm.configuration.conversation import Spoken
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import Edit, text_of
from vnfm.configuration.unconfirmed import CONFIRM_SECONDS, Read, Unconfirmed
from vnfm.devices.errors import DeviceError, DeviceRejected, Locked, NotSupported, Refused
from vnfm.devices.ports import Datastore, Netconf

Connect = Callable[[], AbstractAsyncContextManager[Netconf]]


class NetconfConversation:
    """With an element by one session; `connect` makes another. Every method raises DeviceError."""

    def __init__(self, netconf: Netconf, connect: Connect, address: str, *, confirm: int = CONFIRM_SECONDS) -> None:
        self._netconf, self._connect, self._address = netconf, connect, address
        self._confirm = confirm

    async def running(self) -> str:
        """The running configuration, without what changes by itself."""
        return await _running(self._netconf)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """The candidate is ours: what is read in here is what will be changed, as far as NETCONF can say."""
        if not self._has("candidate"):
            words = f"{self._address} has no candidate, so nothing can be tried or taken back: we only read it."
            raise NotSupported(words, address=self._address)
        await self._netconf.lock("candidate")
        try:
            yield
        finally:
            with suppress(DeviceError):
                await self._netconf.unlock("candidate")

    async def load(self, before: str, edit: Edit, *, dry_run: bool) -> Spoken:
        """Make the edit part of the running configuration, which was `before`, and save it; only while it is `held`.

        With `dry_run`, only find out what that would do: the element edits, checks and forgets it again.
        """
        began = time.monotonic()
        if await self._candidate() != before:  # not all servers deny the lock then, and what is there is not ours
            words = f"The candidate of {self._address} holds changes of somebody else that are not committed."
            raise Locked(words, address=self._address)
        try:
            return await self._edited(before, edit, began, dry_run=dry_run)
        finally:
            with suppress(DeviceError):
                await self._netconf.discard_changes()

    async def _edited(self, before: str, edit: Edit, began: float, *, dry_run: bool) -> Spoken:
        for nodes in edit.parts():
            await self._netconf.edit_config("candidate", nodes)
        if edit and dry_run and self._has("validate"):  # a commit validates by itself
            await self._netconf.validate("candidate")
        wanted = await self._candidate()
        if dry_run:
            foreseen = difference(before, wanted, names=("running", "foreseen"))
            return Spoken(None, foreseen, takes_back=self._has("confirmed-commit"))
        after = await self._committed(before, time.monotonic() - began) if wanted != before else before
        await self._save()
        return Spoken(after, difference(before, after))

    async def _candidate(self) -> str:
        return text_of(await self._netconf.get_config("candidate"))

    def _has(self, capability: str) -> bool:
        """In whichever version."""
        return any(one.partition(":")[0] == capability for one in self._netconf.capabilities)

    async def _committed(self, before: str, spent: float) -> str:
        """What runs then. Raises CutOff when the element does not answer any more, and has taken it back."""
        if not self._has("confirmed-commit"):
            await self._netconf.commit()
            return await self.running()
        return await Unconfirmed(self, self._address, self._confirm).committed(before, spent)

    @asynccontextmanager
    async def anew(self) -> AsyncIterator[Read]:
        """See `Way`, as the next three."""
        async with self._connect() as netconf:
            yield lambda: _running(netconf)

    async def try_out(self, seconds: int) -> None:
        await self._netconf.commit(confirm_within=seconds, seconds=seconds / 2)

    async def confirm(self, seconds: float) -> None:
        await self._netconf.commit(seconds=seconds)

    async def let_go(self) -> None:
        if "confirmed-commit:1.1" in self._netconf.capabilities:
            with suppress(DeviceError):
                await self._netconf.cancel_commit()
        self._netconf.hang_up()

    async def _save(self) -> None:
        if not self._has("startup"):
            return
        source: Datastore = "running"
        try:
            await self._netconf.copy_config(source, "startup")
        except (DeviceRejected, Refused, NotSupported) as error:
            words = f"{error.message} The configuration is in force, but would be lost at a restart."
            raise DeviceRejected(words, address=self._address, words=getattr(error, "words", "")) from error


async def _running(netconf: Netconf) -> str:
    return text_of(await netconf.get_config("running"))

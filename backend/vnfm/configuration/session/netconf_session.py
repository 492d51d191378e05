"""Reads and changes the configuration of one element by NETCONF: edits its candidate, then makes a confirmed commit.

The commit is confirmed only after another login. Otherwise the element reverts it: when its time runs out, or when our
session ends (RFC 6241, 8.4).
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import XmlEdit, replaced_words, text_of
from vnfm.configuration.session.confirmed_commit import CONFIRM_SECONDS, ConfirmedCommit, LoadResult, ReadRunning
from vnfm.devices.errors import DeviceError, DeviceRejected, Locked, NotSupported, Refused
from vnfm.devices.ports import Datastore, Netconf

Connect = Callable[[], AbstractAsyncContextManager[Netconf]]


class AsyncNetconfSession:
    """A NETCONF session that is open; `connect` opens another. Every method raises DeviceError."""

    def __init__(self, netconf: Netconf, connect: Connect, address: str, *, confirm: int = CONFIRM_SECONDS) -> None:
        self._netconf, self._connect, self._address = netconf, connect, address
        self._confirm = confirm

    async def running(self) -> str:
        """The running configuration, without volatile attributes."""
        return await _running(self._netconf)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Holds the lock of the candidate, so that no other session changes what is read here."""
        if not self._has("candidate"):
            words = f"{self._address} has no candidate, so nothing can be tried or taken back: we only read it."
            raise NotSupported(words, address=self._address)
        await self._netconf.lock("candidate")
        try:
            yield
        finally:
            with suppress(DeviceError):
                await self._netconf.unlock("candidate")

    async def load(self, before: str, edit: XmlEdit, *, dry_run: bool) -> LoadResult:
        """Make the edit part of the running configuration, which was `before`, and save it; only while it is `locked`.

        A dry run only finds out what that would change: the element edits, validates and discards it.
        """
        replaced = replaced_words(edit.nodes)
        if replaced:
            words = f"What would be written has {replaced}: something else is there. Correct that by hand."
            raise DeviceRejected(words, address=self._address, words=replaced)
        started = time.monotonic()
        if await self._candidate() != before:  # some servers grant the lock even then
            words = f"The candidate of {self._address} has uncommitted changes of another session."
            raise Locked(words, address=self._address)
        try:
            return await self._edit(before, edit, started, dry_run=dry_run)
        finally:
            with suppress(DeviceError):
                await self._netconf.discard_changes()

    async def _edit(self, before: str, edit: XmlEdit, started: float, *, dry_run: bool) -> LoadResult:
        for nodes in edit.parts():
            await self._netconf.edit_config("candidate", nodes)
        if edit and dry_run and self._has("validate"):  # a commit validates by itself
            await self._netconf.validate("candidate")
        candidate = await self._candidate()
        if dry_run:
            diff = difference(before, candidate, names=("running", "foreseen"))
            return LoadResult(None, diff, takes_back=self._has("confirmed-commit"))
        after = await self._commit(before, time.monotonic() - started) if candidate != before else before
        await self._save()
        return LoadResult(after, difference(before, after))

    async def _candidate(self) -> str:
        return text_of(await self._netconf.get_config("candidate"))

    def _has(self, capability: str) -> bool:
        """In any version."""
        return any(one.partition(":")[0] == capability for one in self._netconf.capabilities)

    async def _commit(self, before: str, spent: float) -> str:
        """Returns the running configuration. Raises CutOff when the element no longer answers and has reverted."""
        if not self._has("confirmed-commit"):
            await self._netconf.commit()
            return await self.running()
        return await ConfirmedCommit(self, self._address, self._confirm).commit(before, spent)

    @asynccontextmanager
    async def reconnect(self) -> AsyncIterator[ReadRunning]:
        """Implements `CommitPort`, as do the next three methods."""
        async with self._connect() as netconf:
            yield lambda: _running(netconf)

    async def commit_trial(self, seconds: int) -> None:
        await self._netconf.commit(confirm_within=seconds, seconds=seconds / 2)

    async def confirm(self, seconds: float) -> None:
        await self._netconf.commit(seconds=seconds)

    async def cancel(self) -> None:
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

"""Routers with texts in their language, and how a test loads a text and reads the running configuration."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from vnfm.configuration.domain.dialects import MD_CLI, SROS, VRP, VRP_5
from vnfm.configuration.domain.dialects.base import Dialect
from vnfm.configuration.domain.statements import lines_of
from vnfm.configuration.session.cli_session import AsyncCliSession
from vnfm.configuration.session.confirmed_commit import LoadResult
from vnfm.configuration.session.session import cli_session_of
from vnfm.devices.provider import Devices
from vnfm.devices.types import SshTarget

T = TypeVar("T")


@dataclass(frozen=True)
class Subject:
    """An element, and texts in its language."""

    dialect: Dialect
    target: SshTarget
    text: str
    """Describes a port, as `shown` then prints it."""
    shown: str
    changed: str
    bad: str
    """A good line, then one that is refused: the third of the text."""
    late: str
    """As `bad`, but what is wrong shows at the end only; "" where nothing does."""
    more: str
    """Things of several lines and contexts that were not there."""
    renamed: str
    """Gives it another name, and would leave the configuration more often than it entered contexts."""


def talk(subject: Subject, work: Callable[[AsyncCliSession], Awaitable[T]]) -> T:
    async def go() -> T:
        connect = lambda: Devices().cli(subject.target)  # noqa: E731 - as the session makes it
        async with connect() as cli:
            session = await cli_session_of(cli, connect, _assumed(subject.dialect), subject.target.address)
            await session.disable_paging()
            if subject.dialect is VRP_5:
                await session.require_no_trial()
            return await work(session)

    return asyncio.run(go())


def _assumed(dialect: Dialect) -> Dialect:
    """Before login."""
    return {MD_CLI.name: SROS, VRP_5.name: VRP}.get(dialect.name, dialect)


def load(subject: Subject, text: str, *, dry_run: bool = False) -> LoadResult:
    lines = lines_of(subject.dialect.syntax, text)

    async def work(session: AsyncCliSession) -> LoadResult:
        return await session.load(await session.running(), lines, dry_run=dry_run)

    return talk(subject, work)


def running(subject: Subject) -> str:
    return talk(subject, lambda session: session.running())

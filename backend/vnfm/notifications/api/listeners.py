"""Users who may listen to events: looked up once for all streams of one login, however many there are."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from django.http import HttpRequest

from vnfm.accounts.wire import CLIENT_CERT, X_AUTH_TOKEN

MOST_OF_LOGIN, MOST_OF_USER = 20, 100
"""Streams at a time in one web process, of one token or session and of one user: each occupies memory, and its rights
are looked up every few seconds. A console has one for each of its windows."""

Lookup = Callable[[], Awaitable[UUID | None]]


@dataclass(frozen=True, slots=True)
class Listener:
    """A user, and by which credentials; `login` is a digest of these."""

    login: bytes
    user_id: UUID


def login_of(request: HttpRequest) -> bytes:
    """Equal for requests with the same credentials."""
    sent = [request.headers.get(name, "") for name in ("Authorization", X_AUTH_TOKEN, CLIENT_CERT)]
    return sha256("\n".join((*sent, request.session.session_key or "")).encode()).digest()


class Listeners:
    """The listeners of one event loop."""

    def __init__(self) -> None:
        self._lookups: dict[bytes, asyncio.Task[UUID | None]] = {}
        self._logins: Counter[bytes] = Counter()
        self._users: Counter[UUID] = Counter()

    async def user_of(self, login: bytes, look_up: Lookup) -> UUID | None:
        """The user who may listen by this login; None for one who may not. Requests at the same time share one look-up.

        Raises OperationalError while the database does not say.
        """
        task = self._lookups.get(login)
        if task is None:
            task = self._lookups[login] = asyncio.ensure_future(look_up())
            task.add_done_callback(lambda _: self._lookups.pop(login, None))
        return await asyncio.shield(task)

    def full(self, listener: Listener) -> bool:
        """Another stream would be one too many."""
        return self._logins[listener.login] >= MOST_OF_LOGIN or self._users[listener.user_id] >= MOST_OF_USER

    @contextmanager
    def counted(self, listener: Listener) -> Iterator[bool]:
        """Count a stream for the length of the block; yields False for one too many, as many may begin at once."""
        if self.full(listener):
            yield False
            return
        self._logins[listener.login] += 1
        self._users[listener.user_id] += 1
        try:
            yield True
        finally:
            self._forget(self._logins, listener.login)
            self._forget(self._users, listener.user_id)

    @staticmethod
    def _forget(counts: "Counter[Any]", key: Any) -> None:
        counts[key] -= 1
        if counts[key] <= 0:
            del counts[key]


_listeners: WeakKeyDictionary[asyncio.AbstractEventLoop, Listeners] = WeakKeyDictionary()


def listeners() -> Listeners:
    """Those of the running event loop."""
    return _listeners.setdefault(asyncio.get_running_loop(), Listeners())

"""/api/v1/events: what changed, as it changes, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from uuid import UUID

import psycopg
import structlog
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError, close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from redis.exceptions import RedisError
from rest_framework.exceptions import AuthenticationFailed

from vnfm.accounts.domain.logins import Login
from vnfm.accounts.wire import accepts, program_login
from vnfm.kit.problem import Problem, ProblemError, too_many_requests
from vnfm.kit.web.http import plain_problem_response
from vnfm.notifications.api.broadcast import Broadcast, broadcast
from vnfm.notifications.api.listeners import MOST_OF_LOGIN, MOST_OF_USER, Listener, listeners, login_of
from vnfm.notifications.selectors.events import frames_since

HEARTBEAT = 15.0
"""Seconds without an event after which a comment is sent, so that proxies and clients notice a dead connection."""
LIFETIME = 600.0
"""Seconds after which a client must reconnect, and be authenticated again."""

CHECK_SECONDS = 5.0
"""A stream ends so soon after its token or session."""

log = structlog.get_logger(__name__)

RETRY_MS = 2000
RESET = b"event: reset\ndata: {}\n\n"
"""The missed events are unknown: the client must read everything again."""


_NOT_LOGGED_IN = Problem(
    401, "NOT_AUTHENTICATED", "Unauthorized", "You are not logged in.", "Log in, or send a valid token."
)
_DATABASE_AWAY = Problem(
    503, "DATABASE_UNAVAILABLE", "Service unavailable", "The database does not answer.", "Try again."
)
_BROKER_AWAY = Problem(503, "EVENTS_UNAVAILABLE", "Service unavailable", "The message broker does not answer.", "Poll.")
_TOO_MANY = too_many_requests(
    "TOO_MANY_STREAMS",
    f"A login has {MOST_OF_LOGIN} event streams at a time, and a user {MOST_OF_USER}.",
    wait=30,
).problem
_RETRY_LATER = {"Retry-After": "5"}


async def events(request: HttpRequest) -> HttpResponseBase:
    """The stream. All roles may listen: reading what an event names is authorised by itself."""
    if request.method != "GET":
        return plain_problem_response(
            Problem(405, "METHOD_NOT_ALLOWED", "Method not allowed", "Events can only be read."), {"Allow": "GET"}
        )
    everyone, login = listeners(), login_of(request)
    look_up = sync_to_async(partial(_user_who_listens, request), thread_sensitive=False)
    try:
        user_id = await everyone.user_of(login, look_up)
    except (OperationalError, psycopg.OperationalError):
        log.warning("events.database_unavailable")
        return plain_problem_response(_DATABASE_AWAY, _RETRY_LATER)
    if user_id is None:
        return plain_problem_response(_NOT_LOGGED_IN, {"WWW-Authenticate": 'Bearer realm="vnfm"'})
    listener = Listener(login, user_id)
    if everyone.full(listener):
        return plain_problem_response(_TOO_MANY, {"Retry-After": str(_TOO_MANY.extra["retryAfter"])})
    sender = broadcast()
    try:
        await sender.start()
    except RedisError:
        return plain_problem_response(_BROKER_AWAY, _RETRY_LATER)
    frames = stream_of(sender, request.headers.get("Last-Event-ID", ""), partial(everyone.user_of, login, look_up))
    return StreamingHttpResponse(
        _counted(listener, frames),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
    )


async def _counted(listener: Listener, frames: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Ends at once for one too many, which others that began at the same moment have made it."""
    with listeners().counted(listener) as has_room:
        if has_room:
            async for frame in frames:
                yield frame


def _user_who_listens(request: HttpRequest) -> UUID | None:
    """Returns its database connection before the stream starts: a pool of sixteen serves any number of listeners."""
    try:
        login = program_login(request)
        user = login[0] if login is not None else _user_of_session(request) if accepts(Login.SESSION) else None
    except (AuthenticationFailed, ProblemError):
        return None
    else:
        return user.pk if user is not None and user.is_active else None
    finally:
        close_old_connections()


def _user_of_session(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Read from the database at each call: the session may have ended since the last."""
    present = HttpRequest()
    present.session = SessionStore(request.session.session_key)
    return get_user(present)


def _missed(last_event_id: str) -> list[bytes]:
    if not last_event_id:
        return []
    try:
        frames = frames_since(last_id=int(last_event_id)) if last_event_id.isdecimal() else None
    finally:
        close_old_connections()
    return [RESET] if frames is None else frames


async def stream_of(
    sender: Broadcast,
    last_event_id: str,
    user_of: Callable[[], Awaitable[object]],
    *,
    heartbeat: float = HEARTBEAT,
    lifetime: float = LIFETIME,
    check: float = CHECK_SECONDS,
) -> AsyncIterator[bytes]:
    """The frames for one client, until its lifetime is over, `user_of` says None, or the sender ends it.

    While the database does not say who may listen, there are no events either, so the stream goes on.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + lifetime
    heartbeat_at, check_at = loop.time() + heartbeat, loop.time() + check
    async with sender.listen() as queue:
        yield f"retry: {RETRY_MS}\n\n".encode()
        # Read after the queue exists, so that no event is lost in between; duplicates do no harm.
        try:
            missed = await sync_to_async(_missed)(last_event_id)
        except (OperationalError, psycopg.OperationalError):
            return  # the client comes again with the same id
        for frame in missed:
            yield frame
        while (left := end - loop.time()) > 0:
            if loop.time() >= check_at:
                with suppress(OperationalError, psycopg.OperationalError):
                    if await user_of() is None:
                        return
                check_at = loop.time() + check
            if loop.time() >= heartbeat_at:
                yield b": still here\n\n"
                heartbeat_at = loop.time() + heartbeat
            try:
                wait = min(left, heartbeat_at - loop.time(), check_at - loop.time())
                frame_or_end = await asyncio.wait_for(queue.get(), max(wait, 0))
            except TimeoutError:
                continue
            if frame_or_end is None:
                return
            yield frame_or_end
            heartbeat_at = loop.time() + heartbeat

"""Failures on demand: rules set through the control API, matched against each call in order."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from cloudsim.core.errors import ApiFault, Reply, phrase

BODY_EFFECTS = ("slow", "cut", "stall", "garble")
"""What befalls a body on its way in, where it is not JSON."""
EFFECTS = ("status", "delay", "hang", "hold", "lie200", "drop", *BODY_EFFECTS)
CALLERS = ("http", "internal", "any")
MOMENTS = ("before", "after")

HANG_SECONDS = 3600.0
"""A hang and a hold end at last, so that a forgotten rule does not keep connections for ever."""

Handler = Callable[[], Awaitable[Reply]]


class ConnectionDropped(Exception):
    """The caller gets no answer: its connection is cut."""


@dataclass(slots=True)
class Body:
    """A body that is not JSON, as it comes in, or as a rule has it come in."""

    pieces: AsyncIterator[bytes]
    tampered: Callable[[bytes, int], Awaitable[bytes]] | None = None
    """Makes of a piece, before which so many bytes have come, what the handler gets."""

    async def stream(self) -> AsyncIterator[bytes]:
        before = 0
        async for piece in self.pieces:
            yield await self.tampered(piece, before) if self.tampered else piece
            before += len(piece)


@dataclass(frozen=True, slots=True)
class Call:
    """One call as rules see it; ``path`` is below the service's prefix, ``sent`` the body of JSON, else empty."""

    service: str
    method: str
    path: str
    caller: str
    sent: bytes = b""
    body: Body | None = None


@dataclass(slots=True)
class Rule:
    """One injected failure. The first ``skip`` hits pass, then ``times`` counts down on each; ``path`` and ``sent`` are
    regexes searched in the path below the service's prefix and in the body; ``callers`` tells whether calls over HTTP,
    calls between services (Heat's), or both are hit; ``when`` whether it strikes before the deed, or after it and
    before its answer; ``after_bytes`` how much of a body that is not JSON comes in before something befalls it.
    """

    service: str
    effect: str
    method: str = "*"
    path: str = ""
    sent: str = ""
    when: str = "before"
    skip: int = 0
    times: int = 1
    status: int = 500
    message: str = ""
    type: str = "InternalServerError"
    seconds: float = 0.0
    after_bytes: int = 0
    body: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    callers: str = "http"
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        _one_of("effect", self.effect, EFFECTS)
        _one_of("callers", self.callers, CALLERS)
        _one_of("when", self.when, MOMENTS)
        if self.effect == "lie200" and self.when == "after":
            raise ValueError("after the deed lie200 is no lie")
        if self.effect in BODY_EFFECTS and self.when == "after":
            raise ValueError("after the deed its body has come in")
        numbers = (self.skip, self.times, self.status, self.seconds, self.after_bytes)
        if not all(isinstance(number, int | float) and number >= 0 for number in numbers) or not self.times:
            raise ValueError("skip, times, status, seconds and after_bytes are numbers, times at least 1")
        for name, pattern in (("path", self.path), ("sent", self.sent)):
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{name} is not a regular expression: {error}") from error

    def hits(self, call: Call) -> bool:
        return (
            self.service in {call.service, "*"}
            and self.method.upper() in {call.method, "*"}
            and self.callers in {call.caller, "any"}
            and re.search(self.path, call.path) is not None
            and (not self.sent or re.search(self.sent, call.sent.decode(errors="replace")) is not None)
        )


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}")


@dataclass(slots=True)
class Held:
    """A call that waits for somebody to decide how it goes on."""

    rule: Rule
    call: Call
    verdict: asyncio.Future[str]
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def view(self) -> dict[str, Any]:
        call = self.call
        where = {"service": call.service, "method": call.method, "path": call.path}
        return {"id": self.id, "rule": self.rule.id, "when": self.rule.when, **where}


class Injector:
    """Holds the rules. They are not kept across restarts: a restarted cloud is a well one."""

    def __init__(self) -> None:
        self._rules: dict[str, Rule] = {}
        self._held: dict[str, Held] = {}
        self._release = asyncio.Event()

    def add(self, rule: Rule) -> Rule:
        self._rules[rule.id] = rule
        return rule

    def rules(self) -> list[dict[str, Any]]:
        return [asdict(rule) for rule in self._rules.values()]

    def held(self) -> list[dict[str, Any]]:
        """Held calls, the first one first."""
        return [held.view() for held in self._held.values()]

    def decide(self, ident: str, verdict: str) -> bool:
        """``release`` or ``drop`` a held call; False when there is none such."""
        held = self._held.pop(ident, None)
        if held is None:
            return False
        if not held.verdict.done():
            held.verdict.set_result(verdict)
        return True

    def clear(self, ident: str | None = None) -> int:
        """Drop one rule or all, and let go of calls that hang or are held; returns how many rules went."""
        gone = [ident] if ident in self._rules else [] if ident else [*self._rules]
        for key in gone:
            del self._rules[key]
        for key, held in [*self._held.items()]:
            if ident in {None, held.rule.id}:
                self.decide(key, "release")
        self._release.set()
        self._release = asyncio.Event()
        return len(gone)

    async def around(self, call: Call, handle: Handler) -> Reply:
        """Answer ``call`` by ``handle``, as the first rule that hits has it. Raises ApiFault, ConnectionDropped."""
        rule = self._take(call)
        if rule is None:
            return await handle()
        if rule.effect == "lie200":
            return lie(rule, call)
        if rule.effect in BODY_EFFECTS:
            if call.body is not None:
                call.body.tampered = partial(self._tamper, rule)
            return await handle()
        if rule.when == "before":
            await self._strike(rule, call)
            return await handle()
        reply = await handle()
        await self._strike(rule, call)
        return reply

    async def _strike(self, rule: Rule, call: Call) -> None:
        if rule.effect in {"delay", "hang"}:
            await self._pause(rule.seconds if rule.effect == "delay" else HANG_SECONDS)
        elif rule.effect == "status":
            raise ApiFault(rule.status, rule.type, rule.message or phrase(rule.status), rule.headers)
        elif rule.effect == "drop" or await self._hold(rule, call) == "drop":
            raise ConnectionDropped

    async def _tamper(self, rule: Rule, piece: bytes, before: int) -> bytes:
        if rule.effect == "slow":
            await self._pause(rule.seconds)
        place = rule.after_bytes - before
        if not 0 <= place < len(piece):
            return piece
        if rule.effect == "cut":
            raise ConnectionDropped
        if rule.effect == "stall":
            await self._pause(HANG_SECONDS)
        if rule.effect != "garble":
            return piece
        return piece[:place] + bytes([piece[place] ^ 0xFF]) + piece[place + 1 :]

    def _take(self, call: Call) -> Rule | None:
        for rule in self._rules.values():
            if not rule.hits(call):
                continue
            if rule.skip:
                rule.skip -= 1
                continue
            rule.times -= 1
            if rule.times <= 0:
                del self._rules[rule.id]
            return rule
        return None

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._release.wait(), seconds)
        except TimeoutError:
            return

    async def _hold(self, rule: Rule, call: Call) -> str:
        held = Held(rule, call, asyncio.get_running_loop().create_future())
        self._held[held.id] = held
        try:
            return await asyncio.wait_for(held.verdict, HANG_SECONDS)
        except TimeoutError:
            return "release"
        finally:
            self._held.pop(held.id, None)


def lie(rule: Rule, call: Call) -> Reply:
    """An answer of success to something that is not done: the sent resource is echoed with an invented id."""
    if rule.body is not None:
        return Reply(200, rule.body)
    if call.method == "DELETE":
        return Reply(204)
    if call.path.endswith("/action"):
        return Reply(202)
    sent = _parse(call.sent)
    if not isinstance(sent, dict):
        return Reply(200, {})
    body = {
        name: {"id": str(uuid.uuid4()), "links": [], **value} if isinstance(value, dict) else value
        for name, value in sent.items()
    }
    created = {"servers": 202, "flavors": 200, "stacks": 201}.get(call.path.rsplit("/", 1)[-1], 201)
    return Reply(created if call.method == "POST" else 200, body)


def _parse(sent: bytes) -> Any:
    try:
        return json.loads(sent)
    except ValueError:
        return None

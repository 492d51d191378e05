"""Injected failures: rules of the control API, matched against each call in order."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from cloudsim.core.errors import ApiFault, Reply, phrase
from cloudsim.core.misbehaviour import ANSWER_EFFECTS, LIST_EFFECTS, answer, row_count, with_next_page

BODY_EFFECTS = ("slow", "cut", "stall", "garble")
"""Effects on a request body that is not JSON."""
EFFECTS = ("status", "delay", "hang", "hold", "lie200", "drop", *BODY_EFFECTS, *ANSWER_EFFECTS, *LIST_EFFECTS)
CALLERS = ("http", "internal", "any")
TIMES = ("before", "after")

HANG_SECONDS = 3600.0
"""Seconds after which hangs and holds end, so that a forgotten rule does not keep connections for ever."""

Handler = Callable[[], Awaitable[Reply]]


class ConnectionDropped(Exception):
    """The caller gets no answer, and its connection is closed."""


@dataclass(slots=True)
class Body:
    """A request body that is not JSON, which a rule may change."""

    pieces: AsyncIterator[bytes]
    tamper: Callable[[bytes, int], Awaitable[bytes]] | None = None
    """A function that changes a piece before the handler gets it; the number is the bytes before the piece."""

    async def stream(self) -> AsyncIterator[bytes]:
        before = 0
        async for piece in self.pieces:
            yield await self.tamper(piece, before) if self.tamper else piece
            before += len(piece)


@dataclass(frozen=True, slots=True)
class Call:
    """A call to match with rules; ``path`` is below the service's prefix, ``sent`` is the JSON body or empty."""

    service: str
    method: str
    path: str
    caller: str
    sent: bytes = b""
    body: Body | None = None


@dataclass(slots=True)
class Rule:
    """An injected failure.

    The first ``skip`` hits pass, then ``times`` counts down on each; ``path`` and ``sent`` are regexes searched in the
    path below the service's prefix and in the body; ``callers`` selects calls over HTTP, calls between services
    (Heat's), or both; ``when`` is before the action, or after it and before its answer; ``after_bytes`` is the number
    of bytes of a body other than JSON that are received before the effect.
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
    text: str = ""
    repeat: int = 1
    """The number of times that the content of an answer repeats ``text``."""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    callers: str = "http"
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        _one_of("effect", self.effect, EFFECTS)
        _one_of("callers", self.callers, CALLERS)
        _one_of("when", self.when, TIMES)
        if self.effect in {"lie200", *ANSWER_EFFECTS} and self.when == "after":
            raise ValueError(f"after the action {self.effect} has no effect")
        if self.effect in BODY_EFFECTS and self.when == "after":
            raise ValueError("after the action the body has been received")
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
class BlockedCall:
    """A call that waits for the decision to release or drop it."""

    rule: Rule
    call: Call
    decision: asyncio.Future[str]
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def view(self) -> dict[str, Any]:
        call = self.call
        where = {"service": call.service, "method": call.method, "path": call.path}
        return {"id": self.id, "rule": self.rule.id, "when": self.rule.when, **where}


class Injector:
    """Keeps the rules in memory only, so that a restarted cloud has no failures."""

    def __init__(self) -> None:
        self._rules: dict[str, Rule] = {}
        self._blocked: dict[str, BlockedCall] = {}
        self._release = asyncio.Event()

    def add(self, rule: Rule) -> Rule:
        self._rules[rule.id] = rule
        return rule

    def rules(self) -> list[dict[str, Any]]:
        return [asdict(rule) for rule in self._rules.values()]

    def blocked_calls(self) -> list[dict[str, Any]]:
        """Return the held calls, oldest first."""
        return [blocked.view() for blocked in self._blocked.values()]

    def decide(self, ident: str, decision: str) -> bool:
        """Release or drop a held call; return False if it does not exist."""
        blocked = self._blocked.pop(ident, None)
        if blocked is None:
            return False
        if not blocked.decision.done():
            blocked.decision.set_result(decision)
        return True

    def clear(self, ident: str | None = None) -> int:
        """Remove one rule or all, and continue calls that hang or are held; return the number of removed rules."""
        gone = [ident] if ident in self._rules else [] if ident else [*self._rules]
        for key in gone:
            del self._rules[key]
        for key, blocked in [*self._blocked.items()]:
            if ident in {None, blocked.rule.id}:
                self.decide(key, "release")
        self._release.set()
        self._release = asyncio.Event()
        return len(gone)

    async def handle_call(self, call: Call, handle: Handler) -> Reply:
        """Answer ``call`` by ``handle``, with the first matching rule's effect; raises ApiFault, ConnectionDropped."""
        rule = self._matching_rule(call)
        if rule is None:
            return await handle()
        if rule.effect == "lie200" or rule.effect in ANSWER_EFFECTS:
            return fake_success(rule, call) if rule.effect == "lie200" else self._misbehave(rule)
        if rule.effect in LIST_EFFECTS:
            return await self._spoil_list(rule, await handle())
        if rule.effect in BODY_EFFECTS and call.body is not None:
            call.body.tamper = partial(self._tamper, rule)
        elif rule.effect not in BODY_EFFECTS and rule.when == "before":
            await self._apply(rule, call)
        if rule.effect in BODY_EFFECTS or rule.when == "before":
            return await handle()
        reply = await handle()
        await self._apply(rule, call)
        return reply

    @staticmethod
    def _misbehave(rule: Rule) -> Reply:
        text, kind = rule.text * rule.repeat, rule.content_type
        reply = answer(rule.effect, status=rule.status, text=text, content_type=kind, seconds=rule.seconds)
        return replace(reply, headers={**rule.headers, **reply.headers})

    async def _spoil_list(self, rule: Rule, reply: Reply) -> Reply:
        if rule.effect == "next":
            return with_next_page(reply)
        await self._pause(rule.seconds * row_count(reply))
        return reply

    async def _apply(self, rule: Rule, call: Call) -> None:
        if rule.effect in {"delay", "hang"}:
            await self._pause(rule.seconds if rule.effect == "delay" else HANG_SECONDS)
        elif rule.effect == "status":
            raise ApiFault(rule.status, rule.type, rule.message or phrase(rule.status), rule.headers)
        elif rule.effect == "drop" or await self._block(rule, call) == "drop":
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

    def _matching_rule(self, call: Call) -> Rule | None:
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

    async def _block(self, rule: Rule, call: Call) -> str:
        blocked = BlockedCall(rule, call, asyncio.get_running_loop().create_future())
        self._blocked[blocked.id] = blocked
        try:
            return await asyncio.wait_for(blocked.decision, HANG_SECONDS)
        except TimeoutError:
            return "release"
        finally:
            self._blocked.pop(blocked.id, None)


def fake_success(rule: Rule, call: Call) -> Reply:
    """Return a success without the action, which echoes the sent resource with an invented id."""
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

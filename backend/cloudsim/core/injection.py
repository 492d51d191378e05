"""Failures on demand: rules set through the control API, matched against each call in order."""

from __future__ import annotations

import asyncio
import re
import uuid
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cloudsim.core.errors import ApiFault, Reply, phrase

if TYPE_CHECKING:
    from collections.abc import Callable

EFFECTS = ("status", "delay", "hang", "lie200", "drop")
CALLERS = ("http", "internal", "any")

HANG_SECONDS = 3600.0
"""A hang ends at last, so that a forgotten rule does not hold connections for ever."""


class ConnectionDropped(Exception):
    """The caller gets no answer: its connection is cut."""


@dataclass(slots=True)
class Rule:
    """One injected failure. ``times`` counts down on each hit; ``path`` is a regex searched in the path below the
    service's prefix; ``callers`` tells whether calls over HTTP, calls between services (Heat's), or both are hit.
    """

    service: str
    effect: str
    method: str = "*"
    path: str = ""
    times: int = 1
    status: int = 500
    message: str = ""
    type: str = "InternalServerError"
    seconds: float = 0.0
    body: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    callers: str = "http"
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def __post_init__(self) -> None:
        if self.effect not in EFFECTS:
            raise ValueError(f"effect must be one of {', '.join(EFFECTS)}")
        if self.callers not in CALLERS:
            raise ValueError(f"callers must be one of {', '.join(CALLERS)}")
        numbers = (self.times, self.status, self.seconds)
        if not all(isinstance(number, int | float) and number >= 0 for number in numbers) or not self.times:
            raise ValueError("times, status and seconds are numbers, times at least 1")
        try:
            re.compile(self.path)
        except re.error as error:
            raise ValueError(f"path is not a regular expression: {error}") from error

    def hits(self, service: str, method: str, path: str, caller: str) -> bool:
        return (
            self.service in {service, "*"}
            and self.method.upper() in {method, "*"}
            and self.callers in {caller, "any"}
            and re.search(self.path, path) is not None
        )


class Injector:
    """Holds the rules. They are not kept across restarts: a restarted cloud is a well one."""

    def __init__(self) -> None:
        self._rules: dict[str, Rule] = {}
        self._release = asyncio.Event()

    def add(self, rule: Rule) -> Rule:
        self._rules[rule.id] = rule
        return rule

    def rules(self) -> list[dict[str, Any]]:
        return [asdict(rule) for rule in self._rules.values()]

    def clear(self, ident: str | None = None) -> int:
        """Drop one rule or all, and let go of calls that hang; returns how many rules went."""
        gone = [ident] if ident in self._rules else [] if ident else [*self._rules]
        for key in gone:
            del self._rules[key]
        self._release.set()
        self._release = asyncio.Event()
        return len(gone)

    async def admit(
        self, service: str, method: str, path: str, caller: str, lie: Callable[[Rule], Reply]
    ) -> Reply | None:
        """Apply the first rule that hits: None to go on, a Reply to answer. Raises ApiFault, ConnectionDropped."""
        rule = self._take(service, method, path, caller)
        if rule is None:
            return None
        if rule.effect == "lie200":
            return lie(rule)
        if rule.effect in {"delay", "hang"}:
            await self._pause(rule.seconds if rule.effect == "delay" else HANG_SECONDS)
            return None
        if rule.effect == "drop":
            raise ConnectionDropped
        raise ApiFault(rule.status, rule.type, rule.message or phrase(rule.status), rule.headers)

    def _take(self, service: str, method: str, path: str, caller: str) -> Rule | None:
        for rule in self._rules.values():
            if rule.hits(service, method, path, caller):
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


def lie(rule: Rule, method: str, path: str, sent: object) -> Reply:
    """An answer of success to something that is not done: the sent resource is echoed with an invented id."""
    if rule.body is not None:
        return Reply(200, rule.body)
    if method == "DELETE":
        return Reply(204)
    if path.endswith("/action"):
        return Reply(202)
    if not isinstance(sent, dict):
        return Reply(200, {})
    body = {
        name: {"id": str(uuid.uuid4()), "links": [], **value} if isinstance(value, dict) else value
        for name, value in sent.items()
    }
    created = {"servers": 202, "flavors": 200, "stacks": 201}.get(path.rsplit("/", 1)[-1], 201)
    return Reply(created if method == "POST" else 200, body)

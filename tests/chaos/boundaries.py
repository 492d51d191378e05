"""The step boundaries of an operation: the calls by which it changes the cloud, found by running it once."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

READS = {"GET", "HEAD"}
NO_CHANGE = re.compile(r"/(preview|validate)$")
IGNORED_SERVICES = {"identity", "control"}
"""Tokens come and go at any time, and the control API is ours."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The nth call of one route within one operation."""

    service: str
    method: str
    route: str
    nth: int = 0

    def __str__(self) -> str:
        short = re.sub(r"^/v[\d.]+(/\{project_id\})?", "", self.route)
        return f"{self.service} {self.method} {short}{f' #{self.nth + 1}' if self.nth else ''}"

    @property
    def is_shared(self) -> bool:
        """Whether the call is about what all instances share, so that nothing in it tells whose it is."""
        return self.service == "image" or "/flavors" in self.route

    @property
    def is_upload(self) -> bool:
        return self.service == "image" and self.method == "PUT"

    def failure_rule(self, instance: str, servers: Iterable[str]) -> dict[str, Any]:
        """The part of a failure rule that hits this call of this instance's operation and no other."""
        path = "^" + re.sub(r"\{[^}]+\}", "[^/]+", re.sub(r"\{[^}]+\*\}", ".+", self.route)) + "$"
        rule = {"service": self.service, "method": self.method, "skip": self.nth}
        if self.is_shared:
            return {**rule, "path": path}
        if self.route.endswith("/stacks"):
            return {**rule, "path": path, "sent": instance}
        return {**rule, "path": f"{path_of_instance(instance, servers)}{path}"}


def path_of_instance(instance: str, servers: Iterable[str]) -> str:
    """A regex of paths with the instance's stack or one of its servers in them; to be put before another."""
    return f"(?=.*({'|'.join((instance[:8], *servers))}))"


def changing_calls(stats: Mapping[str, Any]) -> list[Boundary]:
    """Return the calls by which a run has changed the cloud, from cloudsim's statistics of that run; of many calls of
    one route the first and the last."""
    return [
        Boundary(route["service"], route["method"], route["route"], nth)
        for route in stats["routes"]
        if route["method"] not in READS
        and route["service"] not in IGNORED_SERVICES
        and not NO_CHANGE.search(route["route"])
        for nth in sorted({0, route["count"] - 1})
    ]

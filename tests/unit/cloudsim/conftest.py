"""A cloud in this process, on a clock that stands: no HTTP, no disk, no waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from cloudsim.app import mount
from cloudsim.core.clock import ManualClock
from cloudsim.core.cloud import Cloud, Options
from cloudsim.core.context import RequestContext
from cloudsim.core.errors import Reply
from cloudsim.identity.seed import stable_id, stable_uuid


class Sim:
    """Calls handlers as one service calls another, and lets time pass."""

    def __init__(self, options: Options) -> None:
        self.clock = ManualClock()
        self.cloud = Cloud(options, None, "http://cloud", clock=self.clock)
        mount(self.cloud)
        self.project = stable_id("project:vnf")
        self.user: RequestContext = self.cloud.dispatcher.trusted_context(self.project)
        self.admin = self.cloud.dispatcher.trusted_context(self.project, roles=frozenset({"admin"}))
        self.image = stable_uuid("image:tiny")
        asyncio.run(self._start())

    async def _start(self) -> None:
        for name in ("identity", "image", "network", "compute"):
            start = self.cloud.services[name].start
            assert start is not None
            await start()

    def call(
        self, service: str, method: str, path: str, json: Any = None, *, admin: bool = False, **query: str
    ) -> Reply:
        ctx = self.admin if admin else self.user
        return asyncio.run(self.cloud.dispatcher.call(ctx, service, method, path, json=json, query=query))

    def ok(self, *args: Any, **kwargs: Any) -> Any:
        """The body of an answer that must be a success; its only member if it has but one."""
        reply = self.call(*args, **kwargs)
        assert reply.fault is None, reply.fault and reply.fault.message
        body = reply.body or {}
        return next(iter(body.values())) if len(body) == 1 else body

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        asyncio.run(self.cloud.timers.run_due())

    def network(self, cidr: str = "10.0.0.0/24", **subnet: Any) -> Any:
        network = self.ok("network", "POST", "/networks", {"network": {"name": "net"}})
        body = {"network_id": network["id"], "ip_version": 4, "cidr": cidr, **subnet}
        self.ok("network", "POST", "/subnets", {"subnet": body})
        return network

    def port(self, network: Any, **attrs: Any) -> Any:
        return self.ok("network", "POST", "/ports", {"port": {"network_id": network["id"], **attrs}})

    def boot(self, name: str = "vm", flavor: str = "m1.tiny", **attrs: Any) -> Any:
        """A server, after the time it takes to boot."""
        hints = attrs.pop("hints", {})
        public = [{"uuid": self.ok("network", "GET", "/networks", name="public")[0]["id"]}]
        body = {"name": name, "imageRef": self.image, "flavorRef": stable_uuid(f"flavor:{flavor}"), "networks": public}
        made = self.ok("compute", "POST", "/servers", {"server": {**body, **attrs}, "os:scheduler_hints": hints})
        self.advance(self.cloud.options.boot_seconds)
        return self.server(made["id"])

    def server(self, ident: str) -> Any:
        return self.ok("compute", "GET", f"/servers/{ident}", admin=True)


@pytest.fixture
def sim() -> Iterator[Sim]:
    return Sim(Options(hosts=2))

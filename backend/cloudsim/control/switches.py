"""Settings, quotas, tokens, statistics, reset."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from cloudsim.compute.quotas import DEFAULTS as COMPUTE_DEFAULTS
from cloudsim.compute.quotas import set_limits as set_compute_limits
from cloudsim.core.cloud import Options
from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route
from cloudsim.network.quotas import DEFAULTS as NETWORK_DEFAULTS
from cloudsim.network.quotas import set_limits as set_network_limits
from cloudsim.volume.quotas import DEFAULTS as VOLUME_DEFAULTS
from cloudsim.volume.quotas import set_limits as set_volume_limits

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext

SETTABLE = (
    "latency", "boot_seconds", "action_seconds", "token_seconds", "flavor_create_role", "heat_mark_unhealthy",
    "max_stacks_per_tenant", "distinct_update_times",
)  # fmt: skip
_QUOTAS = {
    "compute": (COMPUTE_DEFAULTS, set_compute_limits),
    "network": (NETWORK_DEFAULTS, set_network_limits),
    "volume": (VOLUME_DEFAULTS, set_volume_limits),
}


def _fits(value: Any, kind: str) -> bool:
    if kind == "float":
        return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, {"bool": bool, "str": str}[kind])


class Switches:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/v1/settings", self.settings, auth=False),
            Route("PUT", "/v1/settings", self.change_settings, auth=False),
            Route("PUT", "/v1/quotas/{project}", self.change_quotas, auth=False),
            Route("POST", "/v1/tokens/expire", self.expire_tokens, auth=False),
            Route("GET", "/v1/stats", self.stats, auth=False),
            Route("DELETE", "/v1/stats", self.reset_stats, auth=False),
            Route("POST", "/v1/reset", self.reset, auth=False),
        ]

    async def settings(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, {"settings": {name: self._cloud.setting(name) for name in SETTABLE}})

    async def change_settings(self, ctx: RequestContext, request: Request) -> Reply:
        given: dict[str, Any] = request.object
        kinds = {field.name: field.type for field in fields(Options)}
        for name, value in given.items():
            if name not in SETTABLE or not _fits(value, str(kinds[name])):
                raise ApiFault(400, "BadRequest", f"{name} = {value!r}: settable are {', '.join(SETTABLE)}.")
        for name, value in given.items():
            self._cloud.set(name, value)
        return await self.settings(ctx, request)

    async def change_quotas(self, _ctx: RequestContext, request: Request) -> Reply:
        """Set quotas of a project by name or id: ``{"compute": {"instances": 3}, "network": {"port": -1}}``."""
        wanted = request.params["project"]
        project = next((doc for doc in self._cloud.store.list("project") if wanted in {doc["id"], doc["name"]}), None)
        if project is None:
            raise ApiFault(404, "NotFound", f"The project {wanted} does not exist.")
        given = request.object
        for part, limits in given.items():
            unknown = set(limits) - set(_QUOTAS[part][0]) if part in _QUOTAS else {part}
            if unknown:
                raise ApiFault(400, "BadRequest", f"Unknown quotas: {', '.join(sorted(unknown))}.")
        return Reply(200, {part: _QUOTAS[part][1](self._cloud, project["id"], given[part]) for part in given})

    async def expire_tokens(self, _ctx: RequestContext, _request: Request) -> Reply:
        """Expire all tokens."""
        tokens = self._cloud.store.list("token")
        for token in tokens:
            self._cloud.store.put("token", token["id"], {**token, "expires": 0.0})
        return Reply(200, {"expired": len(tokens)})

    async def stats(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, self._cloud.stats.report())

    async def reset_stats(self, _ctx: RequestContext, _request: Request) -> Reply:
        self._cloud.stats.reset()
        return Reply(204)

    async def reset(self, _ctx: RequestContext, _request: Request) -> Reply:
        """Reset resources, settings, quotas, failures and statistics to a new cloud; seeded ids stay the same."""
        await self._cloud.parts["reset"]()
        return Reply(204)

"""Heat's client of the other services: in-process REST, with the error names of the Python clients."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextvars import ContextVar
from typing import Any, TypeVar

from cloudsim.core.context import RequestContext
from cloudsim.core.dispatch import Dispatcher
from cloudsim.core.errors import Reply
from cloudsim.heat.errors import HeatError

T = TypeVar("T")
alive: ContextVar[asyncio.Event | None] = ContextVar("alive", default=None)
"""The event of an operation on a stack that is set while its engine lives."""
_NAMES = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    409: "Conflict",
    413: "OverLimit",
    429: "TooManyRequests",
    500: "ClientException",
    503: "ServiceUnavailable",
}
_NEUTRON_NAMES = {
    "NetworkNotFound", "PortNotFound", "StateInvalid", "NetworkInUse", "PortInUse", "IpAddressInUse",
    "IpAddressGenerationFailure", "MacAddressInUse", "ExternalIpAddressExhausted", "OverQuota", "InvalidIpForNetwork",
    "InvalidIpForSubnet", "NoMoreIps",
}  # fmt: skip


class CloudError(HeatError):
    """Another service refused a call; `kind` is the exception class of its Python client."""

    def __init__(self, service: str, reply: Reply, request_id: str) -> None:
        fault = reply.fault
        self.code = reply.status
        self.reason = fault.message if fault else ""
        self._kind = _NAMES.get(reply.status, "ClientException")
        if service == "network":
            if fault and fault.type in _NEUTRON_NAMES:
                self._kind = f"{fault.type}Client"
            super().__init__(self.reason)
        elif service == "image":
            self._kind = "HTTP" + self._kind
            super().__init__(f"{reply.status}: {self.reason} (HTTP {reply.status})")
        else:
            super().__init__(f"{self.reason} (HTTP {reply.status}) (Request-ID: {request_id})")

    @property
    def kind(self) -> str:
        return self._kind

    @property
    def gone(self) -> bool:
        return self.code == 404  # noqa: PLR2004


class Client:
    """Makes calls in the name of a stack's owner."""

    def __init__(self, dispatcher: Dispatcher, ctx: RequestContext) -> None:
        self._dispatcher, self.ctx = dispatcher, ctx

    async def call(
        self, method: str, service: str, path: str, body: Any = None, query: Mapping[str, str] | None = None
    ) -> Any:
        """Make a call, once the engine lives, and return the reply's JSON. Raises CloudError for 4xx and 5xx."""
        engine = alive.get()
        if engine is not None:
            await engine.wait()
        reply = await self._dispatcher.call(self.ctx, service, method, path, json=body, query=query)
        if reply.status >= 400:  # noqa: PLR2004
            raise CloudError(service, reply, self.ctx.request_id)
        return reply.body

    async def get(self, service: str, path: str, query: Mapping[str, str] | None = None) -> Any:
        return await self.call("GET", service, path, query=query)

    async def find(self, service: str, path: str) -> Any:
        """Do the same as `get`, but return None if the resource does not exist."""
        try:
            return await self.call("GET", service, path)
        except CloudError as error:
            if error.gone:
                return None
            raise

    async def post(self, service: str, path: str, body: Any = None) -> Any:
        return await self.call("POST", service, path, body)

    async def put(self, service: str, path: str, body: Any = None) -> Any:
        return await self.call("PUT", service, path, body)

    async def remove(self, service: str, path: str) -> bool:
        """Delete a resource; return False if it did not exist."""
        try:
            await self.call("DELETE", service, path)
        except CloudError as error:
            if error.gone:
                return False
            raise
        return True


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Finish `work` even if we are cancelled, so that no id that it creates is lost; then raise CancelledError."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise

"""The header Client-Cert (RFC 9440): believed only from a trusted proxy, which ends TLS and sets it."""

from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Any

_NAME = b"client-cert"


class ClientCertGuard:
    """ASGI wrapper that removes the header from requests of anyone else; outside of what replaces a proxy's address."""

    def __init__(self, app: Any, proxies: Sequence[str]) -> None:
        self._app = app
        self._networks = [ip_network(proxy) for proxy in proxies]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        headers = scope.get("headers", ())
        if any(name == _NAME for name, _ in headers) and not self._trusts(scope.get("client")):
            scope = {**scope, "headers": [header for header in headers if header[0] != _NAME]}
        await self._app(scope, receive, send)

    def _trusts(self, peer: tuple[str, int] | None) -> bool:
        with suppress(ValueError):  # a Unix socket has no address
            return any(ip_address((peer or ("",))[0]) in network for network in self._networks)
        return False

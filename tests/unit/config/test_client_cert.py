import asyncio
from typing import Any

import pytest

from vnfm.config.client_cert import ClientCertGuard

HEADER = (b"client-cert", b":AAAA:")


@pytest.mark.parametrize(
    ("peer", "stays"),
    [
        (("10.0.0.5", 1), True),
        (("172.18.3.4", 1), True),
        (("10.0.0.6", 1), False),
        (("/run/x", 0), False),
        (None, False),
    ],
)
def test_the_header_stays_only_from_a_trusted_proxy(peer: tuple[str, int] | None, stays: bool) -> None:
    seen: list[list[tuple[bytes, bytes]]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["headers"])

    scope = {"type": "http", "client": peer, "headers": [HEADER, (b"host", b"x")]}
    asyncio.run(ClientCertGuard(app, ["10.0.0.5", "172.18.0.0/16"])(scope, None, None))
    assert (HEADER in seen[0], len(seen[0])) == (stays, 2 if stays else 1)

"""The web server: uvicorn with our limits of connections, on a socket of its own or one that is inherited.

python -m vnfm.config.serve --host 127.0.0.1 --port 8080
"""

import argparse
import os
from functools import partial
from pathlib import Path
from ssl import SSLContext
from typing import Any

import uvicorn

from vnfm.config.tls import tls_context

GRACE_SECONDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(prog="serve", description="Serve the API and the pages.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--fd", type=int, help="an inherited listening socket, instead of host and port")
    parser.add_argument("--workers", type=int, default=1, help="processes; with --fd start several yourself")
    parser.add_argument("--tls-cert", type=Path, help="PEM: the certificate and those above it")
    parser.add_argument("--tls-key", type=Path, help="PEM: its private key")
    parser.add_argument("--grace", type=int, default=GRACE_SECONDS, help="seconds for requests under way at the end")
    options = parser.parse_args()
    tls: Any = None
    if options.tls_cert is not None:
        tls = partial(_tls, options.tls_cert, options.tls_key, os.environ["VNFM_PUBLIC_URL"].rstrip("/"))
    uvicorn.run(
        "vnfm.config.asgi:application",
        host=options.host,
        port=options.port,
        fd=options.fd,
        workers=options.workers,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        http="vnfm.config.connections:BoundedProtocol",
        loop="vnfm.config.tls:BoundedLoop",
        timeout_graceful_shutdown=options.grace,
        ssl_context_factory=tls,
    )


def _tls(cert: Path, key: Path, public_url: str, *_: object) -> SSLContext:
    return tls_context(cert, key, public_url)


if __name__ == "__main__":
    main()

"""``python -m cloudsim``: serve a simulated Liberty cloud until SIGTERM."""

from __future__ import annotations

import argparse
import gc
import logging
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cloudsim.app import build
from cloudsim.clouds_yaml import write_clouds_yaml
from cloudsim.core.cloud import Cloud, Options
from cloudsim.guests.hypervisors import NAMES

if TYPE_CHECKING:
    import asyncio


class CuttableProtocol(H11Protocol):
    """Passes the transport to the application, so that an injected failure can close the connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # asyncio's own stub
        self.app_state = {**self.app_state, "transport": transport}
        super().connection_made(transport)


def _arguments() -> argparse.Namespace:
    defaults = Options()
    parser = argparse.ArgumentParser(prog="cloudsim", description="A simulated OpenStack Liberty cloud over HTTP.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5000, help="0 picks a free one; see clouds.yaml")
    parser.add_argument("--state-dir", type=Path, required=True, help="state, images and clouds.yaml")
    parser.add_argument("--public-url", default="", help="URL in catalog and links; default: the request's own host")
    parser.add_argument("--boot-seconds", type=float, default=defaults.boot_seconds, help="time a server takes to boot")
    parser.add_argument(
        "--action-seconds", type=float, default=defaults.action_seconds, help="time of a stop, a start, a delete …"
    )
    parser.add_argument("--latency", type=float, default=defaults.latency, help="seconds added to every call")
    parser.add_argument("--hosts", type=int, default=defaults.hosts, help="compute hosts of a new cloud")
    parser.add_argument("--token-seconds", type=float, default=defaults.token_seconds, help="life of a token")
    parser.add_argument(
        "--flavor-create-role", default=defaults.flavor_create_role, help="role that may create flavors"
    )
    parser.add_argument(
        "--seed", choices=("lab", "operator"), default=defaults.seed, help="images, flavors, networks of a new cloud"
    )
    parser.add_argument(
        "--distinct-update-times",
        choices=("no", "yes"),
        default="no",
        help="whether each updated_time of a stack is a later second than the last",
    )
    parser.add_argument(
        "--guests", choices=NAMES, default="", help="run servers that have a real image, under this hypervisor"
    )
    parser.add_argument("--notify-url", default="", help="AMQP broker to notify on, as amqp://guest:guest@host:5672//")
    parser.add_argument("--log-level", default="warning", choices=["debug", "info", "warning", "error"])
    return parser.parse_args()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio then sets TCP_NODELAY
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        raise SystemExit(f"cloudsim: cannot listen on {host}:{port}: {error.strerror}") from error
    return listener


def main() -> None:
    given = _arguments()
    logging.basicConfig(level=given.log_level.upper(), format="%(asctime)s %(name)s %(levelname)s %(message)s")
    given.state_dir.mkdir(parents=True, exist_ok=True)
    listener = _listen(given.host, given.port)
    host = f"[{given.host}]" if ":" in given.host else given.host
    url = given.public_url.rstrip("/") or f"http://{host}:{listener.getsockname()[1]}"
    options = Options(
        boot_seconds=given.boot_seconds,
        action_seconds=given.action_seconds,
        latency=given.latency,
        hosts=given.hosts,
        token_seconds=given.token_seconds,
        flavor_create_role=given.flavor_create_role,
        seed=given.seed,
        distinct_update_times=given.distinct_update_times == "yes",
        notify_url=given.notify_url,
        guests=given.guests,
    )
    cloud = Cloud(options, given.state_dir, url, given.public_url.rstrip("/"))
    app = build(cloud)
    write_clouds_yaml(given.state_dir / "clouds.yaml", url, options.region, options.password, options.admin_password)
    gc.freeze()
    config = uvicorn.Config(
        app,
        http=CuttableProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()

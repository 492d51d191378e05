"""``python -m routersim``: serve simulated network elements until SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import resource
import socket
import sys
import tempfile
from collections.abc import Container
from pathlib import Path

import uvicorn

from routersim.clock import Clock
from routersim.cloud_follower import Follower
from routersim.control.app import build_app
from routersim.fleet import Fleet
from routersim.model.build import ElementSpec
from routersim.model.build import fleet as fleet_specs
from routersim.snmp.recording import InvalidRecording, load_recording
from routersim.store import Store

ROWS_NETWORK = "127.30.0"
"""The network of the elements of `--rows`, whose addresses begin at .1."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="routersim", description="Simulated network elements on loopback addresses.")
    parser.add_argument("--state-dir", type=Path, help="keeps elements and `control-port` (default: temporary)")
    parser.add_argument(
        "--rows",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="add an element that answers these rows: YAML, output of snmpwalk -On, or snmpsim records; repeatable",
    )
    parser.add_argument("--control-port", type=int, default=5100, help="0 picks a free one")
    parser.add_argument("--snmp-port", type=int, default=10161, help="default UDP port of elements")
    parser.add_argument("--ssh-port", type=int, default=10022, help="default TCP port of elements; 0: no SSH")
    parser.add_argument("--netconf-port", type=int, default=0, help="default TCP port of elements; 0: no NETCONF")
    parser.add_argument("--trap-to", action="append", default=[], metavar="HOST:PORT", help="may be repeated")
    parser.add_argument("--scenario", type=Path, help="JSON {elements: […], fleets: […]} to load into an empty state")
    parser.add_argument("--clouds-yaml", type=Path, help="virtual elements follow a cloud of this file")
    parser.add_argument("--cloud", default="cloudsim", help="its name there")
    parser.add_argument(
        "--follow-seconds", type=float, default=0.5, metavar="N", help="seconds between two polls of it (0.5)"
    )
    parser.add_argument("--adopt", action="store_true", help="add an element for every VNF instance on that cloud")
    parser.add_argument("--adopt-factory", action="store_true", help="these elements have no SNMP until configured")
    parser.add_argument("--adopt-peer", default="", metavar="ADDRESS", help="BGP neighbour of these elements")
    parser.add_argument("--log-level", default="warning", choices=["debug", "info", "warning", "error"])
    return parser.parse_args()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        raise SystemExit(f"routersim: cannot listen on 127.0.0.1:{port}: {error.strerror}") from error
    return listener


def _raise_file_limit() -> None:
    """Raise the limit of open files: a thousand elements with two sockets each exceed the usual 1,024."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _scenario_specs(path: Path) -> list[ElementSpec]:
    """Return the specifications of a scenario; its paths of rows are relative to the scenario's folder."""
    scenario = json.loads(path.read_text())
    elements = [
        *scenario.get("elements", ()),
        *(one for each in scenario.get("fleets", ()) for one in fleet_specs(each)),
    ]
    return [{**one, "rows": str(path.parent / one["rows"])} if "rows" in one else one for one in elements]


def _rows_specs(files: list[Path], known: Container[str]) -> list[ElementSpec]:
    specs = (
        {"name": file.stem, "address": f"{ROWS_NETWORK}.{number}", "rows": str(file.absolute()), "cards": 0}
        for number, file in enumerate(files, start=1)
    )
    return [spec for spec in specs if spec["name"] not in known]


def main() -> None:
    options = _arguments()
    try:
        for file in options.rows:
            load_recording(file)
    except InvalidRecording as error:
        raise SystemExit(f"routersim: {error}") from error
    if options.state_dir is None:
        with tempfile.TemporaryDirectory(prefix="routersim-") as folder:
            options.state_dir = Path(folder)
            _serve(options)
    else:
        _serve(options)


def _serve(options: argparse.Namespace) -> None:
    logging.basicConfig(level=options.log_level.upper(), format="%(asctime)s %(name)s %(levelname)s %(message)s")
    options.state_dir.mkdir(parents=True, exist_ok=True)
    _raise_file_limit()
    listener = _listen(options.control_port)
    fleet = Fleet(
        Clock(),
        Store(options.state_dir / "elements.sqlite"),
        snmp_port=options.snmp_port,
        ssh_port=options.ssh_port,
        netconf_port=options.netconf_port,
        trap_targets=options.trap_to,
    )
    follower = Follower(fleet, options.adopt_peer)

    async def started() -> None:
        if options.scenario and not fleet.routers:
            await fleet.add(_scenario_specs(options.scenario))
        for router in await fleet.add(_rows_specs(options.rows, fleet.routers)):
            at = f"{router.element.address}:{router.element.snmp_port}"
            sys.stdout.write(f"{router.element.name} answers at {at}, community {router.element.community}\n")
            sys.stdout.flush()
        if options.clouds_yaml:
            await follower.follow(
                options.cloud,
                str(options.clouds_yaml),
                options.cloud,
                options.follow_seconds,
                adopt=options.adopt,
                factory=options.adopt_factory,
            )
        gc.freeze()
        (options.state_dir / "control-port").write_text(str(listener.getsockname()[1]))

    config = uvicorn.Config(
        build_app(fleet, follower, started),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=2,
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__":
    main()

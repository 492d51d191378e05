"""The commands and flags of the command line; each command imports its own modules when it is chosen."""

import argparse
from ipaddress import ip_address
from pathlib import Path

from launcher import guests
from launcher.layout import ROLES, Checkout
from launcher.ports import DEFAULT_PORT

CLIENT = {
    "vnf": "list, show, instantiate, scale, heal and terminate VNFs",
    "alarm": "list and acknowledge alarms",
    "package": "list and upload VNF packages",
    "completion": "print the completion for bash or zsh",
}
"""The commands of the package `cli`, which use the API."""
LARGEST_PORT = 65535
MOST_WEB_PROCESSES = 8
"""Each process has up to 18 connections to PostgreSQL, and the embedded server accepts 200."""


def parser(checkout: Checkout) -> argparse.ArgumentParser:
    common, folder, what = argparse.ArgumentParser(add_help=False), checkout.default_state, "data, keys and logs"
    common.add_argument("--state-dir", type=Path, default=folder, metavar="DIR", help=f"{what} of the instance")
    whole = argparse.ArgumentParser(
        prog="vnfm", description="VNF lifecycle manager: start, inspect and stop it.", allow_abbrev=False
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str, *more: argparse.ArgumentParser, helpful: bool = True) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=text, description=text, parents=[common, *more], allow_abbrev=False, add_help=helpful
        )

    command("up", "install missing packages, start everything and watch it", _starting())
    command("down", "stop everything; the data are kept")
    state = command("status", "show the running services and their addresses")
    state.add_argument("--json", action="store_true", help="print JSON for programs; includes passwords")
    command("token", "print a new bearer token of the admin")
    logs = command("logs", "show the logs of the services")
    logs.add_argument("name", nargs="?", metavar="NAME", help="a service (default: all)")
    logs.add_argument("-f", "--follow", action="store_true", help="show new lines until Ctrl-C")
    logs.add_argument("-n", "--lines", type=int, default=50, metavar="N", help="number of lines to show (50)")
    commands.add_parser(
        "test",
        help="run all checks and tests except slow ones; --all adds these; --changed [COMMIT] runs those near a "
        "change; pytest's arguments run only pytest",
        add_help=False,
    )
    command("version", "print release, commit and heads of the schema")
    sealed = argparse.ArgumentParser(add_help=False)
    sealed.add_argument("file", type=Path, metavar="FILE")
    sealed.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="file with the passphrase; default: ask for it"
    )
    save = command("backup", "write database, artifacts and sealed keys to a file, running or stopped", sealed)
    save.add_argument(
        "--check", action="store_true", help="verify FILE instead: read it to its end and compare all digests"
    )
    back = command("restore", "restore a backup; the instance must be stopped", sealed)
    back.add_argument("--replace", action="store_true", help="replace existing data, which are kept aside")
    text = "upgrade the instance to this checkout: check, migrate and take over with the same flags"
    newer = command("upgrade", text, _starting())
    newer.add_argument("--serving", action="store_true", help="refuse if the instance would have to stop")
    command("demo", "run the main workflow in the terminal, on the running instance", helpful=False)
    for noun, what_it_does in CLIENT.items():
        command(noun, what_it_does, helpful=False)
    parts = command("sbom", "write the list of the product's parts (CycloneDX JSON), from its lock files")
    parts.add_argument("file", type=Path, metavar="FILE", help="file to write; - is standard output")
    command("routersim", "run more simulated routers; --rows FILE answers a recorded walk", helpful=False)
    command("shell", "open a Django shell in the running instance")
    command("manage", "run a management command in the running instance, such as stack_export", helpful=False)
    return whole


def _starting() -> argparse.ArgumentParser:
    """Return the parser of the flags of `up`."""
    start = argparse.ArgumentParser(add_help=False)
    start.add_argument(
        "--detach", action="store_true", help="return when it is ready, and leave it running in the background"
    )
    start.add_argument("--port", type=_port, metavar="N", help=f"port of the web ({DEFAULT_PORT})")
    start.add_argument("--cloud", metavar="NAME", help="use a cloud of your clouds.yaml, not the simulated one")
    start.add_argument("--listen", type=_address, metavar="IP", help="address to listen on (127.0.0.1)")
    start.add_argument(
        "--tls-cert", type=Path, metavar="FILE", help="serve HTTPS with this certificate (PEM, with chain)"
    )
    start.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key (PEM)")
    start.add_argument("--web-processes", type=_web_processes, metavar="N", help="processes of the web (1)")
    start.add_argument(
        "--guests", nargs="?", choices=(*guests.NAMES, guests.BEST), const=guests.BEST, default="", metavar="HOW",
        help="boot servers of the simulated cloud that have a real image: by qemu, qemu-bridges or namespaces",
    )  # fmt: skip
    start.add_argument(
        "--roles", type=_roles, default=(), metavar="NAME,…",
        help="join the installation of another host and run only these here: " + ", ".join(ROLES),
    )  # fmt: skip
    start.add_argument("--empty", action="store_true", help="do not register the simulated routers")
    return start


def _port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (1 to {LARGEST_PORT})")
    return int(text)


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an IP address, such as 127.0.0.1 or 0.0.0.0") from None


def _roles(text: str) -> tuple[str, ...]:
    roles = tuple(text.split(","))
    if unknown := [role for role in roles if role not in ROLES]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is not one of {', '.join(ROLES)}")
    return roles


def _web_processes(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= MOST_WEB_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_WEB_PROCESSES}")
    return int(text)

"""The command line of `./vnfm`."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import ip_address
from pathlib import Path

from launcher import checks, guests, inside
from launcher.backup import backup, restore
from launcher.changed import test_changed
from launcher.console import Console
from launcher.detach import notify_systemd, run_detached
from launcher.errors import LaunchError, explain_os_error
from launcher.layout import Checkout, Instance
from launcher.logs import logs
from launcher.ports import LOOPBACK, address_of
from launcher.product import ROLES
from launcher.record import Record
from launcher.sbom import write_sbom
from launcher.status import down, status
from launcher.tls import TlsFiles
from launcher.up import DEFAULT_PORT, INTERRUPTED, Stop, UpOptions, up
from launcher.upgrade import require_same_servers, upgrade
from launcher.version import version

LARGEST_PORT = 65535
MOST_WEB_PROCESSES = 8
"""Each keeps up to 18 connections to PostgreSQL, which the embedded one has 200 of."""


def main(arguments: Sequence[str]) -> int:
    """Run one command; failures are one sentence on standard error."""
    try:
        return _dispatch(Checkout.here(), list(arguments))
    except LaunchError as error:
        print(error, file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone
    except OSError as error:
        print(explain_os_error(error), file=sys.stderr)
    except (KeyboardInterrupt, Stop):
        return INTERRUPTED
    return 1


def _dispatch(checkout: Checkout, arguments: list[str]) -> int:
    if arguments[:2] == ["test", "--changed"]:
        return test_changed(checkout, arguments[2:], Console())
    if arguments[:1] == ["test"]:
        return checks.test(checkout, arguments[1:], Console())
    options, rest = _parser(checkout).parse_known_args(arguments)
    if rest and options.command not in ("demo", "manage", *inside.CLIENT):
        _parser(checkout).error(f"unrecognized arguments: {' '.join(rest)}")
    instance = Instance(options.state_dir.absolute())
    console = Console()
    commands: dict[str, Callable[[], int]] = {
        "up": lambda: _up(checkout, _up_options(options), console),
        "down": lambda: down(instance, console),
        "status": lambda: status(instance, console, as_json=options.json),
        "logs": lambda: logs(instance, console, name=options.name, lines=options.lines, follow=options.follow),
        "token": lambda: inside.token(checkout, instance, console),
        "shell": lambda: inside.shell(checkout, instance),
        "demo": lambda: inside.demo(checkout, instance, rest),
        "sbom": lambda: _sbom(checkout, options.file),
        "version": lambda: version(checkout, console),
        "backup": lambda: backup(
            checkout, instance, console, options.file, passphrase=options.passphrase_file, check=options.check
        ),
        "restore": lambda: restore(
            checkout, instance, console, options.file, passphrase=options.passphrase_file, replace=options.replace
        ),
        "upgrade": lambda: _upgrade(checkout, options, console),
        **{noun: partial(inside.client, checkout, instance, [noun, *rest]) for noun in inside.CLIENT},
        "manage": lambda: inside.manage(checkout, instance, rest or ["help"]),
    }
    return commands[options.command]()


def _up_options(options: argparse.Namespace) -> UpOptions:
    return UpOptions(
        options.state_dir.absolute(),
        options.port,
        options.cloud,
        options.detach,
        options.empty,
        options.listen or LOOPBACK,
        _tls_files(options),
        options.web_processes or 1,
        options.guests,
        options.roles,
    )


def _up(checkout: Checkout, chosen: UpOptions, console: Console) -> int:
    if not chosen.detached:
        return up(checkout, chosen, console, notify_systemd)
    instance = Instance(chosen.state)
    instance.prepare()

    def work(on_ready: Callable[[], None]) -> int:
        def ready() -> None:
            on_ready()
            console.become_plain()

        try:
            return up(checkout, chosen, console, ready)
        except LaunchError as error:
            print(error, file=sys.stderr)
        except OSError as error:
            print(explain_os_error(error), file=sys.stderr)
        return 1

    return run_detached(work, instance.log("supervisor"))


def _sbom(checkout: Checkout, file: Path) -> int:
    write_sbom(checkout, file)
    return 0


def _tls_files(options: argparse.Namespace) -> TlsFiles | None:
    cert, key = options.tls_cert, options.tls_key
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise LaunchError("TLS needs both --tls-cert and --tls-key.")
    return TlsFiles(cert.absolute(), key.absolute())


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no IP address, such as 127.0.0.1 or 0.0.0.0") from None


def _roles(text: str) -> tuple[str, ...]:
    roles = tuple(text.split(","))
    if unknown := [role for role in roles if role not in ROLES]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(ROLES)}")
    return roles


def _web_processes(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= MOST_WEB_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MOST_WEB_PROCESSES}")
    return int(text)


def _upgrade(checkout: Checkout, options: argparse.Namespace, console: Console) -> int:
    """Have it run on this checkout, as it was started; what cannot be is refused before anything changes."""
    instance = Instance(options.state_dir.absolute())
    last = Record.load(instance.record)
    if last is not None and last.alive:
        require_same_servers(last, os.environ)
        as_last_run(options, last)
    options.detach = options.empty = True
    chosen = _up_options(options)
    may_stop = not options.serving
    return upgrade(checkout, instance, console, chosen, lambda: _up(checkout, chosen, console), may_stop=may_stop)


def as_last_run(options: argparse.Namespace, last: Record) -> None:
    """Set the flags of `up` that are not named to those of the last run. Raises LaunchError where it noted none."""
    if last.tls_cert and not last.tls_key and not (options.listen and options.tls_cert):
        raise LaunchError(
            f"The running instance serves HTTPS by {last.tls_cert}, but the release that started it noted neither "
            "address nor key: name --listen, --tls-cert and --tls-key. Nothing was changed."
        )
    host, port = address_of(last.url, DEFAULT_PORT)
    simulated = Path(last.clouds_yaml).is_relative_to(options.state_dir.absolute())
    options.port = options.port or port
    if last.cloud and not simulated and options.cloud in (None, last.cloud):
        options.cloud = last.cloud
        os.environ.setdefault("OS_CLIENT_CONFIG_FILE", last.clouds_yaml)
    options.listen = options.listen or last.listen or host
    options.web_processes = options.web_processes or last.web_processes
    if last.tls_cert and not (options.tls_cert or options.tls_key):
        options.tls_cert, options.tls_key = Path(last.tls_cert), Path(last.tls_key)
    options.guests = options.guests or last.guests
    options.roles = options.roles or tuple(last.roles)


def _port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (1 to {LARGEST_PORT})")
    return int(text)


def _parser(checkout: Checkout) -> argparse.ArgumentParser:
    common, folder, what = argparse.ArgumentParser(add_help=False), checkout.default_state, "data, keys and logs"
    common.add_argument("--state-dir", type=Path, default=folder, metavar="DIR", help=f"{what} of the instance")
    parser = argparse.ArgumentParser(
        prog="vnfm", description="VNF lifecycle manager: start it, look at it, stop it.", allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str, *more: argparse.ArgumentParser, helpful: bool = True) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=text, description=text, parents=[common, *more], allow_abbrev=False, add_help=helpful
        )

    command("up", "install what is missing, start everything and watch it", _starting())
    command("down", "stop everything; the data are kept")
    state = command("status", "what runs, with which addresses")
    state.add_argument("--json", action="store_true", help="for programs; includes passwords")
    command("token", "print a new bearer token of the admin")
    words = command("logs", "what the services wrote")
    words.add_argument("name", nargs="?", metavar="NAME", help="one service; all without it")
    words.add_argument("-f", "--follow", action="store_true", help="go on as they write")
    words.add_argument("-n", "--lines", type=int, default=50, metavar="N", help="how many of the last lines (50)")
    commands.add_parser(
        "test",
        help="run all checks and tests but slow ones; --all with them; --changed [COMMIT] those near a change; "
        "with pytest's arguments only pytest",
        add_help=False,
    )
    command("version", "release, commit and heads of the schema")
    sealed = argparse.ArgumentParser(add_help=False)
    sealed.add_argument("file", type=Path, metavar="FILE")
    sealed.add_argument("--passphrase-file", type=Path, metavar="FILE", help="else it is asked for")
    save = command("backup", "write database, artifacts and sealed keys into one file, while it runs or not", sealed)
    save.add_argument("--check", action="store_true", help="read FILE to its end instead, and compare all digests")
    back = command("restore", "put a backup back; nothing may run", sealed)
    back.add_argument("--replace", action="store_true", help="although there are data, which are kept aside")
    text = "go on with this checkout from an older one's state: check, migrate and take over with the same flags"
    newer = command("upgrade", text, _starting())
    newer.add_argument("--serving", action="store_true", help="refuse where it would have to stop for it")
    command("demo", "do the main job in the terminal, against the running instance", helpful=False)
    for noun, what_it_does in inside.CLIENT.items():
        command(noun, what_it_does, helpful=False)
    parts = command("sbom", "write the list of the product's parts (CycloneDX JSON), from its lock files")
    parts.add_argument("file", type=Path, metavar="FILE", help="where to; - is standard output")
    command("shell", "a Django shell in the running instance")
    command("manage", "a management command in the running instance, such as stack_export", helpful=False)
    return parser


def _starting() -> argparse.ArgumentParser:
    """The flags of `up`."""
    start = argparse.ArgumentParser(add_help=False)
    start.add_argument("--detach", action="store_true", help="return when it is ready, leaving it in the background")
    start.add_argument("--port", type=_port, metavar="N", help=f"of the web ({DEFAULT_PORT})")
    start.add_argument("--cloud", metavar="NAME", help="a cloud of your clouds.yaml instead of the simulated one")
    start.add_argument("--listen", type=_address, metavar="IP", help="address to listen on (127.0.0.1)")
    start.add_argument(
        "--tls-cert", type=Path, metavar="FILE", help="serve HTTPS by this certificate (PEM, with chain)"
    )
    start.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key (PEM)")
    start.add_argument("--web-processes", type=_web_processes, metavar="N", help="processes of the web (1)")
    start.add_argument(
        "--guests", nargs="?", choices=(*guests.NAMES, guests.BEST), const=guests.BEST, default="", metavar="HOW",
        help="boot servers of the simulated cloud that have a real image: qemu, qemu-bridges or namespaces",
    )  # fmt: skip
    start.add_argument(
        "--roles", type=_roles, default=(), metavar="NAME,…",
        help="run only these here, of an installation that another host began: " + ", ".join(ROLES),
    )  # fmt: skip
    start.add_argument("--empty", action="store_true", help="do not register the simulated routers")
    return start

"""The commands `./vnfm up` and `./vnfm upgrade`."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from launcher.console import Console
from launcher.detach import notify_systemd, run_detached
from launcher.errors import LaunchError, explain_os_error
from launcher.layout import Checkout, Instance
from launcher.ports import DEFAULT_PORT, LOOPBACK, address_of
from launcher.record import Record
from launcher.tls import TlsFiles
from launcher.up import up as run_up
from launcher.up_options import UpOptions
from launcher.upgrade import require_same_servers
from launcher.upgrade import upgrade as run_upgrade


def up(checkout: Checkout, chosen: UpOptions, console: Console) -> int:
    if not chosen.detached:
        return run_up(checkout, chosen, console, notify_systemd)
    instance = Instance(chosen.state)
    instance.prepare()

    def work(on_ready: Callable[[], None]) -> int:
        def ready() -> None:
            on_ready()
            console.become_plain()

        try:
            return run_up(checkout, chosen, console, ready)
        except LaunchError as error:
            print(error, file=sys.stderr)
        except OSError as error:
            print(explain_os_error(error), file=sys.stderr)
        return 1

    return run_detached(work, instance.log("supervisor"))


def up_options(options: argparse.Namespace) -> UpOptions:
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


def _tls_files(options: argparse.Namespace) -> TlsFiles | None:
    cert, key = options.tls_cert, options.tls_key
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise LaunchError("TLS needs both --tls-cert and --tls-key.")
    return TlsFiles(cert.absolute(), key.absolute())


def upgrade(checkout: Checkout, options: argparse.Namespace, console: Console) -> int:
    """Upgrade the instance to this checkout with its last flags; refuse before any change if that cannot work."""
    instance = Instance(options.state_dir.absolute())
    last = Record.load(instance.record)
    if last is not None and last.alive:
        require_same_servers(last, os.environ)
        as_last_run(options, last)
    options.detach = options.empty = True
    chosen = up_options(options)
    may_stop = not options.serving
    return run_upgrade(checkout, instance, console, chosen, lambda: up(checkout, chosen, console), may_stop=may_stop)


def as_last_run(options: argparse.Namespace, last: Record) -> None:
    """Set the flags of `up` that are not given to those of the last run. Raises LaunchError if it recorded none."""
    if last.tls_cert and not last.tls_key and not (options.listen and options.tls_cert):
        raise LaunchError(
            f"The running instance serves HTTPS with {last.tls_cert}, but the release that started it recorded neither "
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

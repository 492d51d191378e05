"""Checks of the flags and the shell's variables before a start; each failure is one sentence.

`upgrade` runs them before it changes anything, since a failure after the hand-over would stop the instance.
"""

import os
from ipaddress import ip_address
from pathlib import Path

from launcher import backup, guests, ports
from launcher.cloud import Cloud, choose_cloud
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Checkout, Instance
from launcher.product import LOCK
from launcher.tls import Certificate, check
from launcher.up_options import UpOptions


def require_startable(checkout: Checkout, options: UpOptions, console: Console) -> None:
    """Raise LaunchError if these options cannot start here with the variables of this shell."""
    instance = Instance(options.state)
    certificate_of(options, console)
    require_joinable(options, instance)
    choose_guests(options, cloud_of(options, instance, checkout.python(LOCK)))
    backup.scheduled(checkout, instance, "")
    require_servers()


def certificate_of(options: UpOptions, console: Console) -> Certificate | None:
    """Return the checked certificate. Raises LaunchError also if passwords would cross a network in clear."""
    if options.tls is None:
        if not ip_address(options.listen).is_loopback:
            raise LaunchError(
                f"On {options.listen} passwords would cross the network in clear: give --tls-cert and --tls-key, or "
                "listen on 127.0.0.1 behind a proxy (backend/docs/runbooks/tls.md)."
            )
        return None
    certificate = check(options.tls)
    for warning in certificate.warnings:
        console.say(warning)
    return certificate


def require_joinable(options: UpOptions, instance: Instance) -> None:
    """Raise LaunchError if a host with --roles lacks servers or keys that it shares with the other hosts."""
    if not options.roles:
        return
    if missing := [name for name in ("DATABASE_URL", "REDIS_URL") if not os.environ.get(name)]:
        raise LaunchError(f"With --roles this host joins an installation: set {' and '.join(missing)} to its servers.")
    if not all((instance.keys / name).exists() for name in ("seal-keys", "django-secret")):
        raise LaunchError(
            f"With --roles this host joins an installation: copy the keys of its first host into {instance.keys}."
        )


def cloud_of(options: UpOptions, instance: Instance, python: Path) -> Cloud:
    """Return the first cloud of the installation; none on a host that joins one."""
    if options.roles:
        return Cloud(Path(), "", simulated=False)
    return choose_cloud(options.cloud, instance.cloudsim / "clouds.yaml", python, os.environ)


def choose_guests(options: UpOptions, cloud: Cloud) -> tuple[str, str]:
    if options.guests and not cloud.simulated:
        raise LaunchError("--guests is for the simulated cloud: leave it out, as a real cloud runs its own servers.")
    return guests.choose(options.guests)


def require_servers() -> None:
    """Raise LaunchError if a server that the user names does not answer."""
    check_external("DATABASE_URL", 5432)
    check_external("REDIS_URL", 6379)


def check_external(variable: str, default_port: int) -> None:
    """Raise LaunchError if the variable is not a valid URL, or if none of its servers answers."""
    if url := os.environ.get(variable):
        try:
            addresses = ports.addresses_of(url, default_port)
        except ValueError:
            raise LaunchError(
                f"{variable} is not a valid URL: write its port as a number, and / as %2F and ? as %3F in its password."
            ) from None
        if not any(ports.answers(host, port) for host, port in addresses):
            named = " and ".join(f"{host}:{port}" for host, port in addresses)
            raise LaunchError(f"{variable} names {named}, which does not answer: start it or correct the address.")

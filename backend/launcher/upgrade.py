"""`vnfm upgrade`: upgrades an instance to this checkout, by a hand-over if possible (ADR-0066)."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address

from launcher import handover
from launcher.backup import Vault, database, recovery_environment
from launcher.console import Console
from launcher.errors import LaunchError, last_lines
from launcher.frontend import ensure_pages
from launcher.layout import Checkout, Instance
from launcher.ports import DEFAULT_PORT, address_of, servers_of
from launcher.product import LOCK, Product
from launcher.record import READY, Record
from launcher.schema import Plan, ensure_schema, require_migrated, schema_plan
from launcher.service import Service
from launcher.startable import require_startable
from launcher.status import down
from launcher.toolchain import ensure_python
from launcher.up_options import UpOptions

NOTHING_RUNS = "Nothing runs here that could hand over: leave --serving out."
ROOM = 2
"""The free space that an upgrade needs, as a multiple of the database's size: a migration may copy a table."""
Start = Callable[[], int]
"""A function that starts the instance and returns an exit code."""


def upgrade(
    checkout: Checkout,
    instance: Instance,
    console: Console,
    options: UpOptions,
    start: Start,
    *,
    may_stop: bool = True,
) -> int:
    """Check that this checkout can upgrade the instance's database, then upgrade the instance; return an exit code.

    A running instance migrates and hands over while it serves. If it cannot, it is stopped and `start` starts it on
    this checkout; without `may_stop` that is refused. A backup of the database is made before the migration.
    """
    checkout.prepare()
    ensure_python(checkout, LOCK, console)
    require_startable(checkout, options, console)
    record = Record.load(instance.record)
    with database(checkout, instance) as url:
        plan = schema_plan(checkout, instance, url)
    _say_plan(plan, console)
    running = record is not None and record.alive
    _require_bearable(plan, options, running=running)
    _require_room(instance)
    ensure_pages(checkout, LOCK, console)  # takes a minute, and the instance serves during it
    if not may_stop and not running:
        raise LaunchError(NOTHING_RUNS)
    handed_over = running and _handed_over(checkout, instance, console, options, plan, may_stop=may_stop)
    code = 0 if handed_over else start()
    if code == 0:
        console.say(" ".join(filter(None, [f"Upgraded to {plan['version']}.", way_back(instance)])))
    return code


def _handed_over(
    checkout: Checkout, instance: Instance, console: Console, options: UpOptions, plan: Plan, *, may_stop: bool
) -> bool:
    """Hand over to the new release and return True; if that is impossible, stop the instance and return False."""
    with alone(instance):
        record = Record.load(instance.record)
        if record is None or not record.alive:
            if not may_stop:
                raise LaunchError(NOTHING_RUNS)
            return False
        if reason := reason_to_stop(record, options, plan):
            if not may_stop:
                raise LaunchError(f"The instance would have to stop: {reason}. Nothing was changed.")
            console.say(f"The instance stops for the upgrade: {reason}.")
            down(instance, console)
            return False
        _hand_over(checkout, instance, console, record, options)
        return True


@contextmanager
def alone(instance: Instance) -> Iterator[None]:
    """Hold the lock of upgrades. Raises LaunchError while another upgrade runs."""
    with (instance.run / "upgrade.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LaunchError("Another ./vnfm upgrade is under way here.") from None
        yield


def reason_to_stop(record: Record, options: UpOptions, plan: Plan) -> str:
    """Return the reason why the running instance cannot hand over; "" if it can."""
    if record.hands_over != handover.PROTOCOL:
        return "the running release cannot hand over its connections"
    if record.phase != READY:
        return f"it is {record.phase}"
    host, port = address_of(record.url, DEFAULT_PORT)
    if (options.port, ip_address(options.listen)) != (port, ip_address(record.listen or host)):
        return "it has to listen on another address"
    if record.roles and "web" not in record.roles and (not options.roles or "web" in options.roles):
        return "it has to serve the web as well"
    if plan["stops"]:
        return f"the running release cannot work after a migration ({plan['stops'][0]})"
    return ""


def _hand_over(checkout: Checkout, instance: Instance, console: Console, record: Record, options: UpOptions) -> None:
    """Migrate and replace the processes while they serve. Raises LaunchError; the earlier release then still runs."""
    product = Product(checkout, instance, takes_over=True)
    env = recovery_environment(checkout, instance, record.database_url)
    with console.step("database schema"):
        ensure_schema(product, env, lambda program: _run(program, instance))
    with console.step("hand-over"):
        after = handover.order(instance, record, up_command(checkout, options))
    if after.refusal:
        raise LaunchError(f"The earlier release continues to run: {after.refusal}")


def _run(program: Service, instance: Instance) -> None:
    log = instance.log(program.name)
    with log.open("ab") as output:
        done = subprocess.run(
            program.command, env=program.env, cwd=program.cwd, stdout=output, stderr=output, check=False
        )
    if done.returncode:
        raise LaunchError(f"{program.name} failed; {log} ends with:\n{last_lines(log)}")


def up_command(checkout: Checkout, options: UpOptions) -> list[str]:
    """Return the command line of `up` with the same options."""
    command = [sys.executable, str(checkout.root / "vnfm"), "up", "--state-dir", str(options.state)]
    flags = ["--port", str(options.port), "--listen", options.listen, "--web-processes", str(options.web_processes)]
    flags += ["--cloud", options.cloud] if options.cloud else []
    flags += ["--tls-cert", str(options.tls.cert), "--tls-key", str(options.tls.key)] if options.tls else []
    flags += ["--guests", options.guests] if options.guests else []
    flags += ["--roles", ",".join(options.roles)] if options.roles else []
    return [*command, *flags, "--empty"]


def require_same_servers(record: Record, env: Mapping[str, str]) -> None:
    """Raise LaunchError if `env` names other servers than those that the running instance uses."""
    servers = (("DATABASE_URL", record.database_url, "postgres"), ("REDIS_URL", record.redis_url, "valkey"))
    for variable, url, own in servers:
        used, named = "" if own in record.services else url, env.get(variable, "")
        if url and used != named:
            then, now = _setting(variable, used), _setting(variable, named)
            other = " with another login" if then == now else ""
            raise LaunchError(
                f"The instance was started with {then}, but this shell has {now}{other}: set it as it was, then "
                "upgrade. Nothing was changed."
            )


def _setting(variable: str, url: str) -> str:
    """Return a setting for a message, without user and password."""
    if not url:
        return f"no {variable}"
    hosts, path = servers_of(url)
    return f"{variable} at {hosts}{path if hosts else ''}"


def way_back(instance: Instance) -> str:
    kept = sorted(Vault(instance).before_upgrades.glob("before-*.backup"), key=lambda path: path.stat().st_mtime)
    if not kept:
        return ""
    return f"To return: ./vnfm down, then with the older checkout ./vnfm restore {kept[-1]} --replace, and ./vnfm up."


def _say_plan(plan: Mapping[str, list[str] | str], console: Console) -> None:
    pending = plan["pending"]
    if not pending:
        console.say(f"The schema is that of {plan['version']} already.")
        return
    console.say(f"Release {plan['version']} applies {len(pending)} migrations:")
    for name in pending:
        console.say(f"  {name}")


def _require_bearable(plan: Plan, options: UpOptions, *, running: bool) -> None:
    """Raise LaunchError for a migration after which other hosts of the installation could not work."""
    if options.roles:
        require_migrated(plan)
    if running and os.environ.get("DATABASE_URL") and plan["stops"]:
        raise LaunchError(
            f"The running release cannot work after a migration ({plan['stops'][0]}), and other hosts may use this "
            "database, too: stop all of them with ./vnfm down, this one as the last, then upgrade. Nothing was changed."
        )


def _require_room(instance: Instance) -> None:
    if os.environ.get("DATABASE_URL"):
        return  # the database is on another host's disk
    cluster = (instance.postgres / "cluster").resolve()
    files = (path for path in cluster.rglob("*") if path.is_file() and not path.is_symlink())
    needed, free = ROOM * sum(path.stat().st_size for path in files), shutil.disk_usage(cluster).free
    if free < needed:
        raise LaunchError(
            f"{cluster} has {free / 1e9:.1f} GB left; an upgrade may need {needed / 1e9:.1f} GB for a backup and for "
            "tables that are rewritten: free some space. Nothing was changed."
        )

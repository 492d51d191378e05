"""`vnfm status` and `vnfm down`: what runs here, and ending it."""

import json
import signal
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import Instance
from launcher.ownership import clear_leftovers
from launcher.processes import wait_until
from launcher.product import ADMIN
from launcher.record import READY, Record

NOT_RUNNING = 3  # as `systemctl status` has it
DOWN_SECONDS = 90.0
READY_SECONDS = 5.0


def running_record(instance: Instance) -> Record:
    """The record of an instance that is up. Raises LaunchError when it is not."""
    record = Record.load(instance.record)
    if record is None or not record.alive:
        raise LaunchError("Nothing runs here: start it with ./vnfm up.")
    if record.phase != READY:
        raise LaunchError(f"The instance is {record.phase}: try again when ./vnfm status says ready.")
    return record


def document(instance: Instance) -> dict[str, Any]:
    """What `status --json` prints; everything is null or empty when nothing runs."""
    record = Record.load(instance.record)
    if record is None or not record.alive:
        record = None
    password = instance.admin_password.read_text().strip() if instance.admin_password.exists() else None
    return {
        "url": record.url if record else None,
        "admin": {"username": ADMIN, "password": password},
        "clouds_yaml": record.clouds_yaml if record else None,
        "cloud": record.cloud if record else None,
        "database_url": record.database_url if record else None,
        "redis_url": record.redis_url if record else None,
        "services": {
            name: {"pid": service.pid, "state": service.state, "restarts": service.restarts}
            for name, service in (record.services.items() if record else ())
        },
    }


def problems(url: str) -> list[str]:
    """What /readyz of the instance says is wrong, a line each."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=READY_SECONDS)
    try:
        connection.request("GET", "/readyz")
        found = json.load(connection.getresponse())
    except (OSError, HTTPException, ValueError):
        return ["web does not answer"]
    finally:
        connection.close()
    return [_sentence(**check) for check in found.get("checks", []) if not check["ok"]]


def _sentence(*, name: str, since: str | None, message: str, **_: object) -> str:
    return f"{name} (since {since}): {message}" if since else f"{name}: {message}"


def status(instance: Instance, console: Console, *, as_json: bool) -> int:
    """Print what runs; 0 when the instance is up, 3 when not."""
    record = Record.load(instance.record)
    if as_json:
        console.say(json.dumps(document(instance), indent=2))
    elif record is None or not record.alive:
        console.say(f"Nothing runs with the state directory {instance.root}.")
    else:
        console.say(f"{record.phase}: {record.url} (supervisor {record.supervisor.pid}, cloud {record.cloud})")
        password = document(instance)["admin"]["password"] or "as it was set since"
        console.say(f"  first administrator: name {ADMIN}, password {password}")
        for name, service in record.services.items():
            pid = service.pid or "-"
            restarts = f"  restarts {service.restarts}" if service.restarts else ""
            console.say(f"  {name:<10} {service.state:<10} pid {pid}{restarts}")
        for problem in problems(record.url):
            console.say(f"  not ready: {problem}")
    return 0 if record is not None and record.alive else NOT_RUNNING


def down(instance: Instance, console: Console) -> int:
    """Stop the instance, whether its supervisor lives or was killed."""
    record = Record.load(instance.record)
    if record is not None and record.alive:
        supervisor = record.supervisor
        with console.step("stopping"):
            supervisor.signal(signal.SIGTERM)
            if not wait_until(lambda: not supervisor.alive, DOWN_SECONDS, pause=0.1):
                supervisor.end(signal.SIGKILL, 5)
        clear_leftovers(instance, console.say)
        console.say("Stopped; the data are kept.")
    elif not clear_leftovers(instance, console.say):
        console.say("Nothing runs here.")
    return 0

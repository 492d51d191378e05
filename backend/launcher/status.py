"""`vnfm status` and `vnfm down`: show and stop a running instance."""

import json
import os
import signal
import ssl
import time
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any

from launcher import rotation
from launcher.console import Console
from launcher.errors import LaunchError
from launcher.layout import ADMIN, Instance
from launcher.ownership import clear_leftovers
from launcher.processes import wait_until
from launcher.record import READY, Record
from launcher.service import connect

NOT_RUNNING = 3  # as `systemctl status` has it
DOWN_SECONDS = 90.0
READY_SECONDS = 5.0
MEGABYTE = 1e6
DEFAULT_ARTIFACTS_QUOTA, DEFAULT_SPOOL_QUOTA = "50%", "40%"
COUNTED_SECONDS = 3600.0
"""Seconds for which the upload of a dead web process still counts."""


def running_record(instance: Instance) -> Record:
    """Return the record of a running instance. Raises LaunchError if it is not ready."""
    record = Record.load(instance.record)
    if record is None or not record.alive:
        raise LaunchError("Nothing runs here: start it with ./vnfm up.")
    if record.phase != READY:
        raise LaunchError(f"The instance is {record.phase}: try again when ./vnfm status says ready.")
    return record


def document(instance: Instance) -> dict[str, Any]:
    """Return the output of `status --json`; all values are null or empty if nothing runs."""
    record = Record.load(instance.record)
    if record is None or not record.alive:
        record = None
    password = instance.admin_password.read_text().strip() if instance.admin_password.exists() else None
    return {
        "url": record.users_url if record else None,
        "local_url": record.url if record else None,
        "tls_cert": (record.tls_cert or None) if record else None,
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


@dataclass(frozen=True)
class Health:
    """`problems`: a line for each problem of /readyz. `certificate`: the end of validity of the served certificate."""

    problems: list[str]
    certificate: str = ""


def health(record: Record) -> Health:
    if record.roles and "web" not in record.roles:
        return Health([])
    cert = Path(record.tls_cert) if record.tls_cert else None
    until = ""
    try:
        with closing(connect(record.url, READY_SECONDS, cert)) as connection:
            connection.connect()
            if isinstance(connection.sock, ssl.SSLSocket):
                until = str((connection.sock.getpeercert() or {}).get("notAfter", ""))
            connection.request("GET", "/readyz")
            found = json.load(connection.getresponse())
    except ssl.SSLCertVerificationError as error:
        return Health([f"web does not serve the certificate {cert}, or it is not valid: {error.verify_message}"])
    except (OSError, HTTPException, ValueError):
        return Health(["web does not answer"], until)
    return Health([_sentence(**check) for check in found.get("checks", []) if not check["ok"]], until)


def _sentence(*, name: str, since: str | None, message: str, **_: object) -> str:
    return f"{name} (since {since}): {message}" if since else f"{name}: {message}"


def _folder_megabytes(folder: Path) -> float:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) / MEGABYTE


def _uploads_megabytes(artifacts: Path) -> float:
    """Return the spool space that running uploads have reserved, in MB; web processes record it in files (ADR-0043)."""
    oldest = time.time() - COUNTED_SECONDS
    places = [file for file in artifacts.glob("places/upload-*") if file.stat().st_mtime > oldest]
    return sum(int(file.read_bytes() or b"0") for file in places) / MEGABYTE


def _quota(name: str, default: str) -> str:
    """Return a quota for the output: MB, or a share of the file system."""
    setting = os.environ.get(name, "").strip() or default
    return f"{setting} of the disk" if setting.endswith("%") else f"{int(setting) / MEGABYTE:.0f} MB"


def disk_lines(instance: Instance) -> list[str]:
    """Return lines with the disk space that our files take, and their limits."""
    packages, uploads = _folder_megabytes(instance.artifacts), _uploads_megabytes(instance.artifacts)
    logs, most = rotation.size(instance.logs) / MEGABYTE, rotation.quota(instance.logs) / MEGABYTE
    return [
        f"  logs       {logs:.0f} MB of at most {most:.0f} MB",
        f"  packages   {packages:.0f} MB of at most {_quota('VNFM_ARTIFACTS_QUOTA', DEFAULT_ARTIFACTS_QUOTA)}",
        f"  uploads    {uploads:.0f} MB of at most {_quota('VNFM_SPOOL_QUOTA', DEFAULT_SPOOL_QUOTA)}",
    ]


def status(instance: Instance, console: Console, *, as_json: bool) -> int:
    """Print the state of the instance; return 0 if it is up, else 3."""
    record = Record.load(instance.record)
    if as_json:
        console.say(json.dumps(document(instance), indent=2))
    elif record is None or not record.alive:
        console.say(f"Nothing runs with the state directory {instance.root}.")
    else:
        console.say(f"{record.phase}: {record.users_url} (supervisor {record.supervisor.pid}, cloud {record.cloud})")
        now = health(record)
        if record.tls_cert:
            until = f", valid until {now.certificate}" if now.certificate else ""
            console.say(f"  TLS by the certificate {record.tls_cert}{until}")
        password = document(instance)["admin"]["password"] or "changed since"
        console.say(f"  first administrator: name {ADMIN}, password {password}")
        for name, service in record.services.items():
            pid = service.pid or "-"
            restarts = f"  restarts {service.restarts}" if service.restarts else ""
            console.say(f"  {name:<10} {service.state:<10} pid {pid}{restarts}")
        for line in disk_lines(instance):
            console.say(line)
        for problem in now.problems:
            console.say(f"  not ready: {problem}")
    return 0 if record is not None and record.alive else NOT_RUNNING


def down(instance: Instance, console: Console) -> int:
    """Stop the instance, also if its supervisor was killed."""
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

"""Heartbeats: the loop that works in a process says that it does not hang (ADR-0041).

`beat` is called by the work itself, never by a thread of its own that would go on while the work hangs. It goes to a
file, which the supervisor of the same machine reads even without a database, and to a row, for alarms and readiness.
"""

import json
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock

import structlog
from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.backends.signals import connection_created
from django.db.models import F
from django.db.models.functions import Now

from vnfm.kit import clock, tracing
from vnfm.kit.models import ProcessHeartbeat

BEAT_SECONDS = 5.0
"""Beats that come sooner after another cost nothing and are not written, unless what is waited for has changed."""
PROCESSES = ("web", "worker", "beat", "relay", "watch", "elements", "counters", "traps")
"""The processes of an installation, by the names in the launcher and in docker-compose.yml."""


def expected_processes() -> tuple[str, ...]:
    """All that run here: `PROCESSES`, and web-2 to web-N of several web processes."""
    return (*PROCESSES, *(f"web-{number}" for number in range(2, settings.WEB_PROCESSES + 1)))


log = structlog.get_logger(__name__)


class Heartbeat:
    """The heartbeat of one process, in the database and in a file."""

    def __init__(self, name: str) -> None:
        self._row = ProcessHeartbeat(name=name, host=socket.gethostname(), pid=os.getpid(), started_at=clock.now())
        folder = settings.HEARTBEAT_DIR
        self._file = Path(folder, f"{name}.{os.getpid()}") if folder else None
        self._written_at = float("-inf")
        self._lock = Lock()

    def beat(self, waiting_for: str) -> None:
        with self._lock:
            same = waiting_for == self._row.waiting_for
            if same and time.monotonic() - self._written_at < BEAT_SECONDS:
                return
            self._written_at, self._row.waiting_for = time.monotonic(), waiting_for
        self._write_file()
        self._write_row()
        if not waiting_for:
            for work in _after_beat:
                work(self._row.name)

    def _write_file(self) -> None:
        if self._file is None:
            return
        shown = {"name": self._row.name, "pid": self._row.pid, "waitingFor": self._row.waiting_for}
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch()  # what counts is its time, which a full disk still takes
            self._file.write_text(json.dumps(shown | {"at": clock.now().isoformat()}))
        except OSError as error:
            log.warning("heartbeat.not_written", error=str(error))

    def _write_row(self) -> None:
        row = self._row
        row.at = Now()
        try:
            row.clock_ahead = follow_clock()
            ProcessHeartbeat.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=["name", "host"],
                update_fields=["pid", "started_at", "at", "waiting_for", "clock_ahead"],
            )
        except DatabaseError as error:
            log.warning("heartbeat.database_unavailable", error=str(error).strip())
        finally:
            row.pk = None
            row._state.adding = True  # noqa: SLF001 - Django documents it


def follow_clock() -> timedelta:
    """Have `clock.now` go by the database's; returns how far the machine's is ahead of it. Raises DatabaseError."""
    with connection.cursor() as cursor:  # which connects: that takes a time of its own
        began = time.monotonic()
        cursor.execute("SELECT statement_timestamp()")
        clock.follow(cursor.fetchone()[0], began)
    return clock.machine() - clock.now()


_own: list[Heartbeat] = []
_after_beat: list[Callable[[str], object]] = []


def call_after_beat(work: Callable[[str], object]) -> None:
    """Have `work` called with the process's name after each beat that is written, unless the process waits."""
    _after_beat.append(work)


def register(name: str) -> None:
    """Let this process beat as `name`, one of `expected_processes`, and go by the database's clock, from now on."""
    try:
        follow_clock()
    except DatabaseError as error:
        log.warning("heartbeat.clock_not_read", error=str(error).strip())
        connection_created.connect(_follow_clock_at_last)
    finally:
        connections.close_all()
    _own[:] = [Heartbeat(name)]
    tracing.start(name)


def _follow_clock_at_last(**_: object) -> None:
    """Read the database's clock with the first connection: nothing is to be written by the machine's clock."""
    connection_created.disconnect(_follow_clock_at_last)
    try:
        follow_clock()
    except DatabaseError:
        connection_created.connect(_follow_clock_at_last)
        raise


def beat(waiting_for: str = "") -> None:
    """The work goes on, or waits for what is named ("database", "broker"). Without `register` nothing happens."""
    for heartbeat in _own:
        heartbeat.beat(waiting_for)


def beat_and_close(waiting_for: str = "") -> None:
    """`beat` in a thread of a pool, which keeps no database connection."""
    beat(waiting_for)
    connections.close_all()


@dataclass(frozen=True, slots=True)
class LatestHeartbeat:
    """The last sign of work of any process of that name; times are the database's."""

    name: str
    host: str
    started_at: datetime
    at: datetime
    silent_seconds: float
    waiting_for: str


def latest_heartbeats() -> list[LatestHeartbeat]:
    """One for each expected name that ever beat; machines that are no longer used do not count next to a later one."""
    rows = (
        ProcessHeartbeat.objects.filter(name__in=expected_processes())
        .order_by("name", "-at")
        .distinct("name")
        .annotate(silent=Now() - F("at"))
    )
    return [
        LatestHeartbeat(row.name, row.host, row.started_at, row.at, row.silent.total_seconds(), row.waiting_for)
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class MachineClock:
    """The offset of a machine's clock from the database's; negative: behind."""

    host: str
    ahead_seconds: float


def machine_clocks(seconds: float) -> list[MachineClock]:
    """One for each machine on which a process of ours has beaten in the last `seconds`."""
    rows = (
        ProcessHeartbeat.objects.filter(at__gt=Now() - timedelta(seconds=seconds), clock_ahead__isnull=False)
        .order_by("host", "-at")
        .distinct("host")
        .values_list("host", "clock_ahead")
    )
    return [MachineClock(host, ahead.total_seconds()) for host, ahead in rows if ahead is not None]

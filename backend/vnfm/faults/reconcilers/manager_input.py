"""Loads the input of the evaluation of the VNF manager itself."""

import time
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from uuid import UUID

from django.conf import settings

from recovery import schedule
from vnfm.faults.domain.evaluate_manager import ObservedBackups, ObservedDisk, ObservedProcess, evaluate_manager
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.models import Manager
from vnfm.faults.reconcilers.evaluation_input import Evaluation
from vnfm.kit.disk import DiskLevel, watched_disks
from vnfm.kit.disk_quota import quotas
from vnfm.kit.durable.heartbeat import latest_heartbeats, machine_clocks

NAME = "VNF manager"
FIRST_BACKUP_SECONDS = 1800.0
"""After a long stop, how long the first backup may take."""


@cache
def _first_evaluated_at() -> float:
    """By the monotonic clock; soon after the start of a process. When this was imported was before its fork."""
    return time.monotonic()


def manager_evaluations(ids: Collection[UUID], now: datetime) -> Iterator[Evaluation]:
    """A process that has just been started with all others takes none for silent before it had the time to beat."""
    observed_for = time.monotonic() - _first_evaluated_at()
    processes = [
        ObservedProcess(beat.name, beat.host, beat.at, min(beat.silent_seconds, observed_for), beat.waiting_for)
        for beat in latest_heartbeats()
    ]
    disks = [
        ObservedDisk(name, space.level != DiskLevel.OK, space.level == DiskLevel.CRITICAL)
        for name, space in watched_disks().items()
    ]
    disks += [
        ObservedDisk(f"quota {quota.name}", quota.level != DiskLevel.OK, quota.level == DiskLevel.CRITICAL)
        for quota in quotas()
    ]
    result = evaluate_manager(
        processes,
        disks,
        silent_after=settings.PROCESS_SILENT_SECONDS,
        backups=scheduled_backups(now, observed_for),
        clocks={one.host: one.ahead_seconds for one in machine_clocks(settings.PROCESS_SILENT_SECONDS)},
    )
    for manager in Manager.objects.filter(id__in=ids):
        yield Evaluation(ObjectType.MANAGER, manager.id, NAME, manager.version, result)


def scheduled_backups(now: datetime, observed_for: float) -> ObservedBackups | None:
    """The state of the folder of scheduled backups; None when none are scheduled. Just started, none is late yet."""
    if not settings.BACKUP_DIR:
        return None
    folder, longest = Path(settings.BACKUP_DIR), timedelta(hours=2 * settings.BACKUP_HOURS)
    status, latest = schedule.read_status(folder), max(schedule.backups(folder).values(), default=None)
    if latest is None:
        late = observed_for > longest.total_seconds()
    else:
        late = now - latest > longest and observed_for > FIRST_BACKUP_SECONDS
    return ObservedBackups(latest, status.error if status is not None else "", late)

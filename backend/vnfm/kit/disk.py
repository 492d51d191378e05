"""Free space of the file systems that our files are on: one measure for alarms, status and refused uploads."""

import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.conf import settings


class DiskLevel(StrEnum):
    OK = "ok"
    LOW = "low"
    """Uploads are refused, so that PostgreSQL keeps the rest."""
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """Bytes of a file system; `free` is what a process without special rights may still use."""

    free: int
    total: int

    @property
    def free_share(self) -> float:
        """The share is 0 (full) to 1 (empty)."""
        return self.free / self.total if self.total else 0.0

    @property
    def level(self) -> DiskLevel:
        """`VNFM_DISK_LOW_PERCENT` and `VNFM_DISK_CRITICAL_PERCENT` are the limits."""
        if self.free_share * 100 < settings.DISK_CRITICAL_PERCENT:
            return DiskLevel.CRITICAL
        return DiskLevel.LOW if self.free_share * 100 < settings.DISK_LOW_PERCENT else DiskLevel.OK


def disk_space(path: Path) -> DiskSpace:
    """Return the space of the file system on which `path` is, or would be made."""
    usage = shutil.disk_usage(existing(path))
    return DiskSpace(usage.free, usage.total)


def watched_disks() -> dict[str, DiskSpace]:
    """The file systems with files of ours, each once, named by the first of these on it."""
    found: dict[str, DiskSpace] = {}
    devices: set[int] = set()
    for name, path in settings.WATCHED_DISKS.items():
        if (device := existing(path).stat().st_dev) not in devices:
            devices.add(device)
            found[name] = disk_space(path)
    return found


def existing(path: Path) -> Path:
    """The path itself, or the nearest folder above it that is there."""
    return next(place for place in (path, *path.absolute().parents) if place.exists())

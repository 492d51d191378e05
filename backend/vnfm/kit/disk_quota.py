"""Limit the disk space of our own files, each kind by itself, so that PostgreSQL keeps the rest (ADR-0044)."""

import os
import shutil
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from vnfm.kit.disk import DiskLevel, existing
from vnfm.kit.durable.places import reserved
from vnfm.kit.problem import Problem

NEARLY = 0.9
"""An alarm is raised from this share of a limit on; at the limit it is critical, and more is refused."""
CACHED_SECONDS = 10.0
UPLOADS = "upload"
"""The places of uploads, in which each has written what it takes of the spool."""


@dataclass(frozen=True, slots=True)
class StorageQuota:
    """`used` and `limit` are bytes."""

    name: str
    setting: str
    used: int
    limit: int

    @property
    def level(self) -> DiskLevel:
        if self.used >= self.limit:
            return DiskLevel.CRITICAL
        return DiskLevel.LOW if self.used >= NEARLY * self.limit else DiskLevel.OK

    @property
    def words(self) -> str:
        return f"{self.name.capitalize()} take {_readable(self.used)} of the {_readable(self.limit)} of {self.setting}."


def quotas() -> list[StorageQuota]:
    """Packages, uploads that are being received, and logs where we know their folder; at most ten seconds old."""
    artifacts, logs = settings.ARTIFACTS_DIR, settings.WATCHED_DISKS.get("logs")
    found = [
        StorageQuota(
            "packages", "VNFM_ARTIFACTS_QUOTA", _folder_bytes(artifacts), _limit(settings.ARTIFACTS_QUOTA, artifacts)
        ),
        StorageQuota(
            "uploads", "VNFM_SPOOL_QUOTA", reserved(places(), UPLOADS), _limit(settings.SPOOL_QUOTA, artifacts)
        ),
    ]
    if logs is not None:
        found.append(StorageQuota("logs", "VNFM_LOGS_QUOTA", _folder_bytes(logs), _limit(settings.LOGS_QUOTA, logs)))
    return found


def places() -> Path:
    """The folder of the places that all processes count."""
    folder: Path = settings.ARTIFACTS_DIR / "places"
    return folder


def upload_refusal(announced: int) -> Problem | None:
    """Return the problem of an upload that would go beyond a limit, which its sentence names; None when it fits."""
    for quota in quotas():
        if quota.name != "logs" and quota.used + announced > quota.limit:
            return Problem(
                507,
                "QUOTA_EXCEEDED",
                "Insufficient storage",
                f"{quota.words} {_readable(announced)} more do not fit.",
                f"Delete packages that no instance uses, or have {quota.setting} raised; then upload again.",
            )
    return None


def _limit(setting: str, folder: Path) -> int:
    """`20%` of the file system, or bytes."""
    if setting.endswith("%"):
        return int(shutil.disk_usage(existing(folder)).total * float(setting[:-1]) / 100)
    return int(setting)


def _folder_bytes(folder: Path) -> int:
    return _measured(str(folder), int(time.monotonic() / CACHED_SECONDS))


@lru_cache(maxsize=4)
def _measured(folder: str, _turn: int) -> int:
    """The bytes of all files below, measured once a turn; a file with several names counts once."""
    sizes: dict[int, int] = {}
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                state = os.lstat(f"{place}/{name}")
            except FileNotFoundError:
                continue
            sizes[state.st_ino] = state.st_blocks * 512
    return sum(sizes.values())


def _readable(number: float) -> str:
    return f"{number / 1e9:.1f} GB" if number >= 1e8 else f"{number / 1e6:.1f} MB"  # noqa: PLR2004 - two units will do

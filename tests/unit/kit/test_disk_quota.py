"""Limits of what our own files take of the disks."""

import os
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from vnfm.kit.disk import DiskLevel
from vnfm.kit.disk_quota import StorageQuota, quotas, upload_refusal
from vnfm.kit.durable.places import RESERVED_SECONDS, Places, reserved

GB = 10**9


@pytest.fixture(autouse=True)
def folders(settings: Settings, tmp_path: Path) -> None:
    settings.ARTIFACTS_DIR = tmp_path / "artifacts"
    (tmp_path / "artifacts" / "objects").mkdir(parents=True)
    (tmp_path / "artifacts" / "objects" / "one").write_bytes(b"x" * 1_000_000)
    (tmp_path / "artifacts" / "staged").hardlink_to(tmp_path / "artifacts" / "objects" / "one")
    settings.WATCHED_DISKS = {"artifacts": settings.ARTIFACTS_DIR, "logs": tmp_path / "artifacts" / "objects"}
    settings.ARTIFACTS_QUOTA, settings.SPOOL_QUOTA, settings.LOGS_QUOTA = "2000000", "1500000", "1"


@pytest.mark.parametrize(
    ("used", "level"), [(89, DiskLevel.OK), (90, DiskLevel.LOW), (99, DiskLevel.LOW), (100, DiskLevel.CRITICAL)]
)
def test_the_level_follows_the_share_that_is_used(used: int, level: DiskLevel) -> None:
    assert StorageQuota("packages", "X", used * GB, 100 * GB).level == level


def test_each_kind_has_its_own_limit_and_a_file_with_two_names_counts_once() -> None:
    packages, uploads, logs = quotas()
    assert 1_000_000 <= packages.used < 1_100_000
    assert (uploads.used, uploads.limit) == (0, 1_500_000)
    assert logs.level == DiskLevel.CRITICAL
    assert packages.words == "Packages take 1.0 MB of the 2.0 MB of VNFM_ARTIFACTS_QUOTA."


def test_an_upload_beyond_a_limit_is_refused_by_the_name_of_the_limit(settings: Settings) -> None:
    assert upload_refusal(500_000) is None
    beyond = upload_refusal(1_100_000)
    assert beyond is not None
    assert (beyond.status, "VNFM_ARTIFACTS_QUOTA" in beyond.detail) == (507, True)
    other = Places("upload", 4, settings.ARTIFACTS_DIR / "places").take()
    assert other is not None
    other.reserve(1_200_000)
    spool = upload_refusal(400_000)
    assert spool is not None
    assert "VNFM_SPOOL_QUOTA" in spool.detail
    other.leave()
    assert upload_refusal(400_000) is None


def test_a_dead_processs_reservation_counts_for_an_hour(tmp_path: Path) -> None:
    place = Places("upload", 1, tmp_path).take()
    assert place is not None
    place.reserve(7)
    assert reserved(tmp_path, "upload") == 7
    long_ago = time.time() - RESERVED_SECONDS - 1
    os.utime(tmp_path / "upload-0", (long_ago, long_ago))
    assert reserved(tmp_path, "upload") == 0
    place.leave()


def test_a_share_is_of_the_file_system(settings: Settings) -> None:
    settings.ARTIFACTS_QUOTA = "50%"
    packages, *_ = quotas()
    stat = os.statvfs(settings.ARTIFACTS_DIR)
    assert packages.limit == pytest.approx(stat.f_blocks * stat.f_frsize / 2, rel=0.01)

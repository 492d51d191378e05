"""Free space: its share and its level."""

from pathlib import Path

import pytest

from vnfm.kit.disk import DiskLevel, DiskSpace, disk_space

GIB = 1024**3


@pytest.mark.parametrize(
    ("free", "level"),
    [
        (100 * GIB, DiskLevel.OK),
        (10 * GIB, DiskLevel.OK),
        (10 * GIB - 1, DiskLevel.LOW),
        (5 * GIB, DiskLevel.LOW),
        (5 * GIB - 1, DiskLevel.CRITICAL),
        (0, DiskLevel.CRITICAL),
    ],
)
def test_the_level_follows_the_free_share(free: int, level: DiskLevel) -> None:
    assert DiskSpace(free, 100 * GIB).level == level


def test_a_file_system_without_blocks_is_full() -> None:
    assert DiskSpace(0, 0).level == DiskLevel.CRITICAL


def test_a_folder_that_is_not_there_yet_is_measured_at_its_parent(tmp_path: Path) -> None:
    there, later = disk_space(tmp_path), disk_space(tmp_path / "not" / "yet")
    assert there.total == later.total > 0
    assert 0 <= later.free_share <= 1

"""The disk of the state directory fills up while an operation runs: an alarm comes before, and all goes on after."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.clock import Clock
from tests.chaos.harness import Harness
from tests.chaos.operations import BY_NAME, DEFAULT
from tests.support.installation import Product, until

SIZE = "600m"
RESERVE = 20 * 1024 * 1024
"""Bytes left free: below the critical level, above what the processes need for the alarm itself."""

pytestmark = [pytest.mark.timeout(600)]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o711)
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0711", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a tmpfs is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_an_alarm_before_the_disk_is_full_and_no_operation_is_lost(small_disk: Path, tmp_path: Path) -> None:
    with Product(small_disk) as product:
        harness = Harness(product, Clock(tmp_path))
        filler = small_disk / "filler"
        _fill(filler, RESERVE)
        until(
            lambda: (_disk_alarm(harness) or {}).get("perceivedSeverity") == "CRITICAL" or None, 60, "a critical alarm"
        )
        assert "disk" in product.vnfm("status")
        instance = harness.create(DEFAULT)
        operation = harness.start(BY_NAME["INSTANTIATE"], instance)
        _fill(small_disk / "rest", 0)
        until(lambda: shutil.disk_usage(small_disk).free < RESERVE or None, 10, "the disk is full")
        filler.unlink()
        (small_disk / "rest").unlink()
        assert harness.ended(operation)["operationState"] == "COMPLETED"
        assert harness.findings() == []
        until(lambda: _disk_alarm(harness) is None or None, 60, "the alarm clears")


def _fill(file: Path, leave: int) -> None:
    """Take the free space but `leave` bytes."""
    block = bytes(1024 * 1024)
    with file.open("wb", buffering=0) as output:
        try:
            while shutil.disk_usage(file.parent).free > leave + len(block):
                output.write(block)
        except OSError:
            return


def _disk_alarm(harness: Harness) -> dict[str, str] | None:
    rows = harness.get("/api/v1/alarms?filter=(eq,faultType,ManagerDiskSpaceLow)")
    return next((row for row in rows if not row["alarmClearedTime"]), None)

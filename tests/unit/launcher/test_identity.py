"""All programs of a container recognise the same process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = "from launcher.processes import Identity; import os; print(Identity.of(os.getppid()).started)"
TWO_PROCS = """
mount -t tmpfs none /run && mkdir /run/systemd && {container}
"$@"
cat /proc/sys/kernel/random/uuid > /run/other && mount --bind /run/other /proc/sys/kernel/random/boot_id
"$@"
"""
"""A container of systemd's: some of its processes see the boot_id of the machine, others that of the container."""


def _started(container: str) -> list[str]:
    script = TWO_PROCS.format(container=container)
    command = ["unshare", "--mount", "sh", "-ec", script, "-", sys.executable, "-c", SCRIPT]
    backend = Path(__file__).parents[3] / "backend"
    done = subprocess.run(command, cwd=backend, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.split()


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="needs root, for mounts of its own")
@pytest.mark.parametrize(("container", "same"), [("echo lxc > /run/systemd/container", True), ("true", False)])
def test_a_process_of_a_container_is_recognised_by_all_of_it(container: str, *, same: bool) -> None:
    first, second = _started(container)
    assert (first == second) == same
    assert first.partition("/")[2] == second.partition("/")[2] != ""

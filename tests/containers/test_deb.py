"""The Debian package in a root that has nothing but Debian: installed without a network, demo run, removed, purged.

Needs root, debootstrap, dpkg-deb and a Debian mirror that apt reaches. systemd does not run in there: the unit is
checked by `tests/unit/tools/test_deb.py`, and what it starts is started here as its user.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher.ports import free_port

BACKEND = Path(__file__).parents[2] / "backend"
SUITE = "bookworm"
PACKAGES = "python3,python3-venv"
MOUNTS = (("proc", "-t", "proc", "proc"), ("sys", "-t", "sysfs", "-o", "ro", "sysfs"), ("dev", "--rbind", "/dev"))

pytestmark = [
    pytest.mark.containers,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(shutil.which("debootstrap") is None or os.geteuid() != 0, reason="needs debootstrap and root"),
]


class DebianRoot:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str, check: bool = True) -> str:
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        words = ["chroot", str(self.folder), *command]
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0 or not check, f"{command}: {done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("package") / "vnfm.deb"
    subprocess.run([sys.executable, "-m", "tools.deb", file], cwd=BACKEND, check=True, timeout=900)
    return file


@pytest.fixture
def debian(tmp_path: Path) -> Iterator[DebianRoot]:
    folder = tmp_path / "debian"
    command = ("debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, folder)
    subprocess.run(command, capture_output=True, check=True, timeout=900)
    mounted = []
    try:
        for name, *source in MOUNTS:
            subprocess.run(["mount", *source, folder / name], check=True)
            mounted.append(folder / name)
        subprocess.run(["mount", "--make-rslave", folder / "dev"], check=True)
        yield DebianRoot(folder)
    finally:
        for place in reversed(mounted):
            subprocess.run(["umount", "--recursive", "--lazy", place], check=True)


def test_it_installs_runs_the_demo_and_leaves_nothing(debian: DebianRoot, package: Path) -> None:
    shutil.copy(package, debian.folder / "vnfm.deb")
    debian.run("unshare", "--net", "dpkg", "--install", "/vnfm.deb")
    state = debian.folder / "var/lib/vnfm"
    assert state.stat().st_mode & 0o777 == 0o700
    debian.run("vnfm", "up", "--detach", "--port", str(free_port()))
    try:
        assert "All steps are as they should be" in debian.run("vnfm", "demo")
        owners = {path.lstat().st_uid for path in state.rglob("*")}
        assert owners == {state.stat().st_uid}
        assert state.stat().st_uid != 0
    finally:
        debian.run("vnfm", "down")
    debian.run("dpkg", "--remove", "vnfm")
    assert (state / "postgres").exists(), "removal keeps the data"
    debian.run("dpkg", "--purge", "vnfm")
    assert not [path for path in ("opt/vnfm", "var/lib/vnfm", "etc/vnfm") if (debian.folder / path).exists()]
    assert debian.run("getent", "passwd", "vnfm", check=False) == ""

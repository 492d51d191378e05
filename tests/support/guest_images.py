"""Images for guests that need no operating system: boot sectors that write to the serial port."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest


def boot_sector(words: str, *, power_off: bool = False) -> bytes:
    """A disk of one sector that writes `words` to COM1 and then halts, or switches its PC off."""
    rest = bytes.fromhex("ba0406 b80020 ef") if power_off else b""  # PIIX4's power management: soft off
    rest += bytes.fromhex("f4 ebfd")
    start = 19 + len(rest)
    code = bytes.fromhex(f"fa 31c0 8ed8 be{start:02x}7c baf803 ac 84c0 7403 ee ebf8") + rest
    return (code + words.encode() + b"\0").ljust(510, b"\0") + b"\x55\xaa"


def require_qemu() -> None:
    """Skip with a reason where QEMU is absent; fail where it is required."""
    missing = [name for name in ("qemu-system-x86_64", "qemu-img") if shutil.which(name) is None]
    if missing and os.environ.get("REQUIRE_QEMU"):
        pytest.fail(f"missing: {', '.join(missing)}")
    if missing:
        pytest.skip(f"guests need what is missing here: {', '.join(missing)}")


def processes_of(word: str) -> list[int]:
    """Ids of the processes with a word in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:  # it has ended
            continue
    return found


def root_file_system(folder: Path, words: str, *, power_off: bool = False) -> bytes:
    """A disk with the programs of this machine's shell: says `words` as a service that starts, and stays, or ends."""
    root, disk = folder / "root", folder / "disk.raw"
    shutil.rmtree(folder, ignore_errors=True)
    for tool in ("sh", "rm", "mkdir", "chmod", "sleep", "hostname", "ls"):
        _copy_program(root, tool)
    script = root / "etc" / "rc2.d" / "S01words"
    script.parent.mkdir(parents=True)
    end = '[ "$1" = start ] && kill -TERM 1\n' if power_off else ""
    script.write_text(f"#!/bin/sh\necho '{words}' \"$1\"\n{end}")
    script.chmod(0o755)
    disk.write_bytes(b"")
    os.truncate(disk, 24 << 20)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), str(disk)], check=True)
    return disk.read_bytes()


def _copy_program(root: Path, tool: str) -> None:
    """Copy it with the libraries that it needs."""
    program = shutil.which(tool)
    assert program is not None
    listed = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    for file in (program, *re.findall(r"(/\S+) \(", listed)):
        copy = root / file.removeprefix("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    link = root / "bin" / tool
    if not link.exists():
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(program)


def lacking_namespaces() -> str:
    """Why guests cannot run in namespaces here; "" if they can."""
    if os.geteuid() != 0:
        return "guests in namespaces need root"
    missing = [name for name in ("ip", "unshare", "setpriv", "mke2fs", "qemu-img") if shutil.which(name) is None]
    if missing:
        return f"guests in namespaces need what is missing here: {', '.join(missing)}"
    probe = "ip link add vnfm-probe type bridge && ip link delete vnfm-probe && unshare --mount --pid --fork true"
    made = subprocess.run(["sh", "-c", probe], capture_output=True, text=True, check=False)
    return f"no namespaces can be made here: {made.stderr.strip()}" if made.returncode else ""

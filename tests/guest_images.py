"""Images for guests that need no operating system: boot sectors that write to the serial port."""

from __future__ import annotations

import os
import shutil
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

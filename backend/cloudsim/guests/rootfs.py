"""Unpacks the root file system of a disk image. Needs root and a kernel with loop devices and the file system."""

from __future__ import annotations

import shutil
import struct
import uuid
from typing import TYPE_CHECKING, BinaryIO

from cloudsim.guests.model import GuestError, GuestImage
from cloudsim.guests.processes import output_of
from cloudsim.guests.qemu import inspect

if TYPE_CHECKING:
    from pathlib import Path

SECTOR = 512
_LINUX_MBR = 0x83
_LINUX_GPT = frozenset(
    uuid.UUID(text).bytes_le
    for text in ("0FC63DAF-8483-4772-8E79-3D69D8477DE4", "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709")
)
"""The partition types of a Linux file system and of a root file system of x86-64."""
_COPY = 'mount -o ro,noload,loop,offset="$2" "$1" "$3" && cp -a --reflink=auto "$3/." "$4" && umount "$3"'


async def unpack(image: GuestImage, target: Path) -> None:
    """Copy the root file system to a new folder, unless that exists. Raises GuestError."""
    work = target.with_suffix(".part")
    if not _begin(target, work):
        return
    await inspect(image)
    raw, mount, root = work / "disk.raw", work / "mount", work / "root"
    try:
        await output_of("qemu-img", "convert", "-f", image.format, "-O", "raw", str(image.path), str(raw))
        offset = str(root_offset(raw))
        await _copy(raw, offset, mount, root)
        root.rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)


async def _copy(raw: Path, offset: str, mount: Path, root: Path) -> None:
    try:
        await output_of("unshare", "--mount", "sh", "-c", _COPY, "sh", str(raw), offset, str(mount), str(root))
    except GuestError as error:
        raise GuestError(f"The image has no file system that this machine reads ({error})") from error


def _begin(target: Path, work: Path) -> bool:
    """Create the working folders; return False if the target exists already."""
    if target.exists():
        return False
    shutil.rmtree(work, ignore_errors=True)
    for name in ("mount", "root"):
        (work / name).mkdir(parents=True)
    return True


def root_offset(disk: Path) -> int:
    """Return the offset of a raw disk's largest Linux partition; 0 for a disk without a partition table.

    Raises GuestError if the table has no Linux partition.
    """
    with disk.open("rb") as file:
        first, table = file.read(SECTOR), file.read(SECTOR)
        if first[510:] != b"\x55\xaa":
            return 0
        parts = _gpt(file, table) if table[:8] == b"EFI PART" else _mbr(first)
    if not parts:
        raise GuestError("the image has no Linux partition")
    return max(parts)[1] * SECTOR


def _mbr(sector: bytes) -> list[tuple[int, int]]:
    """Return number of sectors and first sector of each Linux partition."""
    found = []
    for place in range(446, 510, 16):
        kind, start, size = sector[place + 4], *struct.unpack("<II", sector[place + 8 : place + 16])
        if kind == _LINUX_MBR:
            found.append((size, start))
    return found


def _gpt(file: BinaryIO, header: bytes) -> list[tuple[int, int]]:
    start, count, size = struct.unpack("<QII", header[72:88])
    file.seek(start * SECTOR)
    found = []
    for _ in range(min(count, 128)):
        entry = file.read(size)
        first, last = struct.unpack("<QQ", entry[32:48])
        if entry[:16] in _LINUX_GPT:
            found.append((last - first + 1, first))
    return found

"""Writes a small ISO 9660 image, the format of a config drive.

It follows ECMA-119, interchange level 2, without extensions: Linux shows names in lower case and without version.
Directories may be three levels deep, a directory fills one sector, and each file has one extent.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePosixPath

SECTOR = 2048
_SYSTEM_SECTORS = 16
_FIRST = _SYSTEM_SECTORS + 4
"""The first sector after system area, primary descriptor, terminator and both path tables."""


@dataclass
class _Folder:
    name: str
    parent: _Folder | None
    folders: dict[str, _Folder] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    sector: int = 0
    number: int = 1


def iso_image(label: str, files: Mapping[str, bytes], created: datetime | None = None) -> bytes:
    """Return the image with a volume label and files by path. Raises ValueError for content that does not fit."""
    stamp = _stamp(created or datetime.now(UTC))
    folders = _tree(files)
    sector = _FIRST
    for folder in folders:
        folder.sector, sector = sector, sector + 1
    places: dict[int, int] = {}
    contents: list[bytes] = []
    for folder in folders:
        for content in folder.files.values():
            places[id(content)] = sector
            padded = content + b"\0" * (-len(content) % SECTOR)
            contents.append(padded)
            sector += len(padded) // SECTOR
    tables = [_path_table(folders, order) for order in ("<", ">")]
    head = [
        b"\0" * SECTOR * _SYSTEM_SECTORS,
        _descriptor(label, sector, folders[0], len(tables[0]), stamp),
        (b"\xffCD001\x01").ljust(SECTOR, b"\0"),
        *(table.ljust(SECTOR, b"\0") for table in tables),
    ]
    return b"".join([*head, *(_extent(folder, places, stamp) for folder in folders), *contents])


def _tree(files: Mapping[str, bytes]) -> list[_Folder]:
    """Return all folders, the root first, each after its parent."""
    root = _Folder("", None)
    for path, content in sorted(files.items()):
        *parents, name = PurePosixPath(path).parts
        folder = root
        for part in parents:
            folder = folder.folders.setdefault(part, _Folder(part, folder))
        folder.files[name] = bytes(bytearray(content))  # a separate object, since its sector is looked up by identity
    found = [root]
    for folder in found:
        found += folder.folders.values()
    for number, folder in enumerate(found, start=1):
        folder.number = number
    return found


def _both(number: int) -> bytes:
    return struct.pack("<I", number) + struct.pack(">I", number)


def _both16(number: int) -> bytes:
    return struct.pack("<H", number) + struct.pack(">H", number)


def _stamp(when: datetime) -> bytes:
    return bytes([when.year - 1900, when.month, when.day, when.hour, when.minute, when.second, 0])


def _record(name: bytes, sector: int, size: int, stamp: bytes, *, folder: bool) -> bytes:
    """Return a directory record (9.1)."""
    pad = b"" if len(name) % 2 else b"\0"
    body = b"\0" + _both(sector) + _both(size) + stamp + bytes([2 if folder else 0, 0, 0]) + _both16(1)
    body += bytes([len(name)]) + name + pad
    return bytes([len(body) + 1]) + body


def _file_name(name: str) -> bytes:
    dotted = name if "." in name else f"{name}."
    return f"{dotted.upper()};1".encode("ascii")


def _extent(folder: _Folder, places: Mapping[int, int], stamp: bytes) -> bytes:
    above = folder.parent or folder
    records = [
        _record(b"\0", folder.sector, SECTOR, stamp, folder=True),
        _record(b"\1", above.sector, SECTOR, stamp, folder=True),
    ]
    entries = [(one.name.upper().encode("ascii"), one.sector, SECTOR, True) for one in folder.folders.values()] + [
        (_file_name(name), places[id(data)], len(data), False) for name, data in folder.files.items()
    ]
    records += [_record(name, sector, size, stamp, folder=kind) for name, sector, size, kind in sorted(entries)]
    data = b"".join(records)
    if len(data) > SECTOR:
        raise ValueError(f"too many files in {folder.name or '/'}")
    return data.ljust(SECTOR, b"\0")


def _path_table(folders: list[_Folder], order: str) -> bytes:
    table = b""
    for folder in folders:
        name = folder.name.upper().encode("ascii") or b"\0"
        parent = folder.parent.number if folder.parent else 1
        table += (
            struct.pack(f"{order}BBIH", len(name), 0, folder.sector, parent) + name + (b"\0" if len(name) % 2 else b"")
        )
    if len(table) > SECTOR:
        raise ValueError("too many folders")
    return table


def _descriptor(label: str, sectors: int, root: _Folder, table_size: int, stamp: bytes) -> bytes:
    """Return the primary volume descriptor (8.4)."""
    never = b"0" * 16 + b"\0"
    fields = [
        b"\x01CD001\x01\0",
        b" " * 32,
        label.encode("ascii").ljust(32),
        b"\0" * 8,
        _both(sectors),
        b"\0" * 32,
        _both16(1),
        _both16(1),
        _both16(SECTOR),
        _both(table_size),
        struct.pack("<II", _SYSTEM_SECTORS + 2, 0),
        struct.pack(">II", _SYSTEM_SECTORS + 3, 0),
        _record(b"\0", root.sector, SECTOR, stamp, folder=True),
        b" " * (128 * 4 + 37 * 3),
        never * 4,
        b"\x01\0",
    ]
    return b"".join(fields).ljust(SECTOR, b"\0")

"""Safe unpacking of untrusted zip files: into the staging folder only, with limits on sizes, names never trusted."""

import io
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vnfm.catalog.artifacts.store import StagedFile, TooLargeError, stage
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.foreign_formats import HEAD_BYTES, ITSELF_A_ZIP, recognise_upload

MAX_FILES = 1000
MAX_DIRECTORY_BYTES = 2 * 1024 * 1024
"""Size of the zip's central directory, which zipfile reads into memory at once."""
MAX_RATIO = 200
RATIO_FROM_BYTES = 10 * 1024 * 1024
"""Unpacked size up to which the ratio does not matter, for one file and for all files together."""
MAX_PATH = 300
_UTF8 = 0x800
_JOINERS = "\u200c\u200d"
"""Format characters that words of several languages, and emoji, are written with."""
_BACKSLASH = (
    "The program that made the zip wrote a backslash between folder and file, where zips have /, as old ones of .NET "
    "do. Zip the files again with another program."
)
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Limits:
    unpacked_bytes: int


_ZIP_AGAIN = "Zip it again with plain files only: the templates, their environment and the files that they name."


class _BoundedFile(io.FileIO):
    """Refuses the huge read that a forged directory size would cause."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY_BYTES:
            raise zipfile.BadZipFile(f"its directory claims {size} bytes")
        return super().read(size)


def unpack(path: Path, folder: Path, limits: Limits) -> dict[str, StagedFile]:
    """Unpack the zip at `path` into the staging folder, under generated names; returns its files by their path.

    Raises PackageError: NOT_A_ZIP, ZIP_REFUSED or PACKAGE_TOO_LARGE.
    """
    try:
        with _BoundedFile(str(path)) as file, zipfile.ZipFile(file) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            faults = list(_faults(archive.infolist(), members))
            if faults:
                raise PackageError("ZIP_REFUSED", faults, _ZIP_AGAIN)
            _check_size(members, limits)
            return {_name(info): _unpack_one(archive, info, folder) for info in members}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError) as error:
        raise _no_zip(path, error) from error


def _no_zip(path: Path, error: Exception) -> PackageError:
    """Say what was sent instead of a zip, where its format is recognised; a broken zip is recognised as a zip."""
    with path.open("rb") as file:
        found = recognise_upload(file.read(HEAD_BYTES))
    if found is None or found.format.what == ITSELF_A_ZIP:
        message = f"This is not a readable zip: {error}."
        return PackageError("NOT_A_ZIP", [PackageFault("", message)], "Send a VNF package as a zip.")
    fault = PackageFault("", f"This is not a readable zip: it is {found.format.what}. {found.format.advice}")
    return PackageError("NOT_A_ZIP", [fault], found.format.advice)


def _name(info: zipfile.ZipInfo) -> str:
    """The entry's name; UTF-8 also where the zip does not say so, as of macOS, if its bytes are that."""
    if not info.flag_bits & _UTF8:
        with suppress(UnicodeError):
            return info.filename.encode("cp437").decode()
    return info.filename


def _unpack_one(archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> StagedFile:
    try:
        with archive.open(info) as source:
            return stage(source, folder, info.file_size)
    except TooLargeError as error:
        fault = PackageFault(info.filename, "The file is larger than the zip's directory says.")
        raise PackageError("ZIP_REFUSED", [fault], "Build the zip again.") from error


def _check_size(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    total = sum(info.file_size for info in members)
    if total > limits.unpacked_bytes:
        fault = PackageFault("", f"Unpacked, the package has {total} bytes; {limits.unpacked_bytes} are allowed.")
        raise PackageError("PACKAGE_TOO_LARGE", [fault], "Leave images out and upload them to Glance yourself.", 413)
    if _too_dense(total, sum(info.compress_size for info in members)):
        fault = PackageFault("", f"All files together unpack to more than {MAX_RATIO} times their packed size.")
        raise PackageError("ZIP_REFUSED", [fault], _ZIP_AGAIN)


def _faults(entries: list[zipfile.ZipInfo], members: list[zipfile.ZipInfo]) -> Iterator[PackageFault]:
    if len(entries) > MAX_FILES:
        yield PackageFault("", f"The zip has {len(entries)} entries; {MAX_FILES} are allowed.")
        return
    for info in entries:
        message = _name_fault(info) or _entry_fault(info)
        if message:
            yield PackageFault(_printable(info.filename), message)
    names = [_name(info) for info in members]
    unique: set[str] = set()
    for name in names:
        if name in unique:
            yield PackageFault(_printable(name), "The zip has this file twice.")
        unique.add(name)
    folders = {parent for name in unique for parent in _parents(name)}
    for name in sorted(unique & folders):
        yield PackageFault(_printable(name), "This is a file and a folder at once.")


def _name_fault(info: zipfile.ZipInfo) -> str:
    name = _name(info)
    segments = name.rstrip("/").split("/")
    unmarked = not name.isascii() and not info.flag_bits & _UTF8 and name == info.filename
    control = any(unicodedata.category(each).startswith("C") for each in name if each not in _JOINERS)
    checks = (
        (info.filename != info.orig_filename, "The name holds a zero byte or a foreign separator."),
        (unmarked, "The name is neither ASCII nor UTF-8."),
        (len(name) > MAX_PATH, f"The name is longer than {MAX_PATH} characters."),
        (name.startswith("/") or name[1:2] == ":", "The path is absolute; it must start at the package's root."),
        (".." in name.replace("\\", "/").split("/"), "The path leads out of the package."),
        ("\\" in name, _BACKSLASH),
        ("." in segments or "" in segments, "The path is not plain: write folder/file."),
        (control, "The name holds control characters."),
    )
    return next((message for wrong, message in checks if wrong), "")


def _entry_fault(info: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "Only files and folders are allowed, no links and no devices."
    if info.flag_bits & _ENCRYPTED:
        return "The file is protected by a password (encrypted): zip the files again without one."
    if info.compress_type not in _METHODS:
        return "Only the methods store and deflate are allowed: zip it again with the default method."
    if _too_dense(info.file_size, info.compress_size):
        return f"The file unpacks to more than {MAX_RATIO} times its packed size."
    return ""


def _too_dense(unpacked: int, packed: int) -> bool:
    return unpacked > RATIO_FROM_BYTES and unpacked > MAX_RATIO * max(packed, 1)


def _parents(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))


def _printable(name: str) -> str:
    return "\\".join(part.encode("unicode_escape").decode() for part in name.split("\\"))[:MAX_PATH]

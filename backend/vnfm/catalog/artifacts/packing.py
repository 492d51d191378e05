"""Builds a package zip from a folder of `catalog/`: adds library files, writes the manifest of all files."""

import zipfile
from collections.abc import Mapping
from hashlib import file_digest
from pathlib import Path
from typing import Any

from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.content import is_desktop_file
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.package import VNFD

_EPOCH = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16


def package_files(folder: Path, library: Path) -> dict[str, Path]:
    """All files of the package by their path in it: those of the folder, without what a desktop put there, and library
    files from `heat_templates/`.

    Raises PackageError when there is no vnfd.yaml or a library file is missing.
    """
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    files = {name: path for name, path in found.items() if not is_desktop_file(name)}
    if VNFD not in files:
        raise _incomplete(PackageFault(VNFD, f"There is no {VNFD} in {folder}."))
    document = parse_yaml(VNFD, files[VNFD].read_bytes())
    for path, source in _library(document.data).items():
        template = (library / source).resolve()
        if path in files or not template.is_file() or not template.is_relative_to(library.resolve()):
            why = "is in the package's folder already" if path in files else f"does not exist as {source}"
            raise _incomplete(document.fault(("library", path), f"The library file {path} {why}."))
        files[path] = template
    return files


def _library(data: Mapping[str, Any]) -> dict[str, str]:
    entries = data.get("library")
    return {str(k): str(v) for k, v in entries.items()} if isinstance(entries, Mapping) else {}


def _incomplete(fault: PackageFault) -> PackageError:
    return PackageError("VNFD_INVALID", [fault], "Correct the folder of the package.")


def manifest_of(files: Mapping[str, Path]) -> str:
    return manifest.manifest_text({path: file_sha256(file) for path, file in files.items()})


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path, library: Path, *, write: bool = True) -> bool:
    """Write the folder's MANIFEST.json; returns whether it was missing or out of date."""
    target, text = folder / manifest.NAME, manifest_of(package_files(folder, library))
    if target.is_file() and target.read_text() == text:
        return False
    if write:
        target.write_text(text)
    return True


def zip_entry(path: str) -> zipfile.ZipInfo:
    """An entry without time and owner, so that the same files always give the same zip."""
    info = zipfile.ZipInfo(path, _EPOCH)
    info.external_attr = _MODE
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def write_zip(folder: Path, library: Path, target: Path) -> int:
    """Zip the package with its present manifest; returns the number of files. Same files, same bytes."""
    files = package_files(folder, library)
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(files):
            info = zip_entry(path)
            info.file_size = files[path].stat().st_size
            with files[path].open("rb") as source, archive.open(info, "w") as packed:
                while chunk := source.read(1024 * 1024):
                    packed.write(chunk)
    return len(files)

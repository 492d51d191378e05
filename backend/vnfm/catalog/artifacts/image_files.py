"""Puts images into a package folder whose VNFD has placeholders for them."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import yaml

from vnfm.catalog.artifacts.packing import file_sha256
from vnfm.catalog.domain import manifest
from vnfm.catalog.domain.documents import parse_yaml
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.package import VNFD

FOLDER = "images"
_NOT_REAL = "placeholder"


def copy_with_images(folder: Path, images: Mapping[str, Path], target: Path) -> None:
    """The folder with images by the id of their softwareImages entry, as a package of its own: its vnfdId follows from
    the images' checksums, so that equal images give an equal package.

    Raises PackageError for an image that the VNFD has no placeholder for.
    """
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(manifest.NAME))
    document = parse_yaml(VNFD, (folder / VNFD).read_bytes())
    data: dict[str, Any] = yaml.safe_load((folder / VNFD).read_text())
    entries = {entry["id"]: entry for entry in data.get("softwareImages", ()) if entry.get(_NOT_REAL)}
    digests = []
    for image_id, file in sorted(images.items()):
        if image_id not in entries:
            raise _without_placeholder(document.fault(("softwareImages",), _missing(image_id, [*entries])))
        path = f"{FOLDER}/{file.name}"
        _link(file, target / path)
        entry = entries[image_id]
        del entry[_NOT_REAL]
        entry |= {"path": path, "name": entry["name"].removesuffix(f" ({_NOT_REAL})")}
        digests.append(file_sha256(file))
    data["vnfdId"] = str(uuid5(UUID(data["vnfdId"]), " ".join(digests)))
    data["notes"] = [note for note in data.get("notes", ()) if _NOT_REAL not in note]
    (target / VNFD).write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120))


def _missing(image_id: str, known: list[str]) -> str:
    return f"There is no placeholder {image_id!r} for an image; there is {', '.join(known) or 'none'}."


def _without_placeholder(fault: PackageFault) -> PackageError:
    return PackageError("VNFD_INVALID", [fault], "Name the id of a softwareImages entry that is a placeholder.")


def _link(file: Path, target: Path) -> None:
    """A hard link where the file system has one: images are large."""
    target.parent.mkdir(exist_ok=True)
    try:
        os.link(file, target)
    except OSError:
        shutil.copyfile(file, target)

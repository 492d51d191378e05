"""Package contents for tests: the shipped one, changed at will, as a zip."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from vnfm.catalog.domain.package import Package

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "heat_templates"
SHIPPED = ROOT / "catalog" / "nokia" / "vsr-pe" / "0.0.B2-4601"
VMG = ROOT / "catalog" / "nokia" / "vmg-saegw" / "8.0"
VCPE = ROOT / "catalog" / "overture" / "vcpe-chain" / "15.1.0.38"
VEPC = ROOT / "catalog" / "netronome" / "vepc" / "1.0"
XRV = ROOT / "catalog" / "cisco" / "ios-xrv-9000" / "version-not-stated"


def shipped_folders() -> list[Path]:
    return sorted(path.parent for path in (ROOT / "catalog").glob("*/*/*/vnfd.yaml"))


def shipped_files(folder: Path) -> dict[str, bytes]:
    """The files of a shipped package, manifest and library files included."""
    return dict(_read_files(folder))


@cache
def _read_files(folder: Path) -> dict[str, bytes]:
    from vnfm.catalog.artifacts.packing import package_files

    return {path: file.read_bytes() for path, file in package_files(folder, LIBRARY).items()}


def shipped_zip(folder: Path = SHIPPED) -> bytes:
    return zipped(shipped_files(folder))


@cache
def shipped_package(folder: Path) -> "Package":
    """The shipped package as the catalog reads it: no database. It is the same object for all tests."""
    from vnfm.catalog.domain.content import Content, FileInfo
    from vnfm.catalog.domain.package import check_package

    files = shipped_files(folder)
    infos = {path: FileInfo(sha256(data).hexdigest(), len(data)) for path, data in files.items()}
    return check_package(Content(infos, files.__getitem__), schema("manifest"), schema("vnfd"))


def schema(name: str) -> Any:
    return json.loads((ROOT / "catalog" / "schema" / f"{name}.schema.json").read_text())


def vsr_files() -> dict[str, bytes]:
    """The files of the shipped VSR-PE, library files included."""
    return shipped_files(SHIPPED)


def with_manifest(files: Mapping[str, bytes]) -> dict[str, bytes]:
    from vnfm.catalog.domain.manifest import NAME, manifest_text

    digests = {path: sha256(data).hexdigest() for path, data in files.items()}
    return {**files, NAME: manifest_text(digests).encode()}


def edited(path: str, change: Callable[[Any], None], files: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """The shipped files with one YAML changed, and a manifest that is true again."""
    files = dict(files or vsr_files())
    loader = type("Loader", (yaml.CSafeLoader,), {"yaml_implicit_resolvers": {}})
    loader.yaml_implicit_resolvers = {
        first: [(tag, regexp) for tag, regexp in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }
    data = yaml.load(files[path], loader)
    change(data)
    files[path] = yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False).encode()
    return with_manifest(files)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The same files are the same bytes at any time, so that what was examined once is known again."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def vsr_zip(vnfd_id: str | None = None) -> bytes:
    """A package like the shipped one; with `vnfd_id` as another VNFD."""
    if vnfd_id is None:
        return zipped(with_manifest(vsr_files()))
    return zipped(edited("vnfd.yaml", lambda data: data.update(vnfdId=vnfd_id)))


NEXT = "13.0.R7"
NEXT_VNFD = "5f0c1c2e-7c1d-4f0a-9a53-000000000007"


def _unchanged(_: Any) -> None:
    pass


def vsr_next(
    change: Callable[[Any], None] = _unchanged, hot: Callable[[Any], None] = _unchanged, folder: Path = SHIPPED
) -> bytes:
    """The next version of a shipped package: the same router, another software image; `change` edits its VNFD, `hot`
    its template."""
    from vnfm.catalog.domain.placeholder import placeholder_qcow2

    image = {"id": "vsr", "name": f"VSR {NEXT}", "path": "images/vsr.qcow2"}

    def edit(vnfd: Any) -> None:
        vnfd.update(vnfdId=NEXT_VNFD, softwareVersion=NEXT)
        vnfd["softwareImages"] = [{**image, "diskFormat": "qcow2", "containerFormat": "bare"}]
        change(vnfd)

    files = edited("base.yaml", hot, {**shipped_files(folder), image["path"]: placeholder_qcow2() + b"\0" * 512})
    return zipped(edited("vnfd.yaml", edit, files))


def gateway_files() -> dict[str, bytes]:
    """A small product of two groups whose sum is limited, see gateway/vnfd.yaml."""
    folder = Path(__file__).parent / "gateway"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


def gateway_zip() -> bytes:
    return zipped(with_manifest(gateway_files()))

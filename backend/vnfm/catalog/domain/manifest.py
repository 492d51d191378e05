"""MANIFEST.json: the SHA-256 of every file of a package, so that no file is missing, changed or added."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.errors import PackageError, PackageFault

NAME = "MANIFEST.json"
FORMAT = "vnf-package/1"
MAX_BYTES = 1024 * 1024


def manifest_text(digests: Mapping[str, str]) -> str:
    """The manifest for these SHA-256, sorted, so that a change of one file changes one line."""
    listed = {path: digests[path] for path in sorted(digests) if path != NAME}
    return json.dumps({"format": FORMAT, "files": listed}, indent=2) + "\n"


def parse_manifest(content: bytes) -> Any:
    """Return the manifest as JSON, its form not checked yet; raises PackageError for other text."""
    try:
        if len(content) > MAX_BYTES:
            raise ValueError(f"{len(content)} bytes, of which {MAX_BYTES} are allowed")  # noqa: TRY301 (one way out)
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _mismatch([PackageFault(NAME, f"The manifest is not JSON: {error}.")]) from error


def check_manifest(manifest: Mapping[str, Any], digests: Mapping[str, str]) -> None:
    """Compare with the package's files; raises PackageError that names every difference."""
    faults = list(_differences(manifest["files"], {path: d for path, d in digests.items() if path != NAME}))
    if faults:
        raise _mismatch(faults)


def _differences(listed: Mapping[str, str], found: Mapping[str, str]) -> Iterator[PackageFault]:
    for path in sorted(listed.keys() | found.keys()):
        if path not in found:
            yield PackageFault(path, f"{NAME} lists the file, but the package does not have it.")
        elif path not in listed:
            yield PackageFault(path, f"The package has the file, but {NAME} does not list it.")
        elif listed[path] != found[path]:
            yield PackageFault(path, f"The file's SHA-256 is {found[path]}, {NAME} says {listed[path]}.")


def _mismatch(faults: list[PackageFault]) -> PackageError:
    return PackageError(
        "MANIFEST_MISMATCH", faults, "Run `manage.py package_manifest` on the package's folder and build it again."
    )

"""MANIFEST.json: every file of a package with its SHA-256, so that nothing is missing, changed or smuggled in."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from vnfm.catalog.domain.errors import Fault, PackageError

NAME = "MANIFEST.json"
FORMAT = "vnf-package/1"
MAX_BYTES = 1024 * 1024


def manifest_text(digests: Mapping[str, str]) -> str:
    """The manifest of files with these SHA-256, sorted, so that a change of one file changes one line."""
    listed = {path: digests[path] for path in sorted(digests) if path != NAME}
    return json.dumps({"format": FORMAT, "files": listed}, indent=2) + "\n"


def parse_manifest(content: bytes) -> Any:
    """The manifest's JSON, its form still unchecked; raises PackageError when it is no JSON."""
    try:
        if len(content) > MAX_BYTES:
            raise ValueError(f"{len(content)} bytes, of which {MAX_BYTES} are allowed")  # noqa: TRY301 (one way out)
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _mismatch([Fault(NAME, f"The manifest is not JSON: {error}.")]) from error


def check_manifest(manifest: Mapping[str, Any], digests: Mapping[str, str]) -> None:
    """Compare with the files that are there; raises PackageError naming every difference."""
    faults = list(_differences(manifest["files"], {path: d for path, d in digests.items() if path != NAME}))
    if faults:
        raise _mismatch(faults)


def _differences(listed: Mapping[str, str], found: Mapping[str, str]) -> Iterator[Fault]:
    for path in sorted(listed.keys() | found.keys()):
        if path not in found:
            yield Fault(path, f"{NAME} lists the file, but the package does not have it.")
        elif path not in listed:
            yield Fault(path, f"The package has the file, but {NAME} does not list it.")
        elif listed[path] != found[path]:
            yield Fault(path, f"The file's SHA-256 is {found[path]}, {NAME} says {listed[path]}.")


def _mismatch(faults: list[Fault]) -> PackageError:
    return PackageError(
        "MANIFEST_MISMATCH", faults, "Run `manage.py package_manifest` on the package's folder and build it again."
    )

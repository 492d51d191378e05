"""SOL004 5.1, option 2: a zip with the package, its signature and optionally the signer's certificate."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

PACKAGES = (".csar", ".zip")
SIGNATURES = (".cms", ".p7s", ".p7")
CERTIFICATES = (".cert", ".crt", ".cer", ".pem")
_KINDS: Mapping[str, tuple[str, ...]] = {"package": PACKAGES, "signature": SIGNATURES, "certificate": CERTIFICATES}


@dataclass(frozen=True, slots=True)
class EnvelopeParts:
    package: str
    signature: str
    certificate: str
    """"" when there is none."""


def find_envelope(paths: Collection[str]) -> EnvelopeParts | None:
    """The parts, if these are the files of such a zip and no others."""
    if len(paths) > len(_KINDS):
        return None
    found: dict[str, str] = {}
    for path in paths:
        suffix = PurePosixPath(path).suffix.lower()
        kind = next((kind for kind, suffixes in _KINDS.items() if suffix in suffixes), "")
        if not kind or kind in found or "/" in path:
            return None
        found[kind] = path
    if not {"package", "signature"} <= found.keys():
        return None
    return EnvelopeParts(found["package"], found["signature"], found.get("certificate", ""))

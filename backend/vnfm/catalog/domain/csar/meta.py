"""A zip is a CSAR (SOL004 clause 4.1) with TOSCA-Metadata/TOSCA.meta, or with one TOSCA definition at the root."""

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import dirname, join, normpath

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.domain.errors import PackageError, PackageFault
from vnfm.catalog.domain.hot.templates import is_outside

META = "TOSCA-Metadata/TOSCA.meta"
TOSCA_VERSION = "tosca_definitions_version"
MAX_TEXT = 1024 * 1024
"""Bytes of TOSCA.meta, of a manifest, of a signature."""
_SUFFIXES = (".yaml", ".yml")
_MANIFEST_KEYS = ("ETSI-Entry-Manifest", "Entry-Manifest")
"""The second is SOL004's up to 2.5.1; likewise below."""
_CERTIFICATE_KEYS = ("ETSI-Entry-Certificate", "Entry-Certificate")
_CORRECT = "Correct the CSAR: every file that it names must be in it, by its path from the root."


@dataclass(frozen=True, slots=True)
class Csar:
    """The paths of a CSAR's parts."""

    definitions: str
    """The entry service template."""
    manifest: str
    """"" when there is none."""
    certificate: str
    """The signer's, where it is a file of its own; "" when there is none."""


def find_csar(content: Content) -> Csar | None:
    """Return None when it is not a CSAR; raises PackageError (CSAR_INVALID) for paths that are missing or lead out."""
    if META in content.files:
        return _from_meta(content)
    roots = [path for path in sorted(content.files) if "/" not in path and path.endswith(_SUFFIXES)]
    tosca = [path for path in roots if has_key(content, path, TOSCA_VERSION)]
    if len(tosca) != 1:
        return None
    stem = tosca[0].rpartition(".")[0]
    parts = [f"{stem}.mf" if f"{stem}.mf" in content.files else "", f"{stem}.cert"]
    return Csar(tosca[0], parts[0], parts[1] if parts[1] in content.files else "")


def has_key(content: Content, path: str, key: str) -> bool:
    """Return whether a line of the file begins with that key: a cheap test before parsing."""
    if content.files[path].size > MAX_BYTES:
        return False
    return any(line.startswith(f"{key}:".encode()) for line in content.read(path).splitlines())


def package_path(referrer: str, written: str) -> str:
    """The path in the package of a name relative to `referrer`; "" when it leads out."""
    if is_outside(written) or "\\" in written or not written.isprintable():
        return ""
    path = normpath(join(dirname(referrer), written))
    return "" if path.startswith("..") or path == "." else path


def bytes_of(content: Content, path: str) -> bytes:
    """A small file of the CSAR; raises PackageError (CSAR_INVALID) when it is too large."""
    size = content.files[path].size
    if size > MAX_TEXT:
        raise _invalid([PackageFault(path, f"The file has {size} bytes; {MAX_TEXT} are allowed.")])
    return content.read(path)


def text_of(content: Content, path: str) -> str:
    """A small text file of the CSAR; raises PackageError (CSAR_INVALID)."""
    try:
        return bytes_of(content, path).decode()
    except UnicodeDecodeError as error:
        raise _invalid(
            [PackageFault(path, f"The file is not UTF-8 text: {error.reason} at byte {error.start}.")]
        ) from error


def metadata_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Line number, key and value of the `key: value` lines; a line without a colon has no value."""
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, value = line.partition(":")
        if key.strip():
            yield number, key.strip(), value.strip()


def _from_meta(content: Content) -> Csar:
    entries: dict[str, tuple[int, str]] = {}
    for number, key, value in metadata_lines(text_of(content, META)):
        entries.setdefault(key, (number, value))
    if "Entry-Definitions" not in entries:
        raise _invalid([PackageFault(META, "There is no Entry-Definitions: the VNFD is not named.")])
    paths, faults = [], []
    for keys in (("Entry-Definitions",), _MANIFEST_KEYS, _CERTIFICATE_KEYS):
        number, written = next((entries[key] for key in keys if key in entries), (0, ""))
        path = package_path("", written) if written else ""
        paths.append(path)
        if number and not path:
            faults.append(
                PackageFault(META, f"{written!r} leads out of the CSAR, and nothing is fetched.", line=number)
            )
        elif path and path not in content.files:
            faults.append(PackageFault(META, f"The CSAR has no file {written!r}.", line=number))
    if faults:
        raise _invalid(faults)
    return Csar(*paths)


def _invalid(faults: list[PackageFault]) -> PackageError:
    return PackageError("CSAR_INVALID", faults, _CORRECT)

"""What makes a zip a CSAR (SOL004 clause 4.1): TOSCA-Metadata/TOSCA.meta, or one TOSCA definition at the root."""

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import dirname, join, normpath

from vnfm.catalog.domain.documents import MAX_BYTES
from vnfm.catalog.domain.errors import Fault, PackageError
from vnfm.catalog.domain.hot.templates import outside
from vnfm.catalog.domain.sources import Content

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
    """Where the parts of a CSAR lie, all of them in it."""

    definitions: str
    """The service template that everything starts from."""
    manifest: str
    """"" when there is none."""
    certificate: str
    """The signer's, where it is a file of its own; "" when there is none."""


def find_csar(content: Content) -> Csar | None:
    """None when this is no CSAR; raises PackageError (CSAR_INVALID) when it is one that leads nowhere or out."""
    if META in content.files:
        return _by_meta(content)
    roots = [path for path in sorted(content.files) if "/" not in path and path.endswith(_SUFFIXES)]
    tosca = [path for path in roots if has_key(content, path, TOSCA_VERSION)]
    if len(tosca) != 1:
        return None
    stem = tosca[0].rpartition(".")[0]
    beside = [f"{stem}.mf" if f"{stem}.mf" in content.files else "", f"{stem}.cert"]
    return Csar(tosca[0], beside[0], beside[1] if beside[1] in content.files else "")


def has_key(content: Content, path: str, key: str) -> bool:
    """Whether a line of the file begins with that key: a look that costs little, before anything is parsed."""
    if content.files[path].size > MAX_BYTES:
        return False
    return any(line.startswith(f"{key}:".encode()) for line in content.read(path).splitlines())


def inside(referrer: str, written: str) -> str:
    """The path in the package that a name beside `referrer` means; "" when it leads out."""
    if outside(written) or "\\" in written or not written.isprintable():
        return ""
    path = normpath(join(dirname(referrer), written))
    return "" if path.startswith("..") or path == "." else path


def bytes_of(content: Content, path: str) -> bytes:
    """A small file of the CSAR; raises PackageError (CSAR_INVALID) for what is too large."""
    size = content.files[path].size
    if size > MAX_TEXT:
        raise _invalid([Fault(path, f"The file has {size} bytes; {MAX_TEXT} are allowed.")])
    return content.read(path)


def text_of(content: Content, path: str) -> str:
    """The same for one that must be text."""
    try:
        return bytes_of(content, path).decode()
    except UnicodeDecodeError as error:
        raise _invalid([Fault(path, f"The file is not UTF-8 text: {error.reason} at byte {error.start}.")]) from error


def blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """The lines `key: value` of a metadata file, with their numbers; a line without a colon has no value."""
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, value = line.partition(":")
        if key.strip():
            yield number, key.strip(), value.strip()


def _by_meta(content: Content) -> Csar:
    entries: dict[str, tuple[int, str]] = {}
    for number, key, value in blocks(text_of(content, META)):
        entries.setdefault(key, (number, value))
    if "Entry-Definitions" not in entries:
        raise _invalid([Fault(META, "There is no Entry-Definitions: the VNFD is not named.")])
    paths, faults = [], []
    for keys in (("Entry-Definitions",), _MANIFEST_KEYS, _CERTIFICATE_KEYS):
        number, written = next((entries[key] for key in keys if key in entries), (0, ""))
        path = inside("", written) if written else ""
        paths.append(path)
        if number and not path:
            faults.append(Fault(META, f"{written!r} leads out of the CSAR, and nothing is fetched.", line=number))
        elif path and path not in content.files:
            faults.append(Fault(META, f"The CSAR has no file {written!r}.", line=number))
    if faults:
        raise _invalid(faults)
    return Csar(*paths)


def _invalid(faults: list[Fault]) -> PackageError:
    return PackageError("CSAR_INVALID", faults, _CORRECT)

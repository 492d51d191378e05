"""The manifest of a CSAR (SOL004 clause 4.3): metadata of the VNF, and of each file its path, algorithm and hash."""

import hashlib
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from vnfm.catalog.domain.content import Content
from vnfm.catalog.domain.csar.meta import META, metadata_lines, package_path
from vnfm.catalog.domain.errors import PackageFault
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.templates import is_outside

ALGORITHMS: Mapping[str, str] = {"SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}
"""IANA name, as SOL004 requires, to hashlib's; algorithms that are too weak are left out."""
_BEGIN, _END = "-----BEGIN CMS-----", "-----END CMS-----"
_SETS = "non_mano_artifact_sets"
_OF_SOURCE = {"Algorithm": "algorithm", "Hash": "digest", "Signature": "signature", "Certificate": "certificate"}
_OURS = ("metadata", "Source", *_OF_SOURCE)


@dataclass(slots=True)
class ManifestEntry:
    path: str
    line: int
    algorithm: str = ""
    digest: str = ""
    signature: str = ""
    certificate: str = ""

    @property
    def has_no_digest(self) -> bool:
        """SOL004's option 2 signs the CSAR as a whole, and its manifests may list files without."""
        return not self.algorithm and not self.digest


@dataclass(frozen=True, slots=True)
class Manifest:
    path: str
    metadata: Mapping[str, str]
    sources: tuple[ManifestEntry, ...]
    signed: bytes
    """The bytes before the signature, which it covers; the whole manifest when it has none."""
    signature: bytes
    """PEM; b"" when the manifest has none."""
    findings: tuple[Finding, ...] = field(default=())

    def covered(self) -> set[str]:
        """Files whose content it vouches for: those with a digest; TOSCA.meta as soon as it is listed."""
        return {source.path for source in self.sources if not source.has_no_digest or source.path == META}


def read_manifest(path: str, text: str) -> Manifest:
    """Parse a manifest; unknown lines give warnings, contradictions errors."""
    body, begin, rest = text.partition(_BEGIN)
    inner, end, _ = rest.partition(_END)
    metadata: dict[str, str] = {}
    sources: list[ManifestEntry] = []
    findings: list[Finding] = []
    if begin and not end:
        findings.append(_finding("error", path, body.count("\n") + 1, "The CMS signature has no end."))
    for number, key, value in metadata_lines(_without_sets(body)):
        if key == "Source":
            sources.append(ManifestEntry(value, number))
        elif sources and key in _OF_SOURCE:
            setattr(sources[-1], _OF_SOURCE[key], value)
        elif not sources and key not in _OURS:
            metadata[key] = value
        elif key not in _OURS:
            findings.append(_finding("warning", path, number, f"{key} is not known here and is ignored."))
    signature = f"{_BEGIN}{inner}{_END}\n".encode() if end else b""
    return Manifest(path, metadata, tuple(sources), body.encode(), signature, tuple(findings))


def check_manifest(manifest: Manifest, content: Content, unlisted: set[str]) -> Iterator[Finding]:
    """Every difference between the manifest and the files; `unlisted` are files that need not be listed."""
    yield from manifest.findings
    listed_paths: set[str] = set()
    for source in manifest.sources:
        message = _source_fault(source, listed_paths, content)
        if source.has_no_digest and source.path in (*unlisted, META):
            message = f"{source.path} is listed without a hash, so its content is not verified."
            yield _finding("note", manifest.path, source.line, message)
        elif source.has_no_digest and message == _no_algorithm(source):
            message = f"The manifest gives no digest for {source.path}, so its content is not verified."
            yield _finding("warning", manifest.path, source.line, message)
        elif message:
            yield _finding("error", manifest.path, source.line, message)
        elif source.signature:
            message = (
                f"The signature of {source.path} itself is not verified: the manifest's signature covers its hash."
            )
            yield _finding("note", manifest.path, source.line, message)
        listed_paths.add(source.path)
    for path in sorted(content.files.keys() - listed_paths - unlisted):
        message = f"{manifest.path} does not list the file, so its content is not verified."
        yield Finding("warning", "CSAR_MANIFEST", message, path)


def manifest_text(metadata: Mapping[str, str], digests: Mapping[str, str]) -> str:
    """The manifest of files with these SHA-256, sorted."""
    head = "".join(f"  {key}: {' '.join(value.split())}\n" for key, value in metadata.items())
    listed = "".join(f"\nSource: {path}\nAlgorithm: SHA-256\nHash: {digests[path]}\n" for path in sorted(digests))
    return f"metadata:\n{head}{listed}"


def non_mano_sets(text: str) -> dict[str, frozenset[str]]:
    """Paths by the set of non-MANO artifacts that names them (SOL004 4.3.7)."""
    found: dict[str, set[str]] = {}
    name = inside = ""
    for line in text.partition(_BEGIN)[0].splitlines():
        key, _, value = (part.strip() for part in line.partition(":"))
        if not line.startswith((" ", "\t")):
            inside, name = (key if key == _SETS else ""), ""
        elif inside and key == "Source" and name:
            found[name].add(value)
        elif inside and key and not value:
            name = key
            found.setdefault(name, set())
    return {key: frozenset(paths) for key, paths in found.items()}


def _without_sets(body: str) -> str:
    """The lines without non-MANO artifact sets, which name files again without a hash."""
    lines, skipping = [], False
    for line in body.splitlines():
        skipping = line.startswith(_SETS) or (skipping and line.startswith((" ", "\t")))
        lines.append("" if skipping else line)
    return "\n".join(lines)


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _source_fault(source: ManifestEntry, listed_paths: set[str], content: Content) -> str:
    """Return the first fault of the file; "" when it has none. It is hashed only after the cheap checks."""
    algorithm = ALGORITHMS.get(source.algorithm.upper())
    info = content.files.get(source.path)
    bits = hashlib.new(algorithm).digest_size if algorithm else 0
    checks: tuple[tuple[bool, Callable[[], str]], ...] = (
        (is_outside(source.path), lambda: f"{source.path} is outside of the CSAR, and nothing is fetched."),
        (package_path("", source.path) != source.path, lambda: f"{source.path!r} is no plain path in the CSAR."),
        (source.path in listed_paths, lambda: f"{source.path} is listed twice."),
        (info is None, lambda: f"{source.path} is listed, but the CSAR does not have it."),
        (not algorithm, lambda: _no_algorithm(source)),
        (
            len(source.digest) != 2 * bits or not set(source.digest) <= {*string.hexdigits},
            lambda: f"{source.path}: {source.digest[:150]!r} is no hash of {source.algorithm}.",
        ),
    )
    wrong = next((finding() for is_wrong, finding in checks if is_wrong), "")
    if wrong or info is None or algorithm is None:
        return wrong
    found = content.digest(source.path, algorithm)
    if found == source.digest.lower():
        return ""
    return f"{source.path}: its {source.algorithm} is {found}, the manifest says {source.digest.lower()}."


def _no_algorithm(source: ManifestEntry) -> str:
    return f"{source.path}: algorithm {source.algorithm!r} is none of {', '.join(ALGORITHMS)}."


def _finding(severity: Severity, path: str, line: int, message: str) -> Finding:
    return Finding.of(severity, "CSAR_MANIFEST", PackageFault(path, message, line=line))

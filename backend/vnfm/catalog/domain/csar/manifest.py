"""The manifest of a CSAR (SOL004 clause 4.3): metadata of the VNF, and of each file its path, algorithm and hash."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from vnfm.catalog.domain.csar.meta import blocks, inside
from vnfm.catalog.domain.errors import Fault
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.catalog.domain.hot.templates import outside
from vnfm.catalog.domain.sources import Content

ALGORITHMS: Mapping[str, str] = {"SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}
"""By the names of the IANA registry that SOL004 refers to; those that are too weak to prove anything are left out."""
_BEGIN, _END = "-----BEGIN CMS-----", "-----END CMS-----"
_SETS = "non_mano_artifact_sets"
_OURS = ("metadata", "Source", "Algorithm", "Hash", "Signature", "Certificate")


@dataclass(slots=True)
class Source:
    path: str
    line: int
    algorithm: str = ""
    digest: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    path: str
    metadata: Mapping[str, str]
    sources: tuple[Source, ...]
    signed: bytes
    """What the signature in the manifest is about: all that stands before it; the whole when there is none."""
    signature: bytes
    """PEM; b"" when the manifest bears none."""
    findings: tuple[Finding, ...] = field(default=())

    def covered(self) -> set[str]:
        return {source.path for source in self.sources}


def read_manifest(path: str, text: str) -> Manifest:
    """Parse a manifest; lines that mean nothing to us are warnings, what contradicts itself is an error."""
    body, begin, rest = text.partition(_BEGIN)
    inner, end, _ = rest.partition(_END)
    metadata: dict[str, str] = {}
    sources: list[Source] = []
    findings: list[Finding] = []
    if begin and not end:
        findings.append(_finding("error", path, body.count("\n") + 1, "The CMS signature has no end."))
    for number, key, value in blocks(_without_sets(body)):
        if key == "Source":
            sources.append(Source(value, number))
        elif sources and key in ("Algorithm", "Hash", "Signature"):
            setattr(sources[-1], {"Algorithm": "algorithm", "Hash": "digest", "Signature": "signature"}[key], value)
        elif not sources and key not in _OURS:
            metadata[key] = value
        elif key not in _OURS:
            findings.append(_finding("warning", path, number, f"{key} means nothing here and is passed over."))
    signature = f"{_BEGIN}{inner}{_END}\n".encode() if end else b""
    return Manifest(path, metadata, tuple(sources), body.encode(), signature, tuple(findings))


def check_manifest(manifest: Manifest, content: Content, beside: set[str]) -> Iterator[Finding]:
    """Every difference between the manifest and the files; `beside` are files that it need not list."""
    yield from manifest.findings
    seen: set[str] = set()
    for source in manifest.sources:
        message = _source_fault(source, seen, content)
        if message:
            yield _finding("error", manifest.path, source.line, message)
        elif source.signature:
            said = f"The signature of {source.path} alone is not looked at: the manifest's covers its hash."
            yield _finding("note", manifest.path, source.line, said)
        seen.add(source.path)
    for path in sorted(content.files.keys() - seen - beside):
        said = f"{manifest.path} does not list the file: nothing vouches for it."
        yield Finding("warning", "CSAR_MANIFEST", said, path)


def manifest_text(metadata: Mapping[str, str], digests: Mapping[str, str]) -> str:
    """The manifest of files with these SHA-256, sorted."""
    head = "".join(f"  {key}: {' '.join(value.split())}\n" for key, value in metadata.items())
    listed = "".join(f"\nSource: {path}\nAlgorithm: SHA-256\nHash: {digests[path]}\n" for path in sorted(digests))
    return f"metadata:\n{head}{listed}"


def _without_sets(body: str) -> str:
    """The lines without those of non-MANO artifact sets, which name files once more without a hash."""
    kept, skipping = [], False
    for line in body.splitlines():
        skipping = line.startswith(_SETS) or (skipping and line.startswith((" ", "\t")))
        kept.append("" if skipping else line)
    return "\n".join(kept)


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _source_fault(source: Source, seen: set[str], content: Content) -> str:
    """What is wrong with one file; "" when nothing is. A file is hashed only when the cheap checks have passed."""
    algorithm = ALGORITHMS.get(source.algorithm.upper())
    info = content.files.get(source.path)
    bits = hashlib.new(algorithm).digest_size if algorithm else 0
    checks: tuple[tuple[bool, Callable[[], str]], ...] = (
        (outside(source.path), lambda: f"{source.path} lies outside of the CSAR, and nothing is fetched."),
        (inside("", source.path) != source.path, lambda: f"{source.path!r} is no plain path in the CSAR."),
        (source.path in seen, lambda: f"{source.path} is listed twice."),
        (info is None, lambda: f"{source.path} is listed, but the CSAR does not have it."),
        (not algorithm, lambda: f"{source.path}: algorithm {source.algorithm!r} is none of {', '.join(ALGORITHMS)}."),
        (
            not re.fullmatch(rf"[0-9a-fA-F]{{{2 * bits}}}", source.digest),
            lambda: f"{source.path}: {source.digest[:150]!r} is no hash of {source.algorithm}.",
        ),
    )
    wrong = next((say() for is_wrong, say in checks if is_wrong), "")
    if wrong or info is None or algorithm is None:
        return wrong
    found = content.digest(source.path, algorithm)
    if found == source.digest.lower():
        return ""
    return f"{source.path}: its {source.algorithm} is {found}, the manifest says {source.digest.lower()}."


def _finding(severity: Severity, path: str, line: int, message: str) -> Finding:
    return Finding.of(severity, "CSAR_MANIFEST", Fault(path, message, line=line))

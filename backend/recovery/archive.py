"""The file format of a backup: a tar whose members can be written, and verified, in one pass.

    backup.json         the description of the backup (`Manifest`)
    database/000000 …   the stream of `pg_dump -Fc`, in pieces, since a tar needs sizes beforehand
    artifacts/<sha256>  files of the artifact store
    contents.json       digests and sizes of all of the above
    keys.sealed         keys and settings, sealed together with the digest of contents.json (`recovery.sealing`)

Kind `database` has neither artifacts nor keys: it is kept before an upgrade, in the state directory that has them.
"""

import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Self

from recovery.errors import RecoveryError

FORMAT = "vnfm-backup"
FORMAT_VERSION = 1
FULL, DATABASE = "full", "database"
PIECE = 4 * 1024 * 1024
MANIFEST, CONTENTS, KEYS = "backup.json", "contents.json", "keys.sealed"
_DATABASE, _ARTIFACTS = "database/", "artifacts/"
_LARGEST_DOCUMENT = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a backup, which can be read without a passphrase."""

    kind: str
    version: str
    """The version of the product that made the backup."""
    commit: str
    created_at: str
    """The time of the database's snapshot (ISO 8601)."""
    migrations: tuple[str, ...]
    """The applied migrations, as `app.name`."""
    postgres: int
    """The major version of the PostgreSQL server."""
    notes: tuple[str, ...] = ()
    """Sentences about data that the backup does not contain."""

    def as_json(self) -> dict[str, Any]:
        return {"format": FORMAT, "formatVersion": FORMAT_VERSION} | asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Raises RecoveryError for a file of another program, or of a later version of this one."""
        if document.get("format") != FORMAT:
            raise RecoveryError("This file is not a backup of this product.")
        if document.get("formatVersion") != FORMAT_VERSION:
            raise RecoveryError(
                f"This backup has format {document.get('formatVersion')}, which this release ({FORMAT_VERSION}) cannot "
                f"read: restore it with release {document.get('version', 'that made it')}."
            )
        try:
            return cls(
                kind=str(document["kind"]),
                version=str(document["version"]),
                commit=str(document["commit"]),
                created_at=datetime.fromisoformat(document["created_at"]).astimezone(UTC).isoformat(),
                migrations=tuple(map(str, document["migrations"])),
                postgres=int(document["postgres"]),
                notes=tuple(map(str, document["notes"])),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise RecoveryError(f"The manifest of this backup cannot be read ({error}): the file is broken.") from None

    @property
    def snapshot_at(self) -> datetime:
        return datetime.fromisoformat(self.created_at)


@dataclass(slots=True)
class Contents:
    """Digests and sizes of the parts of a backup, as written or as read."""

    manifest: str = ""
    database: str = ""
    database_bytes: int = 0
    artifacts: dict[str, int] = field(default_factory=dict)
    """Size in bytes by SHA-256."""
    missing: tuple[str, ...] = ()
    """Digests of artifacts that the database names and the store does not have."""

    @property
    def artifact_bytes(self) -> int:
        return sum(self.artifacts.values())


class ArchiveWriter:
    """Writes a backup to a stream in the order of the format, with at most one piece of it in memory."""

    def __init__(self, target: BinaryIO, manifest: Manifest) -> None:
        self._tar = tarfile.open(fileobj=target, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - by close
        self._at = int(manifest.snapshot_at.timestamp())  # a fraction of a second would add 1 KiB to each member
        self.contents = Contents()
        document = json.dumps(manifest.as_json(), indent=1).encode()
        self.contents.manifest = sha256(document).hexdigest()
        self._add(MANIFEST, document)

    def add_database(self, dump: BinaryIO) -> None:
        digest, number = sha256(), 0
        while piece := dump.read(PIECE):
            digest.update(piece)
            self.contents.database_bytes += len(piece)
            self._add(f"{_DATABASE}{number:06}", piece)
            number += 1
        self.contents.database = digest.hexdigest()

    def add_artifact(self, digest: str, path: Path) -> None:
        """Add a file, which must not change while it is read. Raises FileNotFoundError if it does not exist."""
        with path.open("rb") as source:
            size = path.stat().st_size
            self._tar.addfile(self._info(f"{_ARTIFACTS}{digest}", size), source)
        self.contents.artifacts[digest] = size

    def finish(self, missing: tuple[str, ...] = ()) -> bytes:
        """Write contents.json; return its digest, which the sealed keys have to authenticate."""
        self.contents.missing = missing
        document = json.dumps(asdict(self.contents)).encode()
        self._add(CONTENTS, document)
        return sha256(document).digest()

    def add_keys(self, sealed: bytes) -> None:
        self._add(KEYS, sealed)

    def close(self) -> None:
        self._tar.close()

    def _info(self, name: str, size: int) -> tarfile.TarInfo:
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, 0o600, self._at
        return info

    def _add(self, name: str, body: bytes) -> None:
        self._tar.addfile(self._info(name, len(body)), io.BytesIO(body))


class Archive:
    """A backup file to read, in a `with` block. Call `verify` before you use any part of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._tar = tarfile.open(path, mode="r:")  # noqa: SIM115 - closed by __exit__
        except FileNotFoundError:
            raise RecoveryError(f"The file {path} does not exist.") from None
        except (tarfile.TarError, EOFError):
            raise RecoveryError(f"{path} is not a backup of this product.") from None
        with self._explained():
            first = self._tar.next()
            if first is None or first.name != MANIFEST or not first.isfile():
                raise RecoveryError(f"{path} is not a backup of this product.")
            self._manifest_text = self._document(first)
            self.manifest = Manifest.from_json(_json(self._manifest_text))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tar.close()

    def verify(self) -> tuple[Contents, bytes, bytes | None]:
        """Read the whole file and compare every digest; return the contents, their digest, and the sealed keys if any.

        Raises RecoveryError for a damaged file.
        """
        with self._explained():
            return self._verify()

    def _verify(self) -> tuple[Contents, bytes, bytes | None]:
        found, digest, documents = Contents(sha256(self._manifest_text).hexdigest()), sha256(), {}
        for member in self._members():
            if member.name.startswith(_DATABASE):
                for block in self._blocks(member):
                    digest.update(block)
                found.database_bytes += member.size
            elif member.name.startswith(_ARTIFACTS):
                name = member.name.removeprefix(_ARTIFACTS)
                self._verify_artifact(name, member)
                found.artifacts[name] = member.size
            elif member.name in (CONTENTS, KEYS):
                documents[member.name] = self._document(member)
            elif member.name != MANIFEST:
                raise RecoveryError(f"{self.path} is broken: it has an unknown part {member.name}.")
        found.database = digest.hexdigest()
        if CONTENTS not in documents or (self.manifest.kind == FULL and KEYS not in documents):
            raise RecoveryError(f"{self.path} is broken: it ends early.")
        contents = Contents(**_json(documents[CONTENTS]))
        found.missing = contents.missing = tuple(contents.missing)
        if found != contents:
            raise RecoveryError(f"{self.path} is broken: its parts differ from its list of contents.")
        return contents, sha256(documents[CONTENTS]).digest(), documents.get(KEYS)

    def database(self) -> Iterator[bytes]:
        """Yield the stream of the dump in blocks."""
        for member in self._members():
            if member.name.startswith(_DATABASE):
                yield from self._blocks(member)

    def artifacts(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Yield SHA-256 and blocks of each file of the artifact store."""
        for member in self._members():
            if member.name.startswith(_ARTIFACTS):
                yield member.name.removeprefix(_ARTIFACTS), self._blocks(member)

    def _members(self) -> Iterator[tarfile.TarInfo]:
        for member in self._tar:
            if not member.isfile():
                raise RecoveryError(f"{self.path} is broken: {member.name} is not a file.")
            yield member

    def _verify_artifact(self, name: str, member: tarfile.TarInfo) -> None:
        digest = sha256()
        for block in self._blocks(member):
            digest.update(block)
        if digest.hexdigest() != name:
            raise RecoveryError(f"{self.path} is broken: the content of artifact {name} does not match its digest.")

    def _blocks(self, member: tarfile.TarInfo) -> Iterator[bytes]:
        source = self._tar.extractfile(member)
        assert source is not None, "a file"
        while block := source.read(PIECE):
            yield block

    def _document(self, member: tarfile.TarInfo) -> bytes:
        if member.size > _LARGEST_DOCUMENT:
            raise RecoveryError(f"{self.path} is broken: {member.name} is larger than any backup's.")
        return b"".join(self._blocks(member))

    def _explained(self) -> "_BrokenTar":
        return _BrokenTar(self.path)


class _BrokenTar:
    """Turns tarfile's errors about a truncated or damaged file into RecoveryError."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, tarfile.TarError | EOFError):
            raise RecoveryError(f"{self._path} is broken: it ends early or was damaged ({error}).") from None


def _json(text: bytes) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise RecoveryError("A list in this backup cannot be read: the file is broken.")
    return document

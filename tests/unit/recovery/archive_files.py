"""A small archive with a database, an artifact and keys."""

import io
from hashlib import sha256
from pathlib import Path

from recovery.archive import FULL, PIECE, ArchiveWriter, Manifest

MANIFEST = Manifest(FULL, "1.0.0", "abc1234", "2026-11-25T14:02:00+00:00", ("lcm.0001_initial",), 18)

DUMP = bytes(range(256)) * (PIECE // 256) + b"the end"

FILE = b"an image" * 1000


def written(path: Path, manifest: Manifest = MANIFEST, *, keys: bool = True) -> Path:
    source = path.with_name("artifact")
    source.write_bytes(FILE)
    with path.open("wb") as target:
        writer = ArchiveWriter(target, manifest)
        writer.add_database(io.BytesIO(DUMP))
        writer.add_artifact(sha256(FILE).hexdigest(), source)
        writer.finish(("f" * 64,))
        if keys:
            writer.add_keys(b"sealed")
        writer.close()
    return path

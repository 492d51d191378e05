"""A restore has requirements before it begins."""

from dataclasses import replace
from pathlib import Path

import pytest

from recovery.archive import DATABASE, FULL, Archive, Contents
from recovery.errors import RecoveryError
from recovery.installation import Installation
from recovery.restore import Restore
from tests.unit.recovery.archive_files import MANIFEST, written


@pytest.mark.parametrize("kind", [DATABASE, FULL])
def test_any_kind_needs_room_for_its_database(tmp_path: Path, kind: str) -> None:
    keys = tmp_path / "keys"
    installation = Installation(
        "postgresql://vnfm@db/vnfm", tmp_path / "artifacts", keys / "django-secret", keys / "seal-keys", tmp_path
    )
    with Archive(written(tmp_path / "one", replace(MANIFEST, kind=kind))) as archive:
        restore = Restore(archive, installation, tmp_path / "aside", print)
        restore._require_room(Contents(database_bytes=1))
        with pytest.raises(RecoveryError, match=r"needs about 4000000000000\.0 GB"):
            restore._require_room(Contents(database_bytes=10**21))

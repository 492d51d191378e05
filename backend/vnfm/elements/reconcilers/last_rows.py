"""The last rows of an element's columns, in the database: only columns that changed are written."""

import hashlib
import json
import zlib
from collections.abc import Collection, Mapping
from uuid import UUID

from vnfm.devices.types import Index, Table, Value
from vnfm.elements.models import LastRows, NetworkElement

MAX_OCTETS = 2**20
"""Limit of one compressed column; a longer one is not kept."""


def load_last_rows(element_id: UUID, columns: Collection[str]) -> Table | None:
    """Those of these columns that are known; None for an element that was never read completely."""
    if not NetworkElement.objects.filter(id=element_id, first_full_resync_at__isnull=False).exists():
        return None
    rows = LastRows.objects.filter(element=element_id, column__in=columns).exclude(rows=b"")
    return {row.column: _decoded(bytes(row.rows)) for row in rows}


def store_last_rows(element_id: UUID, table: Table) -> None:
    """Within the transaction that records what the rows mean."""
    known = dict(LastRows.objects.filter(element=element_id, column__in=table).values_list("column", "digest"))
    changed = []
    for column, rows in table.items():
        text = json.dumps([[index, *_plain(value)] for index, value in rows.items()]).encode()
        digest = hashlib.blake2b(text, digest_size=16).digest()
        if column not in known or bytes(known[column]) != digest:
            octets = zlib.compress(text, 1)
            kept = octets if len(octets) <= MAX_OCTETS else b""
            changed.append(LastRows(element_id=element_id, column=column, digest=digest, rows=kept))
    LastRows.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["element", "column"], update_fields=["digest", "rows"]
    )


def _plain(value: Value) -> tuple[str | float | None, bool]:
    """For JSON, and whether these are octets."""
    return (value.hex(), True) if isinstance(value, bytes) else (value, False)


def _decoded(octets: bytes) -> Mapping[Index, Value]:
    rows = json.loads(zlib.decompress(octets)) if octets else []
    return {tuple(index): bytes.fromhex(value) if is_octets else value for index, value, is_octets in rows}

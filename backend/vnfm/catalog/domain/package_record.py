"""A package as other contexts read it: its files and its descriptor are read by the selectors."""

from typing import Protocol
from uuid import UUID


class PackageRecord(Protocol):
    """The columns of a VNF package that has its content. Only catalog's services write them."""

    id: UUID
    vnfd_id: UUID | None
    provider: str
    product_name: str
    software_version: str
    vnfd_version: str
    operational_state: str
    """ENABLED or DISABLED (SOL005 9.5.2.5)."""
    checksum_sha256: str

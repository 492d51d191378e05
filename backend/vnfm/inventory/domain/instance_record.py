"""A VNF instance as other contexts read it: its VNFCs, ports and links are read by the selectors."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.vims.domain.vim_record import VimRecord


class InstanceRecord(Protocol):
    """The columns of a VNF instance, and its package and VIM. Only the services of inventory write them."""

    id: UUID
    name: str
    package_id: UUID
    instantiation_state: str
    metadata: Mapping[str, Any]
    version: int
    vim_id: UUID | None
    vim_connection_id: str
    generation: int
    flavour_id: str
    instantiation_level_id: str
    scale_levels: Mapping[str, int]
    settings: Mapping[str, Any]
    management_subnet: str
    member_slots: Mapping[str, Any]
    sealed_settings: bytes | memoryview | None
    stack_id: str
    stack_name: str
    stack_left_at: str
    """Heat's `updated_time` as our last operation left it."""
    stack_observed_at: datetime | None

    @property
    def package(self) -> PackageRecord: ...
    @property
    def vim(self) -> VimRecord | None: ...

"""A registered VIM as other contexts read it: its selectors make a connection and lists of resources of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID


class VimRecord(Protocol):
    """The columns of a VIM: its registration, and what the last probe found. Only the services of VIMs write them."""

    id: UUID
    name: str
    vim_type: str
    auth_url: str
    region: str
    interface: str
    user_domain_name: str
    project_domain_name: str
    project_name: str
    project_id: str
    username: str
    application_credential_id: str
    application_credential_name: str
    sealed_credentials: bytes | memoryview
    cacert: str
    insecure: bool
    endpoint_overrides: Mapping[str, str]
    scheduler_filters: Sequence[str] | None
    scoped_project_name: str
    scoped_project_id: str
    probed_at: datetime | None
    versions: Mapping[str, str]
    capabilities: Mapping[str, bool | None]
    features: Mapping[str, Any]
    capabilities_since: Mapping[str, str]
    quotas: Mapping[str, Any]
    resources: Mapping[str, Any]
    late: Any
    """See `domain.pace`."""
    paused_until: datetime | None
    reachable: str
    reachable_reason: str
    reachable_message: str
    reachable_since: datetime
    reachable_observed_at: datetime | None

"""What the poller knows of the elements that are its to look at: the database's list, and how the last looks went."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from cryptography.fernet import InvalidToken

from vnfm.devices.types import SnmpTarget
from vnfm.elements.domain.parts import parts_of
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.elements.selectors import snmp_target_of

SHARDS = 8
"""Elements are divided into so many by their id; each shard is polled by the one process that holds its lease."""

_COLUMNS = (
    "id",
    "management_address",
    "driver",
    "snmp_policy_id",
    "resync_state",
    "resync_scope",
    "resync_requested_at",
)
_RESYNC_PENDING = (NetworkElement.ResyncState.WAITING, NetworkElement.ResyncState.RUNNING)


log = structlog.get_logger(__name__)


def shard_of(element_id: UUID) -> int:
    return element_id.int % SHARDS


@dataclass(slots=True)
class PolledElement:
    """One element. Times are of the monotonic clock."""

    element_id: UUID
    target: SnmpTarget
    driver: str
    due: float
    resync: frozenset[str] | None = None
    """The parts that a resync waits for; None when there is none."""
    requested_at: datetime | None = None
    busy: bool = False
    failures: int = 0
    reachable: bool = False
    """As last recorded by us."""
    digest: bytes = b""
    uptime: float = 0.0
    moved_at: float | None = None
    full_at: float | None = None
    took: float = 0.0
    """Of the last look that asked for its states first. To read all tables because it is time takes long and is seldom
    done, and what takes long then may be our own work for hundreds of others."""
    problems: set[str] = field(default_factory=set)
    """Told in the log since it last answered, so that each is told once."""


def load_targets(shards: Collection[int]) -> dict[UUID, dict[str, Any]]:
    """The managed elements of these shards that have an SNMP policy, with their target in clear."""
    rows = NetworkElement.objects.filter(state=NetworkElement.State.MANAGED, snmp_policy__isnull=False)
    mine = [row for row in rows.values(*_COLUMNS) if shard_of(row["id"]) in shards]
    policies = MediationPolicy.objects.in_bulk({row["snmp_policy_id"] for row in mine})
    return {row["id"]: row for row in mine if _add_target(row, policies)}


def _add_target(row: dict[str, Any], policies: Mapping[UUID, MediationPolicy]) -> bool:
    """Add the target; False for a policy whose secrets no key opens any more: the others must not suffer for it."""
    policy = policies[row["snmp_policy_id"]]
    try:
        row["target"] = snmp_target_of(policy, row["management_address"])
    except InvalidToken:
        log.error("elements.policy_cannot_be_opened", policy=policy.name)  # noqa: TRY400 - the words say it all
        return False
    return True


def sync_polled_elements(
    watched: dict[UUID, PolledElement], rows: dict[UUID, dict[str, Any]], now: float, spread: float
) -> None:
    """Bring `watched` up to date with the list. Newcomers are looked at within `spread` seconds, not all at once."""
    for element_id in watched.keys() - rows.keys():
        del watched[element_id]
    newcomers = rows.keys() - watched.keys()
    for number, element_id in enumerate(newcomers):
        row = rows[element_id]
        due = now + spread * number / len(newcomers)
        watched[element_id] = PolledElement(element_id, row["target"], row["driver"], due)
    for element_id, row in rows.items():
        element = watched[element_id]
        if element.target != row["target"]:
            element.target, element.digest, element.failures, element.due = row["target"], b"", 0, now
        if row["resync_state"] in _RESYNC_PENDING and element.requested_at != row["resync_requested_at"]:
            element.resync, element.requested_at = parts_of(row["resync_scope"]), row["resync_requested_at"]
            element.due = min(element.due, now)

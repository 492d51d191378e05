"""The elements that this poller polls: the database's list, and the outcome of their last polls."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from cryptography.fernet import InvalidToken

from vnfm.devices.errors import Refused
from vnfm.devices.types import SnmpTarget
from vnfm.elements.domain.parts import parts_of
from vnfm.elements.models import MediationPolicy, NetworkElement
from vnfm.elements.selectors import snmp_target_of

SHARDS = 8
"""Elements are distributed over the shards by their id; the process that holds a shard's lease polls it."""

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


def elements_of(shards: Collection[int]) -> set[UUID]:
    """All elements of these shards, also those that are not polled."""
    return {each for each in NetworkElement.objects.values_list("id", flat=True) if shard_of(each) in shards}


@dataclass(slots=True)
class PolledElement:
    """One element. Times are of the monotonic clock."""

    element_id: UUID
    target: SnmpTarget
    driver: str
    due: float
    resync: frozenset[str] | None = None
    """Parts of the resync that waits; None: no resync."""
    requested_at: datetime | None = None
    """Time of the last resync that was read from the database; it stays when that resync is done."""
    busy: bool = False
    failures: int = 0
    reachable: bool = False
    """The state that this process recorded last."""
    digest: bytes = b""
    uptime: float = 0.0
    changed_at: float | None = None
    full_poll_at: float | None = None
    unread: bool = False
    """Some table could not be read in the last full poll."""
    refreshed_at: float = float("-inf")
    """When gauges were read last."""
    duration: float = 0.0
    """Seconds of the last poll of state columns. Full polls do not count: they are rare, and mostly our own time."""
    problems: set[str] = field(default_factory=set)
    """Error codes that were logged since it last answered."""


def load_targets(shards: Collection[int]) -> dict[UUID, dict[str, Any]]:
    """The managed elements of these shards that have an SNMP policy, with their target in clear."""
    rows = NetworkElement.objects.filter(state=NetworkElement.State.MANAGED, snmp_policy__isnull=False)
    mine = [row for row in rows.values(*_COLUMNS) if shard_of(row["id"]) in shards]
    policies = MediationPolicy.objects.in_bulk({row["snmp_policy_id"] for row in mine})
    return {row["id"]: row for row in mine if _add_target(row, policies)}


def _add_target(row: dict[str, Any], policies: Mapping[UUID, MediationPolicy]) -> bool:
    """False for a policy whose secrets cannot be unsealed or sent there: other elements are polled all the same."""
    policy = policies[row["snmp_policy_id"]]
    try:
        row["target"] = snmp_target_of(policy, row["management_address"])
    except InvalidToken:
        log.error("elements.policy_cannot_be_opened", policy=policy.name)  # noqa: TRY400 - no traceback needed
        return False
    except Refused as error:
        log.error("elements.policy_refused", policy=policy.name, problem=error.message)  # noqa: TRY400 - as above
        return False
    return True


def sync_polled_elements(
    polled: dict[UUID, PolledElement], rows: dict[UUID, dict[str, Any]], now: float, spread: float
) -> None:
    """Update `polled` from the database's list. The first polls of new elements are spread over `spread` seconds."""
    for element_id in polled.keys() - rows.keys():
        del polled[element_id]
    new = rows.keys() - polled.keys()
    for number, element_id in enumerate(new):
        row = rows[element_id]
        due = now + spread * number / len(new)
        polled[element_id] = PolledElement(element_id, row["target"], row["driver"], due)
    for element_id, row in rows.items():
        element = polled[element_id]
        if element.target != row["target"]:
            element.target, element.digest, element.failures, element.due = row["target"], b"", 0, now
        if row["resync_state"] in _RESYNC_PENDING and element.requested_at != row["resync_requested_at"]:
            element.resync, element.requested_at = parts_of(row["resync_scope"]), row["resync_requested_at"]
            element.due = min(element.due, now)

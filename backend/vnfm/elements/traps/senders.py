"""The elements that may send notifications, by address, with the credentials that their notifications must show."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from cryptography.fernet import InvalidToken

from vnfm.devices.types import Community, SnmpUser
from vnfm.elements.domain.drivers import driver_named
from vnfm.elements.models import Interface, MediationPolicy, NetworkElement
from vnfm.elements.selectors import snmp_target_of

_COLUMNS = (
    "id",
    "name",
    "management_address",
    "driver",
    "state",
    "sys_name",
    "snmp_policy_id",
    "host_element_id",
    "trap_sequence",
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Sender:
    """An element."""

    element_id: UUID
    name: str
    managed: bool
    credentials: Community | SnmpUser | None
    """None: it has no SNMP policy, or the policy's secrets cannot be unsealed."""
    sys_name: str
    hosted: bool
    """It is a Virtual System of another element."""
    lists_alarms: bool
    counts_traps: bool
    sequence: int | None
    """Number of its last trap, as stored."""
    if_indexes: frozenset[int] = frozenset()
    """Only of elements that share their address."""


Row = dict[str, Any]  # of `_COLUMNS`


def load_senders() -> Mapping[str, tuple[Sender, ...]]:
    """All elements by address, a chassis before the Virtual Systems on it."""
    rows = list(NetworkElement.objects.order_by("created_at", "id").values(*_COLUMNS))
    by_address: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_address[row["management_address"]].append(row)
    shared = [row["id"] for group in by_address.values() if len(group) > 1 for row in group]
    interfaces: dict[UUID, set[int]] = defaultdict(set)
    for element_id, index in Interface.objects.filter(element_id__in=shared).values_list("element_id", "if_index"):
        interfaces[element_id].add(index)
    credentials = _credentials(MediationPolicy.objects.in_bulk({row["snmp_policy_id"] for row in rows} - {None}))
    return {
        address: tuple(
            sorted((_sender(row, credentials, interfaces) for row in group), key=lambda sender: sender.hosted)
        )
        for address, group in by_address.items()
    }


def _credentials(policies: Mapping[UUID, MediationPolicy]) -> Mapping[UUID, Community | SnmpUser]:
    found = {}
    for policy_id, policy in policies.items():
        try:
            found[policy_id] = snmp_target_of(policy, "").credentials
        except InvalidToken:
            log.error("traps.policy_cannot_be_opened", policy=policy.name)  # noqa: TRY400 - no traceback needed
    return found


def _sender(row: Row, credentials: Mapping[UUID, Community | SnmpUser], interfaces: Mapping[UUID, set[int]]) -> Sender:
    driver = driver_named(row["driver"])
    return Sender(
        element_id=row["id"],
        name=row["name"],
        managed=row["state"] == NetworkElement.State.MANAGED,
        credentials=credentials.get(row["snmp_policy_id"]),
        sys_name=row["sys_name"],
        hosted=row["host_element_id"] is not None,
        lists_alarms=driver.lists_alarms or not row["driver"],
        counts_traps=driver.counts_traps,
        sequence=row["trap_sequence"],
        if_indexes=frozenset(interfaces.get(row["id"], ())),
    )

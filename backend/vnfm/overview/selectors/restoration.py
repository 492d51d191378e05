"""After a restore: how far clouds and routers have been compared with the records, and what differs.

The comparison is that of every day: polls of clouds and elements, drift, unclaimed resources, configuration versions.
The first successful backup of an element's configuration since the restore compares it; later ones find later changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal
from uuid import UUID

from vnfm.configuration.selectors import elements_compared_since, elements_not_read_since, versions_found_since
from vnfm.elements.selectors import element_list
from vnfm.installation.selectors import restoration_latest
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.conditions import in_sync
from vnfm.inventory.domain.views import INSTANTIATED
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.selectors.instance_status import instance_statuses
from vnfm.lcm.selectors.operations import operations_stopped_by
from vnfm.vims.selectors import vim_list

LISTED = 200
DifferenceKind = Literal[
    "OPERATION_INTERRUPTED",
    "INSTANCE_DRIFTED",
    "STACK_UNCLAIMED",
    "CONFIGURATION_CHANGED",
    "CONFIGURATION_UNKNOWN",
    "ELEMENT_UNREACHABLE",
]
_PAGE = 200
_NO_JOB = "there was no login to it. Give it a NETCONF or SSH policy, then back it up."


@dataclass(frozen=True, slots=True)
class RecordDifference:
    kind: DifferenceKind
    object_id: UUID
    """Id of the VNF instance, cloud or network element."""
    name: str
    message: str
    """The difference in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorationComparison:
    """The last restore of a backup, and the differences between its records and the clouds and routers now."""

    taken_at: datetime
    """When the backup was taken."""
    restored_at: datetime
    backup: str
    """Name of the file."""
    released_at: datetime | None
    """Null: automation, notifications and the removal of images are on hold."""
    released_by: str
    clouds: int
    clouds_compared: int
    """Clouds that were polled as a whole since the restore."""
    elements: int
    """Managed network elements."""
    elements_compared: int
    """Polled since the restore, and read again where a configuration was known."""
    differences: list[RecordDifference]
    """The first 200 differences of records and reality."""
    difference_count: int
    """The number of all differences."""


def comparison() -> RestorationComparison | None:
    """Compare the last restore with the present; None when there was none."""
    restoration = restoration_latest()
    if restoration is None:
        return None
    since = restoration.restored_at
    found = _differences(since)
    listed = list(islice(found, LISTED))
    return RestorationComparison(
        taken_at=restoration.taken_at,
        restored_at=since,
        backup=restoration.source,
        released_at=restoration.released_at,
        released_by=restoration.released_by,
        clouds=vim_list().count(),
        clouds_compared=vim_list().filter(poll_state__full_at__gt=since).count(),
        elements=element_list().filter(state="MANAGED").count(),
        elements_compared=elements_compared_since(since),
        differences=listed,
        difference_count=len(listed) + sum(1 for _ in found),
    )


def _differences(since: datetime) -> Iterator[RecordDifference]:
    yield from _interrupted()
    yield from _drifted(clock.now())
    for row in inventory.unclaimed_list().filter(kind="stack", ours=True).order_by("name"):
        words = f"Stack {row.name} of cloud {row.vim.name} belongs to no record."
        yield RecordDifference("STACK_UNCLAIMED", row.vim_id, row.name, f"{words} {row.detail}")
    for version in versions_found_since(since):
        name, number = version.element.name, version.number
        words = f"{name} runs another configuration (version {number}) than the backup knew."
        yield RecordDifference("CONFIGURATION_CHANGED", version.element_id, name, words)
    for element_id, name, why in elements_not_read_since(since):
        words = f"The configuration of {name} was not read again since the restore: {why or _NO_JOB}"
        yield RecordDifference("CONFIGURATION_UNKNOWN", element_id, name, words)
    unreachable = element_list().filter(state="MANAGED", reachable="False").order_by("name")
    for element_id, name, message in unreachable.values_list("id", "name", "reachable_message"):
        yield RecordDifference("ELEMENT_UNREACHABLE", element_id, name, f"{name} does not answer: {message}")


def _interrupted() -> Iterator[RecordDifference]:
    for op in operations_stopped_by("RESTORED_FROM_BACKUP"):
        name = op.instance.name if op.instance is not None else ""
        words = f"{Operation(op.operation).words} was under way when the backup was taken, and waits for a decision."
        yield RecordDifference("OPERATION_INTERRUPTED", op.instance_uuid, name, words)


def _drifted(now: datetime) -> Iterator[RecordDifference]:
    rows = inventory.instance_list().filter(instantiation_state=INSTANTIATED).order_by("name")
    ids = list(rows.prefetch_related(None).values_list("id", flat=True))
    for first in range(0, len(ids), _PAGE):
        page = rows.filter(id__in=ids[first : first + _PAGE])
        for item in instance_statuses(list(page)):
            for difference in in_sync(item.view, now)[1]:
                yield RecordDifference("INSTANCE_DRIFTED", item.instance.id, item.instance.name, difference.message)

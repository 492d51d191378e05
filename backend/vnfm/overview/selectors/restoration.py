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

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform

from vnfm.configuration.models import ConfigurationJob, ConfigurationVersion
from vnfm.elements.models import NetworkElement
from vnfm.installation.models import Restoration
from vnfm.installation.selectors import restoration_latest
from vnfm.inventory import selectors as inventory
from vnfm.inventory.domain.conditions import in_sync
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation, OperationState
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.selectors.instance_status import instance_statuses
from vnfm.vims.models import Vim

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
_MANAGED = NetworkElement.State.MANAGED
_Reason = ConfigurationVersion.Reason
_OF_OUR_CHANGES = (_Reason.PUSH, _Reason.ROLLBACK, _Reason.ADMIN_STATE)
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
    found, since = _differences(restoration), restoration.restored_at
    listed = list(islice(found, LISTED))
    managed = NetworkElement.objects.filter(state=_MANAGED)
    return RestorationComparison(
        taken_at=restoration.taken_at,
        restored_at=since,
        backup=restoration.source,
        released_at=restoration.released_at,
        released_by=restoration.released_by,
        clouds=Vim.objects.count(),
        clouds_compared=Vim.objects.filter(poll_state__full_at__gt=since).count(),
        elements=managed.count(),
        elements_compared=managed.filter(~_known(since) | _read_again(since), observed_at__gt=since).count(),
        differences=listed,
        difference_count=len(listed) + sum(1 for _ in found),
    )


def _differences(restoration: Restoration) -> Iterator[RecordDifference]:
    yield from _interrupted()
    yield from _drifted(clock.now())
    for row in inventory.unclaimed_list().filter(kind="stack", ours=True).order_by("name"):
        words = f"Stack {row.name} of cloud {row.vim.name} belongs to no record."
        yield RecordDifference("STACK_UNCLAIMED", row.vim_id, row.name, f"{words} {row.detail}")
    yield from _configurations(restoration.restored_at)
    yield from _unread(restoration.restored_at)
    unreachable = NetworkElement.objects.filter(state=_MANAGED, reachable="False").order_by("name")
    for element in unreachable.only("id", "name", "reachable_message"):
        words = f"{element.name} does not answer: {element.reachable_message}"
        yield RecordDifference("ELEMENT_UNREACHABLE", element.id, element.name, words)


def _interrupted() -> Iterator[RecordDifference]:
    ops = LcmOpOcc.objects.filter(state=OperationState.FAILED_TEMP, problem__code="RESTORED_FROM_BACKUP")
    for op in (
        ops.select_related("instance").only("operation", "instance_uuid", "instance__name").order_by("start_time")
    ):
        name = op.instance.name if op.instance is not None else ""
        words = f"{Operation(op.operation).words} was under way when the backup was taken, and waits for a decision."
        yield RecordDifference("OPERATION_INTERRUPTED", op.instance_uuid, name, words)


def _drifted(now: datetime) -> Iterator[RecordDifference]:
    state = VnfInstance.InstantiationState.INSTANTIATED
    ids = list(VnfInstance.objects.filter(instantiation_state=state).order_by("name").values_list("id", flat=True))
    for first in range(0, len(ids), _PAGE):
        page = inventory.instance_list().filter(id__in=ids[first : first + _PAGE]).order_by("name")
        for item in instance_statuses(list(page)):
            for difference in in_sync(item.view, now)[1]:
                yield RecordDifference("INSTANCE_DRIFTED", item.instance.id, item.instance.name, difference.message)


def _known(since: datetime) -> Exists:
    """True for an element of which the backup knew a configuration."""
    return Exists(ConfigurationVersion.objects.filter(element=OuterRef("pk"), taken_at__lte=since))


def _reads(since: datetime) -> QuerySet[ConfigurationJob]:
    """Successful backups of configurations since the restore."""
    return ConfigurationJob.objects.filter(
        kind=ConfigurationJob.Kind.BACKUP, state=ConfigurationJob.State.DONE, ended_at__gt=since
    )


def _read_again(since: datetime) -> Exists:
    return Exists(_of("pk", _reads(since)))


def _of(column: str, jobs: QuerySet[ConfigurationJob]) -> QuerySet[ConfigurationJob]:
    return jobs.filter(element=OuterRef(column))


def _configurations(since: datetime) -> Iterator[RecordDifference]:
    """Versions that were found until the comparison was done; not those that our own changes made."""
    compared_before = _of("element", _reads(since)).filter(ended_at__lt=OuterRef("taken_at"))
    rows = ConfigurationVersion.objects.filter(~Exists(compared_before), taken_at__gt=since, number__gt=1)
    rows = rows.exclude(reason__in=_OF_OUR_CHANGES).select_related("element").order_by("element__name", "number")
    for row in rows.defer("element__reachable_message"):
        words = f"{row.element.name} runs another configuration (version {row.number}) than the backup knew."
        yield RecordDifference("CONFIGURATION_CHANGED", row.element_id, row.element.name, words)


def _unread(since: datetime) -> Iterator[RecordDifference]:
    """Elements whose known configuration could not be read again; those that do not answer are listed as such."""
    jobs = _of("pk", ConfigurationJob.objects.filter(kind=ConfigurationJob.Kind.BACKUP))
    failed = jobs.filter(state=ConfigurationJob.State.FAILED, ended_at__gt=since).order_by("-ended_at")
    reason = failed.annotate(detail=KeyTextTransform("detail", "problem")).values("detail")[:1]
    rows = NetworkElement.objects.filter(_known(since), ~Exists(jobs.filter(ended_at=None)), state=_MANAGED)
    rows = rows.filter(~_read_again(since)).exclude(reachable="False").order_by("name")
    for element_id, name, why in rows.values_list("id", "name", Subquery(reason)):
        words = f"The configuration of {name} was not read again since the restore: {why or _NO_JOB}"
        yield RecordDifference("CONFIGURATION_UNKNOWN", element_id, name, words)

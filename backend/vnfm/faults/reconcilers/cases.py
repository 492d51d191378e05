"""What the alarms of some managed objects are judged by, loaded in a fixed number of queries for any kind of object."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Q

from vnfm.faults.domain.changes import Changes, Circumstances, Explained, OpenAlarm, Silence, changes
from vnfm.faults.domain.evaluate import DRIFT
from vnfm.faults.domain.verdict import Key, ObjectType, Owner, Verdict, earliest
from vnfm.faults.models import OPEN, Alarm, MaintenanceWindow
from vnfm.faults.selectors import Policies, policies

EACH_LOOK = datetime(1970, 1, 1, tzinfo=UTC)
"""Due at every look: what decides leaves no trace on the object itself, such as the end of an operation."""

_LOST_ROOT = Key("", "its root cause is cleared")
"""Equals no fault: an alarm that points to a cleared one is to be brought up to date."""


NOTHING = Explained()


@dataclass(frozen=True, slots=True)
class Case:
    """A managed object and the verdict on it."""

    object_type: ObjectType
    object_id: UUID
    name: str
    version: int
    """Of the object, as the verdict saw it."""
    verdict: Verdict
    vim_id: UUID | None = None
    operation_id: UUID | None = None
    """The operation of ours that `explained` speaks of."""
    explained: Explained = NOTHING
    covered_by: tuple[UUID, ...] = ()
    """Objects whose maintenance windows are this one's as well."""


@dataclass(slots=True)
class Subject:
    """A case with the alarms on record."""

    case: Case
    given: Circumstances
    window: MaintenanceWindow | None
    open_alarms: dict[Key, Alarm]
    dismissed: dict[Key, Alarm]
    elsewhere: Mapping[Key, Alarm]
    policies: Policies
    known: dict[Key, OpenAlarm] = field(default_factory=dict)

    def changes(self, now: datetime) -> Changes:
        return changes(self.known, self.case.verdict, now, self.given)

    def due_at(self, news: Changes) -> datetime | None:
        """When it is to be judged again though nothing happens."""
        if any(alarm.silence == Silence.OPERATION for alarm in self.open_alarms.values()):
            return EACH_LOOK
        if self.case.object_type is ObjectType.VNF_INSTANCE and (
            self.case.verdict.undecided or any(key.fault_type == DRIFT for key in self.open_alarms)
        ):
            return EACH_LOOK
        silenced = self.window is not None and any(
            alarm.silence == Silence.MAINTENANCE for alarm in self.open_alarms.values()
        )
        return earliest(news.again_at, self.window.ends_at if silenced and self.window is not None else None)

    def root(self, key: Key | None) -> Alarm | None:
        """The open alarm of a root cause, wherever it lies."""
        if key is None:
            return None
        return self.open_alarms.get(key) if key.owner is None else self.elsewhere.get(key)


def assemble(cases: Sequence[Case], now: datetime) -> list[Subject]:
    """The subjects of these cases, in their order."""
    ids = [case.object_id for case in cases]
    own, dismissed = _alarms(ids)
    elsewhere = _elsewhere(cases)
    windows = _windows({item for case in cases for item in (case.object_id, *case.covered_by)}, now)
    rules = policies()
    subjects = []
    for case in cases:
        window = next((windows[item] for item in (case.object_id, *case.covered_by) if item in windows), None)
        explained = Explained(case.explained.everything, case.explained.stack, maintenance=window is not None)
        put_aside = dismissed[case.object_type, case.object_id]
        given = Circumstances(
            explained=explained,
            policy_of=rules.of,
            elsewhere=elsewhere.keys(),
            dismissed={key: tuple(alarm.fault_details) for key, alarm in put_aside.items()},
        )
        open_alarms = own[case.object_type, case.object_id]
        known = {key: _as_open(alarm, case) for key, alarm in open_alarms.items()}
        subjects.append(Subject(case, given, window, open_alarms, put_aside, elsewhere, rules, known))
    return subjects


_Found = dict[tuple[str, UUID], dict[Key, Alarm]]


def _alarms(ids: Collection[UUID]) -> tuple[_Found, _Found]:
    """The open alarms of these objects, and those that somebody cleared by hand while their condition stood."""
    open_ones: _Found = defaultdict(dict)
    dismissed: _Found = defaultdict(dict)
    rows = Alarm.objects.filter(Q(OPEN) | Q(dismissed=True), managed_object_id__in=ids)
    for row in rows.select_related("root_cause").order_by("raised_at"):
        found = dismissed if row.dismissed else open_ones
        found[row.managed_object_type, row.managed_object_id][Key(row.faulty_resource, row.fault_type)] = row
    return open_ones, dismissed


def _elsewhere(cases: Sequence[Case]) -> dict[Key, Alarm]:
    """Open alarms of other objects that may be root causes here."""
    wanted = {key for case in cases for fault in case.verdict.faults for key in fault.roots if key.owner is not None}
    owners = {UUID(key.owner.object_id) for key in wanted if key.owner is not None}
    if not owners:
        return {}
    types = {key.fault_type for key in wanted}
    rows = Alarm.objects.filter(managed_object_id__in=owners, fault_type__in=types, cleared_at__isnull=True)
    found = {key_of(row): row for row in rows}
    return {key: row for key, row in found.items() if key in wanted}


def key_of(alarm: Alarm) -> Key:
    """As other objects name it."""
    owner = Owner(ObjectType(alarm.managed_object_type), str(alarm.managed_object_id))
    return Key(alarm.faulty_resource, alarm.fault_type, owner)


def _windows(ids: Collection[UUID], now: datetime) -> dict[UUID, MaintenanceWindow]:
    """The window that is open for an object; of several the one that ends last."""
    rows = MaintenanceWindow.objects.filter(Q(starts_at__lte=now, ends_at__gt=now), managed_object_id__in=ids)
    return {row.managed_object_id: row for row in rows.order_by("ends_at")}


def _as_open(alarm: Alarm, case: Case) -> OpenAlarm:
    return OpenAlarm(
        severity=alarm.evaluated_severity,
        details=tuple(alarm.fault_details),
        vnfc_ids=tuple(alarm.vnfc_ids),
        root=_root(alarm, case),
        silence=Silence(alarm.silence),
        detected_at=alarm.raised_at,
    )


def _root(alarm: Alarm, case: Case) -> Key | None:
    root = alarm.root_cause
    if root is None:
        return None
    if root.cleared_at is not None:
        return _LOST_ROOT
    own = (root.managed_object_type, root.managed_object_id) == (case.object_type, case.object_id)
    return Key(root.faulty_resource, root.fault_type) if own else key_of(root)

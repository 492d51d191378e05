"""Bring the alarms in line with what was observed. Runs as often as one likes: what is right stays untouched.

Root causes before what they cause: VIMs, then VNF instances, then network elements. What did not change is not loaded:
an object is judged again when its version is another than at its last assessment, or when time may have changed it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Case as Either
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, Value, When

from vnfm.elements.models import BgpPeer, Interface, NetworkElement
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import ORDER, worst
from vnfm.faults.domain.verdict import ObjectType
from vnfm.faults.models import OPEN, TOLD, Alarm, Assessment
from vnfm.faults.reconcilers.cases import Case, Subject, assemble
from vnfm.faults.reconcilers.elements import element_cases
from vnfm.faults.reconcilers.instances import instance_cases
from vnfm.faults.reconcilers.vims import vim_cases
from vnfm.faults.reconcilers.writing import Writer
from vnfm.faults.selectors import policies
from vnfm.faults.services import alarm_promote, alarms_tell
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import lock_batches
from vnfm.vims.models import Vim

LOAD_BATCH = 500
"""Objects looked at together, without locking any: memory has a limit, and so has the number of queries."""
AGAIN_AFTER = timedelta(minutes=1)
"""When an object is judged again at which judging failed, unless it changes before."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of managed object."""

    object_type: ObjectType
    rows: type[Model]
    cases: Callable[[Collection[UUID], datetime], Iterator[Case]]


VIMS = Kind(ObjectType.VIM, Vim, vim_cases)
INSTANCES = Kind(ObjectType.VNF_INSTANCE, VnfInstance, instance_cases)
ELEMENTS = Kind(ObjectType.NETWORK_ELEMENT, NetworkElement, element_cases)


def evaluate_vim(*, vim_id: UUID, changed: Collection[UUID], now: datetime) -> int:
    """After a look at a VIM: judge it, and its instances that changed or are due. Returns how many had news.

    Instances that have not changed are not even loaded.
    """
    of_vim = _evaluate(VIMS, [vim_id], now)
    stale = _stale(VnfInstance.objects.filter(vim_id=vim_id), INSTANCES, now)
    of_instances = _evaluate(INSTANCES, {*changed, *stale, *_caused_by(of_vim, INSTANCES)}, now)
    if of_vim or of_instances:
        ids = _of_instances({*changed, *of_instances}) | _caused_by(of_vim | of_instances, ELEMENTS)
        evaluate_elements(ids=ids, now=now)
    return len(of_vim) + len(of_instances)


def _caused_by(ids: Collection[UUID], kind: Kind) -> set[UUID]:
    """Objects of that kind with an open alarm whose root cause lies in one of `ids`, or lay there."""
    if not ids:
        return set()
    rows = Alarm.objects.filter(OPEN, managed_object_type=kind.object_type, root_cause__managed_object_id__in=ids)
    return set(rows.values_list("managed_object_id", flat=True))


def evaluate_all(*, now: datetime) -> int:
    """Judge everything, and every alarm whose object no longer exists: the net under all quicker ways."""
    corrected = 0
    for kind in (VIMS, INSTANCES):
        there = kind.rows._default_manager.values_list("pk", flat=True)  # noqa: SLF001 - Django documents it
        corrected += len(_evaluate(kind, {*there, *_orphans(kind)}, now))
    corrected += evaluate_stale_elements(now=now)
    promote(_behind(), now)
    _forget_assessments()
    return corrected


def evaluate_unwatched(*, now: datetime) -> int:
    """Judge what no look at a VIM does: instances that are on none, and alarms whose VIM or instance is gone."""
    of_vims = _evaluate(VIMS, _orphans(VIMS), now)
    nowhere = _stale(VnfInstance.objects.filter(vim=None), INSTANCES, now)
    ids = {*nowhere, *_orphans(INSTANCES), *_caused_by(of_vims, INSTANCES)}
    return len(of_vims) + evaluate_instances(ids=ids, now=now)


def evaluate_instances(*, ids: Collection[UUID], now: datetime) -> int:
    """Raise, change and clear alarms of these instances, and of their elements; returns how many instances had news."""
    corrected = _evaluate(INSTANCES, ids, now)
    evaluate_elements(ids=_of_instances(corrected) | _caused_by(corrected, ELEMENTS), now=now)
    return len(corrected)


def _orphans(kind: Kind) -> set[UUID]:
    """Objects that no longer exist and have open alarms."""
    there = kind.rows._default_manager.filter(pk=OuterRef("managed_object_id"))  # noqa: SLF001 - as above
    rows = Alarm.objects.filter(OPEN, managed_object_type=kind.object_type).exclude(Exists(there))
    return set(rows.values_list("managed_object_id", flat=True))


def _of_instances(ids: Collection[UUID]) -> set[UUID]:
    """The elements of these instances."""
    return set(NetworkElement.objects.filter(vnf_instance__in=ids).values_list("id", flat=True)) if ids else set()


def evaluate_stale_elements(*, now: datetime) -> int:
    """Judge the elements that changed or are due, and alarms whose element no longer exists; how many had news."""
    return evaluate_elements(ids=_stale(NetworkElement.objects.all(), ELEMENTS, now) | _orphans(ELEMENTS), now=now)


def evaluate_elements(*, ids: Collection[UUID], now: datetime) -> int:
    """Raise, change and clear alarms of these elements, and of those that fall with them; how many had news."""
    corrected = _evaluate(ELEMENTS, ids, now)
    if corrected:
        _evaluate(ELEMENTS, _dependants(corrected) - corrected, now)
    return len(corrected)


def _dependants(corrected: Collection[UUID]) -> set[UUID]:
    """Elements that live on these, that they cause alarms of, or that have a session with them."""
    hosted = NetworkElement.objects.filter(host_element__in=corrected).values_list("id", flat=True)
    caused = Alarm.objects.filter(OPEN, root_cause__managed_object_id__in=corrected)
    addresses = {*NetworkElement.objects.filter(id__in=corrected).values_list("management_address", flat=True)}
    for own in (
        Interface.objects.filter(element__in=corrected).exclude(addresses=[]).values_list("addresses", flat=True)
    ):
        addresses |= {address.partition("/")[0] for address in own}
    lost = BgpPeer.objects.filter(peer_address__in=addresses).exclude(state=BgpPeer.State.ESTABLISHED)
    of_elements = caused.filter(managed_object_type=ObjectType.NETWORK_ELEMENT)
    return {
        *hosted,
        *of_elements.values_list("managed_object_id", flat=True),
        *lost.values_list("element_id", flat=True),
    }


def _stale(rows: QuerySet[VnfInstance] | QuerySet[NetworkElement], kind: Kind, now: datetime) -> set[UUID]:
    """Those that are another than when they were last judged, or that time may have changed."""
    last = Assessment.objects.filter(managed_object_type=kind.object_type, managed_object_id=OuterRef("pk"))
    fresh = last.filter(Q(due_at__isnull=True) | Q(due_at__gt=now), version=OuterRef("version"))
    return set(rows.exclude(Exists(fresh)).values_list("pk", flat=True))


def _evaluate(kind: Kind, ids: Collection[UUID], now: datetime) -> set[UUID]:
    """Which of these had news.

    Safe to run at the same time in several processes: what differs is read again under the object's lock, and the
    unique index lets no fault have two open alarms.
    """
    suspects = _apart(kind, lock_batches(ids, LOAD_BATCH), partial(_suspects, kind, now=now), now)
    return _apart(kind, lock_batches(suspects), partial(_correct, kind, now=now), now)


def _apart(
    kind: Kind, batches: Iterable[list[UUID]], judge: Callable[[Sequence[UUID]], set[UUID]], now: datetime
) -> set[UUID]:
    """All that `judge` finds. A batch at which it fails is halved, until the object is found that is to blame: that one
    is told of and put off, and the others are judged.
    """
    found: set[UUID] = set()
    for batch in batches:
        try:
            found |= judge(batch)
        except (OperationalError, InterfaceError):  # the database's doing: no object is to blame
            raise
        except Exception:
            middle = len(batch) // 2
            if middle:
                found |= _apart(kind, (batch[:middle], batch[middle:]), judge, now)
            else:
                log.exception("alarms.evaluation_failed", object_type=kind.object_type.value, object_id=str(batch[0]))
                _put_off(kind, batch[0], now)
    return found


def _put_off(kind: Kind, object_id: UUID, now: datetime) -> None:
    rows = kind.rows._default_manager.filter(pk=object_id)  # noqa: SLF001 - Django documents it
    version = rows.values_list("version", flat=True).first() or 0
    of = (kind.object_type.value, object_id)
    _note([Assessment(managed_object_type=of[0], managed_object_id=of[1], version=version, due_at=now + AGAIN_AFTER)])


def _suspects(kind: Kind, batch: Sequence[UUID], now: datetime) -> set[UUID]:
    """Which of these may have news."""
    subjects = assemble(list(kind.cases(batch, now)), now)
    suspects = {subject.case.object_id for subject in subjects if subject.changes(now)}
    _assess([subject for subject in subjects if subject.case.object_id not in suspects], now)
    return suspects


def _correct(kind: Kind, batch: Sequence[UUID], now: datetime) -> set[UUID]:
    corrected = set()
    with transaction.atomic():
        objects = kind.rows._default_manager.select_for_update(no_key=True)  # noqa: SLF001 - Django documents it
        list(objects.filter(pk__in=batch).order_by("pk").values_list("pk"))
        alarms = Alarm.objects.select_for_update(no_key=True).filter(Q(OPEN) | Q(dismissed=True))
        list(alarms.filter(managed_object_id__in=batch).order_by("id").values_list("id"))
        writer, subjects = Writer(batch, now), assemble(list(kind.cases(batch, now)), now)
        for subject in subjects:
            news = subject.changes(now)
            if news:
                writer.apply(subject, news)
                corrected.add(subject.case.object_id)
        writer.write()
    _assess(assemble([subject.case for subject in subjects], now), now)
    promote(writer.promotions, now)
    return corrected


def promote(severities: dict[UUID, Severity], now: datetime) -> None:
    """Make these root causes, and theirs in turn, at least so severe.

    In transactions of their own: whoever holds the rows of one object never waits for those of another.
    """
    rules = policies()
    for alarm_id, severity in severities.items():
        current: UUID | None = alarm_id
        while current is not None:
            with transaction.atomic():
                root = Alarm.objects.select_for_update(no_key=True).filter(OPEN, id=current).first()
                if root is None:
                    break
                before = root.promoted_severity
                moved = alarm_promote(alarm=root, severity=severity, policy=rules.of(root.fault_type), now=now)
                if moved:
                    root.version += 1
                    root.changed_at = root.event_time = now
                    alarms_tell([(root, "changed")], now=now)
                if moved or before != root.promoted_severity:
                    root.save()
            current = root.root_cause_id if moved else None


def _behind() -> dict[UUID, Severity]:
    """Root causes less severe than what they cause: whoever was to promote them died before."""
    caused = Alarm.objects.filter(OPEN, TOLD, root_cause__isnull=False, root_cause__cleared_at__isnull=True)
    ranked = caused.annotate(own=_rank("perceived_severity"), of_root=_rank("root_cause__perceived_severity"))
    found: dict[UUID, Severity] = {}
    for root_id, severity in ranked.filter(own__gt=F("of_root")).values_list("root_cause_id", "perceived_severity"):
        found[root_id] = worst(Severity(severity), found.get(root_id))
    return found


def _rank(column: str) -> Either:
    """How severe, as a number."""
    return Either(*(When(**{column: severity}, then=Value(rank)) for rank, severity in enumerate(ORDER)), default=0)


def _assess(subjects: Sequence[Subject], now: datetime) -> None:
    """Note at which version they were judged, and when they are to be judged again; what is noted already stays."""
    wanted = {
        (subject.case.object_type.value, subject.case.object_id): (
            subject.case.version,
            subject.due_at(subject.changes(now)),
        )
        for subject in subjects
    }
    ids = [object_id for _, object_id in wanted]
    known = {
        (row.managed_object_type, row.managed_object_id): (row.version, row.due_at)
        for row in Assessment.objects.filter(managed_object_id__in=ids)
    }
    fresh = [
        Assessment(managed_object_type=of[0], managed_object_id=of[1], version=version, due_at=due_at)
        for of, (version, due_at) in wanted.items()
        if known.get(of) != (version, due_at)
    ]
    _note(fresh)


def _note(assessments: Sequence[Assessment]) -> None:
    Assessment.objects.bulk_create(
        assessments,
        update_conflicts=True,
        unique_fields=["managed_object_type", "managed_object_id"],
        update_fields=["version", "due_at"],
    )


def _forget_assessments() -> None:
    """Of objects that are no more."""
    for kind in (VIMS, INSTANCES, ELEMENTS):
        there = kind.rows._default_manager.filter(pk=OuterRef("managed_object_id"))  # noqa: SLF001 - as above
        Assessment.objects.filter(managed_object_type=kind.object_type).exclude(Exists(there)).delete()

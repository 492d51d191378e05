"""Bring the alarms in line with the observed state. Idempotent.

Root causes come before what they cause: VIMs, then VNF instances, then network elements. Objects that did not change
are not loaded: an object is evaluated again when its version differs from its last assessment, or when that is due.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from vnfm.elements.models import BgpPeer, Interface, NetworkElement
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.models import OPEN, Alarm, Assessment, Manager
from vnfm.faults.reconcilers.alarm_writer import AlarmWriter
from vnfm.faults.reconcilers.element_input import element_evaluations
from vnfm.faults.reconcilers.evaluation_input import Evaluation, ObjectAlarms, load_object_alarms
from vnfm.faults.reconcilers.instance_input import instance_evaluations
from vnfm.faults.reconcilers.manager_input import manager_evaluations
from vnfm.faults.reconcilers.root_cause import overdue_promotions, promote_root_causes
from vnfm.faults.reconcilers.staleness import stale_of_vim
from vnfm.faults.reconcilers.vim_input import vim_evaluations
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import lock_batches
from vnfm.vims.models import Vim

LOAD_BATCH = 500
"""Objects evaluated together without a lock: a compromise between memory and the number of queries."""
FEW_ELEMENTS = 4
"""Evaluated under the lock at once."""
RETRY_AFTER = timedelta(minutes=1)
"""When an object whose evaluation failed is evaluated again, unless it changes before."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """A type of managed object: its table, and what evaluates its rows."""

    object_type: ObjectType
    rows: type[Model]
    evaluate: Callable[[Collection[UUID], datetime], Iterator[Evaluation]]


VIMS = ObjectKind(ObjectType.VIM, Vim, vim_evaluations)
INSTANCES = ObjectKind(ObjectType.VNF_INSTANCE, VnfInstance, instance_evaluations)
ELEMENTS = ObjectKind(ObjectType.NETWORK_ELEMENT, NetworkElement, element_evaluations)
MANAGER = ObjectKind(ObjectType.MANAGER, Manager, manager_evaluations)


def evaluate_vim(*, vim_id: UUID, changed: Collection[UUID], now: datetime, vim_itself: bool = True) -> int:
    """After a poll of a VIM: evaluate it, and its instances that changed or are due. How many were corrected.

    Without `vim_itself` the VIM is evaluated only where its version changed or it is due.
    """
    vim_stale, stale = stale_of_vim(vim_id, now)
    of_vim = _evaluate(VIMS, [vim_id], now) if vim_itself or vim_stale else set()
    of_instances = _evaluate(INSTANCES, {*changed, *stale, *_caused_by(of_vim, INSTANCES)}, now)
    if of_vim or of_instances:
        ids = _elements_of({*changed, *of_instances}) | _caused_by(of_vim | of_instances, ELEMENTS)
        evaluate_elements(ids=ids, now=now)
    return len(of_vim) + len(of_instances)


def _caused_by(ids: Collection[UUID], kind: ObjectKind) -> set[UUID]:
    """Objects of that type with an open alarm whose root cause is, or was, an alarm of one of `ids`."""
    if not ids:
        return set()
    rows = Alarm.objects.filter(OPEN, managed_object_type=kind.object_type, root_cause__managed_object_id__in=ids)
    return set(rows.values_list("managed_object_id", flat=True))


def evaluate_all(*, now: datetime) -> int:
    """Evaluate all objects, and all alarms whose object is gone: a safety net. How many were corrected."""
    corrected = 0
    for kind in (VIMS, INSTANCES):
        there = kind.rows._default_manager.values_list("pk", flat=True)  # noqa: SLF001 - Django documents it
        corrected += len(_evaluate(kind, {*there, *_orphans(kind)}, now))
    corrected += evaluate_stale_elements(now=now)
    promote_root_causes(overdue_promotions(), now)
    _delete_orphan_assessments()
    return corrected


def evaluate_manager(*, now: datetime) -> int:
    """Raise and clear alarms of the VNF manager itself; 1 when some were corrected."""
    manager, _ = Manager.objects.get_or_create(id=Manager.THE_ONE)
    return len(_evaluate(MANAGER, [manager.id], now))


def evaluate_unpolled(*, now: datetime) -> int:
    """Evaluate what no poll of a VIM covers: instances on no VIM, and alarms whose VIM or instance is gone."""
    of_vims = _evaluate(VIMS, _orphans(VIMS), now)
    without_vim = _stale(VnfInstance.objects.filter(vim=None), INSTANCES, now)
    ids = {*without_vim, *_orphans(INSTANCES), *_caused_by(of_vims, INSTANCES)}
    return len(of_vims) + evaluate_instances(ids=ids, now=now)


def evaluate_instances(*, ids: Collection[UUID], now: datetime) -> int:
    """Raise, change and clear alarms of these instances, and of their elements; how many instances were corrected."""
    corrected = _evaluate(INSTANCES, ids, now)
    evaluate_elements(ids=_elements_of(corrected) | _caused_by(corrected, ELEMENTS), now=now)
    return len(corrected)


def _orphans(kind: ObjectKind) -> set[UUID]:
    """Objects that no longer exist and have open alarms."""
    there = kind.rows._default_manager.filter(pk=OuterRef("managed_object_id"))  # noqa: SLF001 - as above
    rows = Alarm.objects.filter(OPEN, managed_object_type=kind.object_type).exclude(Exists(there))
    return set(rows.values_list("managed_object_id", flat=True))


def _elements_of(ids: Collection[UUID]) -> set[UUID]:
    return set(NetworkElement.objects.filter(vnf_instance__in=ids).values_list("id", flat=True)) if ids else set()


def evaluate_stale_elements(*, now: datetime) -> int:
    """Evaluate the elements that changed or are due, and alarms whose element is gone; how many were corrected."""
    return evaluate_elements(ids=_stale(NetworkElement.objects.all(), ELEMENTS, now) | _orphans(ELEMENTS), now=now)


def evaluate_elements(*, ids: Collection[UUID], now: datetime) -> int:
    """Raise, change and clear alarms of these elements and of those that depend on them; how many were corrected."""
    corrected = _evaluate(ELEMENTS, ids, now)
    if corrected:
        _evaluate(ELEMENTS, _dependants(corrected) - corrected, now)
    return len(corrected)


def _dependants(corrected: Collection[UUID]) -> set[UUID]:
    """Elements hosted on these, with alarms caused by these, or with a BGP session to these that is down."""
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


def _stale(rows: QuerySet[VnfInstance] | QuerySet[NetworkElement], kind: ObjectKind, now: datetime) -> set[UUID]:
    """Objects whose version differs from their last assessment, or whose assessment is due."""
    last = Assessment.objects.filter(managed_object_type=kind.object_type, managed_object_id=OuterRef("pk"))
    fresh = last.filter(Q(due_at__isnull=True) | Q(due_at__gt=now), version=OuterRef("version"))
    return set(rows.exclude(Exists(fresh)).values_list("pk", flat=True))


def _evaluate(kind: ObjectKind, ids: Collection[UUID], now: datetime) -> set[UUID]:
    """Correct the alarms of these objects; returns those that were wrong.

    A few elements, as a fault concerns, are read once only, under the lock: an alarm takes a dozen queries less.

    Safe to run at the same time in several processes: what differs is read again under the object's lock, and a unique
    index allows one open alarm per fault.
    """
    suspects = ids
    if kind is not ELEMENTS or len(ids) > FEW_ELEMENTS:
        suspects = _in_batches(kind, lock_batches(ids, LOAD_BATCH), partial(_suspects, kind, now=now), now)
    return _in_batches(kind, lock_batches(suspects), partial(_correct, kind, now=now), now)


def _in_batches(
    kind: ObjectKind, batches: Iterable[list[UUID]], evaluate: Callable[[Sequence[UUID]], set[UUID]], now: datetime
) -> set[UUID]:
    """All that `evaluate` finds. A batch in which it fails is halved until the failing object is found: that object is
    logged and postponed, the others are evaluated.
    """
    found: set[UUID] = set()
    for batch in batches:
        try:
            found |= evaluate(batch)
        except (OperationalError, InterfaceError):  # the database failed, not an object
            raise
        except Exception:
            middle = len(batch) // 2
            if middle:
                found |= _in_batches(kind, (batch[:middle], batch[middle:]), evaluate, now)
            else:
                log.exception("alarms.evaluation_failed", object_type=kind.object_type.value, object_id=str(batch[0]))
                _postpone(kind, batch[0], now)
    return found


def _postpone(kind: ObjectKind, object_id: UUID, now: datetime) -> None:
    rows = kind.rows._default_manager.filter(pk=object_id)  # noqa: SLF001 - Django documents it
    version = rows.values_list("version", flat=True).first() or 0
    object_type, due_at = kind.object_type.value, now + RETRY_AFTER
    _store([Assessment(managed_object_type=object_type, managed_object_id=object_id, version=version, due_at=due_at)])


def _suspects(kind: ObjectKind, batch: Sequence[UUID], now: datetime) -> set[UUID]:
    """The objects that differ from their alarms, read without a lock."""
    loaded = load_object_alarms(list(kind.evaluate(batch, now)), now)
    suspects = {item.evaluation.object_id for item in loaded if item.changes(now)}
    _save_assessments([item for item in loaded if item.evaluation.object_id not in suspects], now)
    return suspects


def _correct(kind: ObjectKind, batch: Sequence[UUID], now: datetime) -> set[UUID]:
    corrected = set()
    with transaction.atomic():
        objects = kind.rows._default_manager.select_for_update(no_key=True)  # noqa: SLF001 - Django documents it
        list(objects.filter(pk__in=batch).order_by("pk").values_list("pk"))
        alarms = Alarm.objects.select_for_update(no_key=True).filter(Q(OPEN) | Q(dismissed=True))
        list(alarms.filter(managed_object_id__in=batch).order_by("id").values_list("id"))
        writer, loaded = AlarmWriter(batch, now), load_object_alarms(list(kind.evaluate(batch, now)), now)
        for item in loaded:
            changes = item.changes(now)
            if changes:
                writer.apply(item, changes)
                corrected.add(item.evaluation.object_id)
        writer.write()
    if corrected:
        loaded = load_object_alarms([item.evaluation for item in loaded], now)
    _save_assessments(loaded, now)
    promote_root_causes(writer.promotions, now)
    return corrected


def _save_assessments(loaded: Sequence[ObjectAlarms], now: datetime) -> None:
    """Store the version of each object and when it is due again; rows that are the same are not written."""
    current = {
        (item.evaluation.object_type.value, item.evaluation.object_id): (
            item.evaluation.version,
            item.due_at(item.changes(now)),
        )
        for item in loaded
    }
    ids = [object_id for _, object_id in current]
    known = {
        (row.managed_object_type, row.managed_object_id): (row.version, row.due_at)
        for row in Assessment.objects.filter(managed_object_id__in=ids)
    }
    _store(
        [
            Assessment(managed_object_type=key[0], managed_object_id=key[1], version=version, due_at=due_at)
            for key, (version, due_at) in current.items()
            if known.get(key) != (version, due_at)
        ]
    )


def _store(assessments: Sequence[Assessment]) -> None:
    Assessment.objects.bulk_create(
        assessments,
        update_conflicts=True,
        unique_fields=["managed_object_type", "managed_object_id"],
        update_fields=["version", "due_at"],
    )


def _delete_orphan_assessments() -> None:
    for kind in (VIMS, INSTANCES, ELEMENTS, MANAGER):
        there = kind.rows._default_manager.filter(pk=OuterRef("managed_object_id"))  # noqa: SLF001 - as above
        Assessment.objects.filter(managed_object_type=kind.object_type).exclude(Exists(there)).delete()

"""Notifications request polls, raise and clear facts, and record gaps; stored traps expire."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db import connection, transaction

from vnfm.elements.domain.parts import PARTS, parts_of
from vnfm.elements.domain.trap_losses import Loss
from vnfm.elements.domain.traps import STORM, FactChange
from vnfm.elements.models import ElementFact, NetworkElement
from vnfm.elements.services.poller import poller_wake
from vnfm.elements.services.trap_losses import record_losses
from vnfm.elements.services.versioned_rows import publish_change

RAISED = "raised"
"""Value of a fact that a notification raised."""

MAX_TRAP_FACTS = 100
"""Facts of one element that its traps may raise: each new subject in a trap would add one."""

log = structlog.get_logger(__name__)

Resync = NetworkElement.ResyncState


@dataclass(frozen=True, slots=True)
class ElementEvents:
    """Consequences of a batch of notifications of one element."""

    parts: frozenset[str] = frozenset()
    """These parts are to be polled."""
    missed_since: datetime | None = None
    fact_changes: tuple[FactChange, ...] = ()
    """In the order of their notifications."""
    restarted: bool = False
    """All facts raised before are cleared; the element notifies again of what persists."""
    losses: tuple[tuple[Loss, datetime], ...] = ()
    """Objects that have gone down by the notifications themselves, with the times of their arrival."""


@transaction.atomic
def element_apply_events(element_id: UUID, events: ElementEvents, now: datetime) -> None:
    """One new version if anything changes. Does nothing to an element that is not managed."""
    rows = NetworkElement.objects.select_for_update(no_key=True)
    element = rows.filter(id=element_id, state=NetworkElement.State.MANAGED).first()
    if element is None:
        return
    columns = _resync_columns(element, events.parts, now) if events.parts else {}
    if events.missed_since is not None:
        columns |= {"trap_gap_since": element.trap_gap_since or events.missed_since, "trap_gap_noticed_at": now}
    lost = record_losses(element, events.losses, now)
    if not _apply_fact_changes(element, events, now) and not columns and not lost:
        return
    element.version += 1
    NetworkElement.objects.filter(id=element.id).update(version=element.version, **columns)
    publish_change(element)
    if events.parts or lost:
        poller_wake()


def _resync_columns(element: NetworkElement, parts: frozenset[str], now: datetime) -> dict[str, Any]:
    """Merged with a resync that waits or runs: a running one may have read these parts too early."""
    pending = element.resync_state in (Resync.WAITING, Resync.RUNNING)
    scope = parts | parts_of(element.resync_scope) if pending else parts
    return {
        "resync_state": Resync.WAITING,
        "resync_scope": [] if scope.issuperset(PARTS) else [part for part in PARTS if part in scope],
        "resync_progress": 0,
        "resync_problem": "",
        "resync_requested_at": now,
    }


def _apply_fact_changes(element: NetworkElement, events: ElementEvents, now: datetime) -> bool:
    """Return whether any fact changed."""
    facts = ElementFact.objects.filter(element=element)
    from_traps = facts.filter(polled=False)
    changed = events.restarted and bool(from_traps.exclude(name=STORM).delete()[0])
    for change in events.fact_changes:
        key = {"name": change.name, "subject": change.subject}
        if not change.raised:
            changed |= bool(from_traps.filter(**key).delete()[0])
        elif facts.filter(**key).exists():
            continue
        elif change.name != STORM and from_traps.exclude(name=STORM).count() >= MAX_TRAP_FACTS:
            log.warning("traps.too_many_facts", element_id=str(element.id), name=change.name)
        else:
            ElementFact.objects.create(element=element, **key, value=RAISED, since=now)
            changed = True
    return changed


TrapRow = tuple[UUID | None, str, str, str, str, datetime, int | None]
"""Element, source address, snmpTrapOID, name, variables as JSON, time of arrival, request-id."""

_COPY = """
COPY elements_trap (element_id, source_address, trap_oid, name, varbinds, received_at, sequence) FROM STDIN
"""


@transaction.atomic
def traps_store(rows: Iterable[TrapRow]) -> None:
    """Store all or none; raises IntegrityError at the end of the transaction for an element that has been deleted."""
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for row in rows:
            copy.write_row(row)


def sequences_store(numbers: Mapping[UUID, int]) -> None:
    """The last number of each element; a row that another transaction has locked is left for the next call."""
    sql = """
    UPDATE elements_networkelement AS element SET trap_sequence = latest.number
    FROM (
        SELECT locked.id, given.number
        FROM unnest(%s::uuid[], %s::bigint[]) AS given (id, number)
        JOIN LATERAL (
            SELECT id FROM elements_networkelement WHERE id = given.id FOR NO KEY UPDATE SKIP LOCKED
        ) AS locked ON true
    ) AS latest
    WHERE element.id = latest.id
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [list(numbers), list(numbers.values())])


MAX_TRAPS, MAX_UNKNOWN_TRAPS = 2_000_000, 10_000
"""Rows: of all traps, and of those from unknown addresses."""
DELETE_BATCH = 20_000
"""Rows that one call deletes at most, to hold no lock for long."""

_TOO_OLD = "DELETE FROM elements_trap WHERE id IN (SELECT id FROM elements_trap WHERE received_at < %s LIMIT %s)"
_TOO_MANY = """
DELETE FROM elements_trap WHERE id IN (
    SELECT id FROM elements_trap WHERE id <= (SELECT max(id) FROM elements_trap) - %s LIMIT %s
)
"""
_TOO_MANY_UNKNOWN = """
DELETE FROM elements_trap WHERE id IN (
    SELECT id FROM elements_trap WHERE element_id IS NULL ORDER BY received_at DESC OFFSET %s LIMIT %s
)
"""


def traps_expire(before: datetime) -> int:
    """Delete older traps, and the oldest beyond the limits; returns the number of rows."""
    deleted = 0
    with connection.cursor() as cursor:
        for sql, limit in ((_TOO_OLD, before), (_TOO_MANY, MAX_TRAPS), (_TOO_MANY_UNKNOWN, MAX_UNKNOWN_TRAPS)):
            cursor.execute(sql, [limit, DELETE_BATCH])
            deleted += cursor.rowcount
    return deleted

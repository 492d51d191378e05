"""What notifications change: parts are asked to be read anew, conditions of no table come and go, gaps are noted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db import connection, transaction

from vnfm.elements.domain.parts import PARTS, parts_of
from vnfm.elements.domain.traps import STORM, FactChange
from vnfm.elements.models import ElementFact, NetworkElement
from vnfm.elements.services.elements import poller_wake
from vnfm.elements.services.versioned_rows import publish_change

RAISED = "raised"
"""The value of a fact that a notification raised."""

MAX_TRAP_FACTS = 100
"""Facts of one element that are kept of what it tells: whatever its notifications name would be one more each."""

log = structlog.get_logger(__name__)

Resync = NetworkElement.ResyncState


@dataclass(frozen=True, slots=True)
class ElementEvents:
    """What the notifications of one element mean, taken together."""

    parts: frozenset[str] = frozenset()
    """To read anew."""
    missed_since: datetime | None = None
    conditions: tuple[FactChange, ...] = ()
    """In their order."""
    restarted: bool = False
    """What was raised before is over; it says anew what is still so."""


@transaction.atomic
def element_apply_events(element_id: UUID, news: ElementEvents, now: datetime) -> None:
    """As one new version, when anything is another than before. An element that is not managed is left alone."""
    rows = NetworkElement.objects.select_for_update(no_key=True)
    element = rows.filter(id=element_id, state=NetworkElement.State.MANAGED).first()
    if element is None:
        return
    columns = _resync_columns(element, news.parts, now) if news.parts else {}
    if news.missed_since is not None:
        columns |= {"trap_gap_since": element.trap_gap_since or news.missed_since, "trap_gap_seen_at": now}
    moved = _apply_fact_changes(element, news, now)
    if not columns and not moved:
        return
    element.version += 1
    NetworkElement.objects.filter(id=element.id).update(version=element.version, **columns)
    publish_change(element)
    if news.parts:
        poller_wake()


def _resync_columns(element: NetworkElement, parts: frozenset[str], now: datetime) -> dict[str, Any]:
    """With what waits, or is being read: that may have begun too early. Nothing that was asked for is lost."""
    under_way = element.resync_state in (Resync.WAITING, Resync.RUNNING)
    wanted = parts | parts_of(element.resync_scope) if under_way else parts
    return {
        "resync_state": Resync.WAITING,
        "resync_scope": [] if wanted.issuperset(PARTS) else [part for part in PARTS if part in wanted],
        "resync_progress": 0,
        "resync_problem": "",
        "resync_requested_at": now,
    }


def _apply_fact_changes(element: NetworkElement, news: ElementEvents, now: datetime) -> bool:
    """Whether any is another than before."""
    heard = ElementFact.objects.filter(element=element, polled=False)
    moved = False
    if news.restarted:
        moved = bool(heard.exclude(name=STORM).delete()[0])
    for condition in news.conditions:
        rows = heard.filter(name=condition.name, subject=condition.subject)
        if not condition.raised:
            moved |= bool(rows.delete()[0])
        elif ElementFact.objects.filter(element=element, name=condition.name, subject=condition.subject).exists():
            continue
        elif condition.name != STORM and heard.exclude(name=STORM).count() >= MAX_TRAP_FACTS:
            log.warning("traps.too_many_conditions", element_id=str(element.id), name=condition.name)
        else:
            ElementFact.objects.create(
                element=element, name=condition.name, subject=condition.subject, value=RAISED, since=now
            )
            moved = True
    return moved


TrapRow = tuple[UUID | None, str, str, str, str, datetime, int]
"""Element, source address, identifier, name, variables as JSON, when, number."""

_COPY = """
COPY elements_trap (element_id, source_address, trap_oid, name, varbinds, received_at, sequence) FROM STDIN
"""


@transaction.atomic
def traps_store(rows: Iterable[TrapRow]) -> None:
    """All, or none when that fails. Elements that were deleted meanwhile are checked at the end of the transaction."""
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for row in rows:
            copy.write_row(row)


def sequences_store(numbers: Mapping[UUID, int]) -> None:
    """The last number of each; who is being written by somebody else has its turn the next time."""
    sql = """
    UPDATE elements_networkelement AS element SET trap_sequence = heard.number
    FROM (
        SELECT locked.id, given.number
        FROM unnest(%s::uuid[], %s::bigint[]) AS given (id, number)
        JOIN LATERAL (
            SELECT id FROM elements_networkelement WHERE id = given.id FOR NO KEY UPDATE SKIP LOCKED
        ) AS locked ON true
    ) AS heard
    WHERE element.id = heard.id
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [list(numbers), list(numbers.values())])


MAX_TRAPS, MAX_UNKNOWN_TRAPS = 2_000_000, 10_000
"""Rows: of all, and of those that come from nobody we know."""
DELETE_BATCH = 20_000
"""Rows that one round of housekeeping deletes at most: nobody is to wait for it."""

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
    """Forget what is older, and the oldest of too many; returns how many rows that were."""
    gone = 0
    with connection.cursor() as cursor:
        for sql, limit in ((_TOO_OLD, before), (_TOO_MANY, MAX_TRAPS), (_TOO_MANY_UNKNOWN, MAX_UNKNOWN_TRAPS)):
            cursor.execute(sql, [limit, DELETE_BATCH])
            gone += cursor.rowcount
    return gone

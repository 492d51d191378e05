"""Asking the Heat of a cloud what it thinks of a package: a worker does it, while the request waits for the answer.

A web process never talks to a cloud (DESIGN "Who may import whom", 4); it leaves a row, rings, and listens.
"""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import psycopg
from django.db import connection as database

from vnfm.catalog.domain.extract import Extract
from vnfm.catalog.domain.findings import Finding, Severity
from vnfm.kit import clock, tasks
from vnfm.kit.database import awaited, direct_connection
from vnfm.lcm.models import HeatOpinion
from vnfm.vims.models import Vim

ASK = "lcm.ask_heat"
CHANNEL = "vnfm_heat_opinion"
WAIT_SECONDS = 45.0
"""Longer than Heat takes for a stack of many VMs, shorter than proxies' usual minute."""
ABANDONED_AFTER = timedelta(minutes=10)

_SELECT = "SELECT findings FROM lcm_heatopinion WHERE id = %s AND state = %s"

State = HeatOpinion.State


def heat_says(vim: Vim, severity: Severity, code: str, message: str) -> Finding:
    return Finding(severity, code, message, speaker=f"heat of {vim.name}")


def ask_heat(*, vim: Vim, extract: Extract | None, seconds: float = WAIT_SECONDS) -> Sequence[Finding]:
    """What Heat of that cloud says to the package, or why it says nothing. `extract` is None of one that is refused.

    Not inside a transaction: the worker must see the row now.
    """
    if extract is None:
        return [heat_says(vim, "note", "HEAT_NOT_ASKED", "Heat is asked when nothing here is against the package.")]
    row = HeatOpinion.objects.create(vim=vim, extract=extract.as_json())
    try:
        with direct_connection() as own:
            own.execute(f"LISTEN {CHANNEL}")
            tasks.enqueue_now(ASK, row.id)
            database.close()  # other requests need the pool's connections while this one waits
            found = awaited(own, lambda: _findings(own, row.id), seconds)
        row.refresh_from_db()
    finally:
        HeatOpinion.objects.filter(id=row.id).delete()
    if found is not None:
        return found
    why = (
        f"Heat did not answer within {seconds:.0f} seconds."
        if row.state == State.RUNNING
        else "No worker took the question to Heat: check that one runs."
    )
    return [heat_says(vim, "warning", "HEAT_UNREACHABLE", why)]


def _findings(own: psycopg.Connection, row_id: UUID) -> Sequence[Finding] | None:
    row = own.execute(_SELECT, [row_id, State.GIVEN]).fetchone()
    return [Finding(**finding) for finding in row[0]] if row is not None else None


def opinion_take(*, row_id: UUID) -> HeatOpinion | None:
    """For the worker; None when another has it or nobody waits any more."""
    if not HeatOpinion.objects.filter(id=row_id, state=State.WAITING).update(state=State.RUNNING):
        return None
    return HeatOpinion.objects.select_related("vim").filter(id=row_id).first()


def opinion_give(*, row_id: UUID, findings: Sequence[Finding]) -> None:
    """For the worker: the answer, told to whoever waits."""
    told = [finding.as_json() for finding in findings]
    HeatOpinion.objects.filter(id=row_id).update(state=State.GIVEN, findings=told)
    with database.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")


def opinions_prune() -> None:
    """Remove what web processes that died while waiting have left."""
    HeatOpinion.objects.filter(created_at__lt=clock.now() - ABANDONED_AFTER).delete()

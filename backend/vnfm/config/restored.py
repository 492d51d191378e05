"""The first start after a restore: nothing goes on by itself from records of the past (ADR-0047)."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import connection, transaction

from recovery.database import MARKER
from vnfm.configuration.reconcilers.jobs import jobs_interrupt
from vnfm.configuration.selectors import elements_with_configuration
from vnfm.configuration.services.jobs import backup_start
from vnfm.configuration.services.versions import Reason
from vnfm.installation.services import hold_begin
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.lcm.reconcilers.restored import operations_interrupt

ACTOR = "restore"
SPREAD = timedelta(milliseconds=200)
"""The pause between backups of two elements, so that a thousand do not start at once."""


@transaction.atomic
def begin_hold_if_restored() -> str:
    """If a restore left its note in the database, stop what was under way and begin the hold; words about it or ""."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"public.{MARKER}"])
        if cursor.fetchone() == (None,):
            return ""
        cursor.execute(f"SELECT taken_at, source FROM {MARKER}")  # noqa: S608 - a constant
        [(taken_at, source)] = cursor.fetchall()
        cursor.execute(f"DROP TABLE {MARKER}")
    return begin_hold(taken_at, source)


@transaction.atomic
def begin_hold(taken_at: datetime, source: str) -> str:
    """Take the records for those of `taken_at`; words about what was stopped."""
    hold_begin(taken_at=taken_at, source=source)
    operations, jobs = operations_interrupt(taken_at), jobs_interrupt(taken_at)
    _compare_configurations()
    return (
        f"Restored from a backup of {taken_at:%Y-%m-%d %H:%M} UTC: {operations} operations and {jobs} changes of "
        "configurations were stopped; automation and notifications wait for an administrator."
    )


def _compare_configurations() -> None:
    """Have every configuration that is known read again: what differs becomes a new version of it."""
    for number, element in enumerate(elements_with_configuration()):
        at = clock.now() + SPREAD * number
        with suppress(ProblemError):  # not managed, or without a login: the comparison lists it as not read
            backup_start(element=element, reason=Reason.SCHEDULE, by=ACTOR, wake_at=at)

"""Find periodic tasks that have nothing to do: beat sends no message for these.

One query of beat costs a tenth of the processor time of a message, its task and the task's own queries. It may say that
there is something to do where there is not; what it does not see, the sweeps do not either.
"""

from collections.abc import Collection

import structlog
from django.db import DatabaseError, connection

from vnfm.faults.services.policies import APPLY
from vnfm.kit import clock
from vnfm.lcm.domain.steps import FARTHEST
from vnfm.notifications.selectors.indicator_notifications import WAKE as INDICATORS

_QUERY = """
SELECT
    EXISTS (SELECT FROM lcm_lcmopocc WHERE wake_at < %(now)s OR wake_at > %(farthest)s)
        OR EXISTS (SELECT FROM lcm_planpreview WHERE state = 'PENDING')
        OR EXISTS (SELECT FROM lcm_vnfsnapshot WHERE wake_at < %(now)s OR wake_at > %(farthest)s),
    EXISTS (SELECT FROM notifications_delivery WHERE state = 'WAITING')
        OR EXISTS (SELECT FROM notifications_subscription WHERE never_answered
            AND settled_at > %(now)s - interval '24 hours' AND coalesce(not_before, %(now)s) <= %(now)s),
    EXISTS (SELECT FROM configuration_configurationjob WHERE wake_at < %(now)s)
        OR EXISTS (SELECT FROM configuration_configurationplan WHERE on_change OR due_at <= %(now)s),
    EXISTS (SELECT FROM automation_automationpolicy)
        OR EXISTS (SELECT FROM automation_automationstatus WHERE due_at <= %(now)s),
    EXISTS (SELECT FROM faults_alarm WHERE cleared_at IS NULL AND due_at <= %(now)s)
        OR EXISTS (SELECT FROM faults_alarmpolicy WHERE pending),
    EXISTS (SELECT FROM pm_pmjob WHERE report_at <= %(now)s)
        OR EXISTS (SELECT FROM pm_pmthreshold WHERE collected_until <= %(now)s),
    EXISTS (SELECT FROM notifications_subscription WHERE interface = 'vnfind')
        OR EXISTS (SELECT FROM indicators_indicatorstate)
"""
TASKS = (
    "lcm.sweep",
    "notifications.sweep",
    "configuration.sweep",
    "automation.sweep",
    APPLY,
    "pm.sweep",
    INDICATORS,
)
"""Those that the query is for, in the order of its columns."""

log = structlog.get_logger(__name__)


def idle_tasks() -> Collection[str]:
    """The tasks that have nothing to do now; none while the database does not say."""
    now = clock.now()
    try:
        with connection.cursor() as cursor:
            cursor.execute(_QUERY, {"now": now, "farthest": now + FARTHEST})
            row = cursor.fetchone()
    except DatabaseError as error:
        log.warning("beat.database_unavailable", error=str(error).strip())
        return ()
    return {task for task, due in zip(TASKS, row or (), strict=True) if not due}

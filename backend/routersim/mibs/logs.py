"""ALARM-MIB (RFC 3877) with the current conditions, and NOTIFICATION-LOG-MIB (RFC 3014) with the notifications.

A manager finds lost notifications by the log: `nlmStatsGlobalNotificationsLogged` is the number of the last one, and
`nlmLogTable` has the last 500 by number.
"""

from __future__ import annotations

from collections.abc import Mapping

from routersim.clock import date_and_time
from routersim.model.conditions import Condition, conditions
from routersim.snmp.ber import Oid, Tag, Value
from routersim.snmp.mib import Column, Scope, Table, scalars
from routersim.snmp.notify import Logged, Notifier

_ALARM: Oid = (1, 3, 6, 1, 2, 1, 118, 1)
_NLM: Oid = (1, 3, 6, 1, 2, 1, 92, 1)


def notifier(scope: Scope) -> Notifier:
    found: Notifier = scope.parts["notifier"]
    return found


def _alarms(scope: Scope) -> Mapping[Oid, Condition]:
    """The index is alarmListName "", the time of the alarm, and a number."""
    rows: dict[Oid, Condition] = {}
    for number, condition in enumerate(conditions(scope.element, scope.now), start=1):
        raised = date_and_time(condition.since)
        rows[(0, len(raised), *raised, number)] = condition
    return rows


def _notification(scope: Scope, condition: Condition) -> Value | None:
    """alarmActiveNotificationID: the notification that raised the alarm."""
    raised: Oid | None = scope.parts["raised"](condition)
    return raised or (0, 0)


ALARM_ACTIVE = Table(
    "alarmActiveTable",
    (*_ALARM, 2, 2, 1),
    _alarms,
    (
        Column(4, "alarmActiveEngineID", Tag.OCTETS, lambda *_: b""),
        Column(7, "alarmActiveContextName", Tag.OCTETS, lambda *_: b""),
        Column(8, "alarmActiveVariables", Tag.GAUGE32, lambda *_: 0),
        Column(9, "alarmActiveNotificationID", Tag.OID, _notification),
        Column(10, "alarmActiveResourceId", Tag.OID, lambda *_: (0, 0)),
        Column(11, "alarmActiveDescription", Tag.OCTETS, lambda _, c: f"{c.severity}: {c.name}: {c.where}: {c.text}"),
    ),
    live=True,
)


def _log(scope: Scope) -> Mapping[Oid, Logged]:
    """The index is nlmLogName "" and the number of the notification."""
    return {(0, logged.sequence): logged for logged in notifier(scope).log}


NLM_STATS = scalars(
    "nlmStats",
    (*_NLM, 2),
    Column(1, "nlmStatsGlobalNotificationsLogged", Tag.COUNTER32, lambda _, element: element.sequence),
    Column(2, "nlmStatsGlobalNotificationsBumped", Tag.COUNTER32, lambda s, e: e.sequence - len(notifier(s).log)),
)
NLM_LOG = Table(
    "nlmLogTable",
    (*_NLM, 3, 1, 1),
    _log,
    (
        Column(2, "nlmLogTime", Tag.TIMETICKS, lambda _, logged: logged.uptime),
        Column(3, "nlmLogDateAndTime", Tag.OCTETS, lambda _, logged: date_and_time(logged.time)),
        Column(9, "nlmLogNotificationID", Tag.OID, lambda _, logged: logged.notification.oid),
    ),
    live=True,
)
TABLES: tuple[Table, ...] = (ALARM_ACTIVE, NLM_STATS, NLM_LOG)

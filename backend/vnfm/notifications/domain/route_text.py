"""An alarm, or a group of alarms, in the words of each channel: mail, JSON, syslog (RFC 5424, RFC 5674), CEF. Pure."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from vnfm.notifications.domain.routing import AlarmGroup, RoutedAlarm

APP = "vnfm"
LOCAL0 = 16
SYSLOG_SEVERITIES: Mapping[str, int] = {
    "CRITICAL": 2,
    "MAJOR": 3,
    "MINOR": 4,
    "WARNING": 5,
    "INDETERMINATE": 5,
    "CLEARED": 6,
}
"""RFC 5674, 2: critical, error, warning, notice; the end of an alarm is informational."""
CEF_SEVERITIES: Mapping[str, int] = {
    "CRITICAL": 10,
    "MAJOR": 8,
    "MINOR": 5,
    "WARNING": 3,
    "INDETERMINATE": 1,
    "CLEARED": 0,
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_ESCAPED = re.compile(r'(["\\\]])')


def mail_text(group: AlarmGroup) -> str:
    """The body of a mail: every listed alarm in a paragraph."""
    parts = [_paragraph(alarm) for alarm in group.listed]
    if group.unlisted:
        parts.append(f"And {group.unlisted} more; the console lists all.")
    if group.passed:
        parts.append(f"Raised and already cleared again: {group.passed}.")
    return "\n\n".join(parts) + "\n"


def _paragraph(alarm: RoutedAlarm) -> str:
    lines = [alarm.text]
    lines += [f"  {detail}" for detail in alarm.details]
    lines += [f"  Site: {alarm.site_name}"] if alarm.site_name else []
    lines += [f"  Cause: {alarm.probable_cause}", f"  Raised: {alarm.raised_at}"]
    if alarm.event == "cleared":
        lines.append(f"  Cleared: {alarm.at}")
    elif alarm.remedy:
        lines.append(f"  What to do: {alarm.remedy}")
    return "\n".join([*lines, f"  {alarm.url}"])


def webhook_json(group: AlarmGroup) -> dict[str, Any]:
    """The body of a webhook."""
    return {
        "subject": group.subject,
        "alarms": [alarm_json(alarm) for alarm in group.listed],
        "unlisted": group.unlisted,
        "passed": group.passed,
    }


def alarm_json(alarm: RoutedAlarm) -> dict[str, Any]:
    return {
        "alarmId": alarm.id,
        "event": alarm.event,
        "perceivedSeverity": alarm.severity,
        "highestSeverity": alarm.highest,
        "managedObjectType": alarm.object_type,
        "managedObjectId": alarm.object_id,
        "managedObjectName": alarm.object_name,
        "siteName": alarm.site_name,
        "faultyResourceName": alarm.resource,
        "faultType": alarm.fault_type,
        "eventType": alarm.event_type,
        "probableCause": alarm.probable_cause,
        "faultDetails": list(alarm.details),
        "remedialAction": alarm.remedy,
        "alarmRaisedTime": alarm.raised_at,
        "eventTime": alarm.at,
        "href": alarm.url,
    }


def syslog_message(alarm: RoutedAlarm, *, host: str, cef: bool, release: str) -> bytes:
    """One message of RFC 5424, without framing; with `cef` its text is ArcSight's Common Event Format."""
    priority = LOCAL0 * 8 + SYSLOG_SEVERITIES[alarm.severity]
    head = f"<{priority}>1 {_timestamp(alarm.at)} {_word(host, 255)} {APP} - {_word(alarm.fault_type, 32)}"
    if cef:
        return f"{head} - {_cef(alarm, release)}".encode()
    parameters = {
        "resource": f"{alarm.object_name}/{alarm.resource}" if alarm.resource else alarm.object_name,
        "probableCause": alarm.probable_cause,
        "perceivedSeverity": alarm.severity.lower(),
        "eventType": alarm.event_type,
        "resourceURI": alarm.url,
    }
    data = " ".join(f'{name}="{_parameter(value)}"' for name, value in parameters.items())
    text = _line("; ".join([alarm.text, *alarm.details]))
    return f"{head} [alarm {data}] \N{ZERO WIDTH NO-BREAK SPACE}{text}".encode()


def _timestamp(at: str) -> str:
    return datetime.fromisoformat(at).isoformat(timespec="milliseconds")


def _word(text: str, length: int) -> str:
    """Printable ASCII without spaces (RFC 5424, 6)."""
    return re.sub(r"[^!-~]", "_", text)[:length] or "-"


def _line(text: str) -> str:
    return _CONTROL.sub(" ", text)


def _parameter(value: str) -> str:
    return _ESCAPED.sub(r"\\\1", _line(value))


def _cef(alarm: RoutedAlarm, release: str) -> str:
    head = ("VNFM", "VNF manager", release, alarm.fault_type, alarm.text, str(CEF_SEVERITIES[alarm.severity]))
    fields = {
        "rt": str(int(datetime.fromisoformat(alarm.at).timestamp() * 1000)),
        "externalId": alarm.id,
        "dvchost": alarm.object_name,
        "cat": alarm.event_type,
        "act": alarm.event,
        "cs1Label": "perceivedSeverity",
        "cs1": alarm.severity,
        "cs2Label": "probableCause",
        "cs2": alarm.probable_cause,
        "cs3Label": "resource",
        "cs3": alarm.resource,
        "cs4Label": "site",
        "cs4": alarm.site_name,
        "request": alarm.url,
        "msg": "; ".join(alarm.details),
    }
    extension = " ".join(f"{name}={_cef_value(value)}" for name, value in fields.items() if value)
    return f"CEF:0|{'|'.join(_cef_head(part) for part in head)}|{extension}"


def _cef_head(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace("|", "\\|")


def _cef_value(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("=", "\\=").replace("\r", "").replace("\n", "\\n")
    return _line(escaped)

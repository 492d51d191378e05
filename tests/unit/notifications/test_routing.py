"""A route sends the alarms that match, and a group of them becomes one message."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from vnfm.notifications.domain.route_text import alarm_json, mail_text, syslog_message, webhook_json
from vnfm.notifications.domain.routing import RouteCriteria, RoutedAlarm, TimeWindow, group_of

NOON = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)  # a Wednesday
ALARM = RoutedAlarm(
    id="a",
    event="raised",
    severity="MAJOR",
    highest="MAJOR",
    object_type="NETWORK_ELEMENT",
    object_id="e1",
    object_name="pe-1",
    site_id="s1",
    site_name="Bonn",
    resource='1/1/2 "x"]',
    fault_type="LinkDown",
    event_type="COMMUNICATIONS_ALARM",
    probable_cause="linkFailure",
    details=("Port 1/1/2 is down.",),
    remedy="Check the cable.",
    raised_at="2026-11-25T12:00:00+00:00",
    at="2026-11-25T12:00:00.123456+00:00",
    url="https://vnfm.example/alarms?alarm=a",
)
CLEARED = replace(ALARM, event="cleared", severity="CLEARED")


@pytest.mark.parametrize(
    ("criteria", "sent"),
    [
        ({}, True),
        ({"min_severity": "MAJOR"}, True),
        ({"min_severity": "CRITICAL"}, False),
        ({"object_types": ["NETWORK_ELEMENT"]}, True),
        ({"object_types": ["VIM"]}, False),
        ({"object_ids": ["e2"]}, False),
        ({"site_ids": ["s1"]}, True),
        ({"site_ids": ["s2"]}, False),
        ({"fault_types": ["LinkDown"]}, True),
        ({"fault_types": ["CardFailed"]}, False),
        ({"window": {"days": ["WED"], "begin": "08:00", "end": "18:00", "zone": "UTC"}}, True),
        ({"window": {"days": ["THU"], "begin": "08:00", "end": "18:00", "zone": "UTC"}}, False),
    ],
)
def test_all_criteria_must_match(criteria: dict[str, object], sent: bool) -> None:
    assert RouteCriteria.from_json(criteria).match(ALARM, NOON) is sent


def test_the_end_of_an_alarm_matches_by_the_highest_severity_that_it_had() -> None:
    assert RouteCriteria(min_severity="MAJOR").match(CLEARED, NOON)
    assert not RouteCriteria(min_severity="CRITICAL").match(CLEARED, NOON)
    assert not RouteCriteria(cleared=False).match(CLEARED, NOON)


def test_the_end_of_an_alarm_that_was_sent_is_sent_outside_the_window() -> None:
    closed = RouteCriteria(window=TimeWindow(["THU"], "08:00", "18:00", "UTC"))
    assert closed.match(CLEARED, NOON, has_sent=lambda: True)
    assert not closed.match(CLEARED, NOON, has_sent=lambda: False)
    assert not closed.match(ALARM, NOON, has_sent=lambda: True)


@pytest.mark.parametrize(
    ("hour", "minute", "day", "covered"),
    [(22, 0, 25, True), (5, 59, 26, True), (6, 0, 26, False), (21, 59, 25, False), (5, 0, 25, False)],
)
def test_a_night_shift_goes_on_over_midnight(hour: int, minute: int, day: int, covered: bool) -> None:
    night = TimeWindow(["WED"], "22:00", "06:00", "UTC")
    assert night.covers(datetime(2026, 11, day, hour, minute, tzinfo=UTC)) is covered


def test_a_window_is_in_local_time() -> None:
    morning = TimeWindow(["WED"], "13:00", "13:01", "Europe/Berlin")
    assert morning.covers(NOON)
    assert not morning.covers(NOON.replace(hour=13))


def test_a_group_lists_each_alarm_once_as_it_is_at_last() -> None:
    worse = replace(ALARM, event="changed", severity="CRITICAL", highest="CRITICAL")
    other = replace(ALARM, id="b", severity="MINOR")
    flapping = [replace(ALARM, id="c"), replace(CLEARED, id="c")]
    group = group_of([other, ALARM, *flapping, worse, replace(CLEARED, id="d")])
    assert [(alarm.id, alarm.event) for alarm in group.listed] == [("a", "changed"), ("b", "raised"), ("d", "cleared")]
    assert (group.total, group.passed) == (3, 1)
    assert group.subject == '3 alarms, the most severe: CRITICAL pe-1: LinkDown 1/1/2 "x"]'


def test_the_end_of_an_alarm_whose_message_failed_before_is_listed() -> None:
    """It may have arrived all the same."""
    group = group_of([replace(ALARM, tried=True), CLEARED])
    assert ([alarm.event for alarm in group.listed], group.passed) == (["cleared"], 0)


def test_a_storm_is_one_message_that_lists_the_most_severe() -> None:
    storm = [replace(ALARM, id=str(number), severity="MINOR") for number in range(5000)]
    group = group_of([*storm, replace(ALARM, id="worst", severity="CRITICAL")])
    assert group.listed[0].id == "worst"
    assert (len(group.listed), group.unlisted) == (50, 4951)
    assert "And 4951 more" in mail_text(group)
    assert webhook_json(group)["unlisted"] == 4951


def test_a_mail_has_the_remedy() -> None:
    text = mail_text(group_of([ALARM]))
    for words in ("MAJOR pe-1: LinkDown", "Port 1/1/2 is down.", "Site: Bonn", "Check the cable.", ALARM.url):
        assert words in text
    assert "Check the cable." not in mail_text(group_of([CLEARED]))


def test_a_syslog_message_has_the_alarm_as_rfc_5674_defines_it() -> None:
    message = syslog_message(ALARM, host="vnfm.example", cef=False, release="1.0").decode()
    assert message.startswith("<131>1 2026-11-25T12:00:00.123+00:00 vnfm.example vnfm - LinkDown [alarm resource=")
    assert r'resource="pe-1/1/1/2 \"x\"\]"' in message
    assert 'perceivedSeverity="major"' in message
    assert message.endswith('] \ufeffMAJOR pe-1: LinkDown 1/1/2 "x"]; Port 1/1/2 is down.')


def test_hostile_text_stays_on_its_line_and_in_its_field() -> None:
    hostile = replace(ALARM, object_name="x\n<0>1 forged|=\\", details=("a=b\nc\x1b[2J",))
    message = syslog_message(hostile, host="h", cef=False, release="1.0").decode()
    assert "\n" not in message
    cef = syslog_message(hostile, host="h", cef=True, release="1.0").decode()
    assert "\n" not in cef
    assert "|LinkDown|MAJOR x <0>1 forged\\|=\\\\: LinkDown" in cef
    assert r"msg=a\=b\nc [2J" in cef, "no control character reaches a terminal"
    assert "|8|rt=1795608000123 " in cef


def test_json_has_the_names_of_the_alarm_api() -> None:
    assert alarm_json(ALARM)["perceivedSeverity"] == "MAJOR"
    assert alarm_json(ALARM)["faultyResourceName"] == ALARM.resource

"""An alarm's webhook is read."""

from typing import Any

import pytest

from vnfm.inventory.domain.aodh_webhook import AodhNotification, parse_webhook

BODY = {
    "alarm_name": "cpu high",
    "alarm_id": "a1",
    "severity": "moderate",
    "previous": "ok",
    "current": "alarm",
    "reason": "Transition to alarm due to 1 samples outside threshold",
    "reason_data": {"type": "threshold", "disposition": "outside", "count": 1},
}


def parsed(**changes: Any) -> AodhNotification | None:
    return parse_webhook({key: value for key, value in {**BODY, **changes}.items() if value is not None})


def test_a_call_as_aodh_makes_it() -> None:
    expected = AodhNotification("a1", "cpu high", "alarm", "MAJOR", BODY["reason"], BODY["reason_data"], "")
    assert parsed() == expected


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ({"severity": "low"}, "MINOR"),
        ({"severity": "critical"}, "CRITICAL"),
        ({"severity": None}, "MINOR"),
        ({"severity": "new"}, "MINOR"),
        ({"current": "insufficient data", "severity": "critical"}, "INDETERMINATE"),
        ({"current": "ok", "severity": "critical"}, "CRITICAL"),
    ],
)
def test_severities_are_mapped(changes: dict[str, Any], severity: str) -> None:
    found = parsed(**changes)
    assert found is not None
    assert found.severity == severity


def test_an_older_ceilometer_leaves_things_out() -> None:
    assert parse_webhook({"alarm_id": "a1", "current": "ok"}) == AodhNotification("a1", "", "ok", "MINOR", "", {}, "")


@pytest.mark.parametrize(
    "changes",
    [
        {"alarm_id": None},
        {"alarm_id": ""},
        {"alarm_id": 7},
        {"alarm_id": "x" * 65},
        {"current": "red"},
        {"current": None},
    ],
)
def test_anything_else_is_no_call(changes: dict[str, Any]) -> None:
    assert parsed(**changes) is None


def test_an_event_alarm_names_its_server() -> None:
    traits = [["state", 1, "stopped"], ["instance_id", 1, "server-1"]]
    found = parsed(reason_data={"type": "event", "event": {"traits": traits}})
    assert found is not None
    assert found.server_id == "server-1"


@pytest.mark.parametrize(
    "data", [None, "text", {"event": 1}, {"event": {"traits": 5}}, {"event": {"traits": [1, ["x"]]}}]
)
def test_reason_data_of_any_shape_does_no_harm(data: object) -> None:
    found = parsed(reason_data=data)
    assert found is not None
    assert found.server_id == ""


def test_a_flood_of_reason_data_is_left_out() -> None:
    found = parsed(reason_data={"x": "y" * 100_000}, reason="z" * 10_000)
    assert found is not None
    assert found.reason_data == {}
    assert len(found.reason) == 2000

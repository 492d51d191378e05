"""Threshold rules: what a counter beyond a value raises, and what clears it."""

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from psycopg_pool import ConnectionPool
from rest_framework.test import APIClient

from tests.factories.deployed import make_deployed
from tests.factories.elements import make_element
from tests.service.counters.managed_routers import managed
from tests.support.routersim_process import RoutersimProcess
from tests.support.waiting import until
from vnfm.counters.domain import threshold_rules
from vnfm.counters.domain.counters import SYSTEM
from vnfm.counters.models import ThresholdRule
from vnfm.counters.reconcilers.collector import Collector
from vnfm.counters.reconcilers.threshold_evaluation import ThresholdEvaluator
from vnfm.devices.provider import Devices
from vnfm.elements.models import Interface, NetworkElement
from vnfm.faults.models import Alarm, AlarmNote, ThresholdCrossing
from vnfm.faults.reconcilers.element_alarm_loop import run_alarm_loop
from vnfm.faults.reconcilers.evaluation import evaluate_stale_elements
from vnfm.kit import clock

pytestmark = pytest.mark.django_db(transaction=True)
RULES = "/api/v1/threshold_rules"
MINUTE = timedelta(minutes=1)


def element_with_ports(name: str = "pe-1", **fields: object) -> NetworkElement:
    element = make_element(name=name, reachable="True", resync_state="DONE", **fields)
    rows = [
        Interface(element=element, if_index=n, name=f"1/1/{n}", admin="UP", oper="UP", since=clock.now())
        for n in (1, 2)
    ]
    Interface.objects.bulk_create(rows)
    return element


def body(**changes: Any) -> dict[str, Any]:
    rule = {
        "name": "Busy",
        "counter": "cpu",
        "direction": "ABOVE",
        "threshold": 90,
        "clearValue": 80,
        "severity": "MAJOR",
    }
    return rule | changes


def create(api: APIClient, **changes: Any) -> dict[str, Any]:
    answer = api.post(RULES, body(**changes), format="json")
    assert answer.status_code == 201, answer.json()
    assert answer["Location"].endswith(answer.json()["id"])
    return dict(answer.json())


class Readings:
    """Readings a minute apart, the last of which has just ended, as the collector evaluates them."""

    def __init__(self, minutes: int = 10) -> None:
        self.evaluator = ThresholdEvaluator(interval=60.0)
        self.at = clock.now() - minutes * MINUTE

    def read(self, element: NetworkElement, name: str = SYSTEM, **rates: float | None) -> None:
        values = {column: None if rate is None else rate * 60 for column, rate in rates.items()}
        self.evaluator.evaluate([(element.id, name, self.at, 60.0, values)])
        self.at += MINUTE
        evaluate_stale_elements(now=clock.now())

    def cpu(self, element: NetworkElement, *values: float | None) -> None:
        for value in values:
            self.read(element, cpu=value)


def alarms(**where: Any) -> list[Alarm]:
    return list(Alarm.objects.filter(fault_type="ThresholdCrossed", **where).order_by("raised_at"))


def view(api: APIClient, rule: dict[str, Any]) -> dict[str, Any]:
    return dict(api.get(f"{RULES}/{rule['id']}").json())


def test_an_alarm_is_raised_and_clears_after_the_hysteresis(operator_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementId=str(element.id))
    assert (rule["state"], rule["unit"], rule["evaluatedAt"]) == ("UNKNOWN", "%", None), "no value yet is not within"
    readings = Readings(minutes=5)
    readings.cpu(element, 50, 85)
    assert (view(operator_api, rule)["crossings"], alarms()) == (0, [])
    readings.cpu(element, 93)
    (alarm,) = alarms(cleared_at=None)
    assert (alarm.event_type, alarm.probable_cause) == ("QOS_ALARM", "thresholdCrossed")
    assert (alarm.perceived_severity, alarm.managed_object_name) == ("MAJOR", "pe-1")
    assert alarm.faulty_resource_name == "pe-1 cpu"
    assert alarm.fault_details[:3] == ["measured=93 %", "threshold=above 90 %", "clears=at 80 % or less"]
    readings.cpu(element, 85, None, 81)
    (same,) = alarms(cleared_at=None)
    assert (same.id, same.version) == (alarm.id, alarm.version), "new values are no changes of the alarm"
    shown = view(operator_api, rule)
    assert (shown["state"], shown["crossedCount"], shown["crossings"]) == ("CROSSED", 1, 1)
    (crossed,) = shown["crossedCounters"]
    assert (crossed["elementName"], crossed["value"], crossed["latestValue"]) == ("pe-1", 93, 81)
    readings.cpu(element, 80)
    assert alarms(cleared_at=None) == []
    assert AlarmNote.objects.count() == 0, "it cleared by its condition"
    readings.evaluator = ThresholdEvaluator(interval=60.0)  # another process
    readings.cpu(element, 90, 85)
    assert len(alarms(cleared_at=None)) == 1
    assert view(operator_api, rule)["crossings"] == 2


def test_without_values_it_stays(operator_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementId=str(element.id))
    readings = Readings(minutes=10)
    readings.cpu(element, 95)
    (alarm,) = alarms(cleared_at=None)
    assert alarm.fault_details[-1] == f"No value since {readings.at:%Y-%m-%d %H:%M:%S} UTC."
    (crossed,) = view(operator_api, rule)["crossedCounters"]
    assert datetime.fromisoformat(crossed["noValueSince"]) == readings.at
    readings.at = clock.now() - MINUTE
    readings.cpu(element, 85)
    (same,) = alarms(cleared_at=None)
    assert (same.id, same.fault_details[-1]) == (alarm.id, "rule=Busy"), "a value again, which is still beyond"
    assert view(operator_api, rule)["crossedCounters"][0]["noValueSince"] is None


def test_time_alone_makes_a_value_old(operator_api: APIClient) -> None:
    element = element_with_ports()
    create(operator_api, elementId=str(element.id))
    Readings(minutes=1).cpu(element, 95)
    (alarm,) = alarms(cleared_at=None)
    assert alarm.fault_details[-1] == "rule=Busy"
    evaluate_stale_elements(now=clock.now() + 4 * MINUTE)
    assert alarms(cleared_at=None)[0].fault_details[-1].startswith("No value since ")


def test_a_rule_some_of_whose_counters_have_no_value_is_not_within(operator_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementKind="PHYSICAL", counter="errorsIn", threshold=9, clearValue=0)
    readings = Readings(minutes=10)
    readings.evaluator = ThresholdEvaluator(interval=60.0, reload_seconds=0)
    readings.read(element, "1/1/1", errors_in=0.0)
    lost_at, readings.at = readings.at, clock.now() - MINUTE
    readings.read(element, "1/1/2", errors_in=0.0)
    readings.evaluator.evaluate([])
    shown = view(operator_api, rule)
    assert (shown["state"], shown["evaluatedCounters"], shown["unvaluedCount"]) == ("UNKNOWN", 1, 1)
    assert datetime.fromisoformat(shown["unvaluedSince"]) == lost_at
    Interface.objects.filter(element=element, name="1/1/1").update(name="1/1/9")
    readings.evaluator.evaluate([])
    shown = view(operator_api, rule)
    assert (shown["state"], shown["unvaluedCount"], shown["unvaluedSince"]) == ("WITHIN", 0, None), "it was removed"


def test_crossings_are_read_once(operator_api: APIClient) -> None:
    """There may be 1,000 of each rule."""
    element = element_with_ports()
    create(operator_api, elementId=str(element.id))
    readings = Readings()
    readings.evaluator = ThresholdEvaluator(interval=60.0, reload_seconds=0)
    readings.cpu(element, 95)
    readings.evaluator.evaluate([])
    with CaptureQueriesContext(connection) as queries:
        readings.evaluator.evaluate([])
        readings.cpu(element, 96)
    found = [each["sql"] for each in queries if "faults_thresholdcrossing" in each["sql"]]
    assert [sql for sql in found if sql.startswith("SELECT") and "element_id" not in sql.partition("WHERE")[2]] == []
    assert ThresholdCrossing.objects.get().latest_value == 96
    readings.cpu(element, 50)
    assert alarms(cleared_at=None) == []


def test_a_rule_of_all_ports_a_vnf_or_a_kind(operator_api: APIClient) -> None:
    instance = make_deployed()
    vsr = element_with_ports("vsr-1", kind="VIRTUAL", vnf_instance=instance)
    pe = element_with_ports("pe-1", kind="PHYSICAL")
    ports = {"counter": "utilisationIn", "threshold": 90, "clearValue": 90}
    create(operator_api, name="ports of pe-1", elementId=str(pe.id), **ports)
    create(operator_api, name="of the VNF", vnfInstanceId=str(instance.id), **ports)
    create(operator_api, name="1/1/2 of all", elementKind="PHYSICAL", object="1/1/2", **ports)
    readings = Readings()
    busy, idle = {"octets_in": 95.0, "capacity": 100.0}, {"octets_in": 5.0, "capacity": 100.0}
    for element in (vsr, pe):
        readings.read(element, "1/1/1", **busy)
        readings.read(element, "1/1/2", **busy)
    found = {(row.rule_name, row.element.name, row.object) for row in ThresholdCrossing.objects.all()}
    assert found == {
        ("ports of pe-1", "pe-1", "1/1/1"),
        ("ports of pe-1", "pe-1", "1/1/2"),
        ("of the VNF", "vsr-1", "1/1/1"),
        ("of the VNF", "vsr-1", "1/1/2"),
        ("1/1/2 of all", "pe-1", "1/1/2"),
    }
    assert len(alarms(cleared_at=None)) == 5, "each rule has an alarm of its own"
    readings.read(pe, "1/1/2", **idle)
    assert len(alarms(cleared_at=None)) == 3
    NetworkElement.objects.filter(id=vsr.id).update(vnf_instance=None)
    Readings().cpu(pe, 1)
    assert {note.text for note in AlarmNote.objects.all()} == {
        "The threshold rule “of the VNF” is no longer of this element."
    }


def test_a_deleted_rule_clears_its_alarms_with_the_reason(operator_api: APIClient, viewer_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementId=str(element.id))
    Readings(minutes=1).cpu(element, 95)
    (alarm,) = alarms(cleared_at=None)
    assert viewer_api.delete(f"{RULES}/{rule['id']}").status_code == 403
    assert operator_api.delete(f"{RULES}/{rule['id']}").status_code == 204
    (cleared,) = alarms()
    assert (cleared.id, cleared.cleared_by, cleared.cleared_at is None) == (alarm.id, rule["createdBy"], False)
    notes = viewer_api.get(f"/api/v1/alarms/{alarm.id}/notes").json()
    assert [note["text"] for note in notes] == ["The threshold rule “Busy” was deleted."]
    evaluate_stale_elements(now=clock.now())
    assert len(alarms()) == 1, "it does not come back"
    assert viewer_api.get(f"{RULES}/{rule['id']}").status_code == 404


def test_a_changed_rule_changes_its_alarms(operator_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementId=str(element.id))
    Readings(minutes=1).cpu(element, 95)

    def change(**changes: Any) -> int:
        version = view(operator_api, rule)["version"]
        answer = operator_api.patch(
            f"{RULES}/{rule['id']}", changes, format="json", headers={"If-Match": f'"{version}"'}
        )
        evaluate_stale_elements(now=clock.now())
        return int(answer.status_code)

    assert change(severity="CRITICAL", threshold=94) == 200
    (alarm,) = alarms(cleared_at=None)
    assert (alarm.perceived_severity, alarm.fault_details[1]) == ("CRITICAL", "threshold=above 94 %")
    assert change(threshold=96, name="Busy CPU") == 200
    (alarm,) = alarms(cleared_at=None)
    assert alarm.fault_details[1] == "threshold=above 96 %", "a value between both limits says nothing"
    assert view(operator_api, rule)["evaluatedAt"] is None
    ThresholdCrossing.objects.update(expires_at=clock.now())
    assert change(threshold=99, clearValue=97) == 200
    assert len(alarms(cleared_at=None)) == 1, "nor does an old one"
    ThresholdCrossing.objects.update(expires_at=clock.now() + timedelta(minutes=1))
    assert change(name="Busy") == 200
    assert alarms(cleared_at=None) == []
    assert AlarmNote.objects.get().text.startswith("The threshold rule “Busy” was changed: ")
    assert change(clearValue=100) == 422
    assert change(counter="memory") == 422
    assert change(name="Very busy") == 200


def test_a_rule_that_changed_since_it_was_loaded_raises_nothing(operator_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementId=str(element.id))
    readings = Readings()
    readings.cpu(element, 50)
    ThresholdRule.objects.filter(id=rule["id"]).update(threshold=99, version=2)
    readings.cpu(element, 95)
    assert alarms() == []
    readings.cpu(element, 95, 99)
    assert len(alarms()) == 1


def test_a_rule_raises_so_many_alarms_and_counts_the_others(operator_api: APIClient) -> None:
    element = element_with_ports()
    rule = create(operator_api, elementId=str(element.id), counter="errorsIn", threshold=1, clearValue=0)
    readings = Readings(minutes=2)
    readings.evaluator = ThresholdEvaluator(interval=60.0, reload_seconds=0, max_crossings=1)
    for port in ("1/1/1", "1/1/2"):
        readings.read(element, port, errors_in=5.0)
    readings.evaluator.evaluate([])
    shown = view(operator_api, rule)
    assert (shown["crossedCount"], shown["unrecordedCount"], shown["evaluatedCounters"]) == (1, 1, 2)
    readings.read(element, "1/1/1", errors_in=0.0)
    readings.read(element, "1/1/2", errors_in=5.0)
    (alarm,) = alarms(cleared_at=None)
    assert alarm.faulty_resource_name == "pe-1 1/1/2 errorsIn", "as soon as there is room"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({}, "/elementId"),
        ({"elementId": "ELEMENT", "elementKind": "VIRTUAL"}, "/elementId"),
        ({"elementId": str(UUID(int=1))}, "/elementId"),
        ({"vnfInstanceId": str(UUID(int=1))}, "/vnfInstanceId"),
        ({"elementId": "ELEMENT", "object": "1/1/1"}, "/object"),
        ({"elementId": "ELEMENT", "counter": "errorsIn", "object": "9/9/9"}, "/object"),
        ({"elementKind": "VIRTUAL", "counter": "errorsIn", "object": SYSTEM}, "/object"),
        ({"elementId": "ELEMENT", "clearValue": 91}, "/clearValue"),
        ({"elementId": "ELEMENT", "direction": "BELOW", "clearValue": 89}, "/clearValue"),
    ],
)
def test_rules_that_cannot_be_evaluated_are_refused(
    operator_api: APIClient, changes: dict[str, Any], field: str
) -> None:
    element = element_with_ports()
    changes = {name: str(element.id) if value == "ELEMENT" else value for name, value in changes.items()}
    answer = operator_api.post(RULES, body(**changes), format="json")
    assert answer.status_code == 422, answer.json()
    assert answer.json()["errors"][0]["field"] == field


def test_rules_are_bounded_and_names_unique(operator_api: APIClient, viewer_api: APIClient) -> None:
    element = element_with_ports()
    create(operator_api, elementId=str(element.id))
    again = operator_api.post(RULES, body(elementId=str(element.id)), format="json")
    assert (again.status_code, again.json()["errors"][0]["field"]) == (409, "/name")
    assert viewer_api.post(RULES, body(name="x", elementId=str(element.id)), format="json").status_code == 403
    assert [row["name"] for row in viewer_api.get(RULES, {"filter": f"(eq,elementId,{element.id})"}).json()] == ["Busy"]
    for number in range(threshold_rules.MAX_KIND_RULES):
        create(operator_api, name=f"kind {number}", elementKind="VIRTUAL")
    wide = operator_api.post(RULES, body(name="one more", elementKind="PHYSICAL"), format="json")
    assert (wide.status_code, wide.json()["code"]) == (409, "TOO_MANY_RULES")
    for number in range(threshold_rules.MAX_RULES - threshold_rules.MAX_KIND_RULES - 1):
        create(operator_api, name=f"element {number}", elementId=str(element.id))
    full = operator_api.post(RULES, body(name="one more", elementId=str(element.id)), format="json")
    assert (full.status_code, full.json()["code"]) == (409, "TOO_MANY_RULES")


def test_a_chart_has_the_lines_of_its_rules(operator_api: APIClient) -> None:
    element = element_with_ports()
    create(operator_api, elementId=str(element.id))
    create(operator_api, name="ports", elementKind="PHYSICAL", counter="errorsIn", threshold=1, clearValue=0)
    where = f"/api/v1/elements/{element.id}/thresholds"
    (line,) = operator_api.get(where).json()["thresholds"]
    assert (line["counter"], line["value"], line["clearValue"], line["origin"]) == ("cpu", 90, 80, "THRESHOLD_RULE")
    (line,) = operator_api.get(where, {"object": "1/1/1"}).json()["thresholds"]
    assert (line["counter"], line["name"]) == ("errorsIn", "ports")


@pytest.fixture
def running(telemetry: ConnectionPool) -> Iterator[None]:
    """The collector, and the loop that evaluates alarms."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=Collector(devices=Devices(), interval=1.0).run, args=(stop,)),
        threading.Thread(target=run_alarm_loop, args=(stop, threading.Event())),
    ]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_a_router_crosses_and_falls_back(routersim: RoutersimProcess, operator_api: APIClient, running: None) -> None:
    element = managed(routersim)
    routersim.fault(element.name, "load", cpu=37, memory=25)
    rule = create(operator_api, elementId=str(element.id))
    until(lambda: view(operator_api, rule)["state"] == "WITHIN", "the first value")
    routersim.fault(element.name, "load", cpu=97, memory=25)
    until(lambda: alarms(cleared_at=None), "the alarm")
    routersim.fault(element.name, "load", cpu=85, memory=25)
    until(lambda: view(operator_api, rule)["crossedCounters"][0]["latestValue"] < 90, "a value in between")
    assert len(alarms(cleared_at=None)) == 1
    routersim.fault(element.name, "load", cpu=37, memory=25)
    until(lambda: not alarms(cleared_at=None), "the alarm to clear")
    assert view(operator_api, rule)["crossings"] == 1

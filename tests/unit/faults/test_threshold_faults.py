"""The alarm of a counter that is beyond a threshold."""

from dataclasses import replace
from datetime import timedelta

from tests.unit.faults import elements as ne
from vnfm.faults.domain.evaluate_element import evaluate_element
from vnfm.faults.domain.evaluation_result import Fault
from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.observed_element import BeyondThreshold, ObservedElement

BUSY = BeyondThreshold(
    rule_id="rule-1",
    rule_name="Busy ports",
    counter="utilisationIn",
    object="1/1/1",
    label="1/1/1 utilisationIn",
    unit="%",
    below=False,
    threshold=90.0,
    clear=80.0,
    severity="MAJOR",
    since=ne.NOW,
    value=93.125,
    valued_at=ne.NOW,
    expires_at=ne.NOW + timedelta(seconds=150),
)


def element(**changes: object) -> ObservedElement:
    return replace(ne.VSR, thresholds=(replace(BUSY, **changes),))  # type: ignore[arg-type]  # fields of it


def fault_of(observed: ObservedElement, after: timedelta = timedelta()) -> Fault:
    (fault,) = evaluate_element(observed, ne.NOW + after).faults
    return fault


def test_it_says_value_threshold_and_since_when() -> None:
    fault = fault_of(element())
    assert fault.key.fault_type == "ThresholdCrossed"
    assert fault.key.faulty_resource == "ne-1:counter:utilisationIn:rule-1:1/1/1"
    assert (fault.severity, fault.resource_name) == (Severity.MAJOR, "vsr-1 1/1/1 utilisationIn")
    assert fault.details == (
        "measured=93.12 %",
        "threshold=above 90 %",
        "clears=at 80 % or less",
        "since=2016-02-09 14:05:00 UTC",
        "rule=Busy ports",
    )


def test_of_a_lower_limit_it_says_so() -> None:
    below = element(below=True, threshold=1_000_000.0, clear=2_000_000.5, value=0.0, unit="octet/s")
    assert fault_of(below).details[:3] == (
        "measured=0 octet/s",
        "threshold=below 1,000,000 octet/s",
        "clears=at 2,000,000.5 octet/s or more",
    )


def test_without_values_it_stays_and_says_since_when() -> None:
    result = evaluate_element(element(), ne.NOW)
    assert result.due_at == BUSY.expires_at, "evaluated again when its value says nothing more"
    late = timedelta(hours=3)
    fault = fault_of(element(), after=late)
    assert fault.details[-1] == "No value since 2016-02-09 14:05:00 UTC."
    assert evaluate_element(element(), ne.NOW + late).due_at is None


def test_of_an_element_that_does_not_answer_it_stays_with_that_root_cause() -> None:
    result = evaluate_element(replace(element(), reachable="False"), ne.NOW)
    assert result.unobservable is not None
    assert [fault.key.fault_type for fault in result.faults] == ["NodeUnreachable"]


def test_a_port_that_is_down_explains_that_there_is_no_traffic() -> None:
    down = replace(ne.INTERFACE, oper="DOWN")
    port, quiet = evaluate_element(
        replace(element(below=True, threshold=1.0, value=0.0), interfaces=(down,)), ne.NOW
    ).faults
    assert (port.key.fault_type, quiet.root) == ("PortDown", port.key)
    assert evaluate_element(replace(element(), interfaces=(down,)), ne.NOW).faults[1].root is None

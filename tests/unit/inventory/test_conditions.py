"""Conditions tell what we know, and Unknown where we do not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.unit.inventory.views import ANSWERS, AT_14_02, EARLIER, NOW, STACK, VIM, instance, vnfc
from vnfm.inventory.domain.conditions import InstanceCondition, conditions, in_sync
from vnfm.inventory.domain.views import InstanceView, RunningOperation
from vnfm.vims.domain.reachability import Reachability

LOST = Reachability("False", "Unreachable", "keystone: connection refused", AT_14_02, NOW)


def condition(view: InstanceView, kind: str) -> InstanceCondition:
    return next(item for item in conditions(view, NOW) if item.type == kind)


def status_and_reason(view: InstanceView, kind: str) -> tuple[str, str]:
    found = condition(view, kind)
    return found.status, found.reason


def test_conditions_of_a_healthy_instance() -> None:
    view = instance(vnfc("iom-1"), vnfc("cpm-A", "cpm"))
    assert [(c.type, c.status) for c in conditions(view, NOW)] == [
        ("Available", "True"),
        ("Progressing", "False"),
        ("InSync", "True"),
        ("VimReachable", "True"),
    ]


def test_the_only_vm_of_a_role_is_down() -> None:
    found = condition(
        instance(vnfc("iom-1", status="SHUTOFF", status_since=AT_14_02), vnfc("cpm-A", "cpm")), "Available"
    )
    assert (found.status, found.reason, found.message) == ("False", "VduDown", "iom-1 is stopped.")
    assert found.last_transition_time == AT_14_02


def test_one_of_two_is_down_and_the_other_carries_on() -> None:
    view = instance(vnfc("cpm-A", "cpm"), vnfc("cpm-B", "cpm", status="SHUTOFF"))
    assert status_and_reason(view, "Available") == ("True", "Degraded")
    assert status_and_reason(view, "InSync") == ("False", "Drift")


def test_a_vim_that_does_not_answer_leaves_unknown_since_then_and_no_stale_green() -> None:
    lost = replace(VIM, reachability=LOST, servers_at=AT_14_02 - timedelta(seconds=2))
    view = instance(vnfc("iom-1"), vim=lost)
    found = condition(view, "Available")
    assert (found.status, found.reason, found.last_transition_time) == ("Unknown", "NotObserved", AT_14_02)
    assert "14:02:00" in found.message
    assert status_and_reason(view, "InSync") == ("Unknown", "NotObserved")
    assert status_and_reason(view, "VimReachable") == ("False", "Unreachable")
    assert view.vnfcs[0].status_at(lost, NOW) == ("UNKNOWN", AT_14_02)
    assert view.vnfcs[0].status == "ACTIVE"


def test_a_vim_whose_heat_is_down_still_shows_its_servers() -> None:
    partly = replace(VIM, reachability=LOST, servers_at=NOW)
    assert status_and_reason(instance(vnfc("iom-1"), vim=partly), "Available") == ("True", "AllRunning")


def test_a_vim_that_is_no_longer_polled() -> None:
    last_look = NOW - timedelta(minutes=10)
    stale = replace(VIM, reachability=replace(ANSWERS, observed_at=last_look), servers_at=last_look)
    view = instance(vnfc("iom-1"), vim=stale)
    assert status_and_reason(view, "VimReachable") == ("Unknown", "NotObserved")
    assert status_and_reason(view, "Available") == ("Unknown", "NotObserved")
    assert condition(view, "Available").last_transition_time == last_look


def test_the_record_of_an_operation_counts_before_the_first_poll() -> None:
    never_polled = replace(VIM, servers_at=None)
    assert status_and_reason(instance(vnfc("iom-1", observed_at=NOW), vim=never_polled), "Available") == (
        "True",
        "AllRunning",
    )


@pytest.mark.parametrize(
    ("state", "expected"),
    [("PROCESSING", ("True", "OperationRunning")), ("FAILED_TEMP", ("False", "WaitsForDecision"))],
)
def test_progressing(state: str, expected: tuple[str, str]) -> None:
    view = instance(vnfc("iom-1"), running=RunningOperation("Scaling is under way", state, AT_14_02))
    assert status_and_reason(view, "Progressing") == expected
    assert condition(view, "Progressing").last_transition_time == AT_14_02
    assert status_and_reason(view, "InSync") == ("Unknown", "OperationRunning")


def test_an_identifier_without_resources() -> None:
    view = instance(instantiation_state="NOT_INSTANTIATED", vim=None)
    assert status_and_reason(view, "Available") == ("False", "NotInstantiated")
    assert status_and_reason(view, "VimReachable") == ("Unknown", "NoVim")


def test_in_sync_is_false_with_every_difference_in_words_since_the_first() -> None:
    renamed = vnfc("iom-1", server_name="mine", observed_at=AT_14_02)
    moved = vnfc("iom-2", expected_host="h1", host="h2", observed_at=EARLIER)
    found, differences = in_sync(instance(renamed, moved), NOW)
    assert (found.status, found.reason, found.last_transition_time) == ("False", "Drift", EARLIER)
    assert found.message == "iom-1 is called mine in the cloud. iom-2 runs on host h2; it was on h1."
    assert [item.kind for item in differences] == ["renamed", "moved"]


@pytest.mark.parametrize(
    "unknown",
    [
        {"running": RunningOperation("Healing is under way", "PROCESSING", AT_14_02)},
        {"running": RunningOperation("Healing is under way", "FAILED_TEMP", AT_14_02)},
        {"vim": replace(VIM, servers_at=NOW - timedelta(hours=1))},
    ],
)
def test_an_unknown_instance_has_no_differences(unknown: dict[str, object]) -> None:
    updated = replace(STACK, updated_at="2016-02-09T14:00:00Z")
    found, differences = in_sync(instance(vnfc(server_name="mine"), stack=updated, **unknown), NOW)
    assert (found.status, differences) == ("Unknown", [])


def test_without_instantiation_there_are_no_differences() -> None:
    view = instance(vnfc(status="MISSING"), instantiation_state="NOT_INSTANTIATED")
    assert in_sync(view, NOW)[1] == []


INSTANTIATING = RunningOperation("Instantiating is under way", "PROCESSING", AT_14_02)


def test_what_is_being_instantiated_is_neither_unavailable_nor_in_sync() -> None:
    view = instance(vnfc("iom-1"), instantiation_state="NOT_INSTANTIATED", running=INSTANTIATING)
    assert status_and_reason(view, "Available") == ("Unknown", "OperationRunning")
    assert status_and_reason(view, "InSync") == ("Unknown", "OperationRunning")
    assert condition(view, "Available").message == "Not known while it is being changed: instantiating is under way."
    assert condition(view, "Available").last_transition_time == AT_14_02


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("STARTING", ("Unknown", "OperationRunning")),
        ("PROCESSING", ("Unknown", "OperationRunning")),
        ("ROLLING_BACK", ("Unknown", "OperationRunning")),
        ("FAILED_TEMP", ("False", "VduDown")),
    ],
)
def test_a_vnfc_that_is_down_counts_when_no_operation_works_on_it(state: str, expected: tuple[str, str]) -> None:
    running = RunningOperation("Healing is under way", state, AT_14_02)
    assert status_and_reason(instance(vnfc("iom-1", status="MISSING"), running=running), "Available") == expected


def test_an_operation_hides_neither_that_all_run_nor_that_the_cloud_is_lost() -> None:
    running = RunningOperation("Scaling is under way", "PROCESSING", AT_14_02)
    assert status_and_reason(instance(vnfc("iom-1"), running=running), "Available") == ("True", "AllRunning")
    lost = replace(VIM, reachability=LOST, servers_at=AT_14_02 - timedelta(seconds=2))
    assert status_and_reason(instance(vnfc("iom-1"), vim=lost, running=running), "Available") == (
        "Unknown",
        "NotObserved",
    )

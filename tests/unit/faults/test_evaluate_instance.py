"""Faults of a VNF instance from its observed state."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.unit.inventory.views import STACK
from tests.unit.inventory.views import instance as view
from tests.unit.inventory.views import vnfc as observed_vnfc
from vnfm.faults.domain.dictionary import DICTIONARY, DOWN_STATES, Severity
from vnfm.faults.domain.evaluate_instance import (
    PORT_GRACE,
    TRANSIENT_LIMIT,
    AntiAffinity,
    MissingFilters,
    ObservedInstance,
    ObservedPort,
    ObservedVnfc,
    evaluate_instance,
)
from vnfm.faults.domain.evaluate_vim import HOST_FAULTS, ObservedVim
from vnfm.faults.domain.evaluation_result import FaultKey, ManagedObject, ObjectType, ObservedCloudAlarm
from vnfm.inventory.domain.views import InstanceView, RunningOperation

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
LONG_AGO = NOW - timedelta(hours=1)
VIM = ObservedVim("vim-id", "vim1", reachable=True, reason="Answers", since=LONG_AGO)
CPM_A = ObservedVnfc(
    "v-a", "cpm", "cpm-A", "s-a", desired_stopped=False, status="ACTIVE", status_since=LONG_AGO, nova_fault=""
)
CPM_B = replace(CPM_A, vnfc_id="v-b", name="cpm-B", server_id="s-b")
IOM = replace(CPM_A, vnfc_id="v-1", vdu_id="iom", name="iom-1", server_id="s-1")
PORT = ObservedPort("p-1", "fabric", "DOWN", LONG_AGO, "ovs", internal=True)
CLOUD_ALARM = ObservedCloudAlarm("a-1", "cpu high", "alarm", Severity.MAJOR, "95 > 80", server_id="s-1")


def instance(*vnfcs: ObservedVnfc, vim: ObservedVim | None = VIM, stack: str = "CREATE_COMPLETE") -> ObservedInstance:
    return ObservedInstance(vim, "stack-id", "vsr-1", stack, "because", vnfcs)


def found(observed: ObservedInstance) -> dict[tuple[str, str], Severity]:
    return {(f.key.faulty_resource, f.key.fault_type): f.severity for f in evaluate_instance(observed, NOW).faults}


def test_a_healthy_instance_has_no_faults() -> None:
    assert found(instance(CPM_A, CPM_B, IOM)) == {}


@pytest.mark.parametrize("status", sorted(DOWN_STATES))
def test_a_vm_down_is_critical_alone_and_major_with_a_running_vnfc_of_its_vdu(status: str) -> None:
    iom, cpm = replace(IOM, status=status), replace(CPM_A, status=status)
    assert found(instance(iom, cpm, CPM_B)) == {
        ("s-1", "VmDown"): Severity.CRITICAL,
        ("s-a", "VmDown"): Severity.MAJOR,
    }


def test_both_of_a_pair_down_are_critical() -> None:
    both = [replace(CPM_A, status="SHUTOFF"), replace(CPM_B, status="ERROR")]
    assert found(instance(*both)) == {("s-a", "VmDown"): Severity.CRITICAL, ("s-b", "VmError"): Severity.CRITICAL}


MG = replace(CPM_A, vnfc_id="v-3", vdu_id="mg", name="mg-3", server_id="s-3", in_pair=True, mate_id="v-4")
MATE = replace(MG, vnfc_id="v-4", name="mg-4", server_id="s-4", mate_id="v-3")
OTHER_PAIR = (
    replace(MG, vnfc_id="v-5", name="mg-5", server_id="s-5", mate_id="v-6"),
    replace(MG, vnfc_id="v-6", name="mg-6", server_id="s-6", mate_id="v-5"),
)


@pytest.mark.parametrize(
    ("status", "mate", "severity", "words"),
    [
        ("SHUTOFF", "ACTIVE", "MAJOR", "Its mate mg-4 protects it."),
        ("ERROR", "ACTIVE", "MAJOR", "Its mate mg-4 protects it."),
        ("MISSING", "ACTIVE", "MAJOR", "Its mate mg-4 protects it."),
        ("SHUTOFF", "SHUTOFF", "CRITICAL", "The pair is lost: its mate mg-4 is stopped."),
        ("SHUTOFF", "MISSING", "CRITICAL", "The pair is lost: its mate mg-4 is missing."),
        ("SHUTOFF", None, "CRITICAL", "The pair is lost: it has no mate."),
    ],
)
def test_of_a_pair_only_the_mate_takes_over(status: str, mate: str | None, severity: str, words: str) -> None:
    mates = () if mate is None else (replace(MATE, status=mate),)
    faults = evaluate_instance(instance(replace(MG, status=status), *mates, *OTHER_PAIR), NOW).faults
    fault = next(fault for fault in faults if fault.key.faulty_resource == "s-3")
    assert fault.severity == severity
    assert words in fault.details


def test_a_vm_stopped_on_request_is_no_fault_but_its_loss_is() -> None:
    stopped = replace(IOM, status="SHUTOFF", desired_stopped=True)
    assert found(instance(stopped)) == {}
    assert found(instance(replace(stopped, status="MISSING"))) == {("s-1", "VmMissing"): Severity.CRITICAL}


def test_novas_fault_is_among_the_details() -> None:
    (fault,) = evaluate_instance(
        instance(replace(IOM, status="ERROR", nova_fault="Build of instance aborted.")), NOW
    ).faults
    assert "Build of instance aborted." in fault.details
    assert fault.vnfc_ids == ("v-1",)


def test_no_valid_host_is_the_root_cause_of_vm_error() -> None:
    cause, effect = evaluate_instance(
        instance(replace(IOM, status="ERROR", nova_fault="No valid host was found.")), NOW
    ).faults
    assert (cause.key.fault_type, effect.key.fault_type) == ("NoValidHost", "VmError")
    assert effect.root == cause.key


def test_a_transient_state_is_a_fault_after_its_limit() -> None:
    assert found(instance(replace(IOM, status="REBOOT", status_since=NOW - TRANSIENT_LIMIT / 2))) == {}
    assert found(instance(replace(IOM, status="REBOOT", status_since=NOW - TRANSIENT_LIMIT))) == {
        ("s-1", "VmTransient"): Severity.WARNING
    }


def test_an_unknown_state_is_no_fault() -> None:
    assert found(instance(replace(IOM, status="UNKNOWN"), replace(CPM_A, status="DELUXE"))) == {}


def test_ports() -> None:
    fresh = replace(PORT, status_since=NOW - PORT_GRACE / 2)
    assert found(instance(replace(IOM, ports=(fresh,)))) == {}
    assert found(instance(replace(IOM, ports=(PORT,)))) == {("p-1", "PortDown"): Severity.CRITICAL}
    assert found(instance(replace(IOM, ports=(replace(PORT, internal=False),)))) == {
        ("p-1", "PortDown"): Severity.MAJOR
    }
    unbound = replace(fresh, vif_type="binding_failed")
    assert found(instance(replace(IOM, ports=(unbound,)))) == {("p-1", "PortBindingFailed"): Severity.CRITICAL}


def test_a_port_that_worked_gets_no_grace() -> None:
    lost = replace(PORT, status_since=NOW, worked_until=NOW)
    assert found(instance(replace(IOM, ports=(lost,)))) == {("p-1", "PortDown"): Severity.CRITICAL}
    quickly = replace(IOM, status_since=NOW - PORT_GRACE / 2, ports=(lost,))
    assert evaluate_instance(instance(quickly), NOW).due_at == NOW + PORT_GRACE / 2, "its server was restarted just now"
    restarted = replace(IOM, status_since=NOW - PORT_GRACE / 2, ports=(replace(lost, worked_until=LONG_AGO),))
    assert found(instance(restarted)) == {}
    waiting = replace(restarted, ports=(replace(PORT, worked_until=LONG_AGO),))
    assert evaluate_instance(instance(waiting), NOW).due_at == NOW + PORT_GRACE / 2, (
        "it was down before its server came up"
    )


def test_a_cloud_alarm() -> None:
    (fault,) = evaluate_instance(replace(instance(IOM), cloud_alarms=(CLOUD_ALARM,)), NOW).faults
    assert (fault.key, fault.severity, fault.vnfc_ids) == (FaultKey("a-1", "CloudAlarm"), Severity.MAJOR, ("v-1",))
    assert (fault.resource_name, fault.details) == ("cpu high", ("state=alarm", "95 > 80"))
    down, alarm = evaluate_instance(
        replace(instance(replace(IOM, status="SHUTOFF")), cloud_alarms=(CLOUD_ALARM,)), NOW
    ).faults
    assert alarm.root == down.key


def test_a_port_of_a_stopped_vm_is_not_a_second_fault() -> None:
    assert set(found(instance(replace(IOM, status="SHUTOFF", ports=(PORT,))))) == {("s-1", "VmDown")}


def test_stack_faults() -> None:
    assert found(instance(IOM, stack="UPDATE_FAILED")) == {("stack-id", "StackFailed"): Severity.MAJOR}
    assert found(instance(IOM, stack="CREATE_FAILED")) == {("stack-id", "StackFailed"): Severity.CRITICAL}


def test_a_missing_stack_is_the_root_cause_of_its_missing_servers() -> None:
    result = evaluate_instance(instance(replace(IOM, status="MISSING"), stack="MISSING"), NOW)
    roots = {fault.key.fault_type: fault.root for fault in result.faults}
    assert roots["StackMissing"] is None
    assert roots["VmMissing"] is not None
    assert roots["VmMissing"].fault_type == "StackMissing"


@pytest.mark.parametrize(
    ("reason", "name", "severity"),
    [("Unreachable", "VimUnreachable", "CRITICAL"), ("CredentialsRefused", "VimAuthFailed", "MAJOR")],
)
def test_a_lost_vim_hides_all_other_faults(reason: str, name: str, severity: str) -> None:
    lost = replace(VIM, reachable=False, reason=reason)
    result = evaluate_instance(instance(replace(IOM, status="SHUTOFF"), vim=lost), NOW)
    assert [(f.key.fault_type, f.severity) for f in result.faults] == [(name, severity)]
    assert result.unobservable == result.faults[0].key
    assert result.faults[0].root == FaultKey("vim-id", name, ManagedObject(ObjectType.VIM, "vim-id")), (
        "the alarm of the VIM itself"
    )


def test_a_vim_whose_nova_still_answers_hides_no_faults() -> None:
    partly = replace(VIM, reachable=False, reason="Failing", servers_listed=True)
    result = evaluate_instance(instance(replace(IOM, status="SHUTOFF"), vim=partly), NOW)
    assert {f.key.fault_type for f in result.faults} == {"VimUnreachable", "VmDown"}
    assert result.unobservable is None


def test_an_instance_that_is_not_deployed_has_no_faults() -> None:
    assert found(instance(replace(IOM, status="ERROR"), vim=None)) == {}


def test_every_fault_type_has_a_remedial_action() -> None:
    assert all(
        entry.remedial_action and entry.clearing_condition and entry.severity_rule for entry in DICTIONARY.values()
    )


def drifting(observed: InstanceView) -> ObservedInstance:
    return replace(instance(IOM), view=observed)


def test_drift_without_an_alarm_of_its_own_is_a_warning_with_all_differences() -> None:
    observed = view(observed_vnfc("iom-1", server_name="mine"), observed_vnfc("iom-2", expected_host="h1", host="h2"))
    (fault,) = evaluate_instance(drifting(observed), NOW).faults
    assert (fault.key.fault_type, fault.key.faulty_resource, fault.severity) == ("StackDrift", "stack-id", "WARNING")
    assert fault.details == ("iom-1 is called mine in the cloud.",), "the server that moved has an alarm of its own"


def test_drift_with_an_alarm_of_its_own_is_not_reported_twice() -> None:
    assert found(drifting(view(observed_vnfc(status="MISSING"), stack=replace(STACK, status="MISSING")))) == {}


def test_drift_is_undecided_during_an_operation() -> None:
    observed = view(
        observed_vnfc(server_name="mine"), running=RunningOperation("Scaling is under way", "STARTING", LONG_AGO)
    )
    result = evaluate_instance(drifting(observed), NOW)
    assert (result.faults, result.undecided) == ((), frozenset({"StackDrift"}))
    assert evaluate_instance(drifting(view(observed_vnfc())), NOW).undecided == frozenset()


def test_a_server_that_moved_is_a_fault_until_the_new_host_is_accepted() -> None:
    moved = replace(IOM, host="compute-2", expected_host="compute-1")
    (fault,) = evaluate_instance(instance(moved), NOW).faults
    assert (fault.key, fault.severity) == (FaultKey("s-1", "VmEvacuated"), Severity.WARNING)
    assert fault.details == ("iom-1 runs on host compute-2; it was on compute-1.",)
    assert found(instance(replace(moved, expected_host="compute-2"))) == {}
    assert found(instance(replace(moved, expected_host=""))) == {}, "where it was is not known"


def test_faults_of_a_host_are_root_causes_of_faults_of_its_vms() -> None:
    on_host = replace(IOM, host="compute-1")
    for vnfc in (replace(on_host, status="SHUTOFF"), replace(on_host, ports=(PORT,))):
        (fault,) = evaluate_instance(instance(vnfc), NOW).faults
        owner = ManagedObject(ObjectType.VIM, "vim-id")
        assert fault.roots == tuple(FaultKey("compute-1", name, owner) for name in HOST_FAULTS)


def test_anti_affinity() -> None:
    pair = (replace(CPM_A, host="compute-1"), replace(CPM_B, host="compute-1"))
    rule = AntiAffinity("cpm", frozenset({"s-a", "s-b"}))
    together = replace(instance(*pair, replace(IOM, host="compute-1")), anti_affinity=(rule,))
    assert found(together) == {("cpm@compute-1", "AntiAffinityBroken"): Severity.MINOR}
    assert (
        found(replace(together, anti_affinity=(rule, replace(rule, name="a server group")))).keys()
        == found(together).keys()
    )
    assert found(replace(together, anti_affinity=())) == {}
    apart = replace(together, vnfcs=(pair[0], replace(pair[1], host="compute-2")))
    assert found(apart) == {}


def test_anti_affinity_by_hidden_host_names() -> None:
    rule = AntiAffinity("cpm", frozenset({"s-a", "s-b"}))
    hidden = replace(instance(replace(CPM_A, host_hash="1f"), replace(CPM_B, host_hash="1f")), anti_affinity=(rule,))
    (fault,) = evaluate_instance(hidden, NOW).faults
    assert fault.details == ("cpm-A, cpm-B run on one host, whose name is hidden.",)
    unknown = replace(hidden, vnfcs=(CPM_A, CPM_B))
    assert found(unknown) == {}


def test_missing_scheduler_filters() -> None:
    odd = replace(instance(IOM), missing_filters=(MissingFilters("iom", ("NUMATopologyFilter",)),))
    assert found(odd) == {("iom", "PlacementWarning"): Severity.WARNING}


def test_the_result_is_due_when_time_alone_may_change_it() -> None:
    started = NOW - timedelta(seconds=5)
    rebooting = replace(IOM, status="REBOOT", status_since=started)
    assert evaluate_instance(instance(rebooting), NOW).due_at == started + TRANSIENT_LIMIT
    plugging = replace(IOM, ports=(replace(PORT, status_since=started),))
    assert evaluate_instance(instance(plugging, rebooting), NOW).due_at == started + PORT_GRACE
    assert evaluate_instance(instance(IOM), NOW).due_at is None

"""From observed state to faults."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.unit.inventory.views import STACK
from tests.unit.inventory.views import instance as view
from tests.unit.inventory.views import vnfc as seen
from vnfm.faults.domain.dictionary import DICTIONARY, DOWN_STATES, Severity
from vnfm.faults.domain.evaluate import (
    PORT_GRACE,
    TRANSIENT_LIMIT,
    Apart,
    Misplaced,
    ObservedInstance,
    ObservedPort,
    ObservedVnfc,
    evaluate,
)
from vnfm.faults.domain.hosts import HOST_FAULTS, ObservedVim
from vnfm.faults.domain.verdict import Key, ObjectType, Owner, ToldByCloud
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
TOLD = ToldByCloud("a-1", "cpu high", "alarm", Severity.MAJOR, "95 > 80", server_id="s-1")


def instance(*vnfcs: ObservedVnfc, vim: ObservedVim | None = VIM, stack: str = "CREATE_COMPLETE") -> ObservedInstance:
    return ObservedInstance(vim, "stack-id", "vsr-1", stack, "because", vnfcs)


def found(observed: ObservedInstance) -> dict[tuple[str, str], Severity]:
    return {(f.key.faulty_resource, f.key.fault_type): f.severity for f in evaluate(observed, NOW).faults}


def test_a_healthy_instance_has_no_faults() -> None:
    assert found(instance(CPM_A, CPM_B, IOM)) == {}


@pytest.mark.parametrize("status", sorted(DOWN_STATES))
def test_a_vm_down_is_critical_alone_and_major_beside_a_running_mate(status: str) -> None:
    iom, cpm = replace(IOM, status=status), replace(CPM_A, status=status)
    assert found(instance(iom, cpm, CPM_B)) == {
        ("s-1", "VmDown"): Severity.CRITICAL,
        ("s-a", "VmDown"): Severity.MAJOR,
    }


def test_the_last_of_a_pair_makes_both_critical() -> None:
    both = [replace(CPM_A, status="SHUTOFF"), replace(CPM_B, status="ERROR")]
    assert found(instance(*both)) == {("s-a", "VmDown"): Severity.CRITICAL, ("s-b", "VmError"): Severity.CRITICAL}


def test_a_vm_stopped_on_purpose_is_no_fault_but_its_loss_is() -> None:
    stopped = replace(IOM, status="SHUTOFF", desired_stopped=True)
    assert found(instance(stopped)) == {}
    assert found(instance(replace(stopped, status="MISSING"))) == {("s-1", "VmMissing"): Severity.CRITICAL}


def test_novas_own_words_are_among_the_details() -> None:
    (fault,) = evaluate(instance(replace(IOM, status="ERROR", nova_fault="Build of instance aborted.")), NOW).faults
    assert "Build of instance aborted." in fault.details
    assert fault.vnfc_ids == ("v-1",)


def test_no_valid_host_is_why_a_server_is_in_error() -> None:
    cause, effect = evaluate(instance(replace(IOM, status="ERROR", nova_fault="No valid host was found.")), NOW).faults
    assert (cause.key.fault_type, effect.key.fault_type) == ("NoValidHost", "VmError")
    assert effect.root == cause.key


def test_a_passing_state_is_a_fault_only_when_it_does_not_pass() -> None:
    assert found(instance(replace(IOM, status="REBOOT", status_since=NOW - TRANSIENT_LIMIT / 2))) == {}
    assert found(instance(replace(IOM, status="REBOOT", status_since=NOW - TRANSIENT_LIMIT))) == {
        ("s-1", "VmTransient"): Severity.WARNING
    }


def test_a_state_that_nobody_has_seen_or_that_we_do_not_know_is_no_fault() -> None:
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


def test_a_port_that_has_worked_is_down_at_once_and_one_that_comes_up_has_its_time() -> None:
    lost = replace(PORT, status_since=NOW, worked_until=NOW)
    assert found(instance(replace(IOM, ports=(lost,)))) == {("p-1", "PortDown"): Severity.CRITICAL}
    quickly = replace(IOM, status_since=NOW - PORT_GRACE / 2, ports=(lost,))
    assert evaluate(instance(quickly), NOW).again_at == NOW + PORT_GRACE / 2, "its server was restarted just now"
    restarted = replace(IOM, status_since=NOW - PORT_GRACE / 2, ports=(replace(lost, worked_until=LONG_AGO),))
    assert found(instance(restarted)) == {}
    waiting = replace(restarted, ports=(replace(PORT, worked_until=LONG_AGO),))
    assert evaluate(instance(waiting), NOW).again_at == NOW + PORT_GRACE / 2, "it was down before its server came up"


def test_an_alarm_of_the_clouds_telemetry() -> None:
    (fault,) = evaluate(replace(instance(IOM), told=(TOLD,)), NOW).faults
    assert (fault.key, fault.severity, fault.vnfc_ids) == (Key("a-1", "CloudAlarm"), Severity.MAJOR, ("v-1",))
    assert (fault.resource_name, fault.details) == ("cpu high", ("state=alarm", "95 > 80"))
    down, told = evaluate(replace(instance(replace(IOM, status="SHUTOFF")), told=(TOLD,)), NOW).faults
    assert told.root == down.key


def test_a_port_of_a_stopped_vm_is_not_a_second_fault() -> None:
    assert set(found(instance(replace(IOM, status="SHUTOFF", ports=(PORT,))))) == {("s-1", "VmDown")}


def test_stack_faults() -> None:
    assert found(instance(IOM, stack="UPDATE_FAILED")) == {("stack-id", "StackFailed"): Severity.MAJOR}
    assert found(instance(IOM, stack="CREATE_FAILED")) == {("stack-id", "StackFailed"): Severity.CRITICAL}


def test_a_missing_stack_is_the_root_of_its_missing_servers() -> None:
    verdict = evaluate(instance(replace(IOM, status="MISSING"), stack="MISSING"), NOW)
    roots = {fault.key.fault_type: fault.root for fault in verdict.faults}
    assert roots["StackMissing"] is None
    assert roots["VmMissing"] is not None
    assert roots["VmMissing"].fault_type == "StackMissing"


@pytest.mark.parametrize(
    ("reason", "name", "severity"),
    [("Unreachable", "VimUnreachable", "CRITICAL"), ("CredentialsRefused", "VimAuthFailed", "MAJOR")],
)
def test_a_lost_vim_blinds(reason: str, name: str, severity: str) -> None:
    lost = replace(VIM, reachable=False, reason=reason)
    verdict = evaluate(instance(replace(IOM, status="SHUTOFF"), vim=lost), NOW)
    assert [(f.key.fault_type, f.severity) for f in verdict.faults] == [(name, severity)]
    assert verdict.blind == verdict.faults[0].key
    assert verdict.faults[0].root == Key("vim-id", name, Owner(ObjectType.VIM, "vim-id")), "the alarm of the VIM itself"


def test_a_vim_whose_nova_still_answers_does_not_blind() -> None:
    partly = replace(VIM, reachable=False, reason="Failing", servers_seen=True)
    verdict = evaluate(instance(replace(IOM, status="SHUTOFF"), vim=partly), NOW)
    assert {f.key.fault_type for f in verdict.faults} == {"VimUnreachable", "VmDown"}
    assert verdict.blind is None


def test_what_is_not_deployed_has_no_faults() -> None:
    assert found(instance(replace(IOM, status="ERROR"), vim=None)) == {}


def test_the_dictionary_says_what_to_do_about_each() -> None:
    assert all(entry.remedial_action and entry.clears_when and entry.severity_rule for entry in DICTIONARY.values())


def drifting(judged: InstanceView) -> ObservedInstance:
    return replace(instance(IOM), view=judged)


def test_drift_that_no_other_alarm_tells_is_a_warning_with_every_difference_in_words() -> None:
    judged = view(seen("iom-1", server_name="mine"), seen("iom-2", expected_host="h1", host="h2"))
    (fault,) = evaluate(drifting(judged), NOW).faults
    assert (fault.key.fault_type, fault.key.faulty_resource, fault.severity) == ("StackDrift", "stack-id", "WARNING")
    assert fault.details == ("iom-1 is called mine in the cloud.",), "that one moved is an alarm of its own"


def test_drift_that_another_alarm_tells_is_not_told_twice() -> None:
    assert found(drifting(view(seen(status="MISSING"), stack=replace(STACK, status="MISSING")))) == {}


def test_while_drift_cannot_be_judged_its_alarm_stays_as_it_is() -> None:
    judged = view(seen(server_name="mine"), running=RunningOperation("Scaling is under way", "STARTING", LONG_AGO))
    verdict = evaluate(drifting(judged), NOW)
    assert (verdict.faults, verdict.undecided) == ((), frozenset({"StackDrift"}))
    assert evaluate(drifting(view(seen())), NOW).undecided == frozenset()


def test_a_server_that_moved_is_told_of_until_it_is_accepted() -> None:
    moved = replace(IOM, host="compute-2", expected_host="compute-1")
    (fault,) = evaluate(instance(moved), NOW).faults
    assert (fault.key, fault.severity) == (Key("s-1", "VmEvacuated"), Severity.WARNING)
    assert fault.details == ("iom-1 runs on host compute-2; it was on compute-1.",)
    assert found(instance(replace(moved, expected_host="compute-2"))) == {}
    assert found(instance(replace(moved, expected_host=""))) == {}, "where it was is not known"


def test_what_goes_wrong_on_a_host_is_laid_to_what_is_wrong_with_the_host() -> None:
    on_host = replace(IOM, host="compute-1")
    for vnfc in (replace(on_host, status="SHUTOFF"), replace(on_host, ports=(PORT,))):
        (fault,) = evaluate(instance(vnfc), NOW).faults
        owner = Owner(ObjectType.VIM, "vim-id")
        assert fault.roots == tuple(Key("compute-1", name, owner) for name in HOST_FAULTS)


def test_vnfcs_that_are_kept_apart_and_are_not() -> None:
    pair = (replace(CPM_A, host="compute-1"), replace(CPM_B, host="compute-1"))
    rule = Apart("cpm", frozenset({"s-a", "s-b"}))
    together = replace(instance(*pair, replace(IOM, host="compute-1")), apart=(rule,))
    assert found(together) == {("cpm@compute-1", "AntiAffinityBroken"): Severity.MINOR}
    assert found(replace(together, apart=(rule, replace(rule, name="a server group")))).keys() == found(together).keys()
    assert found(replace(together, apart=())) == {}
    apart = replace(together, vnfcs=(pair[0], replace(pair[1], host="compute-2")))
    assert found(apart) == {}


def test_hosts_whose_names_are_hidden_are_told_apart_all_the_same() -> None:
    rule = Apart("cpm", frozenset({"s-a", "s-b"}))
    hidden = replace(instance(replace(CPM_A, host_hash="1f"), replace(CPM_B, host_hash="1f")), apart=(rule,))
    (fault,) = evaluate(hidden, NOW).faults
    assert fault.details == ("cpm-A, cpm-B run on one host, whose name is hidden.",)
    unknown = replace(hidden, vnfcs=(CPM_A, CPM_B))
    assert found(unknown) == {}


def test_needs_that_the_scheduler_does_not_heed() -> None:
    odd = replace(instance(IOM), misplaced=(Misplaced("iom", ("NUMATopologyFilter",)),))
    assert found(odd) == {("iom", "PlacementWarning"): Severity.WARNING}


def test_the_verdict_says_when_time_alone_may_change_it() -> None:
    begun = NOW - timedelta(seconds=5)
    rebooting = replace(IOM, status="REBOOT", status_since=begun)
    assert evaluate(instance(rebooting), NOW).again_at == begun + TRANSIENT_LIMIT
    plugging = replace(IOM, ports=(replace(PORT, status_since=begun),))
    assert evaluate(instance(plugging, rebooting), NOW).again_at == begun + PORT_GRACE
    assert evaluate(instance(IOM), NOW).again_at is None

"""Faults of a VIM itself: its loss, its hosts, its quotas."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from vnfm.faults.domain.evaluate_vim import HOST_FAULTS, ObservedHost, ObservedQuota, ObservedVim, evaluate_vim

NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
HOST = ObservedHost("compute-1", "up", "up", "enabled", forced_down=False)
VIM = ObservedVim("vim-id", "vim1", reachable=True, reason="Answers", since=NOW, hosts=(HOST,))


def names(vim: ObservedVim | None) -> list[str]:
    return [fault.key.fault_type for fault in evaluate_vim(vim).faults]


def test_a_healthy_vim_and_a_deleted_one() -> None:
    assert names(VIM) == names(None) == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ({"hypervisor_state": "down", "service_state": "down"}, ["HypervisorDown"]),
        ({"service_state": "down"}, ["ComputeServiceDown"]),
        ({"hypervisor_state": "down", "service_state": "down", "forced_down": True}, ["ForcedDown"]),
        ({"service_status": "disabled", "disabled_reason": "new disks"}, ["HostDisabled"]),
        ({"hypervisor_state": "down", "service_status": "disabled"}, ["HypervisorDown", "HostDisabled"]),
        ({"hypervisor_state": "", "service_state": "", "forced_down": None}, []),
    ],
)
def test_hosts(host: dict[str, object], expected: list[str]) -> None:
    observed = replace(HOST, **host)  # type: ignore[arg-type]  # fields of it
    result = evaluate_vim(replace(VIM, hosts=(observed,)))
    assert [fault.key.fault_type for fault in result.faults] == expected
    assert all(fault.key.faulty_resource == "compute-1" for fault in result.faults)


def test_faults_of_unknown_hosts_are_undecided() -> None:
    assert evaluate_vim(replace(VIM, hosts=(), hosts_known=False)).undecided == frozenset(HOST_FAULTS)


@pytest.mark.parametrize(("limit", "used", "full"), [(10, 9, False), (10, 10, True), (-1, 99, False), (0, 0, False)])
def test_quotas(limit: int, used: int, full: bool) -> None:
    assert names(replace(VIM, quotas=(ObservedQuota("cores", limit, used),))) == (["QuotaExceeded"] if full else [])


@pytest.mark.parametrize(
    ("reason", "name"), [("Unreachable", "VimUnreachable"), ("CredentialsRefused", "VimAuthFailed")]
)
def test_a_lost_vim_hides_all_other_faults(reason: str, name: str) -> None:
    lost = replace(VIM, reachable=False, reason=reason, hosts=(replace(HOST, hypervisor_state="down"),))
    assert names(lost) == [name]
    assert evaluate_vim(lost).unobservable is not None
    assert names(replace(lost, servers_listed=True)) == [name, "HypervisorDown"]

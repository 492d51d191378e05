"""Slow requests run apart from the small polls: they hide nothing, and nothing older overwrites what is newer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.service.watching import deploy, poll, vnfc
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Stack
from vnfm.inventory.models import Host, VimPollState, Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import VimPollResult, full_scan, poll_slow, poll_vim
from vnfm.inventory.reconcilers.vim_snapshot import FULL_LIST_PERIOD, MAX_SINGLE_REQUESTS, full_scan_is_due, slow_is_due
from vnfm.inventory.services import RecordedVnfc, record_vnfcs
from vnfm.kit import clock
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db


@pytest.fixture
def instance(cloud: Cloud, vim: Vim) -> VnfInstance:
    row = deploy(cloud, vim, "cpm-A", "iom-1")
    poll(vim, cloud)
    return row


def lean(vim: Vim, cloud: Cloud, suspects: frozenset[str] = frozenset()) -> VimPollResult:
    return poll_vim(vim=vim, cloud=cloud, now=clock.now(), lean=True, suspects=suspects)


def act(sim: CloudsimProcess, name: str, action: str) -> None:
    sim.control("POST", f"/servers/{vnfc(name).server_id}/{action}")


def hide_changes_from_small_polls(vim: Vim) -> None:
    """It is as when our clock was set forward: nothing counts as changed since."""
    VimPollState.objects.filter(vim=vim).update(changes_until=clock.now() + timedelta(hours=1))


class CallsBeforeStacks:
    """A cloud that calls `hook` before stacks are listed, which is the last request of a poll."""

    def __init__(self, cloud: Cloud, hook: Callable[[], None]) -> None:
        self._cloud = cloud
        self._hook = hook
        self.stacks = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cloud, name)

    def list(self) -> "list[Stack]":
        self._hook()
        return [*self._cloud.stacks.list()]


def test_a_change_missed_by_fast_polls_is_recorded_as_a_suspect(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    act(fresh_cloud, "iom-1", "stop")
    act(fresh_cloud, "cpm-A", "delete")
    hide_changes_from_small_polls(vim)
    lean(vim, cloud)
    result, suspects = full_scan(vim=vim, cloud=cloud, now=clock.now())
    assert suspects == {vnfc("iom-1").server_id, vnfc("cpm-A").server_id}
    assert result.snapshot is not None
    assert result.snapshot.stacks
    assert {vnfc("iom-1").status, vnfc("cpm-A").status} == {"ACTIVE"}, "a full scan records no state"
    later = clock.now()
    assert lean(vim, cloud, suspects).changed == {instance.id}
    assert (vnfc("iom-1").status, vnfc("cpm-A").status) == ("SHUTOFF", "MISSING")
    assert VimPollState.objects.get(vim=vim).changes_until < later, "from the stamps again"


def test_a_full_scan_does_not_overwrite_a_later_poll(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    def stop_and_poll() -> None:
        act(fresh_cloud, "iom-1", "stop")
        assert lean(vim, cloud).changed == {instance.id}

    slow: Any = CallsBeforeStacks(cloud, stop_and_poll)
    _, suspects = full_scan(vim=vim, cloud=slow, now=clock.now())
    assert vnfc("iom-1").status == "SHUTOFF"
    since = vnfc("iom-1").status_since
    assert lean(vim, cloud, suspects).changed == frozenset(), "the suspect was recorded correctly"
    assert (vnfc("iom-1").status, vnfc("iom-1").status_since) == ("SHUTOFF", since)


def test_a_state_that_ended_during_a_full_scan_is_not_recorded_afterwards(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    """The small poll after it had nothing to write, so no row shows that it was later."""
    port = vnfc("iom-1").ports.get()
    fresh_cloud.control("POST", f"/ports/{port.port_id}/down")

    def end_and_poll() -> None:
        fresh_cloud.control("POST", f"/ports/{port.port_id}/up")
        assert lean(vim, cloud).changed == frozenset()

    slow: Any = CallsBeforeStacks(cloud, end_and_poll)
    _, suspects = full_scan(vim=vim, cloud=slow, now=clock.now())
    assert suspects == {vnfc("iom-1").server_id}
    assert VnfcPort.objects.get(id=port.id).status == "ACTIVE"
    assert lean(vim, cloud, suspects).changed == frozenset()
    assert VnfcPort.objects.get(id=port.id).status == "ACTIVE"


def test_with_too_many_suspects_the_next_poll_lists_everything(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    strays = [RecordedVnfc("iom", f"00000000-0000-4000-8000-{n:012}", f"iom-{n}", status="ACTIVE") for n in range(60)]
    assert len(strays) > MAX_SINGLE_REQUESTS
    record_vnfcs(instance=instance, vnfcs=strays, links=[], now=clock.now())
    _, suspects = full_scan(vim=vim, cloud=cloud, now=clock.now())
    assert suspects == frozenset()
    assert poll(vim, cloud).full
    assert set(instance.vnfcs.values_list("status", flat=True)) == {"MISSING"}


def test_a_small_poll_requests_a_recorded_server_that_was_never_observed(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    vnfcs = [RecordedVnfc(row.vdu_id, row.server_id, row.name) for row in instance.vnfcs.all()]
    stray = RecordedVnfc("iom", "00000000-0000-4000-8000-000000000000", "iom-2")
    record_vnfcs(instance=instance, vnfcs=[*vnfcs, stray], links=[], now=clock.now())
    hide_changes_from_small_polls(vim)
    assert not lean(vim, cloud).full
    assert (vnfc("iom-2").status, vnfc("iom-1").status) == ("MISSING", "ACTIVE")


def test_suspects_come_before_servers_that_were_never_observed(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    vnfcs = [RecordedVnfc(row.vdu_id, row.server_id, row.name) for row in instance.vnfcs.all()]
    strays = [RecordedVnfc("iom", f"00000000-0000-4000-8000-{n:012}", f"s-{n}") for n in range(MAX_SINGLE_REQUESTS)]
    record_vnfcs(instance=instance, vnfcs=[*vnfcs, *strays], links=[], now=clock.now())
    act(fresh_cloud, "iom-1", "stop")
    hide_changes_from_small_polls(vim)
    lean(vim, cloud, frozenset({vnfc("iom-1").server_id}))
    assert vnfc("iom-1").status == "SHUTOFF"
    assert instance.vnfcs.filter(status="UNKNOWN").count() == 1, "the next poll requests it"


def test_a_server_that_nova_itself_reports_as_unknown_counts_as_observed(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    Vnfc.objects.filter(name="iom-1").update(status="UNKNOWN")
    hide_changes_from_small_polls(vim)
    assert not poll_vim(vim=vim, cloud=cloud, now=clock.now()).full
    lean(vim, cloud)
    assert vnfc("iom-1").status == "UNKNOWN", "it was not requested by itself"


def test_a_slow_request_is_sent_apart(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    VimPollState.objects.filter(vim=vim).update(durations={"stacks": 5.0})
    before = VimPollState.objects.get(vim=vim)
    assert before.stacks_at is not None
    VnfInstance.objects.filter(id=instance.id).update(stack_status="CHECK_FAILED")
    lean(vim, cloud)
    assert VimPollState.objects.get(vim=vim).stacks_at == before.stacks_at
    for seconds, urgent, is_due in ((9, True, False), (11, True, True), (49, False, False), (51, False, True)):
        at = before.stacks_at + timedelta(seconds=seconds)
        assert slow_is_due(vim, before, at, urgent=urgent) is is_due, (seconds, urgent)
    later = clock.now() + timedelta(seconds=60)
    assert poll_slow(vim=vim, cloud=cloud, now=later, urgent=False).changed == {instance.id}
    after = VimPollState.objects.get(vim=vim)
    assert (after.stacks_at, after.servers_at < later) == (later, True)
    assert after.durations["stacks"] < 5.0


def test_a_slow_request_that_fails_counts_and_the_next_poll_reports_the_outage(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    VimPollState.objects.filter(vim=vim).update(durations={"stacks": 5.0})
    fresh_cloud.control("POST", "/failures", {"service": "orchestration", "effect": "status", "times": 2})
    later = clock.now() + timedelta(seconds=60)
    assert poll_slow(vim=vim, cloud=cloud, now=later, urgent=False).failures == 1
    assert Vim.objects.get(id=vim.id).reachable == "True"
    assert poll(vim, cloud).failures == 2
    assert Vim.objects.get(id=vim.id).reachable_message.startswith("heat: ")


def test_a_full_scan_runs_each_minute_or_less_often_when_it_is_slow(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    state = VimPollState.objects.get(vim=vim)
    assert state.full_at is not None
    assert not full_scan_is_due(state, state.full_at + FULL_LIST_PERIOD / 2)
    assert full_scan_is_due(state, state.full_at + FULL_LIST_PERIOD)
    state.durations = {"full": 20.0}
    assert not full_scan_is_due(state, state.full_at + FULL_LIST_PERIOD)
    now = clock.now()
    full_scan(vim=vim, cloud=cloud, now=now)
    assert VimPollState.objects.get(vim=vim).full_at == now


def test_hosts_that_we_may_no_longer_list_are_forgotten(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    now = clock.now()
    Host.objects.create(vim=vim, name="compute-1", state="down", service="down", status="enabled", since=now)
    VimPollState.objects.filter(vim=vim).update(hosts_at=now)
    Vim.objects.filter(id=vim.id).update(capabilities={"hosts": False})
    vim.refresh_from_db()
    full_scan(vim=vim, cloud=cloud, now=clock.now())
    assert not Host.objects.exists()
    assert VimPollState.objects.get(vim=vim).hosts_at is None

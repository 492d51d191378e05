"""The watcher at work, on a cloud of its own: what happens behind our back becomes an alarm by itself."""

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.service.watching import deploy, poll, vim_of
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import Server
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.inventory.domain.poll_interval import FAST_SECONDS
from vnfm.inventory.models import VimPollState, Vnfc, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import VimPollResult
from vnfm.inventory.reconcilers.vim_snapshot import FULL_LIST_PERIOD
from vnfm.inventory.reconcilers.vim_watcher import VimWatcher
from vnfm.inventory.services import poll_request
from vnfm.kit import clock
from vnfm.kit.models import Lease
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
PERIOD = 0.2


@pytest.fixture(scope="module")
def own_cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CloudsimProcess]:
    """Not the session's: these tests kill it."""
    with CloudsimProcess(Path(tmp_path_factory.mktemp("watched"))) as process:
        yield process


@pytest.fixture
def connect(own_cloud: CloudsimProcess) -> Callable[[Vim], Cloud]:
    provider = OpenStackProvider()
    credentials = connection_named(own_cloud.clouds_yaml.read_text(), "cloudsim")
    return lambda _: provider.connect(credentials)


@pytest.fixture
def instance(own_cloud: CloudsimProcess, connect: Callable[[Vim], Cloud]) -> VnfInstance:
    own_cloud.control("POST", "/reset")
    vim = vim_of(own_cloud)
    return deploy(connect(vim), vim, "cpm-A", "cpm-B", "iom-1")


class Running:
    """A watcher in a thread; counts its looks."""

    def __init__(self, connect: Callable[[Vim], Cloud], period: float = PERIOD) -> None:
        self.looks: list[VimPollResult] = []
        self._stop = threading.Event()
        watcher = VimWatcher(
            period_seconds=period,
            connect=connect,
            open_bus=OpenStackProvider().bus,
            after_poll=self._after,
            operation_runs=lambda _: False,
        )
        self.thread = threading.Thread(target=watcher.run, args=(self._stop,), daemon=True)
        self.thread.start()

    def _after(self, vim_id: UUID, poll: VimPollResult, now: datetime) -> None:
        evaluate_vim(vim_id=vim_id, changed=poll.changed, now=now)
        self.looks.append(poll)

    def stop(self) -> None:
        self._stop.set()
        self.thread.join(60)
        assert not self.thread.is_alive()


@pytest.fixture
def watcher(instance: VnfInstance, connect: Callable[[Vim], Cloud]) -> Iterator[Running]:
    running = Running(connect)
    until(lambda: running.looks, "the first look")
    yield running
    running.stop()


def open_alarms() -> dict[str, str]:
    rows = Alarm.objects.filter(cleared_at__isnull=True)
    return {row.fault_type: row.faulty_resource_name for row in rows}


def pace_of(vim: Vim) -> VimPollState:
    return VimPollState.objects.get(vim=vim)


def act(sim: CloudsimProcess, name: str, action: str) -> None:
    sim.control("POST", f"/servers/{Vnfc.objects.get(name=name).server_id}/{action}")


@pytest.mark.usefixtures("watcher")
def test_a_vm_stopped_behind_our_back_becomes_an_alarm_and_clears(own_cloud: CloudsimProcess) -> None:
    act(own_cloud, "iom-1", "stop")
    until(lambda: open_alarms() == {"VmDown": "iom-1"}, "the alarm")
    act(own_cloud, "iom-1", "start")
    until(lambda: open_alarms() == {}, "the alarm to clear")
    assert Alarm.objects.get().perceived_severity == "CLEARED"


def test_a_cloud_that_dies_and_comes_back(watcher: Running, instance: VnfInstance, own_cloud: CloudsimProcess) -> None:
    own_cloud.kill()
    lost = Alarm.objects.filter(fault_type="VimUnreachable")
    until(lambda: lost.count() == 2, "the outage to be reported")
    stored = Vim.objects.get()
    assert (stored.reachable, stored.reachable_reason) == ("False", "Unreachable")
    assert set(lost.values_list("managed_object_id", flat=True)) == {stored.id, instance.id}
    own_cloud.start()
    until(lambda: open_alarms() == {}, "the outage to be over")
    assert Vim.objects.get().reachable == "True"
    assert Vnfc.objects.filter(status="ACTIVE").count() == 3


class BlockedCloud:
    """A cloud whose list of all servers blocks until `let_go` is set; `held` is set while it blocks."""

    def __init__(self, cloud: Cloud, held: threading.Event, let_go: threading.Event) -> None:
        self._cloud, self._held, self._let_go = cloud, held, let_go
        self.servers = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cloud if hasattr(self._cloud, name) else self._cloud.servers, name)

    def list(self, changes_since: datetime | None = None) -> Sequence[Server]:
        found = self._cloud.servers.list(changes_since)
        if changes_since is None and not self._let_go.is_set():
            self._held.set()
            self._let_go.wait(600)
        return found


def test_a_list_of_everything_that_takes_long_delays_no_alarm(
    instance: VnfInstance, connect: Callable[[Vim], Cloud], own_cloud: CloudsimProcess
) -> None:
    vim = instance.vim
    assert vim is not None
    poll(vim, connect(vim))
    VimPollState.objects.update(full_at=clock.now() - 2 * FULL_LIST_PERIOD)
    held, let_go = threading.Event(), threading.Event()

    def slow(of: Vim) -> Any:
        return BlockedCloud(connect(of), held, let_go)

    running = Running(slow)
    try:
        assert held.wait(180), "the list of everything"
        act(own_cloud, "iom-1", "stop")
        until(lambda: open_alarms() == {"VmDown": "iom-1"}, "the alarm")
        let_go.set()
        until(lambda: [seen for seen in running.looks if seen.snapshot], "the list to end")
        seen = len(running.looks)
        until(lambda: len(running.looks) > seen + 3, "what was in doubt to be asked for")
        assert open_alarms() == {"VmDown": "iom-1"}, "what it listed was older"
        assert Alarm.objects.count() == 1
    finally:
        let_go.set()
        running.stop()


def test_a_ring_from_another_process_brings_the_look_forward(
    instance: VnfInstance, connect: Callable[[Vim], Cloud]
) -> None:
    vim = instance.vim
    assert vim is not None
    poll(vim, connect(vim))
    VimPollState.objects.update(changed_at=None)
    running = Running(connect, period=600.0)
    try:
        until(lambda: pace_of(vim).interval_reason == "Quiet", "the quiet pace")
        seen = len(running.looks)

        def looked_again() -> bool:
            poll_request(vim_id=vim.id)
            return len(running.looks) > seen

        until(looked_again, "the look that was rung for")
        until(lambda: pace_of(vim).interval_reason == "JustChanged", "the fast pace after a ring")
        assert pace_of(vim).interval_seconds == FAST_SECONDS
    finally:
        running.stop()


def test_the_pace_and_its_reason_are_in_the_api(watcher: Running, instance: VnfInstance, viewer_api: APIClient) -> None:
    vim = instance.vim
    assert vim is not None
    until(lambda: pace_of(vim).interval_seconds is not None, "a pace")
    shown = viewer_api.get(f"/api/v1/vims/{vim.id}/watch").json()
    assert shown["interval"]["seconds"] >= PERIOD
    assert shown["interval"]["reason"] in {"JustChanged", "Moving", "Quiet", "SlowCloud"}
    asked = {question["name"]: question for question in shown["questions"]}
    assert asked["full"]["answeredAt"] is not None
    assert asked["stacks"]["seconds"] >= 0
    assert asked["hosts"] == {"name": "hosts", "answeredAt": None, "seconds": None}
    assert shown["mayListHosts"] is None
    assert shown["failures"] == 0
    assert watcher.looks


@pytest.mark.usefixtures("instance")
def test_two_watchers_do_not_look_twice(watcher: Running, connect: Callable[[Vim], Cloud]) -> None:
    second = Running(connect)
    try:
        seen = len(watcher.looks)
        until(lambda: len(watcher.looks) > seen + 5, "more looks of the first")
        assert second.looks == []
        watcher.stop()
        until(lambda: second.looks, "the second to take over")
    finally:
        second.stop()


def test_database_connections_that_break_are_survived(watcher: Running) -> None:
    for _ in range(3):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        seen = len(watcher.looks)
        until(lambda seen=seen: len(watcher.looks) > seen + 1, "looks after the break")


def test_a_vim_that_is_removed_is_left_alone(watcher: Running, instance: VnfInstance) -> None:
    VnfInstance.objects.filter(id=instance.id).delete()
    Vim.objects.all().delete()
    until(
        lambda: not Lease.objects.filter(key__startswith="watch:").exclude(owner="").exists(),
        "the lease to be returned",
    )
    seen = len(watcher.looks)
    assert VimPollState.objects.count() == 0
    assert len(watcher.looks) == seen

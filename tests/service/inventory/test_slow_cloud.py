"""A cloud that answers late: small requests first, large ones after a pause that all processes share."""

from datetime import timedelta

import pytest

from tests.service.watching import deploy, poll, vnfc
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.clouds import registry
from vnfm.clouds.errors import TooSlow
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimPollState, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.vim_poll import VimPollResult, full_scan, poll_vim
from vnfm.inventory.reconcilers.vim_snapshot import full_scan_is_due, has_baseline
from vnfm.kit import clock
from vnfm.vims.models import Vim
from vnfm.vims.reconcilers.probe import probe_vim, sweep
from vnfm.vims.selectors import is_paused
from vnfm.vims.services import vim_answer_record

pytestmark = pytest.mark.django_db

PATIENCE = 0.5
"""Seconds that we wait for an answer here, instead of half a minute."""


@pytest.fixture
def instance(cloud: Cloud, vim: Vim) -> VnfInstance:
    row = deploy(cloud, vim, "cpm-A", "iom-1")
    poll(vim, cloud)
    # None of the servers has changed lately, so that the list of changes is short.
    VimPollState.objects.filter(vim=vim).update(changes_until=clock.now() + timedelta(hours=1))
    return row


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vnfm.clouds.openstack.session.READ_SECONDS", PATIENCE)


def lean(vim: Vim, cloud: Cloud) -> VimPollResult:
    vim.refresh_from_db()
    return poll_vim(vim=vim, cloud=cloud, now=clock.now(), lean=True)


def inject(sim: CloudsimProcess, effect: str, **rule: object) -> None:
    sim.control("POST", "/failures", {"service": "compute", "method": "GET", "effect": effect, "times": 1000, **rule})


def test_a_lean_poll_finds_a_port_that_is_gone(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    port = vnfc("iom-1").ports.get()
    neutron = cloud.account.url(cloud.session, "network")  # type: ignore[attr-defined]
    cloud.session.delete(f"{neutron}/ports/{port.port_id}")  # type: ignore[attr-defined]
    assert lean(vim, cloud).changed == frozenset(), "the ids were listed less than 5 s ago"
    VimPollState.objects.filter(vim=vim).update(port_ids_at=clock.now() - timedelta(seconds=5))
    assert lean(vim, cloud).changed == {instance.id}
    assert VnfcPort.objects.get(id=port.id).status == "MISSING"


def test_a_server_that_is_gone_with_its_ports_is_found_without_nova_listing_it(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    port = vnfc("iom-1").ports.get()
    cloud.servers.delete(vnfc("iom-1").server_id)
    neutron = cloud.account.url(cloud.session, "network")  # type: ignore[attr-defined]
    cloud.session.delete(f"{neutron}/ports/{port.port_id}")  # type: ignore[attr-defined]
    VimPollState.objects.filter(vim=vim).update(port_ids_at=clock.now() - timedelta(seconds=5))
    lean(vim, cloud)
    assert vnfc("iom-1").status == "MISSING"


@pytest.mark.usefixtures("impatient")
def test_a_full_list_without_answer_is_slow_and_not_away(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    inject(fresh_cloud, "per_row", path="/servers/detail$", seconds=1.0)
    result, _ = full_scan(vim=vim, cloud=cloud, now=clock.now())
    assert isinstance(result.problem, TooSlow)
    vim.refresh_from_db()
    assert is_paused(vim, clock.now())
    assert not lean(vim, cloud).error, "the small lists are answered"
    vim.refresh_from_db()
    assert (vim.reachable, vim.reachable_reason) == ("True", "Slow")
    assert "the list of all servers and ports got no answer" in vim.reachable_message
    state = VimPollState.objects.get(vim=vim)
    assert not full_scan_is_due(state, clock.now()), "one that failed counts as long"

    fresh_cloud.control("DELETE", "/failures")
    full_scan(vim=vim, cloud=cloud, now=clock.now())
    lean(vim, cloud)
    vim.refresh_from_db()
    assert (vim.reachable_reason, vim.late, vim.paused_until) == ("Answers", {}, None)


@pytest.mark.usefixtures("impatient")
def test_small_lists_without_answer_are_slow_while_the_service_is_there(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    inject(fresh_cloud, "delay", path="/servers/detail$", seconds=2 * PATIENCE)
    for _ in range(3):
        assert isinstance(lean(vim, cloud).problem, TooSlow)
    vim.refresh_from_db()
    assert (vim.reachable, vim.reachable_reason) == ("True", "Slow")
    assert vim.late["servers"]["timeouts"] == 3
    assert vim.paused_until is not None
    assert vim.paused_until - clock.now() > timedelta(seconds=30), "twice as long each time"
    assert has_baseline(VimPollState.objects.get(vim=vim)), "the next poll is a lean one"

    VimPollState.objects.filter(vim=vim).update(servers_at=clock.now() - timedelta(minutes=11))
    lean(vim, cloud)
    vim.refresh_from_db()
    assert (vim.reachable, vim.reachable_reason) == ("False", "Unreachable"), "nothing came for too long"


@pytest.mark.usefixtures("impatient")
def test_a_service_that_answers_nothing_is_away(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    inject(fresh_cloud, "delay", path="/servers/detail$", seconds=2 * PATIENCE)
    monkeypatch.setattr(type(cloud), "answers", lambda _cloud, _service: False)
    for _ in range(2):
        lean(vim, cloud)
    vim.refresh_from_db()
    assert (vim.reachable, vim.reachable_reason) == ("False", "Unreachable")


def test_after_an_outage_small_lists_come_first(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    inject(fresh_cloud, "status", path="/servers/detail$", status=503)
    for _ in range(3):
        lean(vim, cloud)
    fresh_cloud.control("DELETE", "/failures")
    state = VimPollState.objects.get(vim=vim)
    assert state.failures == 3
    assert has_baseline(state)
    result = lean(vim, cloud)
    assert (result.error, result.full, result.failures) == ("", False, 0)


def test_a_cloud_is_observed_when_it_answers_and_its_servers_are_as_old_as_the_request(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    inject(fresh_cloud, "delay", path="/servers/detail$", seconds=PATIENCE)
    before = clock.now()
    assert not poll_vim(vim=vim, cloud=cloud, now=before, lean=True).error
    observed_at = Vim.objects.get(id=vim.id).reachable_observed_at
    assert observed_at is not None
    assert observed_at >= before + timedelta(seconds=PATIENCE)
    assert VimPollState.objects.get(vim=vim).servers_at == before


def ports_are_due(vim: Vim) -> None:
    VimPollState.objects.filter(vim=vim).update(durations={}, port_ids_at=clock.now())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("effect", "waits"), [("status", False), ("delay", True)])
def test_ports_that_could_not_be_listed_keep_the_time_of_their_last_answer(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess, effect: str, *, waits: bool
) -> None:
    ports_are_due(vim)
    before = VimPollState.objects.get(vim=vim)
    inject(fresh_cloud, effect, service="network", path="/ports$", status=503, seconds=2 * PATIENCE)
    assert lean(vim, cloud).error
    after = VimPollState.objects.get(vim=vim)
    assert (after.ports_at, after.port_ids_at) == (before.ports_at, before.port_ids_at)
    assert after.servers_at > before.servers_at, "they came before the ports"
    assert bool(lean(vim, cloud).error) is not waits, "without an answer it waits for the pause of the cloud"
    fresh_cloud.control("DELETE", "/failures")
    Vim.objects.filter(id=vim.id).update(paused_until=None)
    ports_are_due(vim)
    assert not lean(vim, cloud).error
    assert VimPollState.objects.get(vim=vim).ports_at > before.ports_at


def test_a_full_list_whose_ports_fail_is_no_answer_for_ports(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    before = VimPollState.objects.get(vim=vim)
    VimPollState.objects.filter(vim=vim).update(full_at=None)
    inject(fresh_cloud, "status", service="network", path="/ports$", status=503)
    assert poll(vim, cloud).error
    after = VimPollState.objects.get(vim=vim)
    assert (after.ports_at, after.port_ids_at) == (before.ports_at, before.port_ids_at)


def test_ports_that_could_not_be_listed_are_not_missing(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    """Neutron answers which ports are not active, and then fails at those of one server."""
    ports_are_due(vim)
    VnfcPort.objects.filter(vnfc__name="iom-1").update(status="DOWN")
    inject(fresh_cloud, "status", service="network", path="/ports$", status=503, skip=1)
    assert lean(vim, cloud).error
    assert vnfc("iom-1").ports.get().status == "DOWN"


def test_a_refusal_that_comes_at_once_does_not_enlarge_the_pages(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    pages = cloud.account.server_pages  # type: ignore[attr-defined]
    pages.rows = 100
    inject(fresh_cloud, "status", path="/servers/detail$", status=503)
    assert lean(vim, cloud).error
    assert pages.rows == 100
    fresh_cloud.control("DELETE", "/failures")
    assert not lean(vim, cloud).error
    assert pages.rows == 200


def test_an_answer_in_time_ends_the_lateness_that_another_process_found_meanwhile(vim: Vim) -> None:
    late = {"resources": {"since": clock.now().isoformat(), "seconds": 30, "timeouts": 1}}
    Vim.objects.filter(id=vim.id).update(late=late, paused_until=clock.now() + timedelta(seconds=30))
    assert vim.late == {}, "it was read before"
    vim_answer_record(vim=vim, answers={"servers": 0.1}, now=clock.now())
    assert vim.late == late
    vim.late = {}
    vim_answer_record(vim=vim, answers={"resources": 0.1}, now=clock.now())
    found = Vim.objects.get(id=vim.id)
    assert (found.late, found.paused_until) == ({}, None)


@pytest.mark.django_db(transaction=True)
def test_a_probe_waits_for_the_pause_of_the_watch(vim: Vim, fresh_cloud: CloudsimProcess) -> None:
    registry.install(OpenStackProvider())
    late = {"full": {"since": clock.now().isoformat(), "seconds": 30, "timeouts": 1}}
    Vim.objects.filter(id=vim.id).update(late=late, paused_until=clock.now() + timedelta(seconds=30))
    probe_vim(vim.id, registry.provider(), clock.now())
    assert Vim.objects.get(id=vim.id).probed_at is None
    assert sweep(clock.now()) == 0
    probe_vim(vim.id, registry.provider(), clock.now() + timedelta(seconds=31))
    probed = Vim.objects.get(id=vim.id)
    assert probed.probed_at is not None
    assert probed.reachable_reason == "Slow", "the full list is late still"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("impatient")
def test_a_probe_without_answer_pauses_the_watch(vim: Vim, fresh_cloud: CloudsimProcess) -> None:
    registry.install(OpenStackProvider())
    inject(fresh_cloud, "delay", path="/flavors/detail$", seconds=2 * PATIENCE)
    probe_vim(vim.id, registry.provider(), clock.now())
    paused = Vim.objects.get(id=vim.id)
    assert is_paused(paused, clock.now())
    assert paused.late["resources"]["timeouts"] == 1

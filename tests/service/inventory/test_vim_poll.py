"""Polling a cloud: every change is recorded, and nothing is written without one."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.service.lcm.lifecycle import Saboteur
from tests.service.watching import deploy, fleet, poll, vnfc
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.clouds.errors import Rejected
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimPollState, Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.poll_situation import poll_situation
from vnfm.inventory.reconcilers.vim_poll import VimPollResult, poll_vim
from vnfm.inventory.reconcilers.vim_snapshot import FULL_LIST_PERIOD
from vnfm.inventory.services import RecordedVnfc, record_vnfcs
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db


@pytest.fixture
def instance(cloud: Cloud, vim: Vim) -> VnfInstance:
    row = deploy(cloud, vim, "cpm-A", "cpm-B", "iom-1")
    poll(vim, cloud)
    return row


def version(instance: VnfInstance) -> int:
    return VnfInstance.objects.values_list("version", flat=True).get(id=instance.id)


def act(sim: CloudsimProcess, name: str, action: str, body: object = None) -> None:
    sim.control("POST", f"/servers/{vnfc(name).server_id}/{action}", body)


def test_the_first_poll_is_full_and_the_next_is_not(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    state = VimPollState.objects.get(vim=vim)
    assert state.full_at == state.servers_at
    again = poll(vim, cloud)
    assert (again.full, again.changed, again.failures) == (False, frozenset(), 0)
    stored = Vim.objects.get(id=vim.id)
    assert (stored.reachable, stored.reachable_reason) == ("True", "Answers")


@pytest.mark.parametrize(
    ("action", "status"), [("stop", "SHUTOFF"), ("pause", "PAUSED"), ("error", "ERROR"), ("delete", "MISSING")]
)
def test_the_next_poll_records_a_change_from_outside(
    instance: VnfInstance, cloud: Cloud, fresh_cloud: CloudsimProcess, action: str, status: str
) -> None:
    vim = instance.vim
    assert vim is not None
    before = version(instance)
    act(fresh_cloud, "iom-1", action, {"message": "the guest crashed"})
    result = poll(vim, cloud)
    row = vnfc("iom-1")
    assert result.changed == {instance.id}
    assert (row.status, row.status_since) == (status, VimPollState.objects.get(vim=vim).servers_at)
    assert row.fault == ("the guest crashed" if action == "error" else "")
    assert vnfc("cpm-A").status == "ACTIVE"
    assert version(instance) == before + 1
    assert OutboxEvent.objects.filter(topic="vnf_instance.changed", version=before + 1).count() == 1
    assert poll(vim, cloud).changed == frozenset()


def test_a_vm_that_comes_back(instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess) -> None:
    act(fresh_cloud, "iom-1", "stop")
    poll(vim, cloud)
    act(fresh_cloud, "iom-1", "start")
    assert poll(vim, cloud).changed == {instance.id}
    assert vnfc("iom-1").status == "ACTIVE"


def test_a_rename_is_recorded(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    row = vnfc("iom-1")
    Vnfc.objects.filter(id=row.id).update(server_name="another")
    VimPollState.objects.update(full_at=None)
    assert poll(vim, cloud).changed == {instance.id}
    assert (vnfc("iom-1").name, vnfc("iom-1").server_name) == ("iom-1", "iom-1")


def test_a_full_poll_finds_a_change_that_the_delta_lost(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    act(fresh_cloud, "iom-1", "stop")
    VimPollState.objects.filter(vim=vim).update(changes_until=clock.now() + timedelta(hours=1))
    poll(vim, cloud)
    assert vnfc("iom-1").status == "ACTIVE"
    later = clock.now() + FULL_LIST_PERIOD
    assert poll_vim(vim=vim, cloud=cloud, now=later).changed == {instance.id}
    assert vnfc("iom-1").status == "SHUTOFF"
    assert VimPollState.objects.get(vim=vim).changes_until < later, "from the stamps again"


def test_a_recorded_server_that_was_never_observed_makes_the_next_poll_full(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    vnfcs = [RecordedVnfc(row.vdu_id, row.server_id, row.name) for row in instance.vnfcs.all()]
    stray = RecordedVnfc("iom", "00000000-0000-0000-0000-000000000000", "iom-2")
    record_vnfcs(instance=instance, vnfcs=[*vnfcs, stray], links=[], now=clock.now())
    assert poll(vim, cloud).full
    assert vnfc("iom-2").status == "MISSING"


def test_a_poll_that_started_before_a_recording_does_not_overwrite_it(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    act(fresh_cloud, "iom-1", "stop")
    Vnfc.objects.filter(name="iom-1").update(observed_at=clock.now() + timedelta(seconds=30))
    assert poll(vim, cloud).changed == frozenset()
    assert vnfc("iom-1").status == "ACTIVE"


def test_a_clock_that_is_set_back_hides_no_change(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    """An hour ahead it wrote times that are in the future now, and counted on from Nova's."""
    act(fresh_cloud, "iom-1", "stop")
    ahead = clock.now() + timedelta(hours=1)
    Vnfc.objects.update(observed_at=ahead)
    VnfInstance.objects.update(stack_observed_at=ahead, stack_status="UPDATE_FAILED")
    VimPollState.objects.update(changes_until=ahead, full_at=ahead, servers_at=ahead, stacks_at=ahead, ports_at=ahead)
    assert poll(vim, cloud).changed == {instance.id}
    instance.refresh_from_db()
    assert (vnfc("iom-1").status, instance.stack_status) == ("SHUTOFF", "CREATE_COMPLETE")


def test_ports_are_polled_until_they_are_active(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    VnfcPort.objects.filter(vnfc__name="iom-1").update(status="DOWN")
    assert poll(vim, cloud).changed == {instance.id}
    assert vnfc("iom-1").ports.get().status == "ACTIVE"


def test_the_next_poll_records_a_link_that_goes_down_under_a_running_server(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    port = vnfc("iom-1").ports.get()
    for action, status in (("down", "DOWN"), ("error", "ERROR"), ("up", "ACTIVE")):
        fresh_cloud.control("POST", f"/ports/{port.port_id}/{action}")
        result = poll(vim, cloud)
        assert (result.full, result.changed) == (False, {instance.id})
        port.refresh_from_db()
        assert (port.status, vnfc("iom-1").status) == (status, "ACTIVE")
        assert poll(vim, cloud).changed == frozenset()


def test_soon_after_a_burst_of_changes_polls_list_nothing(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    """The stored time of Nova's clock advances, so the last changes are not listed in every poll."""
    before = VimPollState.objects.get(vim=vim)
    assert before.changes_until is not None
    poll_vim(vim=vim, cloud=cloud, now=clock.now() + timedelta(seconds=50))
    after = VimPollState.objects.get(vim=vim)
    assert after.changes_until is not None
    assert timedelta(seconds=45) < after.changes_until - before.changes_until < timedelta(seconds=55)


def test_a_slow_request_is_sent_less_often_unless_the_poll_is_urgent(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    first = VimPollState.objects.get(vim=vim).stacks_at
    VimPollState.objects.filter(vim=vim).update(durations={"stacks": 60.0})
    poll_vim(vim=vim, cloud=cloud, now=clock.now())
    assert VimPollState.objects.get(vim=vim).stacks_at == first
    poll_vim(vim=vim, cloud=cloud, now=clock.now(), urgent=True)
    after = VimPollState.objects.get(vim=vim)
    assert after.stacks_at == after.servers_at
    assert after.durations["stacks"] < 60.0


def test_a_slow_full_poll_delays_only_the_next_full_one(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    def duration(result: VimPollResult) -> float:
        return poll_situation(
            state=VimPollState.objects.get(vim=vim),
            result=result,
            duration=5.0,
            requested_for=None,
            operation=False,
            now=clock.now(),
        ).duration

    assert duration(poll(vim, cloud)) == 5.0
    VimPollState.objects.filter(vim=vim).update(full_at=None)
    full = poll(vim, cloud)
    assert (full.full, duration(full)) == (True, 0.0)
    assert VimPollState.objects.get(vim=vim).durations["full"] > 0


def test_a_port_of_ours_that_is_gone_is_missing(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    VnfcPort.objects.filter(vnfc__name="iom-1").update(port_id="00000000-0000-0000-0000-000000000000", status="DOWN")
    poll(vim, cloud)
    assert {port.status for port in vnfc("iom-1").ports.all()} == {"MISSING", "ACTIVE"}


def test_a_stack_that_is_deleted_outside(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    cloud.stacks.delete(instance.stack_id)

    def gone() -> bool:
        poll(vim, cloud)
        servers = set(instance.vnfcs.values_list("status", flat=True))
        return (VnfInstance.objects.get(id=instance.id).stack_status, servers) == ("MISSING", {"MISSING"})

    until(gone, "stack and servers to be recorded as missing")


def test_a_stack_that_the_list_lacks_is_requested_without_its_outputs(
    instance: VnfInstance, vim: Vim, fresh_cloud: CloudsimProcess
) -> None:
    """Heat would resolve them with a call to Nova for each; the watch does not need them."""
    provider = Saboteur(OpenStackProvider(), "stacks.show", Rejected("with outputs", http_status=400), after=False)
    cloud = provider.connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim"))
    VnfInstance.objects.filter(id=instance.id).update(stack_id="00000000-0000-4000-8000-000000000000")
    assert poll(vim, cloud).error == ""
    assert VnfInstance.objects.get(id=instance.id).stack_status == "MISSING"


def test_an_outage_starts_with_the_second_failed_poll_and_ends_with_the_next_good_one(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    before = version(instance)
    outage = {"service": "compute", "effect": "status", "status": 503, "times": 2}
    fresh_cloud.control("POST", "/failures", outage)
    assert poll(vim, cloud).failures == 1
    assert Vim.objects.get(id=vim.id).reachable == "True"
    second = poll(vim, cloud)
    stored = Vim.objects.get(id=vim.id)
    assert (second.failures, second.changed) == (2, {instance.id})
    assert (stored.reachable, stored.reachable_reason) == ("False", "Unreachable")
    assert stored.reachable_message.startswith("nova: ")
    assert vnfc("iom-1").status == "ACTIVE"
    third = poll(vim, cloud)
    assert (third.failures, third.full, third.changed) == (0, True, {instance.id})
    assert Vim.objects.get(id=vim.id).reachable == "True"
    assert version(instance) == before + 2


def test_heat_alone_being_down_does_not_hide_the_servers(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    fresh_cloud.control("POST", "/failures", {"service": "orchestration", "effect": "status", "times": 2})
    act(fresh_cloud, "iom-1", "stop")
    poll(vim, cloud)
    poll(vim, cloud)
    assert Vim.objects.get(id=vim.id).reachable == "False"
    assert vnfc("iom-1").status == "SHUTOFF"


def test_refused_credentials_are_reported_at_once(vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess) -> None:
    refusal = {"service": "identity", "effect": "status", "status": 401, "type": "Unauthorized", "times": 4}
    fresh_cloud.control("POST", "/failures", refusal)
    assert poll(vim, cloud).failures == 1
    stored = Vim.objects.get(id=vim.id)
    assert (stored.reachable, stored.reachable_reason) == ("False", "CredentialsRefused")


def test_a_quiet_cloud_of_600_vms_costs_a_fixed_number_of_queries_and_rows(
    vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    made = fleet(fresh_cloud, cloud, vim, instances=200, each=3)
    assert poll(vim, cloud).full
    with CaptureQueriesContext(connection) as queries:
        assert poll(vim, cloud).changed == frozenset()
    writes = [q["sql"].split()[1] for q in queries if q["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert writes == ['"vims_vim"', '"inventory_vimpollstate"']
    assert len(queries) <= 18, [q["sql"] for q in queries]
    stopped = Vnfc.objects.filter(instance=made[7]).earliest("id")
    fresh_cloud.control("POST", f"/servers/{stopped.server_id}/stop")
    assert poll(vim, cloud).changed == {made[7].id}
    events = OutboxEvent.objects.filter(topic="vnf_instance.changed").order_by("id")
    assert events.values_list("aggregate_id", flat=True).last() == made[7].id


def test_a_recorded_name_and_flavor_stay_expected_when_others_are_observed(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    before = vnfc("iom-1")
    larger = cloud.flavors.find("m1.small")
    assert larger is not None
    cloud.servers.rename(before.server_id, "mine now")
    cloud.servers.resize(before.server_id, larger.id)
    until(lambda: cloud.servers.show(before.server_id).status == "VERIFY_RESIZE", "the resize")
    assert poll(vim, cloud).changed == {instance.id}
    after = vnfc("iom-1")
    assert (after.name, after.server_name) == ("iom-1", "mine now")
    assert (after.expected_flavor_id, after.flavor_id) == (before.flavor_id, larger.id)
    assert poll(vim, cloud).changed == frozenset()


def test_a_recorded_host_stays_expected_when_another_is_observed(vim: Vim, fresh_cloud: CloudsimProcess) -> None:
    """The account is an administrator's: Nova shows hosts to no other role."""
    admin = OpenStackProvider().connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim-admin"))
    instance = deploy(admin, vim, "iom-1")
    before = vnfc("iom-1")
    assert before.expected_host == before.host != ""
    fresh_cloud.control("POST", f"/hosts/{before.host}/kill")
    admin.servers.evacuate(before.server_id, on_shared_storage=True)

    def moved() -> bool:
        return poll(vim, admin).changed == {instance.id} and vnfc("iom-1").host != before.host

    until(moved, "the other host")
    assert vnfc("iom-1").expected_host == before.host


def test_a_host_that_no_operation_knew_is_expected_once_it_is_observed(vim: Vim, fresh_cloud: CloudsimProcess) -> None:
    admin = OpenStackProvider().connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim-admin"))
    deploy(admin, vim, "iom-1")
    known = vnfc("iom-1").host
    Vnfc.objects.update(host="", expected_host="")
    poll(vim, admin)
    assert (vnfc("iom-1").host, vnfc("iom-1").expected_host) == (known, known)

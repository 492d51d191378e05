"""Looking at a cloud: every change is seen, nothing is written for what did not change."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cloudsim_process import CloudsimProcess
from tests.service.lcm.driving import Saboteur
from tests.service.watching import deploy, fleet, look, until, vnfc
from vnfm.clouds.errors import Rejected
from vnfm.clouds.openstack import OpenStackProvider
from vnfm.clouds.ports import Cloud
from vnfm.inventory.models import VimLook, Vnfc, VnfcPort, VnfInstance
from vnfm.inventory.reconcilers.observe import Look, observe_vim
from vnfm.inventory.reconcilers.pacing import situation_after
from vnfm.inventory.reconcilers.sight import FULL_EVERY
from vnfm.inventory.services import RecordedVnfc, record_vnfcs
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent
from vnfm.vims.domain.clouds_yaml import connection_named
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db


@pytest.fixture
def instance(cloud: Cloud, vim: Vim) -> VnfInstance:
    made = deploy(cloud, vim, "cpm-A", "cpm-B", "iom-1")
    look(vim, cloud)
    return made


def version(instance: VnfInstance) -> int:
    return VnfInstance.objects.values_list("version", flat=True).get(id=instance.id)


def act(sim: CloudsimProcess, name: str, action: str, body: object = None) -> None:
    sim.control("POST", f"/servers/{vnfc(name).server_id}/{action}", body)


def test_the_first_look_is_full_and_the_next_is_not(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    seen = VimLook.objects.get(vim=vim)
    assert seen.full_at == seen.servers_at
    again = look(vim, cloud)
    assert (again.full, again.changed, again.failures) == (False, frozenset(), 0)
    stored = Vim.objects.get(id=vim.id)
    assert (stored.reachable, stored.reachable_reason) == ("True", "Answers")


@pytest.mark.parametrize(
    ("action", "status"), [("stop", "SHUTOFF"), ("pause", "PAUSED"), ("error", "ERROR"), ("delete", "MISSING")]
)
def test_a_change_behind_our_back_is_seen_at_the_next_look(
    instance: VnfInstance, cloud: Cloud, fresh_cloud: CloudsimProcess, action: str, status: str
) -> None:
    vim = instance.vim
    assert vim is not None
    before = version(instance)
    act(fresh_cloud, "iom-1", action, {"message": "the guest crashed"})
    seen = look(vim, cloud)
    row = vnfc("iom-1")
    assert seen.changed == {instance.id}
    assert (row.status, row.status_since) == (status, VimLook.objects.get(vim=vim).servers_at)
    assert row.fault == ("the guest crashed" if action == "error" else "")
    assert vnfc("cpm-A").status == "ACTIVE"
    assert version(instance) == before + 1
    assert OutboxEvent.objects.filter(topic="vnf_instance.changed", version=before + 1).count() == 1
    assert look(vim, cloud).changed == frozenset()


def test_a_vm_that_comes_back(instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess) -> None:
    act(fresh_cloud, "iom-1", "stop")
    look(vim, cloud)
    act(fresh_cloud, "iom-1", "start")
    assert look(vim, cloud).changed == {instance.id}
    assert vnfc("iom-1").status == "ACTIVE"


def test_a_rename_is_seen(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    row = vnfc("iom-1")
    Vnfc.objects.filter(id=row.id).update(server_name="another")
    VimLook.objects.update(full_at=None)
    assert look(vim, cloud).changed == {instance.id}
    assert (vnfc("iom-1").name, vnfc("iom-1").server_name) == ("iom-1", "iom-1")


def test_a_change_that_the_delta_lost_comes_out_in_the_full_look(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    act(fresh_cloud, "iom-1", "stop")
    VimLook.objects.filter(vim=vim).update(changed_to=clock.now() + timedelta(hours=1))
    look(vim, cloud)
    assert vnfc("iom-1").status == "ACTIVE"
    later = clock.now() + FULL_EVERY
    assert observe_vim(vim=vim, cloud=cloud, now=later).changed == {instance.id}
    assert vnfc("iom-1").status == "SHUTOFF"
    assert VimLook.objects.get(vim=vim).changed_to < later, "from the stamps anew"


def test_a_recorded_server_that_no_look_has_seen_makes_the_next_look_full(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    vnfcs = [RecordedVnfc(row.vdu_id, row.server_id, row.name) for row in instance.vnfcs.all()]
    stray = RecordedVnfc("iom", "00000000-0000-0000-0000-000000000000", "iom-2")
    record_vnfcs(instance=instance, vnfcs=[*vnfcs, stray], links=[], now=clock.now())
    assert look(vim, cloud).full
    assert vnfc("iom-2").status == "MISSING"


def test_a_look_that_began_before_a_recording_does_not_overrule_it(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    act(fresh_cloud, "iom-1", "stop")
    Vnfc.objects.filter(name="iom-1").update(observed_at=clock.now() + timedelta(seconds=30))
    assert look(vim, cloud).changed == frozenset()
    assert vnfc("iom-1").status == "ACTIVE"


def test_ports_are_looked_at_until_they_are_at_rest(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    VnfcPort.objects.filter(vnfc__name="iom-1").update(status="DOWN")
    assert look(vim, cloud).changed == {instance.id}
    assert vnfc("iom-1").ports.get().status == "ACTIVE"


def test_a_link_that_goes_down_under_a_running_server_is_seen_at_the_next_look(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    port = vnfc("iom-1").ports.get()
    for action, status in (("down", "DOWN"), ("error", "ERROR"), ("up", "ACTIVE")):
        fresh_cloud.control("POST", f"/ports/{port.port_id}/{action}")
        seen = look(vim, cloud)
        assert (seen.full, seen.changed) == (False, {instance.id})
        port.refresh_from_db()
        assert (port.status, vnfc("iom-1").status) == (status, "ACTIVE")
        assert look(vim, cloud).changed == frozenset()


def test_after_a_burst_of_changes_looks_soon_list_nothing(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    """Nova's clock is reckoned on, so that the last changes are not listed again and again until the next one."""
    before = VimLook.objects.get(vim=vim)
    assert before.changed_to is not None
    observe_vim(vim=vim, cloud=cloud, now=clock.now() + timedelta(seconds=50))
    after = VimLook.objects.get(vim=vim)
    assert after.changed_to is not None
    assert timedelta(seconds=45) < after.changed_to - before.changed_to < timedelta(seconds=55)


def test_a_dear_question_is_put_less_often_unless_somebody_rings(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    first = VimLook.objects.get(vim=vim).stacks_at
    VimLook.objects.filter(vim=vim).update(took={"stacks": 60.0})
    observe_vim(vim=vim, cloud=cloud, now=clock.now())
    assert VimLook.objects.get(vim=vim).stacks_at == first
    observe_vim(vim=vim, cloud=cloud, now=clock.now(), urgent=True)
    after = VimLook.objects.get(vim=vim)
    assert after.stacks_at == after.servers_at
    assert after.took["stacks"] < 60.0


def test_a_dear_full_look_makes_the_next_full_one_later_and_no_other(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    def burden(seen: Look) -> float:
        return situation_after(vim_id=vim.id, look=seen, took=5.0, rung_for=None, operation=False, now=clock.now()).took

    assert burden(look(vim, cloud)) == 5.0
    VimLook.objects.filter(vim=vim).update(full_at=None)
    whole = look(vim, cloud)
    assert (whole.full, burden(whole)) == (True, 0.0)
    assert VimLook.objects.get(vim=vim).took["full"] > 0


def test_a_port_of_ours_that_is_gone_is_missing(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    VnfcPort.objects.filter(vnfc__name="iom-1").update(port_id="00000000-0000-0000-0000-000000000000", status="DOWN")
    look(vim, cloud)
    assert {port.status for port in vnfc("iom-1").ports.all()} == {"MISSING", "ACTIVE"}


def test_a_stack_that_is_deleted_behind_our_back(instance: VnfInstance, vim: Vim, cloud: Cloud) -> None:
    cloud.stacks.delete(instance.stack_id)

    def gone() -> bool:
        look(vim, cloud)
        servers = set(instance.vnfcs.values_list("status", flat=True))
        return (VnfInstance.objects.get(id=instance.id).stack_status, servers) == ("MISSING", {"MISSING"})

    until(gone, "stack and servers to be seen missing")


def test_a_stack_that_the_list_lacks_is_asked_for_without_its_outputs(
    instance: VnfInstance, vim: Vim, fresh_cloud: CloudsimProcess
) -> None:
    """Heat would resolve them, at a call of Nova's for each: the watcher has no use for them."""
    provider = Saboteur(OpenStackProvider(), "stacks.show", Rejected("with outputs", http_status=400), after=False)
    cloud = provider.connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim"))
    VnfInstance.objects.filter(id=instance.id).update(stack_id="00000000-0000-4000-8000-000000000000")
    assert look(vim, cloud).error == ""
    assert VnfInstance.objects.get(id=instance.id).stack_status == "MISSING"


def test_an_outage_is_told_at_the_second_failed_look_and_ends_with_the_next_good_one(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    before = version(instance)
    outage = {"service": "compute", "effect": "status", "status": 503, "times": 2}
    fresh_cloud.control("POST", "/failures", outage)
    assert look(vim, cloud).failures == 1
    assert Vim.objects.get(id=vim.id).reachable == "True"
    second = look(vim, cloud)
    stored = Vim.objects.get(id=vim.id)
    assert (second.failures, second.changed) == (2, {instance.id})
    assert (stored.reachable, stored.reachable_reason) == ("False", "Unreachable")
    assert stored.reachable_message.startswith("nova: ")
    assert vnfc("iom-1").status == "ACTIVE"
    third = look(vim, cloud)
    assert (third.failures, third.full, third.changed) == (0, True, {instance.id})
    assert Vim.objects.get(id=vim.id).reachable == "True"
    assert version(instance) == before + 2


def test_heat_alone_being_down_does_not_hide_the_servers(
    instance: VnfInstance, vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    fresh_cloud.control("POST", "/failures", {"service": "orchestration", "effect": "status", "times": 2})
    act(fresh_cloud, "iom-1", "stop")
    look(vim, cloud)
    look(vim, cloud)
    assert Vim.objects.get(id=vim.id).reachable == "False"
    assert vnfc("iom-1").status == "SHUTOFF"


def test_refused_credentials_are_told_at_once(vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess) -> None:
    refusal = {"service": "identity", "effect": "status", "status": 401, "type": "Unauthorized", "times": 4}
    fresh_cloud.control("POST", "/failures", refusal)
    assert look(vim, cloud).failures == 1
    stored = Vim.objects.get(id=vim.id)
    assert (stored.reachable, stored.reachable_reason) == ("False", "CredentialsRefused")


@pytest.mark.slow
def test_a_quiet_cloud_of_600_vms_costs_a_fixed_number_of_queries_and_rows(
    vim: Vim, cloud: Cloud, fresh_cloud: CloudsimProcess
) -> None:
    made = fleet(fresh_cloud, cloud, vim, instances=200, each=3)
    assert look(vim, cloud).full
    with CaptureQueriesContext(connection) as queries:
        assert look(vim, cloud).changed == frozenset()
    writes = [q["sql"].split()[1] for q in queries if q["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert writes == ['"vims_vim"', '"inventory_vimlook"']
    assert len(queries) <= 18, [q["sql"] for q in queries]
    stopped = Vnfc.objects.filter(instance=made[7]).earliest("id")
    fresh_cloud.control("POST", f"/servers/{stopped.server_id}/stop")
    assert look(vim, cloud).changed == {made[7].id}
    told = OutboxEvent.objects.filter(topic="vnf_instance.changed").order_by("id")
    assert told.values_list("aggregate_id", flat=True).last() == made[7].id


def test_a_name_and_a_flavor_that_were_recorded_stay_expected_beside_what_is_seen(
    instance: VnfInstance, vim: Vim, cloud: Cloud
) -> None:
    before = vnfc("iom-1")
    larger = cloud.flavors.find("m1.small")
    assert larger is not None
    cloud.servers.rename(before.server_id, "mine now")
    cloud.servers.resize(before.server_id, larger.id)
    until(lambda: cloud.servers.show(before.server_id).status == "VERIFY_RESIZE", "the resize")
    assert look(vim, cloud).changed == {instance.id}
    after = vnfc("iom-1")
    assert (after.name, after.server_name) == ("iom-1", "mine now")
    assert (after.expected_flavor_id, after.flavor_id) == (before.flavor_id, larger.id)
    assert look(vim, cloud).changed == frozenset()


def test_a_host_that_was_recorded_stays_expected_beside_the_one_that_is_seen(
    vim: Vim, fresh_cloud: CloudsimProcess
) -> None:
    """By an administrator, to whom alone Nova tells hosts."""
    admin = OpenStackProvider().connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim-admin"))
    instance = deploy(admin, vim, "iom-1")
    before = vnfc("iom-1")
    assert before.expected_host == before.host != ""
    fresh_cloud.control("POST", f"/hosts/{before.host}/kill")
    admin.servers.evacuate(before.server_id, on_shared_storage=True)

    def moved() -> bool:
        return look(vim, admin).changed == {instance.id} and vnfc("iom-1").host != before.host

    until(moved, "the other host to be seen")
    assert vnfc("iom-1").expected_host == before.host


def test_a_host_that_no_operation_knew_is_expected_once_it_is_seen(vim: Vim, fresh_cloud: CloudsimProcess) -> None:
    admin = OpenStackProvider().connect(connection_named(fresh_cloud.clouds_yaml.read_text(), "cloudsim-admin"))
    deploy(admin, vim, "iom-1")
    known = vnfc("iom-1").host
    Vnfc.objects.update(host="", expected_host="")
    look(vim, admin)
    assert (vnfc("iom-1").host, vnfc("iom-1").expected_host) == (known, known)

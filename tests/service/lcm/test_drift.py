"""Changes that others make in the cloud are detected, shown and accepted; our own operations are not drift."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from tests.service.lcm.lifecycle import CrashError, Lifecycle, Saboteur
from tests.service.watching import poll
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.waiting import until
from vnfm.accounts.models import AuditEntry
from vnfm.clouds import registry
from vnfm.clouds.errors import Rejected
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.types import StackInput
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.inventory.models import StackSnapshot, VimPollState, Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.kit.models import Lease
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.vims.reconcilers.probe import probe_vim
from vnfm.vims.services import vim_register_from_clouds_yaml

pytestmark = pytest.mark.django_db(transaction=True)
INSTANCES = "/api/v1/vnf_instances"
SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
SCALE_IN = {"type": "SCALE_IN", "aspectId": "data-path", "numberOfSteps": 1}


@pytest.fixture
def instance(lifecycle: Lifecycle) -> VnfInstance:
    """Its servers have run long enough for a port that is down to be an alarm."""
    made = lifecycle.instantiated()
    made.vnfcs.update(status_since=clock.now() - timedelta(hours=1))
    watch(lifecycle)
    return made


def watch(life: Lifecycle) -> None:
    """A full look at the cloud, and what follows from it."""
    VimPollState.objects.update(full_at=None)
    seen = poll(life.vim, life.cloud)
    assert seen.error == ""
    evaluate_vim(vim_id=life.vim.id, changed=seen.changed, now=clock.now())


def drift(client: APIClient, instance: VnfInstance) -> Any:
    answer = client.get(f"{INSTANCES}/{instance.id}/drift")
    assert answer.status_code == 200, answer.json()
    return answer.json()


def kinds(client: APIClient, instance: VnfInstance) -> list[tuple[str, str]]:
    return [(item["kind"], item["subject"]) for item in drift(client, instance)["differences"]]


def accept(client: APIClient, instance: VnfInstance, **body: Any) -> Any:
    return client.post(f"{INSTANCES}/{instance.id}/accept_drift", body, format="json")


def alarms() -> dict[str, list[str]]:
    return {row.fault_type: row.fault_details for row in Alarm.objects.filter(cleared_at__isnull=True)}


def iom(instance: VnfInstance) -> Vnfc:
    return instance.vnfcs.get(slot="1")


# Changes that others make, and the kind of drift.


def rename(life: Lifecycle, instance: VnfInstance) -> None:
    life.cloud.servers.rename(iom(instance).server_id, "mine now")


def resize(life: Lifecycle, instance: VnfInstance) -> None:
    row = iom(instance)
    flavors = {flavor.id: flavor for flavor in life.cloud.flavors.list()}
    like = flavors.pop(row.flavor_id)
    other = next(f for f in flavors.values() if f.memory_mib == like.memory_mib and f.disk_gib == like.disk_gib)
    life.cloud.servers.resize(row.server_id, other.id)
    until(lambda: life.cloud.servers.show(row.server_id).status == "VERIFY_RESIZE", "the resize")
    life.cloud.servers.confirm_resize(row.server_id)
    until(lambda: life.cloud.servers.show(row.server_id).status == "ACTIVE", "the confirmation")


def stop(life: Lifecycle, instance: VnfInstance) -> None:
    row = iom(instance)
    life.cloud.servers.stop(row.server_id)
    until(lambda: life.cloud.servers.show(row.server_id).status == "SHUTOFF", "the stop")


def remove_port(life: Lifecycle, instance: VnfInstance) -> None:
    port = iom(instance).ports.get(cp_id="data-path-data2")
    neutron = {"service_type": "network", "interface": "public"}
    assert isinstance(life.cloud, OpenStackCloud)
    life.cloud.session.delete(f"/v2.0/ports/{port.port_id}", endpoint_filter=neutron)


def update_stack(life: Lifecycle, instance: VnfInstance) -> None:
    """The same again: Heat then changes nothing but the time, which is all that it tells in its list."""
    held = StackSnapshot.objects.get(instance=instance)
    given = StackInput(held.template, held.environment, held.parameters, held.files)
    life.cloud.stacks.update(instance.stack_id, given)
    until(lambda: life.cloud.stacks.status(instance.stack_id).status == "UPDATE_COMPLETE", "the update")


ACCEPTABLE = {
    "renamed": (rename, "StackDrift"),
    "resized": (resize, "StackDrift"),
    "stopped": (stop, "VmDown"),
    "port_removed": (remove_port, "PortDown"),
    "stack_updated": (update_stack, "StackDrift"),
}


@pytest.mark.parametrize("kind", ACCEPTABLE)
def test_changes_of_others_are_detected_listed_and_accepted(
    kind: str, lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    act, alarm = ACCEPTABLE[kind]
    act(lifecycle, instance)
    watch(lifecycle)
    body = drift(operator_api, instance)
    (found,) = body["differences"]
    assert (body["inSync"], found["kind"], found["acceptable"]) == (False, kind, True)
    assert found["message"] in body["message"]
    assert found["expected"] != found["found"]
    assert found["accept"]
    assert set(alarms()) == {alarm}
    detail = operator_api.get(f"{INSTANCES}/{instance.id}").json()
    assert detail["drift"] == body["differences"]
    in_sync = next(c for c in detail["conditions"] if c["type"] == "InSync")
    assert (in_sync["status"], in_sync["message"]) == ("False", body["message"])

    which = {"vnfcId": found["vnfcId"]} if found["vnfcId"] else {"subject": found["subject"]}
    answer = accept(operator_api, instance, differences=[{"kind": kind, **which}])
    assert answer.status_code == 200, answer.json()
    assert (answer.json()["inSync"], answer.json()["differences"]) == (True, [])
    watch(lifecycle)
    assert kinds(operator_api, instance) == []
    assert alarms() == {}
    entry = AuditEntry.objects.get(action="drift_accept")
    assert entry.detail["accepted"][0]["kind"] == kind


def started(life: Lifecycle, instance: VnfInstance) -> None:
    """It should be stopped, and runs."""
    Vnfc.objects.filter(id=iom(instance).id).update(desired=Vnfc.Desired.STOPPED)


def delete(life: Lifecycle, instance: VnfInstance) -> None:
    server_id = iom(instance).server_id
    life.cloud.servers.delete(server_id)
    until(lambda: server_id not in {server.id for server in life.cloud.servers.list()}, "the server to go")


def add_member(life: Lifecycle, instance: VnfInstance) -> None:
    """The stack is scaled out by hand."""
    held = StackSnapshot.objects.get(instance=instance)
    more = {"data_path_count": 2, "data_path_slots": {"0": "1", "1": "2"}}
    given = StackInput(held.template, held.environment, held.parameters | more, held.files)
    life.cloud.stacks.update(instance.stack_id, given)
    until(lambda: life.cloud.stacks.status(instance.stack_id).status == "UPDATE_COMPLETE", "the update")


REPAIRABLE = {
    "renamed": (rename, True),
    "resized": (resize, True),
    "stopped": (stop, True),
    "started": (started, True),
    "missing": (delete, False),
    "stack_updated": (add_member, True),
}
"""Each row says what it takes, and whether the server keeps its id."""


@pytest.mark.matrix(1)
@pytest.mark.parametrize("kind", REPAIRABLE)
def test_changes_of_others_are_repaired_and_no_sibling_is_touched(
    kind: str, lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    act, keeps = REPAIRABLE[kind]
    before, flavor = lifecycle.servers_of(instance), iom(instance).flavor_id
    act(lifecycle, instance)
    watch(lifecycle)
    assert kind in {item["kind"] for item in drift(operator_api, instance)["differences"]}
    op = repaired(lifecycle, instance, operator_api)
    assert op.operation == "HEAL"
    after = lifecycle.servers_of(instance)
    assert {slot: after[slot] for slot in "AB"} == {slot: before[slot] for slot in "AB"}
    assert (after["1"] == before["1"]) is keeps
    assert after.keys() == before.keys()
    watch(lifecycle)
    assert kinds(operator_api, instance) == []
    assert alarms() == {}
    assert iom(instance).flavor_id == flavor


def repaired(life: Lifecycle, instance: VnfInstance, client: APIClient) -> LcmOpOcc:
    answer = client.post(f"{INSTANCES}/{instance.id}/repair")
    assert answer.status_code == 202, answer.json()
    op = life.run(UUID(answer.headers["Location"].rpartition("/")[2]))
    assert op.state == "COMPLETED", life.story(op)
    return op


def test_many_differences_are_repaired_at_once(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    standby = instance.vnfcs.get(slot="B")
    before = lifecycle.servers_of(instance)
    lifecycle.cloud.servers.rename(standby.server_id, "mine now")
    delete(lifecycle, instance)
    update_stack(lifecycle, instance)
    watch(lifecycle)
    assert {kind for kind, _ in kinds(operator_api, instance)} == {"renamed", "missing", "stack_updated"}
    repaired(lifecycle, instance, operator_api)
    watch(lifecycle)
    assert kinds(operator_api, instance) == []
    after = lifecycle.servers_of(instance)
    assert {slot: after[slot] for slot in "AB"} == {slot: before[slot] for slot in "AB"}


def test_a_lost_port_is_recreated_where_heat_can_mark_it_unhealthy(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient, cloudsim: CloudsimProcess
) -> None:
    remove_port(lifecycle, instance)
    watch(lifecycle)
    (found,) = drift(operator_api, instance)["differences"]
    assert (found["kind"], found["repair"]) == ("port_removed", "")
    assert "cannot replace a lost port" in found["accept"]
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    assert (answer.status_code, answer.json()["code"]) == (409, "CANNOT_BE_REPAIRED")
    cloudsim.control("PUT", "/settings", {"heat_mark_unhealthy": True})
    probe_vim(lifecycle.vim.id, registry.provider(), clock.now())
    assert drift(operator_api, instance)["differences"][0]["repair"]
    before = lifecycle.servers_of(instance)
    repaired(lifecycle, instance, operator_api)
    assert lifecycle.servers_of(instance) == before, "the server got a port and stayed"
    watch(lifecycle)
    assert kinds(operator_api, instance) == []
    assert {port.cp_id: port.status for port in iom(instance).ports.all()}["data-path-data2"] == "ACTIVE"


def test_a_repair_is_rolled_back_to_the_state_before(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient, break_cloud: Callable[..., Saboteur]
) -> None:
    row = iom(instance)
    resize(lifecycle, instance)
    rename(lifecycle, instance)
    watch(lifecycle)
    found = drift(operator_api, instance)["differences"]
    break_cloud("servers.rename", Rejected("sabotage", service="nova", http_status=400), after=False)
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    op = lifecycle.run(UUID(answer.headers["Location"].rpartition("/")[2]))
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert lifecycle.cloud.servers.show(row.server_id).flavor == row.expected_flavor_id
    op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    watch(lifecycle)
    assert [item["kind"] for item in drift(operator_api, instance)["differences"]] == [item["kind"] for item in found]
    assert lifecycle.cloud.servers.show(row.server_id).flavor != row.expected_flavor_id


def test_a_disk_that_nova_cannot_make_smaller_stops_the_repair_and_can_be_accepted(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    row = iom(instance)
    larger = next(f for f in lifecycle.cloud.flavors.list() if f.name == "m1.large")
    lifecycle.cloud.servers.resize(row.server_id, larger.id)
    until(lambda: lifecycle.cloud.servers.show(row.server_id).status == "VERIFY_RESIZE", "the resize")
    watch(lifecycle)
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    op = lifecycle.run_out(UUID(answer.headers["Location"].rpartition("/")[2]))
    assert op.state == "FAILED_TEMP", lifecycle.story(op)
    assert op.problem is not None
    assert "smaller disk" in op.problem["detail"]
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"
    watch(lifecycle)
    assert accept(operator_api, instance, kinds=["resized"]).json()["inSync"] is True


@pytest.mark.matrix(1)
@pytest.mark.parametrize("call", ["servers.rename", "servers.resize", "servers.confirm_resize"])
@pytest.mark.parametrize("after", [False, True], ids=["before the effect", "after the effect"])
def test_a_repair_continues_after_a_crash(
    lifecycle: Lifecycle, operator_api: APIClient, break_cloud: Callable[..., Saboteur], call: str, after: bool
) -> None:
    instance = lifecycle.instantiated()
    watch(lifecycle)
    resize(lifecycle, instance)
    rename(lifecycle, instance)
    watch(lifecycle)
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    op_id = UUID(answer.headers["Location"].rpartition("/")[2])
    break_cloud(call, CrashError(), after=after)
    with pytest.raises(CrashError):
        lifecycle.run(op_id)
    Lease.objects.filter(key=f"op:{op_id}").update(expires_at="2000-01-01T00:00:00Z")
    LcmOpOcc.objects.filter(id=op_id).update(wake_at="2000-01-01T00:00:00Z")
    op = lifecycle.run(op_id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    watch(lifecycle)
    assert kinds(operator_api, instance) == []


def test_a_server_accepted_as_stopped_that_runs_again_is_drift(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient, cloudsim: CloudsimProcess
) -> None:
    stop(lifecycle, instance)
    watch(lifecycle)
    assert accept(operator_api, instance, kinds=["stopped"]).status_code == 200
    cloudsim.control("POST", f"/servers/{iom(instance).server_id}/start")
    watch(lifecycle)
    assert kinds(operator_api, instance) == [("started", iom(instance).name)]
    assert list(alarms()) == ["StackDrift"]
    assert accept(operator_api, instance).json()["inSync"] is True


def test_a_missing_vm_cannot_be_accepted_and_all_are_accepted_or_none(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient, cloudsim: CloudsimProcess
) -> None:
    cloudsim.control("POST", f"/servers/{iom(instance).server_id}/delete")
    standby = instance.vnfcs.get(slot="B")
    lifecycle.cloud.servers.rename(standby.server_id, "mine now")
    watch(lifecycle)
    both = {("missing", iom(instance).name), ("renamed", standby.name)}
    assert set(kinds(operator_api, instance)) == both
    answer = accept(operator_api, instance)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "CANNOT_BE_ACCEPTED")
    assert "repair" in problem["detail"]
    assert "scale in" in problem["detail"]
    assert "renamed" in problem["nextStep"]
    assert set(kinds(operator_api, instance)) == both
    assert accept(operator_api, instance, kinds=["renamed"]).status_code == 200
    assert kinds(operator_api, instance) == [("missing", iom(instance).name)]
    assert accept(operator_api, instance, kinds=["renamed"]).json()["code"] == "NO_SUCH_DIFFERENCE"
    assert set(alarms()) == {"VmMissing", "StackDrift"}
    watch(lifecycle)
    assert list(alarms()) == ["VmMissing"]


def test_a_server_on_another_host_can_be_accepted_and_not_repaired(
    lifecycle: Lifecycle, operator_api: APIClient, cloudsim: CloudsimProcess
) -> None:
    """With an administrator's rights, to whom alone Nova tells hosts."""
    vim = vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim-admin")
    life = Lifecycle(vim, lifecycle.package)
    instance = life.instantiated()
    watch(life)
    row = iom(instance)
    assert row.expected_host
    cloudsim.control("POST", f"/hosts/{row.host}/kill")
    life.cloud.servers.evacuate(row.server_id, on_shared_storage=True)
    until(lambda: life.cloud.servers.show(row.server_id).status == "ACTIVE", "the evacuation")
    watch(life)
    (found,) = [item for item in drift(operator_api, instance)["differences"] if item["kind"] == "moved"]
    assert (found["expected"], found["found"]) == (row.expected_host, iom(instance).host)
    assert found["repair"] == ""
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    assert (answer.status_code, answer.json()["code"]) == (409, "CANNOT_BE_REPAIRED")
    assert list(alarms()) == ["VmEvacuated"]
    assert accept(operator_api, instance, kinds=["moved"]).json()["inSync"] is True


def test_a_stack_that_is_gone_cannot_be_accepted(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    lifecycle.cloud.stacks.delete(instance.stack_id)
    until(lambda: lifecycle.stacks_of(instance) == [], "the stack to go")
    watch(lifecycle)
    assert {kind for kind, _ in kinds(operator_api, instance)} == {"stack_gone", "missing"}
    assert accept(operator_api, instance, kinds=["stack_gone"]).status_code == 409
    assert "StackDrift" not in alarms()


def test_our_own_operations_are_no_drift(lifecycle: Lifecycle, operator_api: APIClient) -> None:
    instance = lifecycle.instantiated()
    for operation, request in (
        (None, None),
        (Operation.SCALE, SCALE_OUT),
        (Operation.SCALE, SCALE_IN),
        (Operation.MODIFY_INFO, {"vnfInstanceName": "another"}),
        (Operation.OPERATE, {"changeStateTo": "STOPPED", "stopType": "FORCEFUL"}),
        (Operation.OPERATE, {"changeStateTo": "STARTED"}),
        (Operation.HEAL, {"additionalParams": {"vnfcToHeal": ["1"], "method": "recreate"}}),
    ):
        if operation is not None:
            lifecycle.done(instance, operation, request)
        watch(lifecycle)
        assert (kinds(operator_api, instance), alarms()) == ([], {}), operation
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    watch(lifecycle)
    assert (kinds(operator_api, instance), alarms()) == ([], {})


def test_an_operation_accepts_no_drift_of_other_servers(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    rename(lifecycle, instance)
    remove_port(lifecycle, instance)
    update_stack(lifecycle, instance)
    watch(lifecycle)
    before = kinds(operator_api, instance)
    assert {kind for kind, _ in before} == {"renamed", "port_removed", "stack_updated"}
    lifecycle.done(instance, Operation.HEAL, {"additionalParams": {"vnfcToHeal": ["B"], "method": "reboot"}})
    watch(lifecycle)
    assert kinds(operator_api, instance) == before
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    watch(lifecycle)
    assert {kind for kind, _ in kinds(operator_api, instance)} == {"renamed", "port_removed"}, "our stack stands again"


def test_while_an_operation_runs_drift_is_unknown_and_not_accepted(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    rename(lifecycle, instance)
    watch(lifecycle)
    op = lifecycle.start(instance, Operation.SCALE, SCALE_OUT)
    body = drift(operator_api, instance)
    assert (body["inSync"], body["differences"]) == (None, [])
    answer = accept(operator_api, instance)
    assert (answer.status_code, answer.json()["code"]) == (409, "DRIFT_UNKNOWN")
    assert lifecycle.run(op.id).state == "COMPLETED"
    watch(lifecycle)
    assert kinds(operator_api, instance) == [("renamed", iom(instance).name)]


def test_accepting_needs_the_present_version(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    rename(lifecycle, instance)
    watch(lifecycle)
    seen = operator_api.get(f"{INSTANCES}/{instance.id}/drift").headers["ETag"]
    lifecycle.cloud.servers.rename(iom(instance).server_id, "another name")
    watch(lifecycle)
    path = f"{INSTANCES}/{instance.id}/accept_drift"
    assert operator_api.post(path, {}, format="json", headers={"If-Match": seen}).status_code == 412


def test_roles(lifecycle: Lifecycle, instance: VnfInstance, viewer_api: APIClient, operator_api: APIClient) -> None:
    assert drift(viewer_api, instance)["inSync"] is True
    assert accept(viewer_api, instance).status_code == 403
    assert viewer_api.post(f"{INSTANCES}/{instance.id}/repair").status_code == 403
    assert accept(operator_api, instance, kinds=["haunted"]).status_code == 400
    assert accept(operator_api, instance).json()["inSync"] is True
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    assert (answer.status_code, answer.json()["code"]) == (409, "NOTHING_TO_REPAIR")
    assert operator_api.get(f"{INSTANCES}/{lifecycle.vim.id}/drift").status_code == 404

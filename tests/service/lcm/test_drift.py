"""What others do to an instance in the cloud is seen, told, and accepted; what we do ourselves is no drift."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.cloudsim_process import CloudsimProcess
from tests.service.lcm.driving import Lifecycle
from tests.service.watching import look, until
from vnfm.accounts.models import AuditEntry
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.types import StackInput
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.alarms import evaluate_vim
from vnfm.inventory.models import StackSnapshot, VimLook, Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.lcm.domain.states import Operation
from vnfm.vims.services import vim_register_from_clouds_yaml

pytestmark = pytest.mark.django_db(transaction=True)
INSTANCES = "/api/v1/vnf_instances"
SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
SCALE_IN = {"type": "SCALE_IN", "aspectId": "data-path", "numberOfSteps": 1}


@pytest.fixture
def instance(lifecycle: Lifecycle) -> VnfInstance:
    made = lifecycle.instantiated()
    watch(lifecycle)
    return made


def watch(life: Lifecycle) -> None:
    """A full look at the cloud, and what follows from it."""
    VimLook.objects.update(full_at=None)
    seen = look(life.vim, life.cloud)
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


# What somebody else does, and what it is called.


def rename(life: Lifecycle, instance: VnfInstance) -> None:
    life.cloud.servers.rename(iom(instance).server_id, "mine now")


def resize(life: Lifecycle, instance: VnfInstance) -> None:
    row = iom(instance)
    other = next(f for f in life.cloud.flavors.list() if f.id != row.flavor_id and f.memory_mib >= 8192)
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
    "port_removed": (remove_port, ""),
    "stack_updated": (update_stack, "StackDrift"),
}


@pytest.mark.parametrize("kind", ACCEPTABLE)
def test_what_others_do_is_seen_told_and_accepted(
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
    assert set(alarms()) == ({alarm} if alarm else set())
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


def test_what_was_accepted_as_stopped_and_runs_again_is_drift_too(
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


def test_a_server_on_another_host_is_accepted_and_nothing_that_a_repair_could_mend(
    lifecycle: Lifecycle, operator_api: APIClient, cloudsim: CloudsimProcess
) -> None:
    """With an administrator's rights, to whom alone Nova tells hosts."""
    life = Lifecycle(vim_register_from_clouds_yaml(path=cloudsim.clouds_yaml, name="cloudsim-admin"))
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
    assert list(alarms()) == ["StackDrift"]
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
    ):
        if operation is not None:
            lifecycle.done(instance, operation, request)
        watch(lifecycle)
        assert (kinds(operator_api, instance), alarms()) == ([], {}), operation
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    watch(lifecycle)
    assert (kinds(operator_api, instance), alarms()) == ([], {})


def test_an_operation_does_not_accept_what_others_did_to_the_servers_that_it_leaves_alone(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    rename(lifecycle, instance)
    remove_port(lifecycle, instance)
    watch(lifecycle)
    before = kinds(operator_api, instance)
    assert {kind for kind, _ in before} == {"renamed", "port_removed"}
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    watch(lifecycle)
    assert kinds(operator_api, instance) == before


def test_while_an_operation_runs_nothing_is_said_or_accepted(
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


def test_who_looked_at_an_older_state_accepts_nothing(
    lifecycle: Lifecycle, instance: VnfInstance, operator_api: APIClient
) -> None:
    rename(lifecycle, instance)
    watch(lifecycle)
    seen = operator_api.get(f"{INSTANCES}/{instance.id}/drift").headers["ETag"]
    lifecycle.cloud.servers.rename(iom(instance).server_id, "somebody else's")
    watch(lifecycle)
    path = f"{INSTANCES}/{instance.id}/accept_drift"
    assert operator_api.post(path, {}, format="json", headers={"If-Match": seen}).status_code == 412


def test_who_may_do_what(
    lifecycle: Lifecycle, instance: VnfInstance, viewer_api: APIClient, operator_api: APIClient
) -> None:
    assert drift(viewer_api, instance)["inSync"] is True
    assert accept(viewer_api, instance).status_code == 403
    assert viewer_api.post(f"{INSTANCES}/{instance.id}/repair").status_code == 403
    assert accept(operator_api, instance, kinds=["haunted"]).status_code == 400
    assert accept(operator_api, instance).json()["inSync"] is True
    answer = operator_api.post(f"{INSTANCES}/{instance.id}/repair")
    assert (answer.status_code, answer.json()["code"]) == (409, "NOTHING_TO_REPAIR")
    assert operator_api.get(f"{INSTANCES}/{lifecycle.vim.id}/drift").status_code == 404

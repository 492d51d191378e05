"""Starting and stopping a VNF: the four laws, and that what is wanted follows only what was done."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.service.lcm.lifecycle import CrashError, Lifecycle, crash, expire_lease
from tests.service.lcm.vnfc_status import STOP, desired, problem, statuses, vnfc_id
from tests.support.cloudsim_process import CloudsimProcess
from vnfm.accounts.models import AuditEntry
from vnfm.clouds.errors import Rejected
from vnfm.inventory.models import VnfInstance
from vnfm.kit import clock
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.models import LcmOpOcc, Step

START: dict[str, Any] = {"changeStateTo": "STARTED"}
LIE = {"service": "compute", "method": "POST", "path": "/action$", "effect": "lie200", "times": 3, "sent": "os-stop"}

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_whole_vnf_stops_and_starts_and_keeps_its_servers(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    before = lifecycle.servers_of(instance)
    op = lifecycle.done(instance, Operation.OPERATE, STOP)
    assert "stopped" in op.steps.get().message
    assert set(statuses(lifecycle, instance).values()) == {"SHUTOFF"}
    assert set(desired(instance).values()) == {"STOPPED"}
    assert {vnfc.status for vnfc in instance.vnfcs.all()} == {"SHUTOFF"}, "what was seen is on record"
    again = lifecycle.done(instance, Operation.OPERATE, STOP)
    assert (again.steps.get().message, again.steps.get().calls) == ("All were in the requested state already", [])
    lifecycle.done(instance, Operation.OPERATE, START)
    assert set(statuses(lifecycle, instance).values()) == {"ACTIVE"}
    assert set(desired(instance).values()) == {"STARTED"}
    assert lifecycle.servers_of(instance) == before


def test_the_audit_trail_says_what_was_stopped(api: APIClient, lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    vnfc = instance.vnfcs.get(slot="1")
    body = {**STOP, "vnfcInstanceId": [str(vnfc.id)]}
    answer = api.post(f"/vnflcm/v2/vnf_instances/{instance.id}/operate", body, format="json")
    assert answer.status_code == 202, answer.json()
    detail = AuditEntry.objects.latest("id").detail
    assert detail == detail | {"changeStateTo": "STOPPED", "vnfcs": [vnfc.name]}
    assert detail["names"] == {"vnf_instances": instance.name}


def test_only_who_is_named_is_stopped(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.OPERATE, {**STOP, "vnfcInstanceId": [vnfc_id(instance, "B")]})
    assert statuses(lifecycle, instance) == {"A": "ACTIVE", "B": "SHUTOFF", "1": "ACTIVE"}
    assert desired(instance) == {"A": "STARTED", "B": "STOPPED", "1": "STARTED"}


@pytest.mark.matrix(1)
@pytest.mark.parametrize(
    ("operation", "body"),
    [
        (Operation.OPERATE, STOP),
        (Operation.MODIFY_INFO, {"vnfInstanceName": "another"}),
        (Operation.HEAL, {"additionalParams": {"vnfcToHeal": ["1"], "method": "reboot"}}),
    ],
    ids=str,
)
def test_a_lost_key_does_not_prevent_operations_without_secrets(
    lifecycle: Lifecycle, operation: Operation, body: dict[str, Any]
) -> None:
    instance = lifecycle.instantiated()
    VnfInstance.objects.filter(id=instance.id).update(sealed_settings=b"sealed under a key that was lost")
    lifecycle.done(instance, operation, body)


def refused_half_way(life: Lifecycle, break_cloud: Callable[..., Any], instance: VnfInstance) -> LcmOpOcc:
    """A stop of the whole VNF that Nova refuses for one of its servers."""
    op = life.start(instance, Operation.OPERATE, STOP)
    break_cloud("servers.stop", Rejected("sabotage", service="nova", http_status=400), after=True)
    op = life.run(op.id)
    assert op.state == "FAILED_TEMP", life.story(op)
    assert set(desired(instance).values()) == {"STARTED"}, "what is wanted follows only what is done"
    return op


def test_a_refused_stop_can_be_retried(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    instance = lifecycle.instantiated()
    op = refused_half_way(lifecycle, break_cloud, instance)
    assert lifecycle.handle(op, "retry").state == "COMPLETED"
    assert set(statuses(lifecycle, instance).values()) == {"SHUTOFF"}


@pytest.mark.matrix(1)
@pytest.mark.parametrize("crashes", [False, True], ids=["once", "twice"])
def test_a_refused_stop_rolls_back_to_the_state_before(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], crashes: bool
) -> None:
    """One server was stopped before, by others: it stays so."""
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.OPERATE, {**STOP, "vnfcInstanceId": [vnfc_id(instance, "1")]})
    instance.vnfcs.update(desired="STARTED")
    op = refused_half_way(lifecycle, break_cloud, instance)
    if crashes:
        break_cloud("servers.start", CrashError(), after=True)
        with pytest.raises(CrashError):
            lifecycle.handle(op, "rollback")
        expire_lease(op.id)
        op = lifecycle.run(op.id)
    else:
        op = lifecycle.handle(op, "rollback")
    assert op.state == "ROLLED_BACK", lifecycle.story(op)
    assert statuses(lifecycle, instance) == {"A": "ACTIVE", "B": "ACTIVE", "1": "SHUTOFF"}


def test_marked_failed_the_desired_power_is_unchanged(lifecycle: Lifecycle, break_cloud: Callable[..., Any]) -> None:
    from vnfm.lcm.reconcilers.settle_failed import settle_failed

    instance = lifecycle.instantiated()
    op = lifecycle.handle(refused_half_way(lifecycle, break_cloud, instance), "fail")
    settle_failed(op.id)
    assert set(desired(instance).values()) == {"STARTED"}


@pytest.mark.parametrize("seconds", [0, 1])
def test_a_graceful_stop_goes_on_as_a_forceful_one_when_its_time_is_over(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess, seconds: int
) -> None:
    instance = lifecycle.instantiated()
    cloudsim.control("PUT", "/settings", {"action_seconds": 2.0})
    lifecycle.done(instance, Operation.OPERATE, {**STOP, "stopType": "GRACEFUL", "gracefulStopTimeout": seconds})
    assert set(statuses(lifecycle, instance).values()) == {"SHUTOFF"}


def test_a_server_that_did_not_stop_gracefully_gets_another_request(
    lifecycle: Lifecycle, cloudsim: CloudsimProcess
) -> None:
    """Nova accepts and does nothing; within the graceful timeout the server does not count as stuck."""
    from tests.service.lcm.step_control import half_way, wake

    instance = lifecycle.instantiated()
    cloudsim.control("POST", "/failures", LIE)
    request = {**STOP, "stopType": "GRACEFUL", "gracefulStopTimeout": 600}
    op = half_way(lifecycle, lifecycle.start(instance, Operation.OPERATE, request), "set_power@1")
    Step.objects.filter(op=op).update(started_at=clock.now() - timedelta(seconds=500))
    op = wake(op)
    assert (op.state, len(op.steps.get().calls)) == ("PROCESSING", 3)
    Step.objects.filter(op=op).update(started_at=clock.now() - timedelta(seconds=601))
    op = wake(op)
    assert (op.state, len(op.steps.get().calls)) == ("PROCESSING", 6), lifecycle.story(op)
    assert lifecycle.run(op.id).state == "COMPLETED"


def test_a_broken_server_is_healed_first_and_no_other_changes(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    instance = lifecycle.instantiated()
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['B']}/error", {"message": "disk on fire"})
    op = lifecycle.run(lifecycle.start(instance, Operation.OPERATE, STOP).id)
    assert (op.state, problem(op)["code"]) == ("ROLLED_BACK", "NEEDS_HEALING")
    assert "disk on fire" in problem(op)["causes"][0]["message"]
    assert "Heal it" in problem(op)["nextStep"]
    assert statuses(lifecycle, instance) == {"A": "ACTIVE", "B": "ERROR", "1": "ACTIVE"}


def test_a_server_that_breaks_stops_the_operation_with_novas_message(
    lifecycle: Lifecycle, break_cloud: Callable[..., Any], cloudsim: CloudsimProcess
) -> None:
    instance = lifecycle.instantiated()
    op = lifecycle.start(instance, Operation.OPERATE, STOP)
    break_cloud("servers.stop", CrashError(), after=False)
    crash(lifecycle, op.id)
    cloudsim.control("POST", f"/servers/{lifecycle.servers_of(instance)['1']}/delete")
    op = lifecycle.run(op.id)
    assert (op.state, problem(op)["code"]) == ("FAILED_TEMP", "NEEDS_HEALING")
    assert "MISSING" in problem(op)["detail"]
    assert lifecycle.handle(op, "rollback").state == "ROLLED_BACK"


def test_a_server_that_ignores_the_request_is_reported(lifecycle: Lifecycle, cloudsim: CloudsimProcess) -> None:
    """Nova says yes and does nothing; half a minute later a person is asked."""
    instance = lifecycle.instantiated()
    cloudsim.control("POST", "/failures", LIE)
    op = lifecycle.start(instance, Operation.OPERATE, STOP)
    from tests.service.lcm.step_control import half_way, wake

    op = half_way(lifecycle, op, "set_power@1")
    Step.objects.filter(op=op).update(started_at="2000-01-01T00:00:00Z")
    while op.state == "PROCESSING":
        op = wake(op)
    assert (op.state, problem(op)["code"]) == ("FAILED_TEMP", "POWER_NOT_REACHED")
    assert lifecycle.handle(op, "retry").state == "COMPLETED"


def test_refused_at_its_field_before_anything_begins(lifecycle: Lifecycle) -> None:
    instance = lifecycle.instantiated()
    with pytest.raises(ProblemError) as caught:
        lifecycle.start(instance, Operation.OPERATE, {**START, "vnfcInstanceId": ["missing"]})
    assert [error.field for error in caught.value.problem.errors] == ["/vnfcInstanceId/0"]

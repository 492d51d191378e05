"""Alarm policies and maintenance windows, and their effect on alarms."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.deployed import make_deployed, make_vnfc
from vnfm.faults.models import Alarm, AlarmPolicy, MaintenanceWindow
from vnfm.faults.reconcilers.evaluation import evaluate_all, evaluate_vim
from vnfm.faults.reconcilers.policies import apply_policies
from vnfm.inventory.models import Vnfc, VnfInstance
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent

pytestmark = [pytest.mark.django_db, pytest.mark.urls("vnfm.faults.api.urls")]
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
POLICIES = "/api/v1/alarm_policies"
WINDOWS = "/api/v1/maintenance_windows"


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def events() -> list[str]:
    return [row.payload["event"] for row in OutboxEvent.objects.filter(topic="alarm.changed").order_by("id")]


@pytest.fixture
def instance() -> VnfInstance:
    made = make_deployed()
    make_vnfc(made, "iom-1")
    return made


def stop(status: str = "SHUTOFF") -> None:
    Vnfc.objects.update(status=status, status_since=NOW)


def test_the_global_policy_and_one_of_a_fault_type(api: APIClient, operator_api: APIClient) -> None:
    general = api.post(POLICIES, {"faultType": "", "escalateAfterMinutes": 10}, format="json")
    assert general.status_code == 201
    special = api.post(POLICIES, {"faultType": "VmDown", "initialSeverity": "MINOR"}, format="json").json()
    assert api.post(POLICIES, {"faultType": "VmDown"}, format="json").json()["code"] == "POLICY_EXISTS"
    assert api.post(POLICIES, {"faultType": "Sunshine"}, format="json").status_code == 400
    assert operator_api.post(POLICIES, {"faultType": "VmError"}, format="json").status_code == 403
    assert [row["faultType"] for row in operator_api.get(POLICIES).json()] == ["", "VmDown"]
    url = f"{POLICIES}/{special['id']}"
    assert api.patch(url, {"debounceSeconds": -1}, format="json").status_code == 400
    stale = api.patch(url, {"debounceSeconds": 5}, format="json", headers={"If-Match": '"9"'})
    assert stale.status_code == 412
    changed = api.patch(url, {"debounceSeconds": 5, "faultType": "VmError"}, format="json").json()
    assert (changed["faultType"], changed["debounceSeconds"], changed["version"]) == ("VmDown", 5, 2)
    assert api.delete(url).status_code == 204
    assert api.delete(f"{POLICIES}/{general.json()['id']}").json()["code"] == "GLOBAL_POLICY"


def test_open_alarms_follow_a_changed_policy(api: APIClient) -> None:
    down, other = make_alarm(), make_alarm(fault_type="VmError")
    api.post(POLICIES, {"faultType": "VmDown", "initialSeverity": "WARNING"}, format="json")
    assert apply_policies(now=NOW) == 1
    down.refresh_from_db()
    other.refresh_from_db()
    assert (down.perceived_severity, down.previous_severity, other.perceived_severity) == (
        "WARNING",
        "CRITICAL",
        "CRITICAL",
    )
    assert down.highest_severity == "CRITICAL"
    assert not AlarmPolicy.objects.filter(pending=True).exists()
    assert apply_policies(now=NOW) == 0
    assert api.delete(f"{POLICIES}/{AlarmPolicy.objects.get(fault_type='VmDown').id}").status_code == 204
    assert apply_policies(now=NOW) == 1
    assert events() == ["changed", "changed"]


def test_an_unacknowledged_alarm_escalates_with_its_root_cause(instance: VnfInstance) -> None:
    AlarmPolicy.objects.create(fault_type="VmDown", initial_severity="MINOR", escalate_after_minutes=10, changed_at=NOW)
    stop()
    evaluate_all(now=NOW)
    root = make_alarm(managed_object_type="VIM", fault_type="HostDisabled", perceived_severity="WARNING")
    Alarm.objects.filter(fault_type="VmDown").update(root_cause=root)
    assert apply_policies(now=at(9)) == 0
    assert Alarm.objects.get(fault_type="VmDown").perceived_severity == "MINOR"
    assert apply_policies(now=at(10)) == 1
    alarm = Alarm.objects.get(fault_type="VmDown")
    assert (alarm.perceived_severity, alarm.severity_changed_at) == ("MAJOR", at(10))
    root.refresh_from_db()
    assert (root.perceived_severity, root.original_severity) == ("MAJOR", "WARNING")


def test_a_frequent_alarm_escalates(instance: VnfInstance) -> None:
    AlarmPolicy.objects.create(fault_type="VmDown", initial_severity="MINOR", escalate_occurrences=3, changed_at=NOW)
    for minute in range(5):
        stop("ACTIVE" if minute % 2 else "SHUTOFF")
        evaluate_all(now=at(minute))
    severities = Alarm.objects.order_by("raised_at").values_list("highest_severity", "occurrences_a_day")
    assert list(severities) == [("MINOR", 1), ("MINOR", 2), ("MAJOR", 3)]


def test_a_debounced_alarm_that_clears_is_never_published(instance: VnfInstance) -> None:
    AlarmPolicy.objects.create(fault_type="", debounce_seconds=60, changed_at=NOW)
    stop()
    evaluate_all(now=NOW)
    assert Alarm.objects.get().suppression == "DEBOUNCE"
    stop("ACTIVE")
    evaluate_all(now=at(0.5))
    assert (events(), Alarm.objects.get().cleared_at) == ([], at(0.5))
    stop()
    evaluate_all(now=at(2))
    assert instance.vim_id is not None
    assert evaluate_vim(vim_id=instance.vim_id, changed=(), now=at(2.9)) == 0
    assert evaluate_vim(vim_id=instance.vim_id, changed=(), now=at(3)) == 1
    assert events() == ["raised"]


def test_cleared_alarms_are_acknowledged_automatically(instance: VnfInstance) -> None:
    AlarmPolicy.objects.create(fault_type="", auto_ack_on_clear=True, changed_at=NOW)
    for minute, status in enumerate(("SHUTOFF", "ACTIVE")):
        stop(status)
        evaluate_all(now=at(minute))
    alarm = Alarm.objects.get()
    assert (alarm.ack_state, alarm.acked_at, alarm.acked_by) == ("ACKNOWLEDGED", at(1), "")


def window(client: APIClient, instance: VnfInstance, **changes: object) -> dict[str, object]:
    now = clock.now()
    body: dict[str, object] = {
        "managedObjectType": "VNF_INSTANCE",
        "managedObjectId": str(instance.id),
        "startsAt": now - timedelta(minutes=1),
        "endsAt": now + timedelta(hours=1),
        "reason": "New optics.",
    }
    answer = client.post(WINDOWS, body | changes, format="json")
    return dict(answer.json())


@pytest.mark.parametrize("of_vim", [False, True])
def test_an_alarm_in_a_window_is_published_only_if_it_outlasts_it(
    operator_api: APIClient, instance: VnfInstance, of_vim: bool
) -> None:
    assert instance.vim_id is not None
    of = {"managedObjectType": "VIM", "managedObjectId": str(instance.vim_id)} if of_vim else {}
    made = window(operator_api, instance, **of)
    assert made["managedObjectName"] == (instance.vim.name if of_vim and instance.vim else instance.name)
    stop()
    evaluate_all(now=clock.now())
    alarm = Alarm.objects.get()
    assert (alarm.suppression, str(alarm.suppressed_by), events()) == ("MAINTENANCE", made["id"], [])
    assert evaluate_vim(vim_id=instance.vim_id, changed=(), now=clock.now() + timedelta(minutes=59)) == 0
    assert evaluate_vim(vim_id=instance.vim_id, changed=(), now=clock.now() + timedelta(minutes=61)) == 1
    assert events() == ["raised"]


def test_a_window_that_is_ended_early_suppresses_no_longer(operator_api: APIClient, instance: VnfInstance) -> None:
    made = window(operator_api, instance)
    stop()
    evaluate_all(now=clock.now())
    url = f"{WINDOWS}/{made['id']}"
    assert operator_api.delete(url, headers={"If-Match": '"7"'}).status_code == 412
    assert operator_api.delete(url).status_code == 204
    assert instance.vim_id is not None
    assert evaluate_vim(vim_id=instance.vim_id, changed=(), now=clock.now()) == 1
    assert events() == ["raised"]
    assert operator_api.patch(url, {"reason": "Once more."}, format="json").json()["code"] == "WINDOW_OVER"
    assert [row["id"] for row in operator_api.get(WINDOWS).json()] == [made["id"]], "it is on record"


def test_a_window_does_not_suppress_a_published_alarm(operator_api: APIClient, instance: VnfInstance) -> None:
    stop()
    evaluate_all(now=clock.now())
    window(operator_api, instance)
    evaluate_all(now=clock.now())
    assert Alarm.objects.get().suppression == ""


def test_invalid_windows(operator_api: APIClient, viewer_api: APIClient, instance: VnfInstance) -> None:
    assert window(operator_api, instance, managedObjectId=str(uuid4()))["code"] == "NO_SUCH_OBJECT"
    past = clock.now() - timedelta(days=1)
    assert window(operator_api, instance, endsAt=past)["code"] == "INVALID_TIMES"
    assert window(operator_api, instance, colour="red")["code"] == "INVALID_REQUEST"
    assert window(viewer_api, instance)["status"] == 403
    made = window(operator_api, instance, startsAt=clock.now() + timedelta(minutes=5))
    longer = operator_api.patch(f"{WINDOWS}/{made['id']}", {"endsAt": clock.now() + timedelta(hours=2)}, format="json")
    assert (longer.status_code, longer["ETag"]) == (200, '"2"')
    assert operator_api.delete(f"{WINDOWS}/{made['id']}").status_code == 204
    assert not MaintenanceWindow.objects.exists(), "it never began"


def test_a_dismissed_alarm_stays_cleared_until_its_condition_is_gone(
    operator_api: APIClient, instance: VnfInstance
) -> None:
    Vnfc.objects.update(host="compute-2", expected_host="compute-1")
    evaluate_all(now=NOW)
    moved = Alarm.objects.get()
    assert moved.fault_type == "VmEvacuated"
    assert operator_api.post(f"/api/v1/alarms/{moved.id}/clear").status_code == 200
    assert evaluate_all(now=at(1)) == 0
    Vnfc.objects.update(host="compute-3")
    assert evaluate_all(now=at(2)) == 1, "it moved again: its details changed"
    assert Alarm.objects.filter(cleared_at=None).count() == 1
    assert operator_api.post(f"/api/v1/alarms/{Alarm.objects.get(cleared_at=None).id}/clear").status_code == 200
    Vnfc.objects.update(host="compute-1")
    evaluate_all(now=at(3))
    assert not Alarm.objects.filter(dismissed=True).exists()
    Vnfc.objects.update(host="compute-3")
    evaluate_all(now=at(4))
    assert Alarm.objects.filter(cleared_at=None).count() == 1

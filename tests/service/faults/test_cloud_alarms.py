"""Alarms of a cloud's own telemetry belong to the instance that they name, else to the VIM."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.inventory import make_instance
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_vim
from vnfm.inventory.domain.aodh_webhook import parse_webhook
from vnfm.inventory.models import CloudAlarm, VimPollState, VnfInstance
from vnfm.inventory.services import forget_resources
from vnfm.inventory.services.notifications import cloud_alarm_record, webhook_create, webhook_delete

pytestmark = pytest.mark.django_db
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


@pytest.fixture
def instance() -> VnfInstance:
    made = make_deployed()
    make_vnfc(made, "iom-1")
    VimPollState.objects.create(vim=made.vim, servers_at=NOW)
    poll(made)
    return made


def poll(instance: VnfInstance, seconds: int = 0) -> int:
    """Afterwards no assessment is stale."""
    assert instance.vim_id is not None
    return evaluate_vim(vim_id=instance.vim_id, changed=[], now=NOW + timedelta(seconds=seconds))


def call(instance: VnfInstance, state: str = "alarm", **more: Any) -> None:
    """Call the webhook, then poll the VIM."""
    assert instance.vim is not None
    known = getattr(instance.vim, "notifications", None)
    settings = known or webhook_create(vim=instance.vim, now=NOW)
    payload = parse_webhook({"alarm_id": "a-1", "alarm_name": "high", "severity": "moderate", "current": state, **more})
    assert payload is not None
    cloud_alarm_record(settings=settings, notification=payload, now=NOW)
    poll(instance)


def open_alarms() -> list[tuple[str, str, str]]:
    rows = Alarm.objects.filter(cleared_at=None, fault_type="CloudAlarm")
    return [(row.managed_object_type, row.perceived_severity, row.faulty_resource_name) for row in rows]


def event_of(server_id: str) -> dict[str, Any]:
    return {"reason_data": {"event": {"traits": [["instance_id", "1", server_id]]}}}


def test_an_alarm_named_after_the_stack_belongs_to_the_instance(instance: VnfInstance) -> None:
    name = f"{instance.stack_name}-cpu_high-k3jx5vqrx7wd"
    call(instance, alarm_name=name)
    assert open_alarms() == [("VNF_INSTANCE", "MAJOR", name)]
    call(instance, alarm_name=name, severity="critical")
    assert open_alarms() == [("VNF_INSTANCE", "CRITICAL", name)]
    call(instance, "insufficient data", alarm_name=name)
    assert open_alarms() == [("VNF_INSTANCE", "INDETERMINATE", name)]
    call(instance, "ok", alarm_name=name)
    assert open_alarms() == []


def test_the_stack_with_the_longest_matching_name_wins(instance: VnfInstance) -> None:
    other = make_instance(vim=instance.vim, stack_name=f"{instance.stack_name}-2")
    call(instance, alarm_name=f"{other.stack_name}-cpu_high-k3jx5vqrx7wd")
    assert CloudAlarm.objects.get().instance == other
    call(instance, alarm_name=f"{other.stack_name}-cpu of {instance.id}")
    assert CloudAlarm.objects.get().instance == instance


def test_an_alarm_with_the_id_of_the_instance_or_of_its_server_belongs_to_it(instance: VnfInstance) -> None:
    call(instance, alarm_name=f"busy {instance.id}")
    assert [kind for kind, *_ in open_alarms()] == ["VNF_INSTANCE"]
    server = instance.vnfcs.get()
    call(instance, **event_of(server.server_id))
    (row,) = Alarm.objects.filter(cleared_at=None)
    assert row.vnfc_ids == [str(server.id)]


def test_an_alarm_of_no_instance_belongs_to_the_vim(instance: VnfInstance) -> None:
    call(instance, alarm_name="too hot", severity="low")
    assert open_alarms() == [("VIM", "MINOR", "too hot")]
    call(instance, "ok", alarm_name="too hot")
    assert open_alarms() == []


def test_alarms_clear_with_the_webhook_and_with_the_resources_of_the_instance(instance: VnfInstance) -> None:
    call(instance, alarm_name=f"busy {instance.id}")
    assert instance.vim is not None
    webhook_delete(vim=instance.vim)
    poll(instance, 5)
    assert open_alarms() == []
    call(instance, alarm_name=f"busy {instance.id}")
    forget_resources(instance=instance)
    poll(instance, 9)
    assert (open_alarms(), CloudAlarm.objects.count()) == ([], 0)


def test_a_user_clears_an_alarm_that_the_cloud_reports_no_more(instance: VnfInstance, api: APIClient) -> None:
    call(instance, alarm_name=f"busy {instance.id}")
    alarm = Alarm.objects.get(cleared_at=None)
    assert api.post(f"/api/v1/alarms/{alarm.id}/clear", format="json").status_code == 200
    poll(instance, 5)
    assert open_alarms() == []

"""/vnffm/v1/alarms by SOL003 clause 7."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from rest_framework.test import APIClient

from tests.factories.alarms import alarm_row
from tests.factories.deployed import make_deployed, make_vnfc
from vnfm.faults.models import Alarm
from vnfm.faults.reconcilers.evaluation import evaluate_all
from vnfm.inventory.models import VnfInstance
from vnfm.kit.models import OutboxEvent

pytestmark = [pytest.mark.django_db, pytest.mark.urls("vnfm.faults.api.urls")]
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
ALARMS = "/vnffm/v1/alarms"
MERGE_PATCH = "application/merge-patch+json"


@pytest.fixture
def instance() -> VnfInstance:
    made = make_deployed()
    make_vnfc(made, "cpm-A", vdu="cpm", status="SHUTOFF")
    make_vnfc(made, "cpm-B", vdu="cpm")
    make_vnfc(made, "iom-1", status="ERROR", fault="Build of instance aborted.")
    evaluate_all(now=NOW)
    return made


def alarm_of(name: str) -> Alarm:
    return Alarm.objects.get(faulty_resource_name=name)


def test_an_alarm_in_etsis_shape(viewer_api: APIClient, instance: VnfInstance) -> None:
    alarm = alarm_of("iom-1")
    answer = viewer_api.get(f"{ALARMS}/{alarm.id}")
    assert answer.status_code == 200
    assert answer["ETag"].startswith('"1.')
    again = viewer_api.get(f"{ALARMS}/{alarm.id}", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
    assert viewer_api.get(f"{ALARMS}/{alarm.id}", headers={"If-None-Match": '"1"'}).status_code == 200
    body = answer.json()
    assert body["managedObjectId"] == str(instance.id)
    assert body["rootCauseFaultyResource"] == {
        "faultyResource": {"vimConnectionId": "vim1", "resourceId": alarm.faulty_resource},
        "faultyResourceType": "COMPUTE",
    }
    VnfInstance.objects.update(vim_connection_id="my-vim")
    for shown in (viewer_api.get(f"{ALARMS}/{alarm.id}").json(), viewer_api.get(ALARMS).json()[0]):
        assert shown["rootCauseFaultyResource"]["faultyResource"]["vimConnectionId"] == "my-vim", "as the NFVO calls it"
    assert (body["perceivedSeverity"], body["eventType"], body["faultType"]) == (
        "CRITICAL",
        "EQUIPMENT_ALARM",
        "VmError",
    )
    assert "Build of instance aborted." in body["faultDetails"]
    assert body["alarmRaisedTime"] == "2016-02-09T14:05:00Z"
    assert body["_links"]["objectInstance"]["href"] == f"http://testserver/vnflcm/v2/vnf_instances/{instance.id}"
    assert not {"alarmClearedTime", "alarmChangedTime", "alarmAcknowledgedTime"} & body.keys()


def test_list_filter_and_summary(viewer_api: APIClient, instance: VnfInstance) -> None:
    assert len(viewer_api.get(ALARMS).json()) == 2
    assert (
        len(viewer_api.get(ALARMS, {"filter": "(eq,isRootCause,false);(lte,eventTime,2016-02-09T14:05:00Z)"}).json())
        == 2
    )
    assert viewer_api.get(ALARMS, {"filter": "(eq,isRootCause,true)"}).json() == []
    major = viewer_api.get(ALARMS, {"filter": "(eq,perceivedSeverity,MAJOR)"}).json()
    assert [alarm["faultyResourceName"] for alarm in major] == ["cpm-A"]
    both = f"(eq,managedObjectId,{instance.id});(eq,rootCauseFaultyResource/faultyResourceType,COMPUTE)"
    assert len(viewer_api.get(ALARMS, {"filter": both}).json()) == 2
    assert viewer_api.get(ALARMS, {"filter": "(eq,colour,red)"}).status_code == 400
    assert viewer_api.get("/api/v1/alarm_summary").json() == {
        "CRITICAL": 1,
        "MAJOR": 1,
        "MINOR": 0,
        "WARNING": 0,
        "INDETERMINATE": 0,
    }


def test_suppressed_alarms_are_not_listed(viewer_api: APIClient, instance: VnfInstance) -> None:
    Alarm.objects.filter(faulty_resource_name="iom-1").update(suppressed_by=instance.id, suppression="OPERATION")
    assert len(viewer_api.get(ALARMS).json()) == 1
    assert viewer_api.get(f"{ALARMS}/{alarm_of('iom-1').id}").status_code == 404
    assert viewer_api.get("/api/v1/alarm_summary").json()["CRITICAL"] == 0


def test_correlated_alarms_name_each_other(viewer_api: APIClient, instance: VnfInstance) -> None:
    root, child = alarm_of("iom-1"), alarm_of("cpm-A")
    Alarm.objects.filter(id=child.id).update(root_cause=root)
    shown = viewer_api.get(f"{ALARMS}/{root.id}").json()
    assert (shown["isRootCause"], shown["correlatedAlarmIds"]) == (True, [str(child.id)])
    assert viewer_api.get(f"{ALARMS}/{child.id}").json()["rootCauseAlarmId"] == str(root.id)


def test_acknowledge_and_unacknowledge(operator_api: APIClient, instance: VnfInstance) -> None:
    url = f"{ALARMS}/{alarm_of('iom-1').id}"
    answer = operator_api.patch(url, b'{"ackState": "ACKNOWLEDGED"}', content_type=MERGE_PATCH)
    assert (answer.status_code, answer.json()) == (200, {"ackState": "ACKNOWLEDGED"})
    body = operator_api.get(url).json()
    assert body["acknowledgedBy"].startswith("operator-")
    assert "alarmAcknowledgedTime" in body
    again = operator_api.patch(url, {"ackState": "ACKNOWLEDGED"}, format="json")
    assert again.status_code == 409
    assert again["Content-Type"] == "application/problem+json"
    assert "already, by operator-" in again.json()["detail"]
    assert operator_api.patch(url, {"ackState": "UNACKNOWLEDGED"}, format="json").status_code == 200
    assert "acknowledgedBy" not in operator_api.get(url).json()
    events = OutboxEvent.objects.filter(topic="alarm.changed", aggregate_id=alarm_of("iom-1").id).order_by("id")
    assert [event.payload["event"] for event in events] == ["raised", "acknowledged", "unacknowledged"]


def test_if_match(operator_api: APIClient, instance: VnfInstance) -> None:
    url = f"{ALARMS}/{alarm_of('iom-1').id}"
    stale = operator_api.patch(url, {"ackState": "ACKNOWLEDGED"}, format="json", headers={"If-Match": '"7"'})
    assert stale.status_code == 412
    fresh = operator_api.patch(url, {"ackState": "ACKNOWLEDGED"}, format="json", headers={"If-Match": '"1"'})
    assert (fresh.status_code, fresh["ETag"]) == (200, '"2"')


@pytest.mark.parametrize("body", [{}, {"ackState": "MAYBE"}])
def test_a_bad_body_names_the_field(operator_api: APIClient, instance: VnfInstance, body: dict[str, str]) -> None:
    answer = operator_api.patch(f"{ALARMS}/{alarm_of('iom-1').id}", body, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "/ackState"


def test_viewers_may_not_acknowledge(viewer_api: APIClient, instance: VnfInstance) -> None:
    answer = viewer_api.patch(f"{ALARMS}/{alarm_of('iom-1').id}", {"ackState": "ACKNOWLEDGED"}, format="json")
    assert answer.status_code == 403


def test_pages(api_as: Callable[[str], APIClient]) -> None:
    instance = make_deployed()
    Alarm.objects.bulk_create(
        alarm_row(managed_object_id=instance.id, raised_at=NOW + timedelta(seconds=number // 3))
        for number in range(130)
    )
    client = api_as("viewer")
    first = client.get(ALARMS)
    assert len(first.json()) == 100
    rest = client.get(first["Link"].split(">")[0].lstrip("<"))
    assert len({alarm["id"] for alarm in first.json() + rest.json()}) == 130
    assert "Link" not in rest

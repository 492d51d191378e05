"""/api/v1/alarms: lists, filters and full-text search; actions on one alarm, or on many; CSV."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from tests.factories.alarms import alarm_row, make_alarm
from tests.support.csv_rows import csv_rows
from vnfm.accounts.models import AuditEntry
from vnfm.faults.domain.dictionary import DICTIONARY
from vnfm.faults.models import Alarm
from vnfm.faults.services.housekeeping import alarm_counts_compact
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent

pytestmark = [pytest.mark.django_db, pytest.mark.urls("vnfm.faults.api.urls")]
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)
ALARMS = "/api/v1/alarms"


def names(client: APIClient, **query: str) -> set[str]:
    answer = client.get(ALARMS, query)
    assert answer.status_code == 200, answer.json()
    return {alarm["managedObjectName"] for alarm in answer.json()}


@pytest.fixture
def four() -> None:
    """One alarm of each type of object, and a cleared one."""
    make_alarm(managed_object_name="vsr-pe-1", fault_type="VmError", fault_details=["Build of instance aborted."])
    make_alarm(managed_object_name="lab-west", managed_object_type="VIM", fault_type="HypervisorDown")
    make_alarm(managed_object_name="sr-12", managed_object_type="NETWORK_ELEMENT", fault_type="BgpPeerDown")
    make_alarm(managed_object_name="old", perceived_severity="CLEARED", cleared_at=NOW + timedelta(hours=1))


def test_the_lists(viewer_api: APIClient, four: None) -> None:
    current = {"vsr-pe-1", "lab-west", "sr-12"}
    assert names(viewer_api) == names(viewer_api, list="current") == current
    assert names(viewer_api, list="historical") == {"old"}
    assert names(viewer_api, list="merged") == current | {"old"}
    assert viewer_api.get(ALARMS, {"list": "lost"}).json()["code"] == "INVALID_QUERY"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("(eq,perceivedSeverity,CRITICAL)", {"vsr-pe-1", "lab-west"}),
        ("(eq,managedObjectType,NETWORK_ELEMENT)", {"sr-12"}),
        ("(cont,managedObjectName,west)", {"lab-west"}),
        ("(in,faultType,VmError,BgpPeerDown);(eq,ackState,UNACKNOWLEDGED)", {"vsr-pe-1", "sr-12"}),
        ("(gt,alarmRaisedTime,2016-02-09T15:00:00Z)", set()),
    ],
)
def test_filters(viewer_api: APIClient, four: None, query: str, found: set[str]) -> None:
    assert names(viewer_api, filter=query) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("aborted", {"vsr-pe-1"}),
        ("VSR-PE", {"vsr-pe-1"}),
        ("hypervisor lab", {"lab-west"}),
        ("bgp", {"sr-12"}),
        ("BgpPeerDown", {"sr-12"}),
        ("peer do", {"sr-12"}),
        ("pee down", set()),
        ("west sr", set()),
        ("%&'(", set()),
        ("' or 1=1 --", set()),
    ],
)
def test_words(viewer_api: APIClient, four: None, text: str, found: set[str]) -> None:
    assert names(viewer_api, text=text) == found


def test_top_level_alarms_and_the_alarms_that_they_cause(viewer_api: APIClient) -> None:
    root = make_alarm(managed_object_name="lab-west", managed_object_type="VIM", fault_type="HypervisorDown")
    for number in range(2):
        make_alarm(managed_object_name=f"vnf-{number}", root_cause=root)
    make_alarm(managed_object_name="cleared", root_cause=root, cleared_at=NOW)
    assert names(viewer_api, topLevel="true") == {"lab-west"}
    assert names(viewer_api, filter=f"(eq,rootCauseAlarmId,{root.id})") == {"vnf-0", "vnf-1"}
    assert viewer_api.get(f"{ALARMS}/{root.id}").json()["correlatedCount"] == 2
    Alarm.objects.filter(id=root.id).update(cleared_at=NOW)
    assert names(viewer_api, topLevel="true") == {"vnf-0", "vnf-1"}
    for value in ("perhaps", ""):
        assert viewer_api.get(ALARMS, {"topLevel": value}).status_code == 400


def test_suppressed_alarms_are_listed_on_request(viewer_api: APIClient) -> None:
    suppressed = make_alarm(managed_object_name="quiet", suppression="MAINTENANCE", suppressed_by=uuid4())
    assert names(viewer_api) == set()
    assert names(viewer_api, suppressed="true") == {"quiet"}
    assert viewer_api.get(f"{ALARMS}/{suppressed.id}").json()["suppression"] == "MAINTENANCE"


def test_sol003_lists_only_alarms_of_vnf_instances(viewer_api: APIClient, four: None) -> None:
    shown = viewer_api.get("/vnffm/v1/alarms").json()
    assert {alarm["managedObjectName"] for alarm in shown} == {"vsr-pe-1", "old"}
    of_vim = Alarm.objects.get(managed_object_type="VIM")
    assert viewer_api.get(f"/vnffm/v1/alarms/{of_vim.id}").status_code == 404


def test_the_pages_of_each_list_have_every_alarm_once(viewer_api: APIClient) -> None:
    for number in range(230):
        over = {"cleared_at": NOW + timedelta(seconds=number // 7)} if number % 2 else {}
        make_alarm(raised_at=NOW + timedelta(seconds=number // 5), **over)
    for which, count in (("current", 115), ("historical", 115), ("merged", 230)):
        listed, url = [], f"{ALARMS}?list={which}"
        while url:
            answer = viewer_api.get(url)
            listed += [alarm["id"] for alarm in answer.json()]
            url = answer.get("Link", "").split(">")[0].lstrip("<")
        assert (len(listed), len(set(listed))) == (count, count), which


def test_the_requested_order_continues_across_pages(viewer_api: APIClient) -> None:
    for number in range(120):
        severity = ("MINOR", "CRITICAL", "MAJOR")[number % 3]
        make_alarm(perceived_severity=severity, raised_at=NOW + timedelta(seconds=number))
    listed, url = [], f"{ALARMS}?sort=-perceivedSeverity"
    while url:
        answer = viewer_api.get(url)
        listed += [(alarm["perceivedSeverity"], alarm["alarmRaisedTime"]) for alarm in answer.json()]
        url = answer.get("Link", "").split(">")[0].lstrip("<")
    assert [severity for severity, _ in listed] == ["CRITICAL"] * 40 + ["MAJOR"] * 40 + ["MINOR"] * 40
    assert listed[:40] == sorted(listed[:40], reverse=True)
    assert viewer_api.get(ALARMS, {"sort": "faultDetails"}).json()["code"] == "INVALID_SORT"


def test_pages_have_the_requested_size(viewer_api: APIClient) -> None:
    for number in range(5):
        make_alarm(raised_at=NOW + timedelta(seconds=number))
    sizes, url = [], f"{ALARMS}?pageSize=2"
    while url:
        answer = viewer_api.get(url)
        sizes.append(len(answer.json()))
        url = answer.get("Link", "").split(">")[0].lstrip("<")
    assert sizes == [2, 2, 1]


@pytest.mark.parametrize("size", ["0", "101", "-1", "many", "", "1.0", "\u0662"])
def test_a_size_that_no_page_has_is_refused(viewer_api: APIClient, size: str) -> None:
    answer = viewer_api.get(ALARMS, {"pageSize": size})
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_PAGE_SIZE")


@pytest.mark.parametrize("which", ["historical", "merged"])
def test_alarms_are_sorted_by_the_time_cleared_with_open_ones_last(viewer_api: APIClient, which: str) -> None:
    for number in range(150):
        over = {"cleared_at": NOW + timedelta(seconds=number * 7 % 150)} if number % 3 else {}
        make_alarm(raised_at=NOW + timedelta(seconds=number), **over)
    cleared: dict[str, list[str | None]] = {}
    for sort in ("alarmClearedTime", "-alarmClearedTime"):
        cleared[sort], url = [], f"{ALARMS}?list={which}&sort={sort}"
        while url:
            answer = viewer_api.get(url)
            cleared[sort] += [alarm["alarmClearedTime"] for alarm in answer.json()]
            url = answer.get("Link", "").split(">")[0].lstrip("<")
    times = sorted(time for time in cleared["alarmClearedTime"] if time)
    still_open = [None] * (50 if which == "merged" else 0)
    assert cleared["alarmClearedTime"] == [*times, *still_open]
    assert cleared["-alarmClearedTime"] == [*still_open, *times[::-1]]


def test_counts_by_object(viewer_api: APIClient) -> None:
    element, other = uuid4(), uuid4()
    for severity in ("MAJOR", "MAJOR", "WARNING"):
        make_alarm(managed_object_type="NETWORK_ELEMENT", managed_object_id=element, perceived_severity=severity)
    make_alarm(managed_object_id=other)
    make_alarm(managed_object_id=other, suppression="MAINTENANCE")
    make_alarm(managed_object_id=uuid4(), cleared_at=NOW)
    of = "/api/v1/alarm_summary/objects"
    (shown,) = viewer_api.get(of, {"managedObjectId": f"{element},{uuid4()}"}).json()
    assert (shown["managedObjectId"], shown["MAJOR"], shown["WARNING"]) == (str(element), 2, 1)
    assert [row["managedObjectId"] for row in viewer_api.get(f"{of}?managedObjectType=VNF_INSTANCE").json()] == [
        str(other)
    ]
    assert len(viewer_api.get(of).json()) == 2
    assert viewer_api.get(of, {"managedObjectId": "me"}).json()["code"] == "INVALID_QUERY"


def test_counts_follow_every_write_of_alarms(viewer_api: APIClient) -> None:
    def counts(query: str = "") -> list[int]:
        shown = viewer_api.get(f"/api/v1/alarm_summary{query}").json()
        return [shown[name] for name in ("CRITICAL", "MAJOR", "MINOR", "WARNING", "INDETERMINATE")]

    def has_any(alarm: Alarm) -> bool:
        rows = viewer_api.get("/api/v1/alarm_summary/objects").json()
        return str(alarm.managed_object_id) in {row["managedObjectId"] for row in rows}

    Alarm.objects.bulk_create(alarm_row(perceived_severity="MAJOR") for _ in range(5))
    one = make_alarm(perceived_severity="WARNING", managed_object_type="VIM")
    make_alarm(perceived_severity="MAJOR", suppression="OPERATION")
    assert counts() == [0, 5, 0, 1, 0]
    assert counts("?managedObjectType=VIM") == [0, 0, 0, 1, 0]
    assert has_any(one)
    assert viewer_api.get("/api/v1/alarm_summary?managedObjectType=PLANET").status_code == 400
    Alarm.objects.filter(id=one.id).update(perceived_severity="CRITICAL")
    alarm_counts_compact()
    assert counts() == [1, 5, 0, 0, 0]
    Alarm.objects.filter(perceived_severity="MAJOR", suppression="").update(cleared_at=NOW)
    Alarm.objects.filter(id=one.id).delete()
    Alarm.objects.filter(suppression="OPERATION").update(suppression="")
    assert counts() == [0, 1, 0, 0, 0]
    assert not has_any(one)
    alarm_counts_compact()
    alarm_counts_compact()
    assert counts() == [0, 1, 0, 0, 0]


def test_acknowledge_assign_and_note_are_audited(operator_api: APIClient) -> None:
    alarm = make_alarm()
    url = f"{ALARMS}/{alarm.id}"
    done = operator_api.patch(url, {"ackState": "ACKNOWLEDGED", "assignedTo": "ann"}, format="json")
    assert done.status_code == 200
    body = done.json()
    assert (body["ackState"], body["assignedTo"], body["version"]) == ("ACKNOWLEDGED", "ann", 3)
    assert done["ETag"] == '"3"'
    assert operator_api.patch(url, {"ackState": "ACKNOWLEDGED"}, format="json").status_code == 409
    assert operator_api.patch(url, {"colour": "red"}, format="json").status_code == 400
    stale = operator_api.patch(url, {"assignedTo": ""}, format="json", headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    note = operator_api.post(f"{url}/notes", {"text": "Called the site."}, format="json")
    assert note.status_code == 201
    assert [row["text"] for row in operator_api.get(f"{url}/notes").json()] == ["Called the site."]
    audited = AuditEntry.objects.filter(object=str(alarm.id)).order_by("id")
    assert [entry.action for entry in audited] == ["alarm.assign", "alarm.acknowledge", "alarm.note"]
    events = OutboxEvent.objects.filter(aggregate_id=alarm.id).order_by("id")
    assert [event.payload["event"] for event in events] == ["changed", "acknowledged", "changed"]


def test_clear_by_hand_only_where_the_fault_type_allows_it(operator_api: APIClient) -> None:
    down, moved = make_alarm(), make_alarm(fault_type="VmEvacuated")
    refused = operator_api.post(f"{ALARMS}/{down.id}/clear")
    assert refused.status_code == 409
    assert refused.json()["code"] == "ALARM_NOT_CLEARABLE"
    assert "It clears when: The server is ACTIVE." in refused.json()["detail"]
    cleared = operator_api.post(f"{ALARMS}/{moved.id}/clear")
    assert cleared.status_code == 200
    body = cleared.json()
    assert (body["perceivedSeverity"], body["previousSeverity"]) == ("CLEARED", "WARNING")
    assert body["clearedBy"].startswith("operator-")
    assert operator_api.post(f"{ALARMS}/{moved.id}/clear").json()["code"] == "ALARM_STATE_CONFLICT"


def test_acknowledging_an_event_clears_it(operator_api: APIClient) -> None:
    moved = make_alarm(fault_type="VmEvacuated")
    body = operator_api.patch(f"{ALARMS}/{moved.id}", {"ackState": "ACKNOWLEDGED"}, format="json").json()
    assert (body["ackState"], body["perceivedSeverity"]) == ("ACKNOWLEDGED", "CLEARED")
    events = OutboxEvent.objects.filter(aggregate_id=moved.id).order_by("id")
    assert [event.payload["event"] for event in events] == ["acknowledged", "cleared"]


def test_bulk_actions(operator_api: APIClient, viewer_api: APIClient) -> None:
    down, moved, unknown_id = make_alarm(), make_alarm(fault_type="VmEvacuated"), uuid4()
    ids = [str(down.id), str(moved.id), str(unknown_id)]
    answer = operator_api.post(f"{ALARMS}/bulk", {"action": "CLEAR", "ids": ids}, format="json").json()
    assert answer["done"] == [str(moved.id)]
    assert {item["id"]: item["code"] for item in answer["refused"]} == {
        str(down.id): "ALARM_NOT_CLEARABLE",
        str(unknown_id): "NOT_FOUND",
    }
    for action, state in (("ACKNOWLEDGE", "ACKNOWLEDGED"), ("UNACKNOWLEDGE", "UNACKNOWLEDGED")):
        answer = operator_api.post(f"{ALARMS}/bulk", {"action": action, "ids": ids[:1]}, format="json").json()
        assert (answer["done"], answer["refused"]) == (ids[:1], [])
        assert Alarm.objects.get(id=down.id).ack_state == state
    assert AuditEntry.objects.filter(action="alarms.acknowledge", detail__alarms=ids[:1]).exists()
    too_many = {"action": "CLEAR", "ids": [str(uuid4()) for _ in range(501)]}
    assert operator_api.post(f"{ALARMS}/bulk", too_many, format="json").status_code == 400
    assert viewer_api.post(f"{ALARMS}/bulk", {"action": "CLEAR", "ids": ids}, format="json").status_code == 403


@pytest.mark.django_db(transaction=True)
def test_csv_has_all_alarms_of_the_list(api_as: Callable[[str], APIClient]) -> None:
    Alarm.objects.bulk_create(alarm_row(raised_at=clock.now(), managed_object_name=f"vnf-{n}") for n in range(2100))
    make_alarm(managed_object_name="=1+1", fault_type="VmError")
    client = api_as("viewer")
    answer = client.get(f"{ALARMS}.csv")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv")
    rows = csv_rows(answer)
    assert len({row["id"] for row in rows}) == len(rows) == 2101
    assert rows[-1]["managedObjectName"] == "'=1+1", "a spreadsheet must not read a name as a formula"
    assert len(csv_rows(client.get(f"{ALARMS}.csv", {"filter": "(eq,faultType,VmError)"}))) == 1
    assert client.get(f"{ALARMS}.csv", {"filter": "(eq,colour,red)"}).status_code == 400


def test_the_dictionary(viewer_api: APIClient) -> None:
    rows = viewer_api.get("/api/v1/alarm_dictionary").json()
    assert [row["faultType"] for row in rows] == list(DICTIONARY)
    (card,) = viewer_api.get("/api/v1/alarm_dictionary", {"faultType": "CardDown"}).json()
    assert (card["managedObjectTypes"], card["probableCause"]) == (["NETWORK_ELEMENT"], "inoperableEquipment")
    assert "('Administrative State' NOT EQUAL 'Down')" in card["raisingCondition"]

"""/api/v1/overview and /api/v1/operations, with PostgreSQL."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.deployed import make_deployed, make_reachable_vim, make_vnfc
from tests.factories.elements import make_element
from tests.factories.inventory import make_instance
from tests.service.overview.operation_rows import operation
from vnfm.faults.selectors import alarms_by_hour
from vnfm.faults.services.housekeeping import alarm_counts_compact
from vnfm.inventory.models import VimPollState
from vnfm.kit import clock
from vnfm.kit.problem import Problem
from vnfm.lcm.models import Step
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db


def get(api: APIClient) -> Any:
    answer = api.get("/api/v1/overview")
    assert answer.status_code == 200, answer.json()
    return answer.json()


def polled_vim(**fields: object) -> Vim:
    now = clock.now()
    vim = make_reachable_vim(**{"reachable_observed_at": now, "probed_at": now, **fields})
    VimPollState.objects.create(vim=vim, servers_at=now)
    return vim


def test_an_empty_system_has_zeros(viewer_api: APIClient) -> None:
    found = get(viewer_api)
    assert (found["clouds"], found["problems"], found["operations"], found["operationsOpen"]) == ([], [], [], 0)
    assert set(found["instances"].values()) == set(found["elements"].values()) == {0}
    assert len(found["hours"]) == 24


def make_instances() -> None:
    """One instance of each availability, and of each way for a cloud to be lost."""
    vim, now = polled_vim(), clock.now()
    for statuses in (["ACTIVE"], ["ACTIVE", "SHUTOFF"], ["ERROR"], [], ["ACTIVE", "MISSING"], ["SHUTOFF", "SHUTOFF"]):
        instance = make_deployed(vim)
        for number, status in enumerate(statuses):
            make_vnfc(instance, f"{instance.name}-{number}", status=status)
    two = make_deployed(vim)
    make_vnfc(two, "a", vdu="cpm")
    make_vnfc(two, "b", vdu="iom", status="SHUTOFF")
    gone = polled_vim(reachable="False", reachable_since=now + timedelta(seconds=1))
    make_vnfc(make_deployed(gone), "c")
    half = polled_vim(reachable="False", reachable_since=now - timedelta(hours=1))
    make_vnfc(make_deployed(half), "d")
    stale = polled_vim()
    VimPollState.objects.filter(vim=stale).update(servers_at=now - timedelta(hours=1))
    make_vnfc(make_deployed(stale), "e", observed_at=now - timedelta(hours=2))
    for age in (100, 200):  # of clouds that answer late, and are polled every 90 s
        slow, at = polled_vim(), now - timedelta(seconds=age)
        VimPollState.objects.filter(vim=slow).update(servers_at=at, interval_seconds=90.0)
        make_vnfc(make_deployed(slow), f"slow-{age}", observed_at=at)
    never = make_reachable_vim()
    make_vnfc(make_deployed(never), "f", observed_at=None)
    make_instance()
    changed = make_deployed(vim)
    make_vnfc(changed, "g", status="MISSING")
    undecided = make_deployed(vim)
    make_vnfc(undecided, "h", status="MISSING")
    for each, state in ((changed, "PROCESSING"), (undecided, "FAILED_TEMP"), (make_instance(), "STARTING")):
        operation(each, state)


def test_instances_are_counted_by_their_condition(viewer_api: APIClient) -> None:
    make_instances()
    counted: Counter[str] = Counter()
    for row in viewer_api.get("/api/v1/vnf_instances").json():
        (available,) = (each for each in row["conditions"] if each["type"] == "Available")
        counted[
            {
                "AllRunning": "RUNNING",
                "Degraded": "DEGRADED",
                "OperationRunning": "CHANGING",
                "VduDown": "DOWN",
                "NotObserved": "UNKNOWN",
            }.get(available["reason"], "NOT_INSTANTIATED")
        ] += 1
    found = get(viewer_api)
    assert {name: number for name, number in found["instances"].items() if number} == dict(counted)
    assert set(counted) == set(found["instances"])
    assert found["vms"] == {"ACTIVE": 6, "ERROR": 1, "OTHER": 7, "UNKNOWN": 4}


def test_quotas_of_an_unreachable_cloud_are_unknown(viewer_api: APIClient) -> None:
    quotas = {"cores": {"limit": 20, "used": 12}}
    now = clock.now()
    polled_vim(name="a", quotas=quotas)
    polled_vim(name="b", quotas=quotas, reachable="False", reachable_since=now - timedelta(minutes=9))
    polled_vim(name="c", quotas=quotas, probed_at=now - timedelta(hours=1))
    here, lost, unasked = get(viewer_api)["clouds"]
    assert (here["quotas"], here["quotasUnknownSince"], here["reachable"]["status"]) == (quotas, None, "True")
    assert lost["reachable"]["status"] == "False"
    assert lost["quotasUnknownSince"] == lost["reachable"]["lastTransitionTime"]
    assert (lost["quotas"], unasked["quotasUnknownSince"] > unasked["quotasAt"]) == (quotas, True)


def test_elements_by_reachability(viewer_api: APIClient) -> None:
    now = clock.now()
    make_element(reachable="True", observed_at=now)
    make_element(reachable="True", observed_at=now - timedelta(hours=1))
    make_element(reachable="False")
    make_element()
    make_element(state="UNMANAGED", reachable="True", observed_at=now)
    make_element(state="SUSPENDED")
    elements = get(viewer_api)["elements"]
    assert elements == {"REACHABLE": 1, "UNREACHABLE": 1, "UNKNOWN": 2, "SUSPENDED": 1, "UNMANAGED": 1}


def test_problems_are_the_objects_with_the_worst_and_oldest_alarms(viewer_api: APIClient) -> None:
    now = clock.now()
    many = make_instance()
    for number in range(210):  # more than are looked at in one go
        make_alarm(
            managed_object_id=many.id,
            managed_object_name="many",
            faulty_resource=f"server-{number}",
            perceived_severity="MAJOR",
            raised_at=now - timedelta(hours=5, seconds=number),
        )
    cause = make_alarm(perceived_severity="CRITICAL", managed_object_name="worst", raised_at=now)
    make_alarm(perceived_severity="CRITICAL", managed_object_name="caused", root_cause=cause)
    make_alarm(perceived_severity="CRITICAL", managed_object_name="held back", suppression="MAINTENANCE")
    make_alarm(perceived_severity="MAJOR", managed_object_name="later", raised_at=now - timedelta(hours=1))
    alarm_counts_compact()
    found = get(viewer_api)
    assert [problem["managedObjectName"] for problem in found["problems"]] == ["worst", "many", "later"]
    assert found["problems"][1]["counts"]["MAJOR"] == 210
    assert found["problems"][0]["alarmId"] == str(cause.id)
    assert (found["alarms"]["MAJOR"], found["alarms"]["CRITICAL"]) == (211, 2)


def test_alarms_are_counted_by_the_hour_of_their_raising(viewer_api: APIClient) -> None:
    now = clock.now()
    make_alarm(raised_at=now, perceived_severity="MINOR", highest_severity="MAJOR")
    make_alarm(raised_at=now - timedelta(hours=3), perceived_severity="MAJOR", cleared_at=now)
    make_alarm(raised_at=now - timedelta(hours=3), perceived_severity="MAJOR", suppression="MAINTENANCE")
    make_alarm(raised_at=now - timedelta(hours=30), perceived_severity="MAJOR")
    majors = [hour["counts"]["MAJOR"] for hour in get(viewer_api)["hours"]]
    assert (majors[-1], majors[-4], sum(majors)) == (1, 1, 2)


def test_counting_alarms_uses_their_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    assert "alarm_unsuppressed_by_time" in alarms_by_hour(clock.now() - timedelta(hours=1)).explain()


def test_operations_have_their_progress(viewer_api: APIClient) -> None:
    now = clock.now()
    running = operation(make_instance(name="one"), "PROCESSING", start_time=now)
    for seq, state in enumerate(("DONE", "DONE", "WAITING", "PENDING")):
        Step.objects.create(op=running, seq=seq, kind="create_stack@1", title=f"Step {seq}", state=state)
    problem = Problem(409, "NO_ROOM", "No room", "No host has room for it.")
    stopped = operation(
        make_instance(),
        "FAILED_TEMP",
        problem=problem.as_json(),
        start_time=now - timedelta(minutes=5),
        started_by="kim",
    )
    first, second = get(viewer_api)["operations"]
    assert (first["id"], first["vnfInstanceName"], first["step"]) == (str(running.id), "one", "Step 2")
    assert (first["steps"], first["stepsDone"], first["cancellable"]) == (4, 2, True)
    assert (second["id"], second["problem"], second["cancellable"], second["startedBy"]) == (
        str(stopped.id),
        "No host has room for it.",
        False,
        "kim",
    )


def test_ended_operations_outlive_their_instance_the_latest_first(viewer_api: APIClient) -> None:
    now, instance = clock.now(), make_instance()
    long = operation(
        instance, "COMPLETED", start_time=now - timedelta(hours=9), state_entered_time=now, operation="TERMINATE"
    )
    short = operation(instance, "ROLLED_BACK", state_entered_time=now - timedelta(minutes=1))
    instance.delete()
    found = viewer_api.get("/api/v1/operations").json()
    assert [line["id"] for line in found["ended"]] == [str(long.id), str(short.id)]
    assert found["ended"][0]["vnfInstanceName"] == ""
    assert (found["open"], found["openCount"]) == ([], 0)


def test_a_fixed_number_of_queries(viewer_api: APIClient, django_assert_max_num_queries: Any) -> None:
    make_instances()
    for _ in range(10):
        operation(make_instance(), "PROCESSING")
        make_alarm(perceived_severity="CRITICAL")
    with django_assert_max_num_queries(20):
        get(viewer_api)


@pytest.mark.parametrize("path", ["/api/v1/overview", "/api/v1/operations"])
def test_a_login_is_required(anonymous_api: APIClient, path: str) -> None:
    assert anonymous_api.get(path).status_code == 401

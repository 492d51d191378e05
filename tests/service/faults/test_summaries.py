"""/api/v1/alarm_summary by site and by part, and the alarm lists with the same filters."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.elements import make_element, make_site
from vnfm.elements.models import NetworkElement
from vnfm.faults.models import Alarm
from vnfm.kit import clock

pytestmark = pytest.mark.django_db

ALARMS, SITES, PARTS = "/api/v1/alarms", "/api/v1/alarm_summary/sites", "/api/v1/alarm_summary/parts"
CARD = "network:127.9.0.1:shelf-1:cardSlot-1:card"


def alarm_at(element: NetworkElement, severity: str = "MAJOR", part: str = "", **fields: object) -> Alarm:
    """An open alarm of the element, or of one of its parts."""
    return make_alarm(
        managed_object_type="NETWORK_ELEMENT",
        managed_object_id=element.id,
        managed_object_name=element.name,
        faulty_resource=part or f"{element.id}:{uuid4()}",
        fault_type="CardDown",
        perceived_severity=severity,
        **fields,
    )


def get(api: APIClient, path: str, **query: str) -> Any:
    answer = api.get(path, query)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def test_sites_with_the_reachability_and_alarms_of_their_elements(viewer_api: APIClient) -> None:
    assert get(viewer_api, SITES) == []
    now = clock.now()
    munich, berlin = make_site(name="Munich"), make_site(name="Berlin")
    up = make_element(site=berlin, reachable="True", observed_at=now)
    lost = make_element(site=berlin, reachable="False", observed_at=now - timedelta(hours=1))
    long_ago = make_element(site=berlin, reachable="True", observed_at=now - timedelta(days=1))
    alarm_at(up, "MINOR")
    alarm_at(lost, "CRITICAL")
    alarm_at(long_ago, "MINOR")
    alarm_at(up, "CRITICAL", suppression="MAINTENANCE")
    alarm_at(up, "CRITICAL", cleared_at=now)
    make_alarm(perceived_severity="CRITICAL")  # of a VNF instance
    none = {"CRITICAL": 0, "MAJOR": 0, "MINOR": 0, "WARNING": 0, "INDETERMINATE": 0}
    here = {"siteId": str(berlin.id), "siteName": "Berlin", "elements": 3, "unreachable": 1, "unknown": 1}
    there = {"siteId": str(munich.id), "siteName": "Munich", "elements": 0, "unreachable": 0, "unknown": 0}
    assert get(viewer_api, SITES) == [{**here, **none, "CRITICAL": 1, "MINOR": 2}, {**there, **none}]
    alarm_at(make_element(), "WARNING")
    first, *others = get(viewer_api, SITES)
    assert (first["siteId"], first["siteName"], first["elements"], first["WARNING"]) == (None, "", 1, 1)
    assert [row["siteName"] for row in others] == ["Berlin", "Munich"]


def test_sites_come_a_page_at_a_time_in_a_fixed_number_of_queries(
    viewer_api: APIClient, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_element()
    get(viewer_api, SITES)  # the first request of a user costs one more
    with CaptureQueriesContext(connection) as few:
        get(viewer_api, SITES)
    for number in range(103):
        alarm_at(make_element(site=make_site(name=f"{number:03}")))
    with django_assert_num_queries(len(few)):
        answer = viewer_api.get(SITES)
    rows, url = answer.json(), answer["Link"].split(">")[0].lstrip("<")
    assert [row["siteName"] for row in rows] == ["", *(f"{number:03}" for number in range(100))]
    rest = viewer_api.get(url)
    assert [(row["siteName"], row["MAJOR"]) for row in rest.json()] == [("100", 1), ("101", 1), ("102", 1)]
    assert "Link" not in rest


def test_parts_of_an_object_that_have_alarms(viewer_api: APIClient) -> None:
    element, other = make_element(), make_element()
    alarm_at(element, "CRITICAL", CARD)
    alarm_at(element, "MAJOR", f"{CARD}:port-1", raised_at=clock.now())
    alarm_at(element, "MINOR", f"{CARD}:port-2", suppression="OPERATION")
    alarm_at(other, "MAJOR", CARD)
    rows = get(viewer_api, PARTS, managedObjectId=str(element.id))
    assert [(row["faultyResource"], row["CRITICAL"], row["MAJOR"]) for row in rows] == [
        (CARD, 1, 0),
        (f"{CARD}:port-1", 0, 1),
    ]
    for invalid in ({}, {"managedObjectId": "me"}, {"managedObjectId": f"{element.id},{other.id}"}):
        assert viewer_api.get(PARTS, invalid).json()["code"] == "INVALID_QUERY"


def test_the_list_of_a_part_has_its_subparts_but_no_part_with_a_similar_name(viewer_api: APIClient) -> None:
    element = make_element()
    port = f"{CARD}:daughterCardSlot-1:daughterCard:port-1"
    for part in (CARD, port, f"{port}0", f"{port}:channel-1", f"{CARD}s", CARD.replace("cardSlot-1", "cardSlot-2")):
        alarm_at(element, part=part)

    def of(part: str) -> set[str]:
        return {row["faultyResource"] for row in get(viewer_api, ALARMS, part=part)}

    assert of(CARD) == {CARD, port, f"{port}0", f"{port}:channel-1"}
    assert of(port) == {port, f"{port}:channel-1"}
    assert of("network:%") == set()
    assert get(viewer_api, f"{ALARMS}/count", part=CARD)["count"] == 4
    assert viewer_api.get(ALARMS, {"part": "\0"}).status_code == 400


def test_the_list_of_a_site_has_the_alarms_of_its_elements(viewer_api: APIClient, operator_api: APIClient) -> None:
    berlin, munich = make_site(), make_site()
    here, there, nowhere = make_element(site=berlin), make_element(site=munich), make_element()
    for element in (here, there, nowhere):
        alarm_at(element)
    make_alarm()

    def at(site: object) -> list[str]:
        return [row["managedObjectName"] for row in get(viewer_api, ALARMS, siteId=str(site))]

    assert (at(berlin.id), at(munich.id), at("none"), at(uuid4())) == ([here.name], [there.name], [nowhere.name], [])
    assert viewer_api.get(ALARMS, {"siteId": "Berlin"}).json()["code"] == "INVALID_QUERY"
    counted = get(operator_api, f"{ALARMS}/count", siteId=str(berlin.id))
    body = {"action": "ACKNOWLEDGE", "asOf": counted["asOf"], "confirmed": counted["count"]}
    done = operator_api.patch(f"{ALARMS}?siteId={berlin.id}", body, format="json")
    assert done.json() == {"done": 1, "matched": 1}


def test_elements_without_a_site_can_be_filtered(viewer_api: APIClient) -> None:
    make_element(site=make_site(name="Berlin"))
    lonely = make_element()
    rows = get(viewer_api, "/api/v1/elements", filter="(eq,siteName,'')")
    assert [row["name"] for row in rows] == [lonely.name]


def test_counts_need_a_login(client: Any) -> None:
    assert client.get(SITES).status_code in (401, 403)
    assert client.get(PARTS).status_code in (401, 403)

"""/api/v1/search, with PostgreSQL."""

from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.factories.alarms import make_alarm
from tests.factories.deployed import make_deployed, make_vnfc
from tests.factories.elements import make_element, make_site
from tests.factories.inventory import make_instance
from tests.factories.vims import make_vim
from vnfm.elements.models import Interface, NetworkElement
from vnfm.inventory.models import VnfcPort, VnfInstance
from vnfm.kit import clock
from vnfm.search.selectors.addresses import with_address

pytestmark = pytest.mark.django_db


def find(api: APIClient, text: str) -> dict[str, Any]:
    answer = api.get("/api/v1/search", {"q": text})
    assert answer.status_code == 200, answer.json()
    return {group["kind"]: group for group in answer.json()["groups"]}


def names(group: Any) -> list[str]:
    return [hit["name"] for hit in group["hits"]]


def port(instance: VnfInstance, name: str, *addresses: str) -> None:
    vnfc = make_vnfc(instance, f"vm-of-{name}")
    VnfcPort.objects.create(vnfc=vnfc, port_id=f"port-{name}", network_id="net", ip_addresses=list(addresses))


def interface(element: NetworkElement, index: int, *addresses: str) -> None:
    Interface.objects.create(
        element=element,
        if_index=index,
        name=f"1/1/{index}",
        admin="UP",
        oper="UP",
        addresses=list(addresses),
        since=clock.now(),
    )


def test_exact_matches_before_prefixes_before_parts_in_any_case(viewer_api: APIClient) -> None:
    for name in ("my-EDGE-1", "edge-10", "Edge-1", "other"):
        make_instance(name=name)
    group = find(viewer_api, "edge-1")["INSTANCE"]
    assert names(group) == ["Edge-1", "edge-10", "my-EDGE-1"]
    assert group["more"] is False


def test_at_most_eight_hits_of_a_kind(viewer_api: APIClient) -> None:
    for number in range(9):
        make_site(name=f"exchange-{number}")
    group = find(viewer_api, "exchange")["SITE"]
    assert (len(group["hits"]), group["more"]) == (8, True)
    assert find(viewer_api, "exchange-8")["SITE"]["more"] is False


def test_a_vm_by_its_server_belongs_to_its_instance(viewer_api: APIClient) -> None:
    instance = make_deployed(name="vsr-1")
    vnfc = make_vnfc(instance, "vsr-1-iom", server_id="8f2c1a90-77aa-4b0e-9e51-aaaaaaaaaaaa")
    (hit,) = find(viewer_api, "8f2c1a90")["VM"]["hits"]
    assert (hit["id"], hit["ownerKind"], hit["ownerId"]) == (str(vnfc.id), "INSTANCE", str(instance.id))
    assert hit["matched"] == vnfc.server_id
    assert "vsr-1" in hit["detail"]


def test_an_instance_by_a_prefix_of_its_id(viewer_api: APIClient) -> None:
    instance = make_instance(name="core")
    make_instance(name="other")
    for text in (str(instance.id), str(instance.id)[:13], str(instance.id).upper()):
        (hit,) = find(viewer_api, text)["INSTANCE"]["hits"]
        assert (hit["name"], hit["matched"]) == ("core", str(instance.id))


@pytest.mark.parametrize("text", ["10.20.0.7", "10.20.0.", "10.20"])
def test_addresses_of_ports_and_interfaces_by_prefix(viewer_api: APIClient, text: str) -> None:
    instance, element = make_deployed(), make_element(name="pe-1")
    port(instance, "a", "10.20.0.77", "2001:db8::77")
    port(instance, "b", "110.20.0.7")
    interface(element, 1001, "10.20.0.7/31")
    interface(element, 2, "10.99.0.7/31")
    group = find(viewer_api, text)["ADDRESS"]
    assert sorted(names(group)) == ["10.20.0.7/31", "10.20.0.77"]
    found = {hit["name"]: (hit["ownerKind"], hit["ownerId"], hit["id"]) for hit in group["hits"]}
    assert found == {
        "10.20.0.77": ("INSTANCE", str(instance.id), "port-a"),
        "10.20.0.7/31": ("ELEMENT", str(element.id), "1001"),
    }
    if text == "10.20.0.7":
        assert names(group)[0] == "10.20.0.7/31"


def test_an_ipv6_address_in_any_case(viewer_api: APIClient) -> None:
    port(make_deployed(), "a", "2001:db8::77")
    assert names(find(viewer_api, "2001:DB8")["ADDRESS"]) == ["2001:db8::77"]


def test_elements_by_name_address_and_sys_name(viewer_api: APIClient) -> None:
    element = make_element(name="pe-fra-1", management_address="192.0.2.33")
    NetworkElement.objects.filter(id=element.id).update(sys_name="FRA-EDGE-A")
    for text in ("pe-fra", "192.0.2.33", "fra-edge"):
        assert names(find(viewer_api, text)["ELEMENT"]) == ["pe-fra-1"]


def test_open_alarms_by_their_words_the_latest_first(viewer_api: APIClient) -> None:
    old = make_alarm(managed_object_name="pe-fra-1", perceived_severity="MAJOR")
    new = make_alarm(managed_object_name="pe-fra-1", raised_at=clock.now(), fault_details=["card 2 has burnt"])
    make_alarm(managed_object_name="pe-fra-1", cleared_at=clock.now())
    make_alarm(managed_object_name="pe-fra-1", suppression="MAINTENANCE")
    hits = find(viewer_api, "pe-fra")["ALARM"]["hits"]
    assert [hit["id"] for hit in hits] == [str(new.id), str(old.id)]
    assert hits[1]["severity"] == "MAJOR"
    (hit,) = find(viewer_api, "burnt")["ALARM"]["hits"]
    assert (hit["ownerKind"], hit["ownerId"], hit["matched"]) == ("ALARM", str(new.id), "card 2 has burnt")
    assert names(find(viewer_api, str(old.id))["ALARM"]) == [old.probable_cause]


def test_the_group_with_the_best_hit_comes_first(viewer_api: APIClient) -> None:
    make_instance(name="frankfurt-edge")
    make_vim(name="Frankfurt")
    assert list(find(viewer_api, "frankfurt")) == ["CLOUD", "INSTANCE"]


def test_wildcards_have_no_meaning(viewer_api: APIClient) -> None:
    make_instance(name="100%_sure")
    make_instance(name="100 sure")
    assert names(find(viewer_api, "0%_")["INSTANCE"]) == ["100%_sure"]
    for text in ("x\x1e", " x", "'; --", "10.0.'", "a & | !", "::", "...", "/.", "----", "abcd" * 10, "\\:*"):
        find(viewer_api, text)


@pytest.mark.parametrize("text", ["", "x", "x" * 201])
def test_invalid_lengths(viewer_api: APIClient, text: str) -> None:
    answer = viewer_api.get("/api/v1/search", {"q": text})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "/q"


def test_a_login_is_required(anonymous_api: APIClient) -> None:
    assert anonymous_api.get("/api/v1/search", {"q": "edge"}).status_code == 401


def test_a_fixed_number_of_queries(viewer_api: APIClient, django_assert_max_num_queries: Any) -> None:
    for number in range(5):
        instance = make_deployed(name=f"10.1-edge-{number}")
        port(instance, f"10.1.{number}", f"10.1.0.{number}")
    with django_assert_max_num_queries(13):
        find(viewer_api, "10.1")


def test_the_indexes_of_addresses_are_used() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "port_by_address" in with_address(VnfcPort.objects.all(), "ip_addresses", "10.1.7.9").explain()
    assert "interface_by_address" in with_address(Interface.objects.all(), "addresses", "192.0.2.9").explain()

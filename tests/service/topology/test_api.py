"""/api/v1/topology, with PostgreSQL."""

import json
from datetime import timedelta
from typing import Any

import pytest
from psycopg_pool import ConnectionPool
from pytest_django import Settings
from rest_framework.test import APIClient

from launcher.ports import free_port
from tests.factories.alarms import make_alarm
from tests.factories.deployed import make_deployed, make_reachable_vim, make_vnfc
from tests.factories.elements import make_element, make_site
from tests.support.history import pointed_at
from vnfm.elements.models import Adjacency, BgpPeer, Interface, NetworkElement
from vnfm.history import counters
from vnfm.inventory.models import Host, VimPollState, VnfVirtualLink
from vnfm.kit import clock

pytestmark = pytest.mark.django_db

MAP, POSITIONS = "/api/v1/topology", "/api/v1/topology/positions"


def get_map(api: APIClient, **query: str) -> Any:
    answer = api.get(MAP, query)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def by_id(found: Any) -> dict[str, Any]:
    return {node["id"]: node for node in found["nodes"]}


def answering(**fields: object) -> NetworkElement:
    now = clock.now()
    element = make_element(reachable="True", reachable_reason="Answers", observed_at=now, resync_state="DONE", **fields)
    NetworkElement.objects.filter(id=element.id).update(sys_name=element.name)
    return element


def cable(one: NetworkElement, other: NetworkElement, port: str = "1/1/1", *, both: bool = True) -> None:
    now = clock.now()
    for here, there in ((one, other), (other, one)) if both else ((one, other),):
        Interface.objects.create(element=here, if_index=1, name=port, admin="UP", oper="UP", since=now)
        Adjacency.objects.create(
            element=here,
            protocol="LLDP",
            local_port=port,
            if_index=1,
            remote_id=f"chassis of {there.name}",
            remote_port=port,
            remote_name=there.name,
            state="FULL",
            since=now,
        )


def deployed(name: str, vms: int = 1) -> Any:
    now = clock.now()
    vim = make_reachable_vim(reachable_observed_at=now, capabilities={"hosts": True})
    VimPollState.objects.create(vim=vim, servers_at=now, hosts_at=now)
    Host.objects.create(vim=vim, name="host-1", state="up", service="up", status="enabled", since=now)
    instance = make_deployed(vim, name=name)
    VnfVirtualLink.objects.create(instance=instance, vl_id="m", network_id="net-1", name="mgmt", created_by_stack=False)
    for number in range(vms):
        make_vnfc(instance, f"{name}-{number}", port="ACTIVE", host="host-1", slot=str(number))
    return instance


def test_an_empty_map(viewer_api: APIClient) -> None:
    assert get_map(viewer_api) == {"nodes": [], "links": [], "totals": {}, "notes": []}


def test_a_map_of_clouds_and_elements(viewer_api: APIClient) -> None:
    instance = deployed("vsr")
    site = make_site(name="Berlin")
    one, other = answering(site=site), answering(vnf_instance=instance)
    cable(one, other)
    found = get_map(viewer_api, expand="all")
    nodes = by_id(found)
    assert {node["kind"] for node in nodes.values()} == {
        "SITE",
        "ELEMENT",
        "CLOUD",
        "HOST",
        "INSTANCE",
        "VM",
        "NETWORK",
    }
    assert {node["state"] for node in nodes.values()} == {"UP"}
    assert nodes[f"element:{other.id}"]["parentId"] == f"instance:{instance.id}"
    assert nodes[f"element:{one.id}"]["objectId"] == str(one.id)
    kinds = {link["kind"]: link for link in found["links"]}
    assert set(kinds) == {"LLDP", "ATTACHMENT", "PLACEMENT"}
    assert (kinds["LLDP"]["state"], kinds["LLDP"]["oneSided"], kinds["LLDP"]["sourcePort"]) == ("UP", False, "1/1/1")
    folded = get_map(viewer_api)
    assert {node["kind"] for node in folded["nodes"]} == {"SITE", "CLOUD"}
    assert [link["kind"] for link in folded["links"]] == ["LLDP"]


def test_a_link_is_down_with_its_port_and_unknown_with_its_element(viewer_api: APIClient) -> None:
    one, other = answering(), answering()
    cable(one, other)

    def state() -> str:
        (link,) = get_map(viewer_api, scope="elements", expand="all")["links"]
        return str(link["state"])

    assert state() == "UP"
    Interface.objects.filter(element=other).update(oper="DOWN")
    assert state() == "DOWN"
    long_ago = clock.now() - timedelta(hours=1)
    NetworkElement.objects.update(observed_at=long_ago)
    assert state() == "UNKNOWN"


def test_a_map_has_no_loads_while_the_history_is_away(
    viewer_api: APIClient, telemetry: ConnectionPool, settings: Settings
) -> None:
    one, other = answering(site=make_site()), answering()
    cable(one, other)
    with pointed_at(f"postgresql://vnfm@127.0.0.1:{free_port()}/vnfm", telemetry, settings):
        (link,) = get_map(viewer_api, scope="elements", expand="all")["links"]
        assert (link["state"], link["utilisation"]) == ("UP", None)


def test_a_link_has_the_load_of_its_busier_end(viewer_api: APIClient, telemetry: object) -> None:
    one, other = answering(site=make_site()), answering()
    cable(one, other)
    # In the history a name that two interfaces share has the ifIndex with it.
    Interface.objects.create(element=one, if_index=2, name="1/1/1", admin="UP", oper="UP", since=clock.now())

    def load(**query: str) -> object:
        (link,) = get_map(viewer_api, scope="elements", **query)["links"]
        return link["utilisation"]

    def count(element: NetworkElement, name: str, minutes_ago: int, **octets: float | None) -> None:
        at = clock.now() - timedelta(minutes=minutes_ago)
        counters.write([(element.id, name, at, 60.0, {"octets_in": 0.0, "capacity": 1000.0, **octets})])

    assert load(expand="all") is None
    count(one, "1/1/1 (1)", 60, octets_out=990.0)
    count(other, "1/1/1", 1, octets_out=700.0, capacity=None)
    assert load(expand="all") is None
    count(other, "1/1/1", 0, octets_in=123.0, octets_out=76.0)
    assert load(expand="all") == 12
    count(one, "1/1/1 (1)", 2, octets_out=900.0)
    count(one, "1/1/1 (1)", 1, octets_out=451.0)
    assert load(expand="all") == 45
    assert load() == 45


def test_bgp_peers_are_found_by_the_addresses_of_interfaces(viewer_api: APIClient) -> None:
    one, other = answering(), answering()
    now = clock.now()
    Interface.objects.create(
        element=other, if_index=9, name="system", admin="UP", oper="UP", addresses=["192.0.2.7/32"], since=now
    )
    BgpPeer.objects.create(element=one, peer_address="192.0.2.7", admin_state="UP", state="ESTABLISHED", since=now)
    BgpPeer.objects.create(
        element=other, peer_address=one.management_address, admin_state="UP", state="ESTABLISHED", since=now
    )
    (link,) = get_map(viewer_api, expand="all")["links"]
    assert (link["kind"], link["state"], link["oneSided"]) == ("BGP", "UP", False)


def test_alarms_count_at_their_node_and_its_groups(viewer_api: APIClient) -> None:
    instance = deployed("vsr")
    vnfc = instance.vnfcs.get()
    make_alarm(managed_object_id=instance.id, vnfc_ids=[str(vnfc.id)])
    make_alarm(
        managed_object_id=instance.id, vnfc_ids=[str(vnfc.id)], suppression="MAINTENANCE", faulty_resource="other"
    )
    where = {"managed_object_type": "VIM", "managed_object_id": instance.vim_id}
    make_alarm(**where, fault_type="HostDisabled", faulty_resource="host-1", perceived_severity="WARNING")
    nodes = by_id(get_map(viewer_api, expand="all"))
    counts = {node["kind"]: (node["alarms"], node["severity"]) for node in nodes.values()}
    assert counts["VM"] == counts["INSTANCE"] == (1, nodes[f"vm:{vnfc.id}"]["severity"])
    assert counts["HOST"] == (1, "WARNING")
    assert counts["CLOUD"][0] == 2


def test_vms_of_an_unreachable_cloud_are_unknown(viewer_api: APIClient) -> None:
    instance = deployed("vsr")
    now = clock.now()
    type(instance.vim).objects.update(reachable="False", reachable_reason="Unreachable", reachable_since=now)
    found = get_map(viewer_api, expand="all")
    states = {node["kind"]: node["state"] for node in found["nodes"]}
    assert (states["CLOUD"], states["VM"], states["INSTANCE"]) == ("DOWN", "UNKNOWN", "UNKNOWN")
    assert instance.vim.name in found["notes"][0]


def test_the_entity_tag_is_of_the_content(viewer_api: APIClient) -> None:
    deployed("vsr")
    first = viewer_api.get(MAP)
    assert first["Cache-Control"] == "private, no-cache"
    again = viewer_api.get(MAP, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert viewer_api.get(MAP, {"expand": "all"}, headers={"If-None-Match": first["ETag"]}).status_code == 200
    deployed("rr")
    assert viewer_api.get(MAP, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("expand", ["", "all"])
def test_a_fixed_number_of_queries(viewer_api: APIClient, django_assert_max_num_queries: Any, expand: str) -> None:
    for number in range(4):
        deployed(f"vsr-{number}", vms=3)
        one, other = answering(site=make_site()), answering()
        cable(one, other)
        BgpPeer.objects.create(
            element=one, peer_address="198.51.100.1", admin_state="UP", state="IDLE", since=clock.now()
        )
    with django_assert_max_num_queries(15):
        get_map(viewer_api, expand=expand)


@pytest.mark.parametrize(
    "query",
    [{"scope": "moon"}, {"kinds": "VM,SUN"}, {"site": "'"}, {"instance": "x"}],
    ids=lambda query: next(iter(query)),
)
def test_invalid_queries(viewer_api: APIClient, query: dict[str, str]) -> None:
    answer = viewer_api.get(MAP, query)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == f"/{next(iter(query))}"


def test_kinds_and_scopes(viewer_api: APIClient) -> None:
    deployed("vsr")
    answering()
    kinds = {node["kind"] for node in get_map(viewer_api, expand="all", kinds="VM,CLOUD")["nodes"]}
    assert kinds == {"VM", "CLOUD"}
    assert {node["kind"] for node in get_map(viewer_api, scope="elements", expand="all")["nodes"]} == {
        "SITE",
        "ELEMENT",
    }
    hosts = by_id(get_map(viewer_api, scope="hosts", expand="all"))
    assert [node["parentId"].partition(":")[0] for node in hosts.values() if node["kind"] == "VM"] == ["host"]


def patch(api: APIClient, positions: Any, **query: str) -> Any:
    query = "&".join(f"{name}={value}" for name, value in query.items())
    where = f"{POSITIONS}?{query}" if query else POSITIONS
    return api.patch(where, json.dumps({"positions": positions}), content_type="application/merge-patch+json")


def test_each_user_has_positions_of_their_own(viewer_api: APIClient, operator_api: APIClient) -> None:
    assert viewer_api.get(POSITIONS).json() == {"positions": {}}
    here, there = {"x": 10.5, "y": -3.0}, {"x": 0.0, "y": 0.0}
    assert patch(viewer_api, {"site:a": here, "site:b": there}).status_code == 200
    assert patch(viewer_api, {"site:b": None}).json() == {"positions": {"site:a": here}}
    assert patch(viewer_api, {"site:a": there}, scope="hosts").status_code == 200
    assert viewer_api.get(POSITIONS).json() == {"positions": {"site:a": here}}
    assert operator_api.get(POSITIONS).json() == {"positions": {}}
    assert viewer_api.delete(POSITIONS).status_code == 204
    assert viewer_api.get(POSITIONS).json() == {"positions": {}}
    assert viewer_api.get(POSITIONS, {"scope": "hosts"}).json() == {"positions": {"site:a": there}}


@pytest.mark.parametrize("bad", [{"x": "east", "y": 0}, {"x": 1e9, "y": 0}, {"x": 1}])
def test_a_position_has_two_numbers(viewer_api: APIClient, bad: Any) -> None:
    assert patch(viewer_api, {"site:a": bad}).status_code == 400

"""/api/v1/sites, /mediation_policies and /elements over HTTP; no poller runs."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.factories.elements import make_card, make_element, make_policy, make_site
from tests.factories.inventory import make_instance
from vnfm.elements.models import Adjacency, BgpPeer, ElementFact, Equipment, Interface, MediationPolicy, NetworkElement
from vnfm.elements.selectors import secrets_of, snmp_target_of
from vnfm.elements.services.elements import element_resync
from vnfm.inventory.models import Vnfc
from vnfm.kit import clock
from vnfm.kit.models import OutboxEvent

pytestmark = pytest.mark.django_db

SITES, POLICIES, ELEMENTS = "/api/v1/sites", "/api/v1/mediation_policies", "/api/v1/elements"
PROFILES = "/api/v1/management_profiles"
SNMP = {"name": "lab", "protocol": "SNMPv2c", "community": "hush-hush", "networks": ["127.9.0.0/16", "10.20.0.0/14"]}


def post(api: APIClient, path: str, body: Any = None) -> Any:
    return api.post(path, body or {}, format="json")


def registered(api: APIClient, **body: Any) -> Any:
    fields = {"name": "sr-1", "kind": "PHYSICAL", "managementAddress": "127.9.0.1"}
    if "snmpPolicyId" not in body:
        body["snmpPolicyId"] = post(api, POLICIES, SNMP).json()["id"]
    return post(api, ELEMENTS, {**fields, **body})


def answering(element: NetworkElement) -> None:
    now = clock.now()
    NetworkElement.objects.filter(id=element.id).update(
        reachable="True", reachable_reason="Answers", reachable_since=now, observed_at=now
    )


@pytest.mark.parametrize("path", [SITES, POLICIES, PROFILES, ELEMENTS, "/api/v1/equipment", "/api/v1/discovery_rules"])
def test_lists_are_empty_at_first_and_for_viewers_too(viewer_api: APIClient, path: str) -> None:
    answer = viewer_api.get(path)
    assert (answer.status_code, answer.json()) == (200, [])


def test_a_viewer_writes_nothing(viewer_api: APIClient) -> None:
    element = make_element()
    assert registered(viewer_api, snmpPolicyId=None).status_code == 403
    for action in ("manage", "unmanage", "suspend", "resync", "forget_host_key"):
        assert post(viewer_api, f"{ELEMENTS}/{element.id}/{action}").status_code == 403
    element.refresh_from_db()
    assert (element.state, element.version) == ("MANAGED", 1)


def test_a_site(operator_api: APIClient) -> None:
    made = post(operator_api, SITES, {"name": "Berlin", "latitude": 52.5, "longitude": 13.4})
    assert made.status_code == 201, made.json()
    where = f"{SITES}/{made.json()['id']}"
    assert made["Location"].endswith(where)
    stale = operator_api.patch(where, {"name": "x"}, format="json", headers={"If-Match": '"7"'})
    assert stale.status_code == 412
    changed = operator_api.patch(where, {"description": "north"}, format="json", headers={"If-Match": made["ETag"]})
    assert (changed.json()["description"], changed["ETag"]) == ("north", '"2"')
    assert post(operator_api, SITES, {"name": "Berlin"}).json()["code"] == "NAME_TAKEN"
    make_element(site=make_site(), name="elsewhere")
    make_element(site_id=made.json()["id"], name="here")
    refused = operator_api.delete(where)
    assert (refused.status_code, refused.json()["usedBy"]) == (409, ["here"])
    NetworkElement.objects.all().delete()
    assert operator_api.delete(where).status_code == 204
    assert operator_api.get(where).status_code == 404


def test_secrets_of_a_policy_go_in_and_never_come_out(operator_api: APIClient) -> None:
    made = post(operator_api, POLICIES, SNMP)
    assert made.status_code == 201, made.json()
    shown = made.json()
    assert (shown["port"], shown["hasCommunity"], shown["hasPassword"], shown["username"]) == (161, True, False, None)
    where = f"{POLICIES}/{shown['id']}"
    operator_api.patch(where, {"port": 1161, "retries": 2, "community": "hush-hush"}, format="json")
    for answer in (made, operator_api.get(where), operator_api.get(POLICIES)):
        assert "hush" not in answer.content.decode()
    policy = MediationPolicy.objects.get(id=shown["id"])
    assert b"hush" not in bytes(policy.sealed_secrets)
    assert secrets_of(policy) == {"community": "hush-hush"}
    assert snmp_target_of(policy, "127.9.0.1").retries == 2


def test_an_incomplete_policy_names_the_missing_fields(operator_api: APIClient) -> None:
    body = {"name": "v3", "protocol": "SNMPv3", "username": "em", "authProtocol": "SHA", "authPassword": "short"}
    body |= {"networks": ["127.9.0.0/16", "10.20.0.0/14"]}
    refused = post(operator_api, POLICIES, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "INVALID_POLICY")
    assert [error["field"] for error in refused.json()["errors"]] == ["/authPassword"]
    made = post(operator_api, POLICIES, {**body, "authPassword": "long enough"})
    assert made.status_code == 201
    made = operator_api.patch(f"{POLICIES}/{made.json()['id']}", {"privProtocol": "AES"}, format="json")
    assert [error["field"] for error in made.json()["errors"]] == ["/privPassword"]


def test_registering_an_element_requests_a_full_resync(operator_api: APIClient) -> None:
    answer = registered(operator_api)
    assert answer.status_code == 201, answer.json()
    element = answer.json()
    assert answer["Location"].endswith(f"{ELEMENTS}/{element['id']}")
    assert answer["ETag"] == '"1"'
    condition = element["conditions"][0]
    assert (condition["type"], condition["status"], condition["reason"]) == ("Reachable", "Unknown", "NotPolled")
    assert (element["state"], element["resync"]["state"], element["resync"]["scope"]) == ("MANAGED", "WAITING", [])
    assert OutboxEvent.objects.filter(topic="network_element.changed", aggregate_id=element["id"]).count() == 1


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"managementAddress": "router.example"}, 400, "/managementAddress"),
        ({"snmpPolicyId": "6a8e9f56-5d3e-4d3c-9b8e-0d5a2a3f8b11"}, 400, "/snmpPolicyId"),
        ({"kind": "BOTH"}, 400, "/kind"),
    ],
)
def test_an_invalid_element_is_rejected(operator_api: APIClient, body: dict[str, str], status: int, field: str) -> None:
    refused = registered(operator_api, **body)
    assert refused.status_code == status
    assert [error["field"] for error in refused.json()["errors"]] == [field]


def test_a_policy_must_have_the_protocol_of_its_role(operator_api: APIClient) -> None:
    body = {
        "name": "s",
        "protocol": "SSH",
        "username": "em",
        "password": "x",
        "networks": ["127.9.0.0/16", "10.20.0.0/14"],
    }
    ssh = post(operator_api, POLICIES, body).json()["id"]
    refused = registered(operator_api, snmpPolicyId=ssh)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "/snmpPolicyId")
    assert registered(operator_api, name="other", snmpPolicyId=None, sshPolicyId=ssh).status_code == 201


def test_an_element_without_an_snmp_policy_is_of_unknown_reachability(operator_api: APIClient) -> None:
    answer = registered(operator_api, snmpPolicyId=None).json()
    assert answer["conditions"][0]["reason"] == "NoSnmpPolicy"


def test_another_address_requests_a_resync_and_keeps_the_host_key(operator_api: APIClient) -> None:
    policy = make_policy()
    element = make_element(snmp_policy=policy, resync_state="DONE", ssh_host_key="ssh-ed25519 AAAA")
    where = f"{ELEMENTS}/{element.id}"
    operator_api.patch(where, {"name": "renamed"}, format="json")
    assert operator_api.get(where).json()["resync"]["state"] == "DONE"
    moved = operator_api.patch(where, {"managementAddress": "127.9.9.9"}, format="json").json()
    assert (moved["resync"]["state"], moved["sshHostKey"]) == ("WAITING", "ssh-ed25519 AAAA")
    forgotten = post(operator_api, f"{where}/forget_host_key").json()
    assert forgotten["sshHostKey"] == ""
    assert operator_api.patch(where, {"hostElementId": str(element.id)}, format="json").status_code == 422


def test_states_are_unknown_when_the_last_poll_is_too_old(viewer_api: APIClient) -> None:
    element = make_element()
    answering(element)
    make_card(element)
    where = f"{ELEMENTS}/{element.id}/equipment"
    card = viewer_api.get(where).json()[0]
    assert (card["operState"], card["lastOperState"], card["unknownSince"]) == ("IN_SERVICE", "IN_SERVICE", None)
    lost_at = clock.now() - timedelta(minutes=1)
    NetworkElement.objects.update(reachable="False", reachable_since=lost_at)
    card = viewer_api.get(where).json()[0]
    assert (card["operState"], card["lastOperState"]) == ("UNKNOWN", "IN_SERVICE")
    assert card["unknownSince"].startswith(lost_at.isoformat()[:19])
    assert viewer_api.get(f"{where}?filter=(eq,operState,IN_SERVICE)").json() == []
    seen_at = clock.now() - timedelta(hours=1)
    NetworkElement.objects.update(reachable="True", observed_at=seen_at)
    card = viewer_api.get(where).json()[0]
    assert card["operState"] == "UNKNOWN"
    assert card["unknownSince"].startswith((seen_at + timedelta(minutes=3)).isoformat()[:19])
    assert viewer_api.get(f"{ELEMENTS}/{element.id}").json()["conditions"][0]["status"] == "Unknown"


def test_filtering_by_reachability_uses_the_current_value(viewer_api: APIClient) -> None:
    seen, old, silent = make_element(name="seen"), make_element(name="old"), make_element(name="silent")
    for element in (seen, old):
        answering(element)
    NetworkElement.objects.filter(id=old.id).update(observed_at=clock.now() - timedelta(minutes=4))
    NetworkElement.objects.filter(id=silent.id).update(reachable="False")

    def found(status: str) -> list[str]:
        rows = viewer_api.get(f"{ELEMENTS}?filter=(eq,reachable,{status});(eq,state,MANAGED)").json()
        assert {row["conditions"][0]["status"] for row in rows} <= {status}
        return [row["name"] for row in rows]

    assert {status: found(status) for status in ("True", "Unknown", "False")} == {
        "True": ["seen"],
        "Unknown": ["old"],
        "False": ["silent"],
    }


def test_an_unmanaged_element_keeps_only_its_registration(operator_api: APIClient) -> None:
    element, now = make_element(resync_state="DONE"), clock.now()
    answering(element)
    make_card(element)
    Interface.objects.create(element=element, if_index=1, admin="UP", oper="UP", since=now)
    BgpPeer.objects.create(element=element, peer_address="192.0.2.1", admin_state="UP", state="IDLE", since=now)
    Adjacency.objects.create(element=element, protocol="LLDP", state="FULL", since=now)
    ElementFact.objects.create(element=element, name="licence", value="valid", since=now)
    answer = post(operator_api, f"{ELEMENTS}/{element.id}/unmanage").json()
    assert (answer["state"], answer["conditions"][0]["reason"], answer["observedAt"]) == (
        "UNMANAGED",
        "Unmanaged",
        None,
    )
    for rows in (Equipment.objects, Interface.objects, BgpPeer.objects, Adjacency.objects, ElementFact.objects):
        assert not rows.exists()
    assert post(operator_api, f"{ELEMENTS}/{element.id}/resync").json()["code"] == "NOT_MANAGED"
    assert post(operator_api, f"{ELEMENTS}/{element.id}/suspend").json()["code"] == "NOT_MANAGED"
    again = post(operator_api, f"{ELEMENTS}/{element.id}/manage").json()
    assert (again["state"], again["resync"]["state"]) == ("MANAGED", "WAITING")


def test_a_suspended_element_keeps_its_parts_with_unknown_states(operator_api: APIClient) -> None:
    element = make_element()
    answering(element)
    make_card(element)
    answer = post(operator_api, f"{ELEMENTS}/{element.id}/suspend").json()
    assert (answer["state"], answer["conditions"][0]["reason"]) == ("SUSPENDED", "Suspended")
    card = operator_api.get(f"{ELEMENTS}/{element.id}/equipment").json()[0]
    assert (card["operState"], card["lastOperState"]) == ("UNKNOWN", "IN_SERVICE")


def test_resyncs_that_wait_are_merged(operator_api: APIClient) -> None:
    element = make_element(resync_state="DONE")
    where = f"{ELEMENTS}/{element.id}/resync"
    assert post(operator_api, where, {"scope": ["BGP"]}).json()["resync"]["scope"] == ["BGP"]
    assert post(operator_api, where, {"scope": ["EQUIPMENT"]}).json()["resync"]["scope"] == ["EQUIPMENT", "BGP"]
    answer = post(operator_api, where)
    assert (answer.status_code, answer.json()["resync"]["scope"]) == (202, [])
    element_resync(element=NetworkElement.objects.get(), scope=["BGP"])
    assert NetworkElement.objects.get().resync_scope == []
    assert post(operator_api, where, {"scope": ["ALL"]}).status_code == 400


def test_inventory_is_searched_over_all_elements(viewer_api: APIClient) -> None:
    first, second = make_element(name="one"), make_element(name="two")
    answering(first)
    answering(second)
    make_card(first, "1", serial_number="NS1", oper_state="FAILED")
    make_card(second, "1", serial_number="NS2")
    found = viewer_api.get("/api/v1/equipment?filter=(eq,serialNumber,NS2)").json()
    assert [(part["elementName"], part["serialNumber"]) for part in found] == [("two", "NS2")]
    failed = viewer_api.get("/api/v1/equipment?filter=(eq,operState,FAILED)").json()
    assert [part["elementName"] for part in failed] == ["one"]
    assert viewer_api.get("/api/v1/equipment?filter=(eq,colour,red)").json()["code"] == "INVALID_FILTER"


def test_elements_are_filtered_and_paged_in_sql(viewer_api: APIClient, django_assert_max_num_queries: Any) -> None:
    site = make_site(name="Berlin")
    for number in range(150):
        make_element(name=f"page-{number:03}", site=site if number % 2 else None)
    with django_assert_max_num_queries(5):
        first = viewer_api.get(ELEMENTS)
    assert len(first.json()) == 100
    link = first["Link"].split(";")[0].strip("<>")
    assert len(viewer_api.get(link).json()) == 50
    assert len(viewer_api.get(f"{ELEMENTS}?filter=(eq,siteName,Berlin)").json()) == 75


def test_deleting_a_chassis_waits_for_its_virtual_systems(operator_api: APIClient) -> None:
    chassis = make_element(name="ne9000")
    make_element(name="ne9000-vs1", host_element=chassis)
    refused = operator_api.delete(f"{ELEMENTS}/{chassis.id}")
    assert (refused.status_code, refused.json()["usedBy"]) == (409, ["ne9000-vs1"])
    NetworkElement.objects.filter(name="ne9000-vs1").delete()
    assert operator_api.delete(f"{ELEMENTS}/{chassis.id}").status_code == 204


def test_another_vnf_instance_removes_the_links_to_vnfcs(operator_api: APIClient) -> None:
    instance = make_instance(name="vsr")
    element = make_element(vnf_instance=instance)
    vnfc = Vnfc.objects.create(instance=instance, vdu_id="iom", slot="1", server_id="s", name="vm")
    make_card(element, "1", vnfc=vnfc)
    answer = operator_api.patch(f"{ELEMENTS}/{element.id}", {"vnfInstanceId": None}, format="json").json()
    assert answer["vnfInstanceName"] is None
    assert operator_api.get(f"{ELEMENTS}/{element.id}/equipment").json()[0]["vnfcId"] is None


def test_a_physical_element_is_no_vnf_instance(operator_api: APIClient) -> None:
    instance = make_instance()
    element = make_element()
    body = {"vnfInstanceId": str(instance.id)}
    for answer in (
        registered(operator_api, **body),
        operator_api.patch(f"{ELEMENTS}/{element.id}", body, format="json"),
    ):
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "/vnfInstanceId")
    router = make_element(kind="VIRTUAL")
    assert operator_api.patch(f"{ELEMENTS}/{router.id}", body, format="json").status_code == 200
    made_physical = operator_api.patch(f"{ELEMENTS}/{router.id}", {"kind": "PHYSICAL"}, format="json")
    assert made_physical.status_code == 422


def test_sorting_by_reachability_uses_the_current_value(viewer_api: APIClient) -> None:
    for name in ("1-silent", "2-old", "3-seen"):
        answering(make_element(name=name))
    NetworkElement.objects.filter(name="1-silent").update(reachable="False")
    NetworkElement.objects.filter(name="2-old").update(observed_at=clock.now() - timedelta(minutes=4))
    rows = viewer_api.get(f"{ELEMENTS}?sort=-reachable").json()
    shown = [(row["name"], row["conditions"][0]["status"]) for row in rows]
    assert shown == [("2-old", "Unknown"), ("3-seen", "True"), ("1-silent", "False")]


def test_pages_sorted_by_reachability_list_each_element_once(viewer_api: APIClient) -> None:
    """Unknown depends on the time, which the marker of a page holds."""
    now = clock.now()
    for status, seen in (("False", now), ("True", now), ("True", now - timedelta(minutes=4))):
        for _ in range(70):
            make_element(reachable=status, observed_at=seen, reachable_since=seen)
    found: list[tuple[str, str]] = []
    url = f"{ELEMENTS}?sort=reachable"
    while url:
        answer = viewer_api.get(url)
        found += [(row["conditions"][0]["status"], row["id"]) for row in answer.json()]
        url = answer.get("Link", "").split(";")[0].strip("<>")
    assert [status for status, _ in found] == ["False"] * 70 + ["True"] * 70 + ["Unknown"] * 70
    assert len(set(found)) == 210


def test_sorting_by_columns_and_listing_facts(viewer_api: APIClient) -> None:
    for name in ("b", "c", "a"):
        make_element(name=name)
    assert [row["name"] for row in viewer_api.get(f"{ELEMENTS}?sort=-name").json()] == ["c", "b", "a"]
    assert viewer_api.get(f"{ELEMENTS}?sort=siteName").json()["code"] == "INVALID_SORT"
    element = NetworkElement.objects.get(name="a")
    answering(element)
    ElementFact.objects.create(
        element=element, name="redundancy", value="standby ready", polled=True, since=clock.now()
    )
    (fact,) = viewer_api.get(f"{ELEMENTS}/{element.id}/facts").json()
    assert (fact["name"], fact["value"], fact["unknownSince"]) == ("redundancy", "standby ready", None)


def test_neighbours_belong_to_the_port_of_their_router_interface(viewer_api: APIClient) -> None:
    """SR OS reports it so: addresses belong to the router interface, and that is on a port."""
    element, other, now = make_element(), make_element(), clock.now()

    def interface(of: NetworkElement, if_index: int, *addresses: str, port: int | None = None) -> None:
        own = {"addresses": list(addresses), "port_if_index": port}
        Interface.objects.create(element=of, if_index=if_index, admin="UP", oper="UP", since=now, **own)

    interface(element, 1001)
    interface(element, 2001, "198.51.100.1/31", "2001:db8::1/64", port=1001)
    interface(element, 2002, "198.51.100.5/30")
    interface(other, 3001, "192.0.2.0/24", port=3000)
    for address in ("198.51.100.0", "198.51.100.6", "192.0.2.7", "2001:db8::2"):
        BgpPeer.objects.create(element=element, peer_address=address, admin_state="UP", state="IDLE", since=now)
    for if_index in (2001, 2002, None):
        Adjacency.objects.create(
            element=element, protocol="OSPF", remote_id=str(if_index), if_index=if_index, state="FULL", since=now
        )
    of = f"{ELEMENTS}/{element.id}"
    peers = {each["peerAddress"]: each["ifIndexes"] for each in viewer_api.get(f"{of}/bgp_peers").json()}
    assert peers == {"198.51.100.0": [1001, 2001], "198.51.100.6": [2002], "192.0.2.7": [], "2001:db8::2": [1001, 2001]}
    heard = {each["ifIndex"]: each["portIfIndex"] for each in viewer_api.get(f"{of}/adjacencies").json()}
    assert heard == {2001: 1001, 2002: None, None: None}
    ports = {each["ifIndex"]: each["portIfIndex"] for each in viewer_api.get(f"{of}/interfaces").json()}
    assert ports == {1001: None, 2001: 1001, 2002: None}


def test_a_management_profile(operator_api: APIClient) -> None:
    policy = post(operator_api, POLICIES, SNMP).json()["id"]
    body = {"name": "Nokia", "provider": "Nokia", "snmpPolicyId": policy, "addressRange": "10.20.0.0/16"}
    made = post(operator_api, PROFILES, body)
    assert made.status_code == 201, made.json()
    assert (made.json()["vimId"], made.json()["productName"], made.json()["sshPolicyId"]) == (None, "", None)
    where = f"{PROFILES}/{made.json()['id']}"
    for change, field in (
        ({"addressRange": "10.20.0.1/16"}, "/addressRange"),
        ({"sshPolicyId": policy}, "/sshPolicyId"),
        ({"snmpPolicyId": None}, "/snmpPolicyId"),
    ):
        answer = operator_api.patch(where, change, format="json")
        assert answer.status_code in (400, 422), change
        assert answer.json()["errors"][0]["field"] == field
    refused = operator_api.delete(f"{POLICIES}/{policy}")
    assert (refused.status_code, refused.json()["code"], refused.json()["usedBy"]) == (409, "POLICY_IN_USE", ["Nokia"])
    assert operator_api.delete(where).status_code == 204
    assert operator_api.delete(f"{POLICIES}/{policy}").status_code == 204

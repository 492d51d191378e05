"""The secrets of mediation policies are sent only to addresses in their networks; and addresses of elements."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from rest_framework.test import APIClient

from tests.factories.elements import make_element, make_policy
from vnfm.devices.errors import Refused
from vnfm.elements.models import DiscoveryRule, ManagementProfile, NetworkElement
from vnfm.elements.selectors import login_target_of, secrets_of, snmp_target_of
from vnfm.kit.seal import seal

pytestmark = pytest.mark.django_db

POLICIES, ELEMENTS, RULES = "/api/v1/mediation_policies", "/api/v1/elements", "/api/v1/discovery_rules"
SNMP = {"name": "lab", "protocol": "SNMPv2c", "community": "hush-hush"}


def fields_of(answer: Any) -> list[str]:
    return [error["field"] for error in answer.json()["errors"]]


def test_a_new_policy_names_its_networks(operator_api: APIClient, api: APIClient) -> None:
    for caller in (operator_api, api):
        assert fields_of(caller.post(POLICIES, SNMP, format="json")) == ["/networks"]
    for networks in (["10.1.2.3/8"], ["0.0.0.0/0"], ["router.example"], ["::/0"]):
        refused = operator_api.post(POLICIES, {**SNMP, "networks": networks}, format="json")
        assert (refused.status_code, fields_of(refused)) == (422, ["/networks"]), networks
    made = operator_api.post(POLICIES, {**SNMP, "networks": ["10.0.0.0/8", "2001:db8::/32"]}, format="json")
    assert (made.status_code, made.json()["networks"]) == (201, ["10.0.0.0/8", "2001:db8::/32"])


def test_a_secret_goes_to_no_address_outside(operator_api: APIClient) -> None:
    snmp = make_policy(networks=["10.1.0.0/16"])
    ssh = make_policy(protocol="SSH", networks=["10.1.2.0/24"], settings={"username": "em"})
    body = {"name": "mine", "kind": "PHYSICAL", "managementAddress": "192.0.2.66", "snmpPolicyId": str(snmp.id)}
    refused = operator_api.post(ELEMENTS, body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "POLICY_NETWORKS")
    assert fields_of(refused) == ["/managementAddress"]
    assert "administrator" in refused.json()["nextStep"]
    assert not NetworkElement.objects.exists()
    where = operator_api.post(ELEMENTS, {**body, "managementAddress": "10.1.9.9"}, format="json")["Location"]
    for change in (
        {"managementAddress": "192.0.2.66"},
        {"sshPolicyId": str(ssh.id)},
        {"managementAddress": "10.1.2.1", "sshPolicyId": str(make_policy(protocol="SSH", networks=[]).id)},
    ):
        assert operator_api.patch(where, change, format="json").json()["code"] == "POLICY_NETWORKS", change
    moved = {"managementAddress": "10.1.2.1", "sshPolicyId": str(ssh.id)}
    assert operator_api.patch(where, moved, format="json").status_code == 200


def test_ranges_of_rules_and_profiles_are_in_the_networks(operator_api: APIClient) -> None:
    policy = make_policy(networks=["10.1.0.0/17", "10.1.128.0/17"])
    rule = {"name": "r", "snmpPolicyId": str(policy.id)}
    made = operator_api.post(RULES, {**rule, "include": ["10.1.0.0/16"]}, format="json")
    assert made.status_code == 201, made.json()
    for include in (["10.1.255.0-10.2.0.1"], ["10.1.0.0/16", "192.0.2.1"]):
        refused = operator_api.patch(made["Location"], {"include": include}, format="json")
        assert (refused.json()["code"], fields_of(refused)) == ("POLICY_NETWORKS", ["/include"])
    other = {"snmpPolicyId": str(make_policy(networks=["10.2.0.0/16"]).id)}
    assert operator_api.patch(made["Location"], other, format="json").json()["code"] == "POLICY_NETWORKS"
    profile = {"name": "p", "snmpPolicyId": str(policy.id), "addressRange": "10.2.0.0/16"}
    refused = operator_api.post("/api/v1/management_profiles", profile, format="json")
    assert (refused.json()["code"], fields_of(refused)) == ("POLICY_NETWORKS", ["/addressRange"])


def test_only_an_administrator_or_who_knows_the_secret_adds_a_network(operator_api: APIClient, api: APIClient) -> None:
    secrets = seal({"password": "old", "private_key": "KEY"})
    policy = make_policy(protocol="SSH", networks=["10.1.0.0/16"], settings={"username": "em"}, sealed_secrets=secrets)
    where, wider = f"{POLICIES}/{policy.id}", {"networks": ["10.1.0.0/16", "192.0.2.0/24"]}
    refused = operator_api.patch(where, wider, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "SECRET_NEEDED")
    assert fields_of(refused) == ["/password", "/privateKey"]
    assert "administrator" in refused.json()["nextStep"]
    half = operator_api.patch(where, {**wider, "password": "new"}, format="json")
    assert fields_of(half) == ["/privateKey"]
    narrower = operator_api.patch(where, {"networks": ["10.1.2.0/24", "10.1.3.0/24"]}, format="json")
    assert narrower.status_code == 200
    again = operator_api.patch(where, {**wider, "password": "new", "privateKey": "K2"}, format="json")
    assert (again.status_code, again.json()["networks"]) == (200, wider["networks"])
    policy.refresh_from_db()
    assert secrets_of(policy) == {"password": "new", "private_key": "K2"}
    assert api.patch(where, {"networks": ["10.0.0.0/8"]}, format="json").status_code == 200


def test_no_network_is_withdrawn_from_an_element_in_use(api: APIClient) -> None:
    policy = make_policy(networks=["10.1.0.0/16", "10.2.0.0/16"])
    make_element(name="core-1", management_address="10.2.0.1", snmp_policy=policy)
    refused = api.patch(f"{POLICIES}/{policy.id}", {"networks": ["10.1.0.0/16"]}, format="json")
    assert (refused.json()["code"], fields_of(refused)) == ("POLICY_IN_USE", ["/networks"])
    assert "core-1 at 10.2.0.1" in refused.json()["detail"]


def test_nothing_is_sent_outside_even_where_the_tables_say_so() -> None:
    policy = make_policy(networks=["10.1.0.0/16"])
    login = make_policy(protocol="SSH", networks=["10.1.0.0/16"], settings={"username": "em"})
    element = make_element(management_address="192.0.2.66", ssh_policy=login)
    with pytest.raises(Refused, match="may not be sent to 192"):
        snmp_target_of(policy, element.management_address)
    with pytest.raises(Refused, match="may not be sent to 192"):
        login_target_of(login, element)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.255.0.1", "0.0.0.0", "0.1.2.3", "169.254.169.254", "224.0.0.1", "255.255.255.255"),
        *("240.0.0.1", "::1", "::", "fe80::1", "ff02::1", "::ffff:127.0.0.1"),
    ],
)
def test_addresses_that_no_element_has(operator_api: APIClient, settings: Any, address: str) -> None:
    settings.ELEMENTS_ALLOWED = []
    body = {"name": "mine", "kind": "PHYSICAL", "managementAddress": address}
    refused = operator_api.post(ELEMENTS, body, format="json")
    assert (refused.status_code, fields_of(refused)) == (422, ["/managementAddress"])
    assert refused.json()["code"] == "ADDRESS_REFUSED"
    assert "VNFM_ELEMENTS_ALLOWED" in refused.json()["nextStep"]
    element = make_element(management_address="192.0.2.1")
    moved = operator_api.patch(f"{ELEMENTS}/{element.id}", {"managementAddress": address}, format="json")
    assert moved.json()["code"] == "ADDRESS_REFUSED"
    rule = {"name": "r", "include": [address], "snmpPolicyId": str(make_policy().id)}
    assert operator_api.post(RULES, rule, format="json").json()["code"] == "ADDRESS_REFUSED"


@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.1", "2001:db8::1", "127.9.0.1"])
def test_addresses_that_elements_have(operator_api: APIClient, address: str) -> None:
    """A loopback address, as the tests' environment allows them."""
    body = {"name": "router", "kind": "PHYSICAL", "managementAddress": address, "snmpPolicyId": str(make_policy().id)}
    assert operator_api.post(ELEMENTS, body, format="json").status_code == 201


def test_existing_policies_keep_the_networks_of_their_use() -> None:
    """The migration of databases whose policies had none."""
    policy, unused = make_policy(networks=[]), make_policy(networks=[])
    for address in ("10.1.2.3", "10.1.2.9", "127.20.0.1", "2001:db8::7"):
        make_element(management_address=address, ssh_policy=policy)
    ManagementProfile.objects.create(name="p", snmp_policy=policy, address_range="10.30.0.0/16")
    DiscoveryRule.objects.create(name="r", include=["10.40.0.0/24", "10.41.0.0-10.41.0.3"], snmp_policy=policy)
    import_module("vnfm.elements.migrations.0002_mediation_policy_networks").networks_in_use(apps, None)
    policy.refresh_from_db()
    unused.refresh_from_db()
    used = {"10.1.2.0/24", "127.0.0.0/8", "2001:db8::/64", "10.30.0.0/16", "10.40.0.0/24", "10.41.0.0/30"}
    assert (set(policy.networks), unused.networks) == (used, [])


@pytest.mark.parametrize("change", [{"port": 22099}, {"username": "other"}, {"port": 2, "networks": ["10.1.0.0/16"]}])
def test_only_who_knows_the_secret_sends_it_to_another_port_or_account(
    operator_api: APIClient, api: APIClient, change: dict[str, Any]
) -> None:
    stored = seal({"password": "old"})
    policy = make_policy(protocol="SSH", networks=["10.1.0.0/16"], settings={"username": "em"}, sealed_secrets=stored)
    where = f"{POLICIES}/{policy.id}"
    refused = operator_api.patch(where, change, format="json")
    assert (refused.status_code, refused.json()["code"]) == (422, "SECRET_NEEDED")
    assert fields_of(refused) == ["/password"]
    same = {"port": policy.port, "username": "em", "name": "renamed"}
    assert operator_api.patch(where, same, format="json").status_code == 200, "what stays the same may be sent along"
    assert operator_api.patch(where, change | {"password": "mine"}, format="json").status_code == 200
    assert api.patch(where, {"port": 830}, format="json").status_code == 200

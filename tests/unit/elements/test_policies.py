import pytest

from vnfm.devices.types import Community, SnmpUser
from vnfm.elements.domain.policies import policy_faults, snmp_target, ssh_target

USER = {"username": "em", "auth_protocol": "SHA-256", "priv_protocol": "AES"}
KEYS = {"auth_password": "long enough", "priv_password": "long as well"}


@pytest.mark.parametrize(
    ("protocol", "settings", "secrets", "pointers"),
    [
        ("SNMPv2c", {}, {"community": "public"}, set()),
        ("SNMPv2c", {}, {}, {"/community"}),
        ("SNMPv2c", {"username": "em"}, {"community": "public"}, {"/username"}),
        ("SNMPv3", USER, KEYS, set()),
        ("SNMPv3", {"username": "em"}, {}, set()),
        ("SNMPv3", USER, {**KEYS, "auth_password": "short"}, {"/authPassword"}),
        ("SNMPv3", {**USER, "auth_protocol": ""}, KEYS, {"/authProtocol"}),
        ("SSH", {"username": "em"}, {"password": "x"}, set()),
        ("SSH", {"username": "em"}, {"private_key": "x"}, set()),
        ("SSH", {"username": "em"}, {}, {"/password"}),
        ("NETCONF", {}, {"password": "x"}, {"/username"}),
        ("NETCONF", {"username": "em"}, {"password": "x", "community": "y"}, {"/community"}),
    ],
)
def test_required_settings_of_a_policy(
    protocol: str, settings: dict[str, str], secrets: dict[str, str], pointers: set[str]
) -> None:
    assert {fault.field for fault in policy_faults(protocol, settings, secrets)} == pointers


def test_a_policy_becomes_a_target() -> None:
    target = snmp_target(
        protocol="SNMPv2c", port=1161, settings={"retries": 3}, secrets={"community": "c"}, address="192.0.2.1"
    )
    assert (target.address, target.port, target.retries) == ("192.0.2.1", 1161, 3)
    assert target.credentials == Community("c")
    target = snmp_target(protocol="SNMPv3", port=161, settings=USER, secrets=KEYS, address="192.0.2.1")
    assert target.credentials == SnmpUser("em", "SHA-256", "long enough", "AES", "long as well")


def test_secrets_are_not_in_the_repr_of_targets() -> None:
    snmp = snmp_target(protocol="SNMPv3", port=161, settings=USER, secrets=KEYS, address="192.0.2.1")
    ssh = ssh_target(
        port=22,
        settings={"username": "em"},
        secrets={"password": "hush", "private_key": "hush"},
        address="192.0.2.1",
        host_key="",
    )
    assert "long" not in repr(snmp)
    assert "hush" not in repr(ssh)

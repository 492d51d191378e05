"""The configuration by which a router is polled and sends notifications."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from routersim.cli.shell import SrosShell
from routersim.mibs.notifications import STANDBY_READY
from routersim.netconf.store import Datastores
from routersim.snmp.ber import Pdu, decode_message, encode_message
from routersim.snmp.usm import User
from tests.unit.routersim.elements import Lab, get
from vnfm.configuration.domain.dialects import SROS
from vnfm.configuration.domain.snmp_access import (
    SnmpAccess,
    V3Keys,
    access_problem,
    snmp_access_lines,
    snmp_access_removals,
)
from vnfm.configuration.domain.snmp_access_xml import snmp_access_removals_xml, snmp_access_xml, snmp_on_xml
from vnfm.configuration.domain.statements import is_removed, lines_of, missing_statements
from vnfm.configuration.domain.xml import BASE, masked, nodes_of, removes_from
from vnfm.devices.traps.message import V3Message, scoped_pdu
from vnfm.devices.traps.message import decode_message as decode_v3
from vnfm.devices.traps.usm import authenticate, decrypt, localised_keys
from vnfm.devices.types import SnmpUser
from vnfm.kit.xml import parse

V2C = SnmpAccess("zebra-9", None, ("127.0.0.5", 9162))
KEYS = V3Keys("SHA", "6695febc9288e36282235fc7151f128497b38f3f", "AES", "6695febc9288e36282235fc7151f1284")
V3 = SnmpAccess("poller", KEYS, ("192.0.2.5", 162))
"""Keys of RFC 3414, A.3.2."""


def sent(lab: Lab, text: str) -> str:
    """The lines as a push sends them, into a candidate; the router's words."""
    shell = SrosShell(lab.router)
    lines = [line.text.strip() for line in lines_of(SROS.syntax, text)]
    return "".join(shell.run(line) for line in ("candidate edit exclusive", *lines, "/candidate commit"))


def answers(lab: Lab, community: str) -> bool:
    request = encode_message(community.encode(), Pdu.GET, 1, 0, 0, bindings=[])
    return lab.router.engine.received(request, ("127.0.0.1", 9), lab.clock.time()) is not None


def displayed(lab: Lab) -> str:
    return SrosShell(lab.router).run("admin display-config")


def test_a_router_without_snmp_answers_and_reports_once_it_has_the_lines() -> None:
    lab = Lab("7750-SR-12", cards=1, ports=1, factory=True)
    assert not answers(lab, "public")
    lab.router.notify(STANDBY_READY)
    assert lab.notified() == []
    assert sent(lab, snmp_access_lines(V2C)) == ""
    assert (answers(lab, "zebra-9"), answers(lab, "public"), answers(lab, "")) == (True, False, False)
    lab.sent.clear()
    lab.router.notify(STANDBY_READY)
    assert decode_message(lab.sent[0]).community == b"zebra-9"


def test_a_user_reads_and_gets_the_notifications_encrypted() -> None:
    lab = Lab("7750-SR-12", cards=1, ports=1, factory=True)
    user = SnmpUser("poller", "SHA", "auth-secret", "AES", "priv-secret")
    access, at_router = at(lab, user)
    assert sent(lab, snmp_access_lines(access)) == ""
    lab.sent.clear()
    lab.router.notify(STANDBY_READY)
    trap = decode_v3(lab.sent[0])
    assert isinstance(trap, V3Message)
    authenticate(trap, user)
    assert scoped_pdu(decrypt(trap, user)).notification is not None
    answer = get(lab, at_router)
    assert answer is not None
    authenticate(answer, user)
    assert b"pe1" in scoped_pdu(decrypt(answer, user)).varbinds
    sent(lab, "\n".join(snmp_access_removals(access).values()))
    refused = get(lab, at_router)
    assert refused is not None
    assert refused.flags == 0, "a report that there is no such user"


def edited(lab: Lab, text: str) -> str:
    """The edit by NETCONF, committed; the running configuration by NETCONF."""
    stores = Datastores(lab.router)
    stores.edit(None, ET.fromstring(text), "merge")
    stores.commit(None, None)
    return f'<config xmlns="{BASE}">{stores.to_xml("running")}</config>'


def at(lab: Lab, user: SnmpUser) -> tuple[SnmpAccess, User]:
    """The access with the user's keys at this router."""
    auth, priv = localised_keys(user, lab.element.engine_id)
    keys = V3Keys(user.auth_protocol, auth.hex(), user.priv_protocol, priv.hex())
    known = User(user.name.encode(), user.auth_protocol, auth, user.priv_protocol, priv)
    return replace(V3, principal=user.name, keys=keys), known


@pytest.mark.parametrize(
    "user",
    [
        SnmpUser("poller", "SHA", "auth-secret", "AES", "priv-secret"),
        SnmpUser("poller", "SHA-512", "auth-secret", "AES-256", "priv-secret"),
        SnmpUser("poller", "MD5", "auth-secret"),
        SnmpUser("poller"),
    ],
    ids=lambda user: f"{user.auth_protocol}-{user.priv_protocol}",
)
def test_by_netconf_a_user_reads_and_gets_the_notifications(user: SnmpUser) -> None:
    lab = Lab("7750-SR-12", cards=1, ports=1, factory=True)
    access, known = at(lab, user)
    edited(lab, snmp_on_xml())
    running = edited(lab, snmp_access_xml(access))
    answer = get(lab, known)
    assert answer is not None
    authenticate(answer, user)
    assert b"pe1" in scoped_pdu(decrypt(answer, user)).varbinds
    lab.sent.clear()
    lab.router.notify(STANDBY_READY)
    trap = decode_v3(lab.sent[0])
    assert isinstance(trap, V3Message)
    authenticate(trap, user)
    assert edited(lab, snmp_access_xml(access)) == running, "the second time it changes nothing"


def test_by_netconf_a_removal_leaves_no_access_and_no_log() -> None:
    lab = Lab("7750-SR-12", cards=1, ports=1, factory=True)
    edited(lab, snmp_on_xml())
    for access in (V2C, at(lab, SnmpUser("poller", "SHA", "auth-secret", "AES", "priv-secret"))[0]):
        running = edited(lab, snmp_access_xml(access))
        texts = snmp_access_removals_xml(access).values()
        assert all(removes(running, text) for text in texts)
        for text in texts:
            running = edited(lab, text)
        assert not any(removes(running, text) for text in texts)
        assert not answers(lab, "zebra-9")
        lab.sent.clear()
        lab.router.notify(STANDBY_READY)
        assert lab.sent == []


def removes(running: str, text: str) -> bool:
    return any(removes_from(parse(running).children, node) for node in nodes_of(text))


def test_by_netconf_every_secret_is_masked() -> None:
    for access in (V2C, V3):
        shown = masked(snmp_access_xml(access))
        secrets = [KEYS.auth_key, KEYS.priv_key] if access.keys else [access.principal]
        assert not any(secret in shown for secret in secrets)
        assert "trap-target" in shown


def test_the_lines_change_nothing_the_second_time() -> None:
    lab = Lab("7750-SR-12", cards=1, ports=1, factory=True)
    for access in (V2C, V3):
        lines = lines_of(SROS.syntax, snmp_access_lines(access))
        assert missing_statements(SROS.syntax, displayed(lab), lines)
        assert sent(lab, snmp_access_lines(access)) == ""
        assert missing_statements(SROS.syntax, displayed(lab), lines) == []


@pytest.mark.parametrize("access", [V2C, V3], ids=["v2c", "v3"])
def test_a_removal_leaves_no_access_and_no_log(access: SnmpAccess) -> None:
    lab = Lab("7750-SR-12", cards=1, ports=1, factory=True)
    sent(lab, "configure log log-id 98 to snmp\nexit all\n" + snmp_access_lines(access))
    texts = snmp_access_removals(access).values()
    assert not any(is_removed(SROS.syntax, displayed(lab), lines_of(SROS.syntax, text)) for text in texts)
    assert sent(lab, "\n".join(texts)) == ""
    left = displayed(lab)
    assert all(is_removed(SROS.syntax, left, lines_of(SROS.syntax, text)) for text in texts)
    assert "log-id 98" in left, "the log of another manager stays"
    assert not answers(lab, "zebra-9")


@pytest.mark.parametrize("access", [V2C, V3], ids=["v2c", "v3"])
def test_every_secret_is_masked(access: SnmpAccess) -> None:
    shown = SROS.masked(snmp_access_lines(access))
    secrets = [KEYS.auth_key, KEYS.priv_key] if access.keys else [access.principal]
    assert not any(secret in shown for secret in secrets)
    assert "trap-target" in shown


def test_a_user_has_the_level_of_its_policy() -> None:
    def words(**keys: str) -> str:
        return snmp_access_lines(replace(V3, keys=replace(KEYS, **keys)))

    assert f"authentication sha {KEYS.auth_key} privacy aes-128-cfb-key {KEYS.priv_key}" in words()
    assert "security-level privacy" in words()
    assert "privacy none" in words(priv_protocol="")
    assert "security-level auth-no-privacy" in words(priv_protocol="")
    assert "authentication none" in words(auth_protocol="", priv_protocol="")


def test_without_a_receiver_there_is_no_log() -> None:
    assert "log" not in snmp_access_lines(replace(V2C, receiver=None))


@pytest.mark.parametrize(
    ("access", "words"),
    [
        (replace(V2C, principal='a" no shutdown'), "community"),
        (replace(V2C, principal=""), "community"),
        (replace(V3, keys=replace(KEYS, auth_protocol="SHA-256")), "no SHA-256"),
        (replace(V3, keys=replace(KEYS, priv_protocol="AES-256")), "no AES-256"),
        (V2C, ""),
        (V3, ""),
    ],
)
def test_values_that_sros_cannot_have_are_refused(access: SnmpAccess, words: str) -> None:
    problem = access_problem(access)
    assert (words in problem) if words else problem == ""


def test_by_netconf_sros_has_every_protocol() -> None:
    keys = replace(KEYS, auth_protocol="SHA-256", priv_protocol="AES-256")
    assert access_problem(replace(V3, keys=keys), by_netconf=True) == ""
    assert "community" in access_problem(replace(V2C, principal="a b"), by_netconf=True)


def test_keys_are_those_of_rfc_3414() -> None:
    user = SnmpUser("u", "SHA", "maplesyrup", "DES", "maplesyrup")
    auth, priv = localised_keys(user, bytes.fromhex("000000000000000000000002"))
    assert auth.hex() == "6695febc9288e36282235fc7151f128497b38f3f"
    assert priv.hex() == "6695febc9288e36282235fc7151f1284"
    assert localised_keys(SnmpUser("u"), b"engine") == (b"", b"")

"""The configuration by which a Huawei router is polled and sends notifications."""

from dataclasses import replace

import pytest

from routersim.cli.shell import VrpShell
from routersim.mibs.notifications import STANDBY_READY
from routersim.snmp.ber import Pdu, decode_message, encode_message
from routersim.snmp.usm import User
from tests.unit.routersim.elements import Lab, get
from vnfm.configuration.domain.dialects import VRP
from vnfm.configuration.domain.snmp_access_vrp import (
    COMMUNITY,
    TARGET,
    USER,
    VrpAccess,
    VrpUser,
    absent_parts,
    is_foreign_user,
    vrp_access_lines,
    vrp_access_problem,
    vrp_access_removals,
)
from vnfm.configuration.domain.statements import lines_of
from vnfm.devices.traps.usm import authenticate, localised_keys
from vnfm.devices.types import SnmpUser

V2C = VrpAccess("zebra-9", ("127.0.0.5", 9162))
POLLER = VrpUser("poller", "SHA-256", "auth-secret", "AES", "priv-secret")
V3 = VrpAccess(POLLER, ("192.0.2.5", 162))


def factory_lab() -> Lab:
    return Lab("NE9000", cards=1, ports=1, factory=True)


def sent(lab: Lab, text: str) -> str:
    """The lines as a push sends them, into a candidate; the router's words."""
    shell = VrpShell(lab.router)
    lines = [line.text.strip() for line in lines_of(VRP.syntax, text)]
    words = [shell.run(line) for line in ("system-view", *lines, "commit")]
    return "".join(word for word in words if word.startswith("Error"))


def displayed(lab: Lab) -> str:
    return VrpShell(lab.router).run("display current-configuration")


def answers(lab: Lab, community: str) -> bool:
    request = encode_message(community.encode(), Pdu.GET, 1, 0, 0, bindings=[])
    return lab.router.engine.received(request, ("127.0.0.1", 9), lab.clock.time()) is not None


def test_a_router_without_snmp_answers_and_reports_once_it_has_the_lines() -> None:
    lab = factory_lab()
    assert not answers(lab, "public")
    parts = absent_parts(V2C, displayed(lab), answers=False)
    assert parts == [COMMUNITY, TARGET]
    assert sent(lab, vrp_access_lines(V2C, parts)) == ""
    assert (answers(lab, "zebra-9"), answers(lab, "public")) == (True, False)
    lab.sent.clear()
    lab.router.notify(STANDBY_READY)
    assert decode_message(lab.sent[0]).community == b"zebra-9"
    assert "zebra-9" not in displayed(lab), "VRP prints it encrypted"
    assert absent_parts(V2C, displayed(lab), answers=True) == []


@pytest.mark.parametrize(
    "user",
    [POLLER, VrpUser("poller", "MD5", "auth-secret"), VrpUser("poller")],
    ids=lambda user: user.level,
)
def test_a_user_reads_with_the_level_of_its_policy(user: VrpUser) -> None:
    lab, access = factory_lab(), replace(V3, principal=user)
    assert sent(lab, vrp_access_lines(access, [USER, TARGET])) == ""
    known = SnmpUser(user.name, user.auth_protocol, user.auth_password, user.priv_protocol, user.priv_password)  # type: ignore[arg-type]
    auth, priv = localised_keys(known, lab.element.engine_id)
    answer = get(lab, User(b"poller", user.auth_protocol, auth, user.priv_protocol, priv))
    assert answer is not None
    authenticate(answer, known)
    lab.sent.clear()
    lab.router.notify(STANDBY_READY)
    assert len(lab.sent) == 1
    assert is_foreign_user(access, displayed(lab))
    assert not is_foreign_user(V2C, displayed(lab))


@pytest.mark.parametrize("access", [V2C, V3], ids=["v2c", "v3"])
def test_a_removal_leaves_no_access_and_no_receiver(access: VrpAccess) -> None:
    lab, parts = factory_lab(), [access.reader, TARGET]
    other = replace(V2C, principal="others", receiver=("192.0.2.77", 162))
    sent(lab, vrp_access_lines(other, [COMMUNITY, TARGET]))
    before = displayed(lab)
    sent(lab, vrp_access_lines(access, parts))
    assert displayed(lab) != before
    assert sent(lab, vrp_access_removals(access, parts)) == ""
    assert displayed(lab) == before, "what others have there stays"
    assert answers(lab, "others")
    assert vrp_access_removals(access, []) == ""


def test_only_what_is_absent_is_added() -> None:
    lab = factory_lab()
    sent(lab, vrp_access_lines(V2C, [COMMUNITY]))
    assert absent_parts(V2C, displayed(lab), answers=True) == [TARGET]
    assert "community" not in vrp_access_lines(V2C, [TARGET])
    assert absent_parts(replace(V2C, receiver=None), displayed(lab), answers=False) == [COMMUNITY]


@pytest.mark.parametrize(("name", "foreign"), [("vnfm", True), ("vnfm-2", False), ("vnfm.x", False), ("a-vnfm", False)])
def test_a_user_is_known_by_its_whole_name(name: str, foreign: bool) -> None:
    access = replace(V3, principal=replace(POLLER, name="vnfm"))
    assert (
        is_foreign_user(access, f" snmp-agent usm-user v3 {name}\n snmp-agent usm-user v3 {name} group x\n") is foreign
    )


TRAPS = "snmp-agent target-host trap address udp-domain"


@pytest.mark.parametrize(
    ("line", "there"),
    [
        (f"{TRAPS} 192.0.2.5 udp-port 162 params securityname poller v3 privacy", True),
        (f"{TRAPS} 192.0.2.5 params securityname poller v3 privacy", True),
        (f"{TRAPS} 192.0.2.5 params securityname poller", True),
        (f"{TRAPS} 192.0.2.5 udp-port 1620 params securityname poller v3 privacy", False),
        (f"{TRAPS} 192.0.2.50 params securityname poller v3 privacy", False),
        (f"{TRAPS} 192.0.2.5 params securityname poller-2 v3 privacy", False),
        (f"{TRAPS} 192.0.2.5 params securityname others v3 privacy", False),
    ],
)
def test_a_receiver_of_notifications_is_known_by_address_port_and_user(line: str, there: bool) -> None:
    assert absent_parts(V3, f" {line}\n", answers=True) == ([] if there else [TARGET])


def test_another_port_than_the_usual_one_is_in_the_line() -> None:
    running = f" {TRAPS} 127.0.0.5 params securityname cipher %^%#x%^%# v2c\n"
    assert absent_parts(V2C, running, answers=True) == [TARGET]
    assert absent_parts(replace(V2C, receiver=("127.0.0.5", 162)), running, answers=True) == []


@pytest.mark.parametrize("access", [V2C, V3], ids=["v2c", "v3"])
def test_every_secret_is_masked(access: VrpAccess) -> None:
    shown = VRP.masked(vrp_access_lines(access, [access.reader, TARGET]))
    assert not any(secret in shown for secret in ("zebra-9", "auth-secret", "priv-secret"))
    assert "target-host" in shown


@pytest.mark.parametrize(
    ("access", "words"),
    [
        (replace(V2C, principal="a b"), "community"),
        (replace(V2C, principal="who?"), "question"),
        (replace(V3, principal=replace(POLLER, name="")), "user"),
        (replace(V3, principal=replace(POLLER, auth_protocol="SHA-224")), "no SHA-224"),
        (replace(V3, principal=replace(POLLER, priv_protocol="AES-192")), "no AES-192"),
        (replace(V3, principal=replace(POLLER, auth_password="short")), "8 to 64"),
        (V2C, ""),
        (V3, ""),
    ],
)
def test_values_that_vrp_cannot_have_are_refused(access: VrpAccess, words: str) -> None:
    problem = vrp_access_problem(access)
    assert (words in problem) if words else problem == ""


def test_secrets_are_in_no_representation() -> None:
    assert "secret" not in repr(POLLER)

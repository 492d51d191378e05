"""SNMPv3 of simulated elements, against the decoder of the product, which shares no code with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from routersim.mibs.notifications import STANDBY_READY
from routersim.model.build import InvalidSpec
from routersim.snmp.ber import Pdu, encode_message, oid_octets
from routersim.snmp.usm import User
from tests.unit.routersim.elements import Lab, get
from vnfm.devices.traps import usm as product
from vnfm.devices.traps.message import V3Message, decode_message, scoped_pdu
from vnfm.devices.types import SnmpUser

SPEC = {
    "name": "poller",
    "auth": "SHA",
    "authPassword": "auth-secret-1",
    "priv": "AES",
    "privPassword": "priv-secret-1",
}


def policy(spec: dict[str, str]) -> SnmpUser:
    return SnmpUser(
        spec["name"], spec.get("auth", ""), spec.get("authPassword", ""), spec.get("priv", ""),
        spec.get("privPassword", ""),
    )  # fmt: skip


def lab_with(spec: dict[str, str]) -> Lab:
    return Lab("7750-SR-12", cards=1, ports=1, snmpUser=spec)


def user_at(lab: Lab, spec: dict[str, str]) -> User:
    auth, priv = product.localised_keys(policy(spec), lab.element.engine_id)
    return User(spec["name"].encode(), spec.get("auth", ""), auth, spec.get("priv", ""), priv)


@pytest.mark.parametrize("auth", ["MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512"])
@pytest.mark.parametrize("priv", ["", "DES", "AES", "AES-192", "AES-256"])
def test_an_answer_is_signed_and_encrypted_as_the_request(auth: str, priv: str) -> None:
    spec = {**SPEC, "auth": auth, "priv": priv, "privPassword": "priv-secret-1" if priv else ""}
    lab = lab_with(spec)
    message = get(lab, user_at(lab, spec))
    assert message is not None
    product.authenticate(message, policy(spec))
    assert b"pe1" in scoped_pdu(product.decrypt(message, policy(spec))).varbinds
    assert (b"pe1" in message.octets) == (priv == "")


def answers(lab: Lab, community: str) -> bool:
    request = encode_message(community.encode(), Pdu.GET, 1, 0, 0, bindings=[])
    return lab.router.engine.received(request, ("127.0.0.1", 9), lab.clock.time()) is not None


def reported(message: V3Message | None) -> int:
    """Return the counter of usmStats in a report."""
    assert message is not None
    varbinds = scoped_pdu(message.payload).varbinds
    return varbinds[varbinds.index(oid_octets((1, 3, 6, 1, 6, 3, 15, 1, 1))) + 8]


def test_wrong_messages_are_reported_by_their_cause() -> None:
    lab = lab_with(SPEC)
    user = user_at(lab, SPEC)
    assert reported(get(lab, User(b""), engine=b"")) == 4, "discovery: unknownEngineIDs"
    assert reported(get(lab, replace(user, name=b"other"))) == 3
    assert reported(get(lab, replace(user, auth_key=bytes(20)))) == 5
    assert reported(get(lab, replace(user, priv=""))) == 1
    assert reported(get(lab, replace(user, priv_key=bytes(16)))) == 6


def test_messages_outside_the_time_window_are_answered_with_our_time() -> None:
    lab = lab_with(SPEC)
    user = user_at(lab, SPEC)
    lab.clock.advance(1000)
    message = get(lab, user)
    assert reported(message) == 2
    assert message is not None
    assert (message.boots, message.time) == (1, 1000)
    product.authenticate(message, SnmpUser("poller", "SHA", "auth-secret-1"))
    assert get(lab, user, time=1000) is not None
    assert get(lab, user, time=851) is not None
    assert reported(get(lab, user, time=849)) == 2
    assert reported(get(lab, user, boots=2, time=1000)) == 2


def test_an_element_with_a_user_knows_no_community() -> None:
    lab = lab_with(SPEC)
    assert not answers(lab, "public")
    assert not answers(lab, "private")


def test_notifications_are_those_of_the_user() -> None:
    lab = lab_with(SPEC)
    lab.router.notify(STANDBY_READY)
    message = decode_message(lab.sent[-1])
    assert isinstance(message, V3Message)
    product.authenticate(message, policy(SPEC))
    notification = scoped_pdu(product.decrypt(message, policy(SPEC))).notification
    assert notification is not None
    assert notification.trap_oid == ".".join(map(str, STANDBY_READY.oid))
    assert message.engine_id == lab.element.engine_id


def test_virtual_systems_are_engines_of_their_own() -> None:
    lab = Lab(
        "NE9000", virtualSystems=[{"name": "vs1", "address": "127.0.1.2"}, {"name": "vs2", "address": "127.0.1.3"}]
    )
    engines = {router.element.engine_id for router in lab.routers}
    assert len(engines) == 3
    assert all(engine.startswith(bytes.fromhex("800007db03")) and len(engine) == 11 for engine in engines)


@pytest.mark.parametrize("change", [{"auth": "CRC"}, {"auth": "", "priv": "AES"}, {"privPassword": ""}, {"more": "1"}])
def test_a_user_that_cannot_be_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(InvalidSpec, match="snmpUser"):
        lab_with(SPEC | change)

"""Decoding and authentication of notifications; no input causes another error than Garbled or Refused."""

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.factories.notifications import LINK_DOWN, binding, trap, v1_trap, v3
from tests.support.yaml_text import load_yaml
from vnfm.devices.errors import Garbled, Refused
from vnfm.devices.traps import ber, usm
from vnfm.devices.traps.message import MAX_VARBINDS, CommunityMessage, V3Message, decode_message, scoped_pdu
from vnfm.devices.types import SnmpUser

WALKS = Path(__file__).parents[2] / "fixtures" / "walks"
IF_INDEX = "1.3.6.1.2.1.2.2.1.1.7"
ENCRYPTED = SnmpUser("encrypted", "SHA-256", "a good password", "AES", "another password")


def read(octets: bytes) -> CommunityMessage:
    message = decode_message(octets)
    assert isinstance(message, CommunityMessage)
    return message


def test_a_trap_is_decoded() -> None:
    texts = binding("1.3.6.1.2.1.2.2.1.2.7", ber.tlv(ber.OCTETS, "1/1/1 Zürich".encode()))
    octets = binding("1.3.6.1.2.1.2.2.1.6.7", ber.tlv(ber.OCTETS, b"\x00\x01\xfe"))
    address = binding("1.3.6.1.6.3.18.1.3.0", ber.tlv(ber.IP_ADDRESS, b"\xc0\x00\x02\x01"))
    large = binding("1.3.6.1.2.1.31.1.1.1.6.7", ber.tlv(ber.COUNTER64, (2**63 + 1).to_bytes(9)))
    message = read(trap(LINK_DOWN, binding(IF_INDEX, ber.encoded_number(-7)), texts, octets, address, large, number=42))
    notification = message.notification
    assert (message.community, notification.request_id, notification.uptime, notification.inform) == (
        b"public",
        42,
        100,
        False,
    )
    assert notification.trap_oid == LINK_DOWN
    assert list(notification.varbinds.values()) == [-7, "1/1/1 Zürich", "0x0001fe", "192.0.2.1", 2**63 + 1]


def test_a_trap_of_snmpv1_is_read_as_the_notification_that_it_stands_for() -> None:
    """tests/fixtures/walks/snmp-v1-trap.yaml; RFC 3584, 3.1."""
    octets = bytes.fromhex(load_yaml((WALKS / "snmp-v1-trap.yaml").read_text())["octets"])
    message = read(octets)
    assert (message.version, message.community) == (0, b"public")
    notification = message.notification
    assert (notification.trap_oid, notification.request_id, notification.inform) == (LINK_DOWN, None, False)
    assert notification.uptime == 0x075BCDE8
    assert notification.varbinds == {
        "1.3.6.1.2.1.2.2.1.1.39911424": 39911424,
        "1.3.6.1.2.1.2.2.1.7.39911424": 1,
        "1.3.6.1.2.1.2.2.1.8.39911424": 2,
        "1.3.6.1.6.3.18.1.3.0": "192.0.2.7",
    }


@pytest.mark.parametrize(
    ("generic", "specific", "expected"),
    [(0, 0, "1.3.6.1.6.3.1.1.5.1"), (5, 9, "1.3.6.1.6.3.1.1.5.6"), (6, 17, "1.3.6.1.4.1.6527.3.0.17")],
)
def test_generic_and_specific_traps_of_snmpv1(generic: int, specific: int, expected: str) -> None:
    notification = read(v1_trap(generic=generic, specific=specific, agent="0.0.0.0")).notification
    assert (notification.trap_oid, notification.varbinds) == (expected, {})


def test_the_response_repeats_the_inform() -> None:
    octets = trap(inform=True, number=9)
    message = read(octets)
    assert message.notification.inform
    answer = message.response()
    assert len(answer) == len(octets)
    assert [(a, b) for a, b in zip(octets, answer, strict=True) if a != b] == [(ber.INFORM, ber.RESPONSE)]


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"\x30\x80",
        b"\x30\x84\xff\xff\xff\xff",
        trap()[:-1],
        trap()[:2] + b"\x02\x01\x00" + trap()[5:],
        trap()[:2] + b"\x02\x01\x02" + trap()[5:],
        v1_trap(generic=7),
        v1_trap(generic=-1),
        v1_trap(generic=6, specific=-1),
        v1_trap(enterprise="1.3.6.1.4.1" + ".4294967295" * 24, generic=6),
        v1_trap()[:-2],
        v1_trap(binding(IF_INDEX, b"\x13\x01a")),
        b"\x30\x09" * 900,
        trap(*[LINK_DOWN, *[binding(IF_INDEX, ber.encoded_number(1))] * (MAX_VARBINDS - 1)]),
        trap(LINK_DOWN, number=2**40),
        trap(LINK_DOWN, binding(IF_INDEX, b"\x13\x01a")),
        trap(LINK_DOWN, binding(IF_INDEX, b"\x02\x00")),
        trap(LINK_DOWN, ber.tlv(ber.SEQUENCE, b"\x06\x03\x2b\x80\x01", b"\x05\x00")),
        ber.tlv(ber.SEQUENCE, ber.encoded_number(1), ber.tlv(ber.OCTETS, b"public"), ber.tlv(0xA0, b"")),
    ],
    ids=[
        "empty",
        "indefinite",
        "huge",
        "cut",
        "PDU of 2 in 1",
        "version 2",
        "generic 7",
        "generic -1",
        "specific -1",
        "enterprise",
        "cut 1",
        "type 1",
        "deep",
        "many",
        "id",
        "type",
        "number",
        "oid",
        "get",
    ],
)
def test_invalid_messages_are_garbled(octets: bytes) -> None:
    with pytest.raises(Garbled):
        decode_message(octets)


USERS = [
    SnmpUser("open"),
    *(SnmpUser("signed", name, "a good password") for name in ("MD5", "SHA", "SHA-224", "SHA-384", "SHA-512")),
    *(replace(ENCRYPTED, priv_protocol=name) for name in ("DES", "AES", "AES-192", "AES-256")),
    SnmpUser("short", "MD5", "a good password", "AES-256", "another password"),
]


@pytest.mark.parametrize("user", USERS, ids=lambda user: f"{user.auth_protocol}-{user.priv_protocol}")
def test_only_the_user_can_authenticate_and_decrypt(user: SnmpUser) -> None:
    message = v3(user)
    usm.authenticate(message, user)
    pdu = scoped_pdu(usm.decrypt(message, user))
    assert (pdu.context, pdu.request_id) == (b"vs1", 1)
    for other in (
        replace(user, name="other"),
        replace(user, auth_protocol="SHA-256", auth_password="not the right one"),
    ):
        with pytest.raises(Refused):
            usm.authenticate(message, other)


def test_one_changed_bit_invalidates_the_signature() -> None:
    octets = bytearray(v3(ENCRYPTED).octets)
    octets[-1] ^= 1
    message = decode_message(bytes(octets))
    assert isinstance(message, V3Message)
    with pytest.raises(Refused, match="signature"):
        usm.authenticate(message, ENCRYPTED)


@pytest.mark.parametrize(
    ("digest", "master", "localised"),
    [
        ("md5", "9faf3283884e92834ebc9847d8edd963", "526f5eed9fcce26f8964c2930787d82b"),
        ("sha1", "9fb5cc0381497b3793528939ff788d5d79145211", "6695febc9288e36282235fc7151f128497b38f3f"),
    ],
)
def test_keys_of_the_rfc(digest: str, master: str, localised: str) -> None:
    """RFC 3414, A.3.1 and A.3.2."""
    assert usm._password_to_key(digest, "maplesyrup").hex() == master
    assert usm._localised_key(digest, "maplesyrup", bytes.fromhex("000000000000000000000002")).hex() == localised


def test_a_replayed_message_is_refused() -> None:
    clocks, message = usm.EngineClocks(), v3(ENCRYPTED)
    clocks.accept(message, 0)
    clocks.accept(message, 149)
    with pytest.raises(Refused, match="older"):
        clocks.accept(message, 151)
    clocks.accept(replace(message, boots=4, time=0), 200)
    with pytest.raises(Refused, match="older"):
        clocks.accept(message, 201)


def harmless(octets: bytes) -> None:
    with contextlib.suppress(Garbled, Refused):
        message = decode_message(octets)
        if isinstance(message, V3Message):
            usm.authenticate(message, SnmpUser("open"))
            scoped_pdu(usm.decrypt(message, SnmpUser("open")))


@given(st.binary(max_size=400))
@settings(max_examples=100, deadline=None)
def test_random_octets_do_no_harm(octets: bytes) -> None:
    harmless(octets)


GOOD = (trap(LINK_DOWN, binding(IF_INDEX, ber.encoded_number(1))), v3(SnmpUser("open")).octets, v3(ENCRYPTED).octets)


@given(
    st.sampled_from(GOOD),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=4),
    st.integers(0, 200),
)
@settings(max_examples=200, deadline=None)
def test_changed_messages_do_no_harm(octets: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    hostile = bytearray(octets)
    for place, value in changes:
        hostile[place % len(hostile)] = value
    harmless(bytes(hostile[: len(hostile) - cut % len(hostile)]) if cut > 150 else bytes(hostile))

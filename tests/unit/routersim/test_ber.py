"""BER coding: round trips, and invalid messages."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routersim.snmp import ber

OIDS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=20).map(lambda arcs: (1, 3, *arcs))


def message(bindings: list[bytes], pdu: int = ber.Pdu.GET, request_id: int = 7) -> bytes:
    return ber.encode_message(b"public", pdu, request_id, 0, 0, bindings=bindings)


@given(OIDS, st.integers(-(2**31), 2**31 - 1))
def test_names_and_numbers_survive_encoding(oid: ber.Oid, number: int) -> None:
    binding = ber.encode_binding(ber.oid_octets(oid), ber.encode_value(ber.Tag.INTEGER, number))
    (found,) = ber.decode_message(message([binding])).bindings
    assert found.oid == oid
    assert (found.tag, found.value) == (ber.Tag.INTEGER, number)


@given(st.integers(0, 2**63 - 1))
def test_counters_are_encoded_without_a_sign(number: int) -> None:
    octets = ber.encode_value(ber.Tag.COUNTER64, number)
    assert octets[0] == ber.Tag.COUNTER64
    assert octets[2] < 0x80
    assert int.from_bytes(octets[2:], "big") == number


def test_counters_wrap() -> None:
    assert ber.encode_value(ber.Tag.COUNTER32, 2**32 + 5) == ber.encode_value(ber.Tag.COUNTER32, 5)


@given(OIDS)
def test_a_name_is_encoded_as_column_and_row(oid: ber.Oid) -> None:
    assert ber.oid_octets(oid[:3]) + ber.row_octets(oid[3:]) == ber.oid_octets(oid)


def test_a_known_message() -> None:
    """snmpget -v2c -c public … 1.3.6.1.2.1.1.3.0, as Net-SNMP sends it."""
    octets = bytes.fromhex("302602010104067075626c6963a01902046c6f4e36020100020100300b300906052b060102010500")
    found = ber.decode_message(octets)
    assert (found.community, found.pdu, found.bindings[0].oid) == (b"public", ber.Pdu.GET, (1, 3, 6, 1, 2, 1))


@given(st.binary(max_size=80))
def test_random_octets_are_refused(octets: bytes) -> None:
    with pytest.raises(ber.Garbled):
        ber.decode_message(octets)


@given(st.integers(0, 200), st.integers(0, 255))
def test_a_damaged_message_is_decoded_or_refused(place: int, octet: int) -> None:
    binding = ber.encode_binding(ber.oid_octets((1, 3, 6, 1, 2, 1, 1, 1, 0)), ber.NOTHING[ber.Tag.NULL])
    octets = bytearray(message([binding] * 3))
    octets[place % len(octets)] = octet
    with suppress(ber.Garbled):
        ber.decode_message(bytes(octets))


def test_versions_without_communities_are_refused() -> None:
    for version in (0, 3):
        octets = bytearray(message([]))
        octets[4] = version
        with pytest.raises(ber.Garbled, match="only SNMPv2c and SNMPv3"):
            ber.decode_message(bytes(octets))

"""Decoding and authentication, without a network and without a database."""

from dataclasses import replace
from uuid import uuid4

import pytest

from tests.factories.notifications import ENGINE, v3
from vnfm.devices.errors import Refused
from vnfm.devices.types import SnmpUser
from vnfm.elements.traps.decode import DecodedTrap, Decoder
from vnfm.elements.traps.senders import Sender
from vnfm.elements.traps.udp_socket import Datagram
from vnfm.kit import clock

ADDRESS = "192.0.2.1"
OPEN, SIGNED = SnmpUser("open"), SnmpUser("signed", "SHA-256", "a good password")


def sender(user: SnmpUser) -> Sender:
    return Sender(uuid4(), "ne", True, user, "", False, False, False, None)


def decode(decoder: Decoder, user: SnmpUser, boots: int) -> object:
    octets = v3(user, engine=replace(ENGINE, boots=boots)).octets
    return decoder.decode(Datagram(octets, ADDRESS, (ADDRESS, 162), clock.now()))


def test_only_signed_messages_set_the_clock_of_an_engine() -> None:
    decoder = Decoder(lambda: {ADDRESS: (sender(OPEN), sender(SIGNED))}, b"\x80ours", 1)
    assert isinstance(decode(decoder, OPEN, boots=9), DecodedTrap)
    assert isinstance(decode(decoder, SIGNED, boots=5), DecodedTrap), "an unsigned message says nothing of the clock"
    assert isinstance(decode(decoder, OPEN, boots=1), DecodedTrap)
    with pytest.raises(Refused, match="older"):
        decode(decoder, SIGNED, boots=4)

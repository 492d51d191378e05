"""Who is heard, without a network and without a database."""

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


def teller(user: SnmpUser) -> Sender:
    return Sender(uuid4(), "ne", True, user, "", False, False, False, None)


def hear(hearing: Decoder, user: SnmpUser, boots: int) -> object:
    octets = v3(user, engine=replace(ENGINE, boots=boots)).octets
    return hearing.heard(Datagram(octets, ADDRESS, (ADDRESS, 162), clock.now()))


def test_a_clock_counts_where_it_is_signed_alone() -> None:
    hearing = Decoder(lambda: {ADDRESS: (teller(OPEN), teller(SIGNED))}, b"\x80ours", 1)
    assert isinstance(hear(hearing, OPEN, boots=9), DecodedTrap)
    assert isinstance(hear(hearing, SIGNED, boots=5), DecodedTrap), "what nobody signed says nothing of the clock"
    assert isinstance(hear(hearing, OPEN, boots=1), DecodedTrap)
    with pytest.raises(Refused, match="older"):
        hear(hearing, SIGNED, boots=4)

"""Who is heard, without a network and without a database."""

from dataclasses import replace
from uuid import uuid4

import pytest

from tests.factories.notifications import ENGINE, v3
from vnfm.devices.errors import Refused
from vnfm.devices.types import SnmpUser
from vnfm.elements.reconcilers.trap_hearing import Heard, Hearing
from vnfm.elements.reconcilers.trap_intake import Datagram
from vnfm.elements.reconcilers.trap_sources import Teller
from vnfm.kit import clock

ADDRESS = "192.0.2.1"
OPEN, SIGNED = SnmpUser("open"), SnmpUser("signed", "SHA-256", "a good password")


def teller(user: SnmpUser) -> Teller:
    return Teller(uuid4(), "ne", True, user, "", False, False, False, None)


def hear(hearing: Hearing, user: SnmpUser, boots: int) -> object:
    octets = v3(user, engine=replace(ENGINE, boots=boots)).octets
    return hearing.heard(Datagram(octets, ADDRESS, (ADDRESS, 162), clock.now()))


def test_a_clock_counts_where_it_is_signed_alone() -> None:
    hearing = Hearing(lambda: {ADDRESS: (teller(OPEN), teller(SIGNED))}, b"\x80ours", 1)
    assert isinstance(hear(hearing, OPEN, boots=9), Heard)
    assert isinstance(hear(hearing, SIGNED, boots=5), Heard), "what nobody signed says nothing of the clock"
    assert isinstance(hear(hearing, OPEN, boots=1), Heard)
    with pytest.raises(Refused, match="older"):
        hear(hearing, SIGNED, boots=4)

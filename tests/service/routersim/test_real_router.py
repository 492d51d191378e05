"""A real router (`tests/support/frr.py`): tables by SNMPv2c and v3, and traps."""

from __future__ import annotations

from gufo.snmp import Aes128Key, Sha1Key, SnmpVersion, User
from gufo.snmp.sync import SnmpSession

from tests.service.routersim.traps import TrapSocket
from tests.support.frr import COMMUNITY, LINK, V3_AUTH, V3_PRIV, V3_USER, FrrRouter, frr, frr_traps
from tests.support.waiting import until

__all__ = ["frr", "frr_traps"]
PEER_STATE = "1.3.6.1.2.1.15.3.1.2"
ESTABLISHED, BACKWARD = "1.3.6.1.2.1.15.0.1", "1.3.6.1.2.1.15.0.2"
LINK_DOWN, LINK_UP = "1.3.6.1.6.3.1.1.5.3", "1.3.6.1.6.3.1.1.5.4"


def v2c(router: FrrRouter) -> SnmpSession:
    return SnmpSession(addr=router.address, community=COMMUNITY, version=SnmpVersion.v2c, timeout=5.0)


def peer_states(router: FrrRouter) -> list[object]:
    with v2c(router) as manager:
        return [value for _, value in manager.getbulk(PEER_STATE)]


def test_bgp_session_traps(frr: FrrRouter, frr_traps: TrapSocket) -> None:
    frr_traps.until(ESTABLISHED, seconds=40)
    until(lambda: peer_states(frr) == [6], "the BGP session")
    frr.drop_neighbour()
    lost = frr_traps.until(BACKWARD, seconds=40)
    assert lost.source == frr.address
    until(lambda: peer_states(frr) != [6], "the loss of the session")
    frr.bring_back_neighbour()
    frr_traps.until(ESTABLISHED, seconds=40)
    until(lambda: peer_states(frr) == [6], "the session again")


def test_link_traps(frr: FrrRouter, frr_traps: TrapSocket) -> None:
    with v2c(frr) as manager:
        names = {value: oid for oid, value in manager.getbulk("1.3.6.1.2.1.31.1.1.1.1")}
        index = names[LINK.encode()].rpartition(".")[2]
        frr.cut_link()
        frr_traps.until(LINK_DOWN, seconds=40)
        until(lambda: manager.get(f"1.3.6.1.2.1.2.2.1.8.{index}") != 1, "the link down")
        frr.mend_link()
        frr_traps.until(LINK_UP, seconds=40)
        until(lambda: manager.get(f"1.3.6.1.2.1.2.2.1.8.{index}") == 1, "the link up")
    until(lambda: peer_states(frr) == [6], "the session after the link")


def test_snmpv3(frr: FrrRouter) -> None:
    user = User(V3_USER, auth_key=Sha1Key(V3_AUTH.encode()), priv_key=Aes128Key(V3_PRIV.encode()))
    with SnmpSession(addr=frr.address, version=SnmpVersion.v3, user=user, timeout=5.0) as manager:
        assert manager.get("1.3.6.1.2.1.1.5.0") == b"frr-1"

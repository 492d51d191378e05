"""Notifications say what has gone down, by their own objects."""

import pytest

from vnfm.elements.domain.trap_losses import Loss, LostBfdSession, LostInterface, LostPeer, loss_of

LINK_DOWN, LINK_UP = "1.3.6.1.6.3.1.1.5.3", "1.3.6.1.6.3.1.1.5.4"
BGP_DOWN, BGP_DOWN_1657, BGP_UP = "1.3.6.1.2.1.15.0.2", "1.3.6.1.2.1.15.7.2", "1.3.6.1.2.1.15.0.1"
BFD_DOWN = "1.3.6.1.2.1.222.0.2"
_IF, _BGP, _BFD = "1.3.6.1.2.1.2.2.1", "1.3.6.1.2.1.15.3.1", "1.3.6.1.2.1.222.1.2.1"


def bfd(address: int | str, *, state: int = 2, if_index: int = 3) -> dict[str, int | str | None]:
    return {f"{_BFD}.13.77": 1, f"{_BFD}.11.77": state, f"{_BFD}.18.77": if_index, f"{_BFD}.22.77": address}


def peer(state: int | None) -> dict[str, int | str | None]:
    return {f"{_BGP}.7.192.0.2.1": "192.0.2.1", f"{_BGP}.14.192.0.2.1": "0x0400", f"{_BGP}.2.192.0.2.1": state}


def port(admin: int, oper: int) -> dict[str, int | str | None]:
    return {f"{_IF}.1.7": 7, f"{_IF}.7.7": admin, f"{_IF}.8.7": oper}


@pytest.mark.parametrize(
    ("oid", "varbinds", "loss"),
    [
        (BGP_DOWN, peer(1), LostPeer("192.0.2.1", "IDLE")),
        (BGP_DOWN_1657, peer(3), LostPeer("192.0.2.1", "ACTIVE")),
        (BGP_DOWN, peer(7), LostPeer("192.0.2.1", "IDLE")),
        (BFD_DOWN, bfd("0xac100165"), LostBfdSession("172.16.1.101", 3)),
        (BFD_DOWN, bfd("ABCD", if_index=0), LostBfdSession("65.66.67.68", None)),
        (BFD_DOWN, bfd("0x20010db8" + "00" * 11 + "01"), LostBfdSession("2001:db8::1", 3)),
        (LINK_DOWN, port(1, 2), LostInterface(7)),
    ],
    ids=["bgp", "RFC 1657", "FRR's clearing", "bfd", "bfd in letters, several hops", "bfd IPv6", "port"],
)
def test_a_notification_that_says_all(oid: str, varbinds: dict[str, int | str | None], loss: Loss) -> None:
    assert loss_of(oid, varbinds) == loss


@pytest.mark.parametrize(
    ("oid", "varbinds"),
    [
        (BGP_UP, peer(6)),
        (BGP_DOWN, peer(6)),
        (BGP_DOWN, peer(None)),
        (BGP_DOWN, {f"{_BGP}.14.192.0.2.1": "0x0000"}),
        (BGP_DOWN, {f"{_BGP}.2.1": 1}),
        (BFD_DOWN, bfd("0xac100165", state=4)),
        (BFD_DOWN, bfd("0xac10")),
        (BFD_DOWN, bfd(5)),
        (BFD_DOWN, {f"{_BFD}.11.77": 2, f"{_BFD}.22.78": "0xac100165"}),
        (LINK_UP, port(1, 1)),
        (LINK_DOWN, port(2, 2)),
        (LINK_DOWN, {f"{_IF}.1.7": 7}),
    ],
)
def test_a_notification_that_does_not(oid: str, varbinds: dict[str, int | str | None]) -> None:
    assert loss_of(oid, varbinds) is None

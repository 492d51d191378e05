"""Drivers on MIB rows that are hard to provoke; the contract tests use real agents."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from vnfm.elements.domain.drivers import (
    DRIVERS,
    bfd,
    bgp4v2,
    driver_for,
    entity,
    generic,
    sros,
    sros_hardware,
    standard,
    vrp,
)
from vnfm.elements.domain.drivers.base import SYS_DESCR, Driver, Reading
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import ObservedEquipment, PrefixCounts

SHELF = "network:192.0.2.1:shelf-1"
NOKIA = "TiMOS-C-13.0.R6 cpm/hops64 Nokia 7750 SR Copyright (c) 2000-2016 Nokia. All rights reserved."
HUAWEI = "Huawei Versatile Routing Platform Software VRP (R) software, Version 8.160 (NE9000 V800R009C10)"
LINUX = "Linux r1 6.1.0-18-amd64 #1 SMP Debian x86_64"


def reading(scalars: Mapping[str, Any] | None = None, **table: Mapping[Any, Any]) -> Reading:
    return Reading("192.0.2.1", scalars or {}, table)


def rows(*columns: tuple[str, Mapping[int, Any]], chassis: tuple[int, ...] = ()) -> Reading:
    table = {name: {(*chassis, index): value for index, value in values.items()} for name, values in columns}
    return Reading("192.0.2.1", {}, table)


def by_fdn(parts: Any) -> dict[str, ObservedEquipment]:
    return {part.fdn.removeprefix(SHELF): part for part in parts}


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
def test_empty_tables_give_empty_parts(driver: Driver) -> None:
    empty = driver.snapshot(reading(), PARTS)
    assert len(empty.equipment or ()) <= 1  # the generic shelf
    assert (empty.interfaces, empty.bgp_peers, empty.facts) == ((), (), ())
    assert driver.snapshot(reading(), ["BGP"]).equipment is None


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.name)
def test_state_columns_belong_to_their_part(driver: Driver) -> None:
    for source in driver.sources.values():
        assert set(source.states) <= set(source.columns)
    assert set(driver.states()) <= set(driver.columns(PARTS))


@pytest.mark.parametrize(
    ("oid", "descr", "chassis", "software"),
    [
        ("1.3.6.1.4.1.6527.1.3.3", NOKIA, "7750 SR", "TiMOS-C-13.0.R6"),
        ("1.3.6.1.4.1.2011.2.62", HUAWEI, "NE9000", "8.160 V800R009C10"),
        ("1.3.6.1.4.1.8072.3.2.10", LINUX, "", "6.1.0-18-amd64"),
        ("1.3.6.1.4.1.6527.1.3.3", "something else", "", ""),
    ],
)
def test_chassis_and_software_from_sysdescr(oid: str, descr: str, chassis: str, software: str) -> None:
    system = driver_for(oid).system({SYS_DESCR: descr.encode()})
    assert (system.chassis_type, system.software_version) == (chassis, software)


def test_the_port_of_a_router_interface_of_sros() -> None:
    port, lag = 35_684_352, 1_342_177_281
    seen = reading(
        **{
            standard.IF_OPER: {(1,): 1, (2,): 2, (3,): 1, (4,): 1, (port,): 2, (lag,): 1},
            standard.IF_NAME: {(2,): b"to-core"},
            standard.IP_OLD_INDEX: {(10, 0, 0, 1): 2},
            standard.IP_OLD_MASK: {(10, 0, 0, 1): "255.255.255.252"},
            sros.ROUTER_IF_PORT: {(1, 1): 0, (1, 2): port, (7, 3): lag, (1, 4): port, (7, 4): lag},
        }
    )
    found = {each.if_index: each for each in sros.interfaces(seen)}
    ports = {index: each.port_if_index for index, each in found.items()}
    assert ports == {1: None, 2: port, 3: lag, 4: None, port: None, lag: None}
    assert found[2].addresses == ("10.0.0.1/30",)


def test_an_empty_slot_of_sros_is_a_provisioned_card() -> None:
    card, cpm, mda = 8 << 24 | 1, 9 << 24 | 11 << 8 | 1, 11 << 24 | 1 << 8 | 2
    seen = rows(
        (sros_hardware.HW_CLASS, {3 << 24 | 1: 3, card: 8, cpm: 9, mda: 11, 7 << 24 | 1: 7}),
        (sros_hardware.HW_NAME, {card: b"Slot 1", cpm: b"Slot A", mda: b"MDA 1/2"}),
        (sros_hardware.HW_ADMIN, {card: 2, cpm: 2, mda: 3}),
        (sros_hardware.HW_OPER, {card: 8, cpm: 2, mda: 9}),
        chassis=(1,),
    )
    parts = by_fdn(sros_hardware.equipment(seen))
    assert set(parts) == {
        "",
        ":cardSlot-1:card",
        ":cardSlot-A:card",
        ":cardSlot-1:card:daughterCardSlot-2:daughterCard",
    }
    dead = parts[":cardSlot-1:card"]
    assert (dead.equipment_class, dead.slot, dead.admin_state, dead.oper_state) == ("CARD", "1", "UP", "PROVISIONED")
    assert parts[":cardSlot-A:card"].equipment_class == "CPM"
    unfit = parts[":cardSlot-1:card:daughterCardSlot-2:daughterCard"]
    assert (unfit.admin_state, unfit.oper_state, unfit.reason) == ("DOWN", "OUT_OF_SERVICE", "unprovisioned")


def test_the_parent_of_a_port_of_sros_follows_from_its_name() -> None:
    names = {1: b"1/2/3", 2: b"A/1", 3: b"lag-1", 4: b"1/1/c1/2"}
    seen = rows(
        (sros_hardware.PORT_NAME, names),
        (sros_hardware.PORT_ADMIN, dict.fromkeys(names, 2)),
        (sros_hardware.PORT_OPER, {1: 3, 2: 2, 4: 2}),
        (sros_hardware.PORT_STATE, {1: 2, 2: 5, 4: 5}),
        chassis=(1,),
    )
    parts = by_fdn(sros_hardware.equipment(seen))
    assert set(parts) == {
        ":cardSlot-1:card:daughterCardSlot-2:daughterCard:port-3",
        ":cardSlot-A:card:port-1",
        ":cardSlot-1:card:daughterCardSlot-1:daughterCard:port-c1/2",
    }
    ghost = parts[":cardSlot-1:card:daughterCardSlot-2:daughterCard:port-3"]
    assert (ghost.oper_state, ghost.if_index) == ("OUT_OF_SERVICE", 1)
    assert ghost.reason.startswith("ghost")


def test_a_port_of_sros_that_is_shut_down_says_so() -> None:
    seen = rows(
        (sros_hardware.PORT_NAME, {1: b"1/1/1", 2: b"1/1/2"}),
        (sros_hardware.PORT_ADMIN, {1: 3, 2: 2}),
        (sros_hardware.PORT_OPER, {1: 3, 2: 3}),
        (sros_hardware.PORT_STATE, {1: 4, 2: 3}),  # linkUp: light, and not in use
        chassis=(1,),
    )
    assert [part.reason for part in sros_hardware.equipment(seen)] == ["administratively down", "link down"]


@pytest.mark.parametrize(
    ("columns", "vrf", "address"),
    [
        ({sros.PEER_STATE: {(1, 1, 4, 192, 0, 2, 9): 6}, sros.ROUTER_NAME: {(1,): b"Base"}}, "", "192.0.2.9"),
        ({sros.PEER_STATE: {(7, 2, 16, *bytes(15), 1): 6}, sros.ROUTER_NAME: {(7,): b"vpn"}}, "vpn", "::1"),
        ({sros.PEER_STATE: {(9, 1, 4, 192, 0, 2, 9): 6}}, "vRouter 9", "192.0.2.9"),
        ({standard.BGP_STATE: {(192, 0, 2, 9): 6}}, "", "192.0.2.9"),
    ],
)
def test_bgp_neighbours_of_sros(columns: Mapping[str, Any], vrf: str, address: str) -> None:
    (peer,) = sros.bgp_peers(Reading("192.0.2.1", {}, columns))
    assert (peer.vrf, peer.peer_address, peer.state) == (vrf, address, "ESTABLISHED")


def tree(parents: Mapping[int, int], classes: Mapping[int, int], positions: Mapping[int, int]) -> Reading:
    return rows((entity.PARENT, parents), (entity.CLASS, classes), (entity.POSITION, positions))


def test_slots_of_entity_mib_are_positions_of_containers() -> None:
    seen = tree(
        {1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 3, 7: 6},
        {1: 3, 2: 5, 3: 9, 4: 10, 5: 6, 6: 9, 7: 10},
        {1: 1, 2: 4, 3: 1, 4: 8, 5: 2, 6: 1, 7: 3},
    )
    parts = by_fdn(vrp.equipment(seen))
    assert parts[":cardSlot-4:card"].slot == "4"
    assert parts[":cardSlot-4:card:port-8"].parent_fdn == f"{SHELF}:cardSlot-4:card"
    assert parts[":powerSupply-2"].equipment_class == "POWER_SUPPLY"
    assert parts[":cardSlot-4:card:daughterCardSlot-1:daughterCard"].equipment_class == "MDA"
    assert ":cardSlot-4:card:daughterCardSlot-1:daughterCard:port-3" in parts


def test_boards_of_vrp() -> None:
    seen = rows(
        (entity.CLASS, {1: 3, 10: 5, 11: 9, 20: 5, 21: 9}),
        (entity.PARENT, {1: 0, 10: 1, 11: 10, 20: 1, 21: 20}),
        (entity.POSITION, {1: 1, 10: 1, 11: 1, 20: 17, 21: 1}),
        (entity.NAME, {11: b"LPU Board 1", 21: b"MPU Board 17"}),
        (vrp.ADMIN, {11: 4, 21: 4}),
        (vrp.OPER, {1: 1, 11: 4, 21: 3}),
        (vrp.STANDBY, {11: 1, 21: 4}),
    )
    parts = by_fdn(vrp.equipment(seen))
    assert (parts[""].oper_state, parts[":cardSlot-1:card"].oper_state) == ("IN_SERVICE", "BOOTING")
    assert parts[":cardSlot-17:card"].equipment_class == "CPM"
    (fact,) = vrp.facts(seen)
    assert (fact.name, fact.subject, fact.value) == ("redundancy", f"{SHELF}:cardSlot-17:card", "providingService")
    (fact,) = vrp.facts(replace(seen, table={**seen.table, vrp.STANDBY: {(11,): 1, (21,): 9}}))
    assert fact.value == "unknown", "a number that the MIB does not have"


def test_a_bfd_session_whose_state_is_not_answered_is_unknown() -> None:
    for adjacencies, address, octets in (
        (bfd.adjacencies, bfd.STD_ADDRESS, b"\xc0\x00\x02\x09"),
        (bfd.vrp_adjacencies, bfd.VRP_ADDRESS, "192.0.2.9"),
    ):
        (session,) = adjacencies(rows((address, {1: octets})))
        assert (session.remote_address, session.state) == ("192.0.2.9", "UNKNOWN")


def test_a_router_without_entity_mib_is_a_shelf_with_its_ethernet_ports() -> None:
    seen = rows(
        (standard.IF_TYPE, {1: 24, 2: 6}),
        (standard.IF_NAME, {1: b"lo", 2: b"eth0"}),
        (standard.IF_ADMIN, {1: 1, 2: 1}),
        (standard.IF_OPER, {1: 1, 2: 7}),
    )
    parts = by_fdn(generic.equipment(seen))
    assert set(parts) == {"", ":port-2"}
    assert (parts[":port-2"].name, parts[":port-2"].oper_state) == ("eth0", "OUT_OF_SERVICE")


def test_interfaces_with_speed_and_addresses_of_both_tables() -> None:
    seen = Reading(
        "192.0.2.1",
        {},
        {
            standard.IF_OPER: {(7,): 1, (8,): 6},
            standard.IF_ADMIN: {(7,): 1, (8,): 2},
            standard.IF_SPEED: {(7,): 4_294_967_295, (8,): 1_000_000},
            standard.IF_HIGH_SPEED: {(7,): 100_000, (8,): 1},
            standard.IF_MAC: {(7,): b"\x02\x00\x5e\x00\x00\x01", (8,): b""},
            standard.IP_OLD_INDEX: {(192, 0, 2, 1): 7},
            standard.IP_OLD_MASK: {(192, 0, 2, 1): "255.255.255.252"},
            standard.IP_INDEX: {(2, 16, *bytes(15), 1): 7, (16, 3, 1, 2, 3): 7},
            standard.IP_PREFIX: {(2, 16, *bytes(15), 1): "1.3.6.1.2.1.4.32.1.5.7.2.16.64"},
        },
    )
    up, absent = standard.interfaces(seen)
    assert (up.speed, up.mac, up.addresses) == (100_000_000_000, "02:00:5e:00:00:01", ("192.0.2.1/30", "::1/64"))
    assert (absent.speed, absent.admin, absent.oper, absent.mac) == (1_000_000, "DOWN", "NOT_PRESENT", "")


V4, V6, OTHER = (1, 4, 192, 0, 2, 1), (2, 16, *bytes.fromhex("20010db8000000000000000000000001")), (1, 4, 192, 0, 2, 9)


def test_vrp_has_peers_of_all_vpn_instances_and_both_families_each_once() -> None:
    base, vpnv4, red = (0, 1, 1, *V4), (0, 1, 128, *V4), (7, 2, 1, *V6)
    seen = Reading(
        "192.0.2.100",
        {},
        {
            standard.BGP_STATE: {V4[2:]: 3, OTHER[2:]: 6},
            standard.BGP_ADMIN: {V4[2:]: 1, OTHER[2:]: 2},
            standard.BGP_REMOTE_AS: {V4[2:]: 65001, OTHER[2:]: 65009},
            vrp.PEER_VRF: {base: b"Public", red: b"red"},
            vrp.PEER_AS: {base: 65001, vpnv4: 65001, red: 65002},
            vrp.PEER_STATE: {base: 3, vpnv4: 3, red: 6, (9, 1, 1, 7, 7): 6},
            vrp.PEER_ADMIN: {red: 2},
        },
    )
    assert {
        (peer.vrf, peer.peer_address): (peer.remote_as, peer.admin_state, peer.state) for peer in vrp.bgp_peers(seen)
    } == {
        ("", "192.0.2.1"): (65001, "DOWN", "ACTIVE"),
        ("red", "2001:db8::1"): (65002, "UP", "ESTABLISHED"),
        ("", "192.0.2.9"): (65009, "UP", "ESTABLISHED"),
    }
    assert len(vrp.bgp_peers(seen)) == 3


def test_bgp_peers_by_family_of_bgp4v2() -> None:
    """The peers are of two instances; a peer that BGP4-MIB has, too, is listed once, one that only that has as well."""
    v4, v6 = (1, 1, 4, 192, 0, 2, 9), (5, 2, 16, 0x20, 1, 0x0D, 0xB8, *(0,) * 11, 1)
    seen = reading(
        **{
            bgp4v2.PEER_STATE: {v4: 6, v6: 1},
            bgp4v2.PEER_ADMIN: {v4: 2, v6: 2},
            bgp4v2.PEER_AS: {v4: 65009, v6: 4_200_000_000},
            bgp4v2.TRANSITIONS: {v4: 3, v6: 2},
            bgp4v2.CODE_OUT: {v6: 4},
            bgp4v2.SUBCODE_OUT: {v6: 0},
            bgp4v2.TEXT_IN: {v4: b"Cease/Administrative Reset"},
            bgp4v2.PREFIXES_ACCEPTED: {(*v4, 1, 1): 7, (*v4, 1, 128): 2, (*v6, 2, 1): 0},
            bgp4v2.PREFIXES_OUT: {(*v4, 1, 1): 1},
            bgp4v2.INSTANCE_NAME: {(5,): b"red"},
            standard.BGP_STATE: {(192, 0, 2, 9): 6, (192, 0, 2, 8): 1},
            standard.BGP_ADMIN: {(192, 0, 2, 8): 2},
            standard.BGP_LAST_ERROR: {(192, 0, 2, 8): b"\x06\x02"},
            standard.BGP_TRANSITIONS: {(192, 0, 2, 8): 1},
        }
    )
    first, second, third = bgp4v2.bgp_peers(seen)
    assert (first.vrf, first.peer_address, first.flaps) == ("", "192.0.2.9", 2)
    assert first.last_error == "Cease/Administrative Reset"
    assert first.families == (PrefixCounts("IPv4 unicast", None, 7, 1), PrefixCounts("IPv4 VPN", None, 2, None))
    assert (second.vrf, second.peer_address, second.remote_as) == ("red", "2001:db8::1", 4_200_000_000)
    assert (second.flaps, second.last_error) == (2, "Hold timer expired")
    assert (third.peer_address, third.flaps, third.last_error) == ("192.0.2.8", 1, "Cease: administrative shutdown")

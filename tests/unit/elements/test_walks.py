"""Walks of real routers (tests/fixtures/walks): what is in them is right, alarms included, or omitted by name."""

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from tests.support.walks import SHELF, faults_of, reading_of, rows_of, snapshot_of
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import ObservedEquipment, PrefixCounts, Snapshot
from vnfm.faults.domain.fault_type import Severity

ENTITY = "1.3.6.1.2.1.47.1.1.1.1"
VRP_OPER, VRP_ADMIN = "1.3.6.1.4.1.2011.5.25.31.1.1.1.1.2", "1.3.6.1.4.1.2011.5.25.31.1.1.1.1.1"
ALIAS = "1.3.6.1.2.1.47.1.3.2.1.2"
HW = "1.3.6.1.4.1.6527.3.1.2.2.1.8.1"


def parts_of(snapshot: Snapshot) -> dict[str, ObservedEquipment]:
    return {part.fdn.removeprefix(SHELF): part for part in snapshot.equipment or ()}


def without(rows: dict[str, Any], *prefixes: str) -> dict[str, Any]:
    return {oid: value for oid, value in rows.items() if not oid.startswith(prefixes)}


PORTS = {":cardSlot-0:card:port-1": "IN_SERVICE", ":cardSlot-0:card:port-2": "OUT_OF_SERVICE"}


@pytest.mark.parametrize("by_name", [False, True], ids=["by entAliasMappingIdentifier", "by name"])
def test_the_state_of_a_port_of_vrp_is_that_of_its_interface(*, by_name: bool) -> None:
    rows = rows_of("vrp-port-state")
    _, snapshot = snapshot_of(without(rows, ALIAS) if by_name else rows)
    ports = {part.slot: part for part in snapshot.equipment or () if part.equipment_class == "PORT"}
    assert {slot: (port.admin_state, port.oper_state) for slot, port in ports.items()} == {
        "1": ("UP", "IN_SERVICE"),
        "2": ("UP", "OUT_OF_SERVICE"),
        "3": ("UP", "OUT_OF_SERVICE"),
        "4": ("DOWN", "OUT_OF_SERVICE"),
    }
    assert ports["2"].reason == "the equipment table says in service, the interface counts"
    assert ports["3"].reason == "", "the two agree"
    assert ports["4"].reason == "administratively down"
    faults = faults_of(snapshot)
    assert {key.rpartition(":")[2] for key in faults} == {"port-2", "port-3"}
    assert {fault.key.fault_type for fault in faults.values()} == {"PortDown"}


def test_ports_of_vrp_without_an_entity_table_come_from_if_mib() -> None:
    _, snapshot = snapshot_of(without(rows_of("vrp-port-state"), ENTITY, VRP_ADMIN, VRP_OPER, ALIAS))
    ports = [part for part in snapshot.equipment or () if part.equipment_class == "PORT"]
    assert [port.oper_state for port in ports] == ["IN_SERVICE", *["OUT_OF_SERVICE"] * 3]
    assert list(faults_of(snapshot)) == ["PortDown :port-7", "PortDown :port-8"]


def test_an_interface_without_a_state_leaves_a_port_that_of_the_equipment_table() -> None:
    rows = without(rows_of("vrp-port-state"), "1.3.6.1.2.1.2.2.1.8.")
    _, snapshot = snapshot_of(rows)
    ports = [part.oper_state for part in snapshot.equipment or () if part.equipment_class == "PORT"]
    assert ports == ["IN_SERVICE", "IN_SERVICE", "OUT_OF_SERVICE", "OUT_OF_SERVICE"]
    assert [each.oper for each in snapshot.interfaces or ()] == ["UNKNOWN"] * 4, "listed all the same"


def test_parts_with_one_position_have_the_numbers_on_the_front_of_the_router() -> None:
    _, snapshot = snapshot_of(rows_of("entity-same-position"))
    parts = parts_of(snapshot)
    assert {fdn: part.name for fdn, part in parts.items() if ":" in fdn} == {
        ":powerSupply-11": "POWER 11",
        ":powerSupply-12": "POWER 12",
        ":fan-13": "FAN 13",
        ":fan-14": "FAN 14",
        ":cardSlot-8:card": "LPU 8",
        ":cardSlot-8:card:port-0": "GigabitEthernet8/0/0",
        ":cardSlot-8:card:port-1": "GigabitEthernet8/0/1",
    }
    assert list(faults_of(snapshot)) == ["EquipmentDown :powerSupply-12"]
    assert [str(line.reason) for line in snapshot.omissions] == [
        "5 rows of the class container are no parts of the equipment tree."
    ]


def test_no_part_is_dropped_where_nothing_distinguishes_two() -> None:
    """No containers, one position and one name: the second gets a suffix, with what is in it."""
    chassis, first, second, port = 1, 10, 11, 12
    columns: dict[int, dict[int, Any]] = {
        5: {chassis: 3, first: 9, second: 9, port: 10},
        4: {chassis: 0, first: chassis, second: chassis, port: second},
        6: {chassis: 1, first: 1, second: 1, port: 1},
        7: {chassis: b"chassis", first: b"module", second: b"module", port: b"port"},
    }
    rows = {f"{ENTITY}.{column}.{index}": value for column, of in columns.items() for index, value in of.items()}
    assert list(parts_of(snapshot_of(rows)[1])) == [
        "",
        ":cardSlot-1:card",
        ":cardSlot-1:card.11",
        ":cardSlot-1:card.11:port-1",
    ]


def test_64_ports_with_one_position_are_numbered_by_their_names() -> None:
    """As Cumulus and others have them; and a transceiver in each, which no table of ours has a class for."""
    rows: dict[str, Any] = {f"{ENTITY}.5.1": 3, f"{ENTITY}.5.2": 9, f"{ENTITY}.4.2": 1, f"{ENTITY}.6.2": 1}
    for n in range(1, 65):
        port, plug = 100 + n, 200 + n
        rows |= {f"{ENTITY}.5.{port}": 10, f"{ENTITY}.4.{port}": 2, f"{ENTITY}.6.{port}": -1}
        rows |= {f"{ENTITY}.7.{port}": b"Ethernet1/%d" % n}
        rows |= {f"{ENTITY}.5.{plug}": 9, f"{ENTITY}.4.{plug}": port, f"{ENTITY}.6.{plug}": 1}
    parts = parts_of(snapshot_of(rows)[1])
    assert len(parts) == 2 + 2 * 64
    assert parts[":cardSlot-1:card:port-1/63"].name == "Ethernet1/63"
    assert parts[":cardSlot-1:card:port-1/63:module-1"].equipment_class == "OTHER"


def test_a_module_without_chassis_and_entities_in_a_circle_are_parts() -> None:
    classes = {1: 9, 2: 9, 3: 9, 4: 31, 5: 8, 6: 8}
    parents = {1: 2, 2: 1, 3: 0, 4: 3, 5: 3, 6: 3}
    rows: dict[str, Any] = {f"{ENTITY}.5.{index}": value for index, value in classes.items()}
    rows |= {f"{ENTITY}.4.{index}": value for index, value in parents.items()}
    rows |= {f"{ENTITY}.6.{index}": index for index in classes}
    _, snapshot = snapshot_of(rows)
    parts = parts_of(snapshot)
    assert parts[""].name == "Chassis"
    assert parts[":cardSlot-3:card:part-4"].equipment_class == "OTHER", "of a class that is not known yet"
    assert len(parts) == 5
    assert [line.reason for line in snapshot.omissions] == [
        "2 rows of the class sensor are no parts of the equipment tree."
    ]


def test_slots_that_hold_nothing_are_no_faults() -> None:
    _, snapshot = snapshot_of(rows_of("sros-empty-slots"))
    parts = parts_of(snapshot)
    assert {parts[f":cardSlot-{slot}:card"].oper_state for slot in "3456"} == {"EMPTY"}
    ((key, fault),) = faults_of(snapshot).items()
    assert key == "CardDown :cardSlot-1:card:daughterCardSlot-2:daughterCard"
    assert fault.severity == Severity.MAJOR


def test_a_recorded_frr_with_net_snmp() -> None:
    system, snapshot = snapshot_of(rows_of("frr-net-snmp"))
    assert (system.sys_name, system.software_version, system.uptime) == ("frr-1", "6.12.0-1-amd64", 15.04)
    parts = parts_of(snapshot)
    assert {fdn: (part.name, part.oper_state) for fdn, part in parts.items()} == {
        "": ("Chassis", "IN_SERVICE"),
        ":port-2": ("mgmt", "IN_SERVICE"),
        ":port-3": ("to-neighbour", "IN_SERVICE"),
    }
    assert {each.name: (each.oper, each.mac, each.addresses) for each in snapshot.interfaces or ()} == {
        "lo": ("UP", "", ("127.0.0.1/8", "::1/128")),
        "mgmt": ("UP", "00:00:5e:00:53:02", ("203.0.113.2/30", "fe80::200:5eff:fe00:5302/64")),
        "to-neighbour": (
            "UP",
            "00:00:5e:00:53:03",
            ("198.51.100.1/30", "2001:db8:1::1/64", "fe80::200:5eff:fe00:5303/64"),
        ),
    }
    assert [(each.peer_address, each.families, each.flaps, each.last_error) for each in snapshot.bgp_peers or ()] == [
        ("198.51.100.2", (PrefixCounts("IPv4 unicast", 1, 1, 2),), 0, ""),
        ("2001:db8:1::2", (PrefixCounts("IPv6 unicast", 2, 2, 4),), 0, ""),
    ], "neither was lost: the words without a code are no errors"
    assert {(each.state, each.remote_as) for each in snapshot.bgp_peers or ()} == {("ESTABLISHED", 65002)}
    assert [
        (each.protocol, each.local_port, each.remote_address, each.state) for each in snapshot.adjacencies or ()
    ] == [
        ("OSPF", "to-neighbour", "198.51.100.2", "FULL"),
        ("BFD", "to-neighbour", "198.51.100.2", "UP"),
    ]
    assert (snapshot.omissions, faults_of(snapshot)) == ((), {})


def test_frr_lost_a_session_without_a_notification() -> None:
    """Its words say why although there is no code, as of BFD."""
    row = "1.3.6.1.3.5.1.1.{}.1.1.4.198.51.100.2"
    rows = rows_of("frr-net-snmp") | {row.format("2.1.13"): 3, row.format("3.1.4"): b"BFD down received"}
    peer = (snapshot_of(rows)[1].bgp_peers or ())[0]
    assert (peer.state, peer.flaps, peer.last_error) == ("ACTIVE", 1, "BFD down received")


def without_entities(rows: dict[str, Any]) -> dict[str, Any]:
    return without(rows, ENTITY, "1.3.6.1.2.1.131.")


@pytest.mark.parametrize("change", [dict, without_entities], ids=["by ENTITY-MIB", "a shelf"])
def test_cages_without_a_transceiver_are_no_faults(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    _, snapshot = snapshot_of(change(rows_of("generic-empty-cages")))
    parts = parts_of(snapshot)
    states = ["EMPTY", "IN_SERVICE", "OUT_OF_SERVICE"]
    assert [parts[f":port-{number}"].oper_state for number in (1, 2, 3)] == states
    assert [each.oper for each in snapshot.interfaces or ()] == ["NOT_PRESENT", "UP", "DOWN"]
    assert list(faults_of(snapshot)) == ["PortDown :port-3"]


@pytest.mark.parametrize(
    ("name", "descr", "model", "oper", "expected"),
    [
        (b"Slot 3", b"Empty slot", b"", 2, "EMPTY"),
        (b"PSU 2", b"not present", b"", 1, "EMPTY"),
        (b"PSU 2", b"Power Supply", b"PWR-1100", 2, "OUT_OF_SERVICE"),
        (b"PSU 2", b"not present in inventory", b"PWR-1100", 2, "OUT_OF_SERVICE"),
        (b"Slot 3", b"Empty slot", b"", 3, "IN_SERVICE"),
    ],
)
def test_slots_of_entity_state_mib_that_hold_nothing(
    name: bytes, descr: bytes, model: bytes, oper: int, expected: str
) -> None:
    rows: dict[str, Any] = {f"{ENTITY}.5.1": 3, f"{ENTITY}.5.2": 6, f"{ENTITY}.4.2": 1, f"{ENTITY}.6.2": 2}
    rows |= {f"{ENTITY}.7.2": name, f"{ENTITY}.2.2": descr, f"{ENTITY}.13.2": model}
    rows |= {"1.3.6.1.2.1.131.1.1.1.3.2": oper}
    assert parts_of(snapshot_of(rows)[1])[":powerSupply-2"].oper_state == expected


def test_a_board_of_vrp_that_is_absent_is_an_empty_slot() -> None:
    rows = rows_of("vrp-names") | {f"{VRP_OPER}.17000401": 19}
    _, snapshot = snapshot_of(rows)
    assert parts_of(snapshot)[":cardSlot-4:card"].oper_state == "EMPTY"
    assert faults_of(snapshot) == {}


@pytest.mark.parametrize("form", ["as recorded", "as the MIB has it", "without instance", "neither"])
def test_bgp_sessions_of_frr_whatever_the_form_of_their_index(form: str) -> None:
    """FRR since 9.1, the MIB, FRR before 9.1, and the last thing an agent could leave out."""
    peers = {"1.192.0.2.1": 4, "2.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1": 16}
    rows: dict[str, Any] = {}
    for oid, value in rows_of("frr-bgp4v2-index").items():
        for peer, size in peers.items():
            if oid.startswith("1.3.6.1.3.5.") and oid.endswith(f".1.{peer}"):
                kind, _, octets = peer.partition(".")
                length = f".{size}" if form in ("as the MIB has it", "without instance") else ""
                instance = "1." if form in ("as recorded", "as the MIB has it") else ""
                oid = f"{oid.removesuffix(f'1.{peer}')}{instance}{kind}{length}.{octets}"  # noqa: PLW2901 - rewritten
        rows[oid] = value
    _, snapshot = snapshot_of(rows)
    assert [(peer.vrf, peer.peer_address, peer.remote_as, peer.state) for peer in snapshot.bgp_peers or ()] == [
        ("", "192.0.2.1", 65001, "ESTABLISHED"),
        ("", "2001:db8::1", 65002, "ACTIVE"),
    ]
    assert [fault.resource_name for fault in faults_of(snapshot).values()] == ["ne peer 2001:db8::1"]
    assert snapshot.omissions == ()


@pytest.mark.parametrize("object_id", ["1.3.6.1.4.1.44641", "1.3.6.1.4.1.40310", "1.3.6.1.4.1.9.1.1709"])
def test_other_products_with_bgp4v2_mib_have_ipv6_sessions_too(object_id: str) -> None:
    """VyOS, Cumulus, and one that is not known to run FRR."""
    _, snapshot = snapshot_of(rows_of("frr-bgp4v2-index") | {"1.3.6.1.2.1.1.2.0": object_id})
    assert [peer.peer_address for peer in snapshot.bgp_peers or ()] == ["192.0.2.1", "2001:db8::1"]


def test_bgp_rows_without_an_address_are_listed_as_left_out() -> None:
    rows = rows_of("frr-bgp4v2-index") | {"1.3.6.1.3.5.1.1.2.1.13.1.16.3.1.2.3": 6}
    _, snapshot = snapshot_of(rows)
    assert len(snapshot.bgp_peers or ()) == 2
    assert [(line.table, line.index, line.reason) for line in snapshot.omissions] == [
        ("bgp4V2PeerTable", "1.16.3.1.2.3", "Its index has no IPv4 or IPv6 address.")
    ]


def test_vrp_has_the_history_and_the_prefixes_of_a_bgp_session() -> None:
    _, snapshot = snapshot_of(rows_of("bgp-history"))
    (peer,) = snapshot.bgp_peers or ()
    assert (peer.vrf, peer.peer_address, peer.state, peer.remote_as) == ("", "192.0.2.2", "ESTABLISHED", 65000)
    assert (peer.flaps, peer.last_error, peer.established_seconds) == (95, "Cease: hard reset", 613_583)
    assert peer.families == (PrefixCounts("IPv4 unicast", 329, 97, 119), PrefixCounts("IPv4 VPN", 328, 321, 7))


@pytest.mark.parametrize("table", ["1.3.6.1.2.1.15.", "1.3.6.1.4.1.2011.5.25.177.1.1.2.1."])
def test_a_merge_of_two_tables_of_bgp_loses_no_value_that_one_has(table: str) -> None:
    rows = rows_of("bgp-history")
    history = (f"{table}3.1.14.", f"{table}3.1.15.", f"{table}3.1.16.", *(f"{table}{n}." for n in (6, 7, 9, 11)))
    (peer,) = snapshot_of(without(rows, *history))[1].bgp_peers or ()
    assert (peer.admin_state, peer.flaps, peer.last_error) == ("UP", 95, "Cease: hard reset")
    assert peer.established_seconds in (613_583, 613_584)


def test_sros_has_the_history_and_the_prefixes_of_a_bgp_session() -> None:
    """Flaps and timer of BGP4-MIB (base instance, IPv4); last error and prefixes of its own tables, of all."""
    own = "1.3.6.1.4.1.6527.3.1.2.14.4"
    base, vpn = "1.1.4.192.0.2.2", "7.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1"
    rows: dict[str, Any] = {
        "1.3.6.1.2.1.1.2.0": "1.3.6.1.4.1.6527.1.3.17",
        "1.3.6.1.4.1.6527.3.1.2.3.1.1.4.1": b"Base",
        "1.3.6.1.4.1.6527.3.1.2.3.1.1.4.7": b"red",
        "1.3.6.1.2.1.15.3.1.2.192.0.2.2": 6,
        "1.3.6.1.2.1.15.3.1.14.192.0.2.2": b"\x04\x00",
        "1.3.6.1.2.1.15.3.1.15.192.0.2.2": 3,
        "1.3.6.1.2.1.15.3.1.16.192.0.2.2": 77,
    }
    for peer, state in ((base, 6), (vpn, 3)):
        rows |= {f"{own}.7.1.59.{peer}": state, f"{own}.7.1.6.{peer}": 2, f"{own}.7.1.66.{peer}": 65002}
        rows |= {f"{own}.8.1.{n}.{peer}": 0 for n in (5, 6, 7, 13, 14, 15, 27, 28, 29)}
    rows |= {f"{own}.8.1.5.{base}": 329, f"{own}.8.1.7.{base}": 97, f"{own}.8.1.6.{base}": 119}
    rows |= {f"{own}.8.1.13.{base}": 328, f"{own}.10.1.11.{vpn}": b"\x06\x02"}
    first, second = snapshot_of(rows)[1].bgp_peers or ()
    assert (first.peer_address, first.flaps, first.established_seconds) == ("192.0.2.2", 2, 77)
    assert first.last_error == "Hold timer expired"
    assert first.families == (PrefixCounts("IPv4 unicast", 329, 97, 119), PrefixCounts("IPv4 VPN", 328, 0, 0))
    assert (second.vrf, second.peer_address, second.last_error) == (
        "red",
        "2001:db8::1",
        "Cease: administrative shutdown",
    )
    assert second.families == (PrefixCounts("IPv6 unicast", 0, 0, 0),)


def test_xioms_power_shelves_and_satellites_are_parts_with_parents() -> None:
    _, snapshot = snapshot_of(rows_of("sros-xiom-and-shelves"))
    parts = parts_of(snapshot)
    xiom = ":cardSlot-1:card:xiomSlot-x1:xiom"
    port = f"{xiom}:daughterCardSlot-1:daughterCard:port-c2/1"
    assert set(parts) == {
        "",
        ":cardSlot-1:card",
        ":powerShelf-1",
        ":powerShelfController-1",
        ":cpmCarrier-1",
        xiom,
        port,
        ":esat-1",
        ":esat-1:port-1/1",
    }
    assert {part.parent_fdn for part in parts.values()} - {part.fdn for part in parts.values()} == {
        SHELF.rpartition(":")[0]
    }
    assert (parts[xiom].equipment_class, parts[xiom].slot, parts[port].parent_fdn) == ("CARD", "1/x1", SHELF + xiom)
    assert parts[":powerShelfController-1"].oper_state == "IN_SERVICE"
    assert parts[":esat-1"].oper_state == "UNKNOWN"
    faults = faults_of(snapshot)
    assert set(faults) == {f"CardDown {xiom}", "EquipmentDown :powerShelf-1", f"PortDown {port}"}
    assert faults[f"PortDown {port}"].root == faults[f"CardDown {xiom}"].key


def test_hardware_of_sros_of_a_class_that_is_not_known_is_a_part_with_an_alarm() -> None:
    rows = rows_of("sros-xiom-and-shelves")
    for index, name in ((1_000_000_001, b"Coolant pump 2"), (1_000_000_002, b"Coolant pump 2")):
        rows |= {f"{HW}.7.1.{index}": 99, f"{HW}.8.1.{index}": name, f"{HW}.15.1.{index}": 2, f"{HW}.16.1.{index}": 5}
    rows |= {f"{HW}.7.1.7": 7, f"{HW}.7.1.8": 12}
    _, snapshot = snapshot_of(rows)
    assert parts_of(snapshot)[":hardware-99-2"].name == "Coolant pump 2"
    alarms = {key for key in faults_of(snapshot) if "99" in key}
    assert alarms == {"EquipmentDown :hardware-99-2", "EquipmentDown :hardware-99-2.1000000002"}
    assert [line.reason.partition(" are")[0] for line in snapshot.omissions] == [
        "1 rows of the class flashDiskModule",
        "1 rows of the class sensor",
    ]


def test_mdas_in_an_xiom_hang_on_it() -> None:
    rows = rows_of("sros-xiom-and-shelves")
    rows |= {f"{HW}.7.1.5": 11, f"{HW}.8.1.5": b"MDA 1/x1/1", f"{HW}.15.1.5": 2, f"{HW}.16.1.5": 3}
    _, snapshot = snapshot_of(rows)
    mda = ":cardSlot-1:card:xiomSlot-x1:xiom:daughterCardSlot-1:daughterCard"
    assert parts_of(snapshot)[mda].slot == "1/x1/1"
    assert parts_of(snapshot)[f"{mda}:port-c2/1"].parent_fdn == SHELF + mda
    down = faults_of(snapshot)["CardDown :cardSlot-1:card:xiomSlot-x1:xiom"]
    assert down.details[-1] == "Down with it: MDA 1/x1/1."


def test_names_of_vrp_and_its_control_boards() -> None:
    system, snapshot = snapshot_of(rows_of("vrp-names"))
    assert (system.chassis_type, system.software_version) == ("NetEngine 8000 M8", "8.200 V800R012C10SPC300")
    boards = {part.name: part.equipment_class for part in snapshot.equipment or () if part.equipment_class != "CHASSIS"}
    assert boards == {"SRU 9": "CPM", "CE-MPUA 1/5": "CPM", "IPU 10": "CPM", "LPU 1": "CARD"}
    assert [(fact.name, fact.value) for fact in snapshot.facts or ()] == [
        ("redundancy", "providingService"),
        ("redundancy", "hotStandby"),
        ("redundancy", "providingService"),
    ]


def test_a_board_with_a_state_of_redundancy_is_a_control_board_whatever_its_name() -> None:
    rows = rows_of("vrp-names") | {"1.3.6.1.4.1.2011.5.25.31.1.1.1.1.3.17000401": 2}
    rows |= {f"{ENTITY}.7.17000301": b"CR5SFUFA 3", f"{ENTITY}.2.17000301": b"Switch Fabric Unit"}
    boards = {part.name: part.equipment_class for part in snapshot_of(rows)[1].equipment or ()}
    assert (boards["LPU 1"], boards["CR5SFUFA 3"]) == ("CPM", "FABRIC")


def test_texts_are_readable_and_without_control_characters() -> None:
    _, snapshot = snapshot_of(rows_of("snmp-texts"))
    assert [each.alias for each in snapshot.interfaces or ()] == ["教科网IPv4", r"core\x08\x07\x1b[31m link"]


WALKS = (
    "bgp-history",
    "entity-same-position",
    "frr-bgp4v2-index",
    "frr-net-snmp",
    "generic-empty-cages",
    "snmp-repeated-row",
    "sros-empty-slots",
    "sros-xiom-and-shelves",
    "vrp-names",
    "vrp-port-state",
)


@pytest.mark.parametrize("name", WALKS)
def test_a_row_with_half_an_index_costs_only_itself(name: str) -> None:
    """Half an index in each column, and values of the wrong type: all that was read stays, and no part fails."""
    rows = rows_of(name)
    _, expected = snapshot_of(rows)
    driver, reading = reading_of(rows)
    for values in reading.table.values():
        values[()] = b"\xff"
        values[(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)] = -(2**70)
        values[(-1, 999)] = None
    found = driver.snapshot(reading, PARTS)
    for part in ("equipment", "interfaces", "bgp_peers", "facts"):
        assert set(map(repr, getattr(expected, part))) <= set(map(repr, getattr(found, part)))
    assert found.adjacencies is not None
    assert len(found.omissions) > len(expected.omissions)


def test_long_names_are_cut_before_they_identify_a_row() -> None:
    """Two polls of one answer must name the same rows, although the columns are shorter than what a router may say."""
    long = b"x" * 1000
    rows: dict[str, Any] = {f"{LLDP}.7.0.1.1": long, f"{LLDP}.7.0.1.2": long + b"y", f"{LLDP}.5.0.1.1": b"\x80" * 300}
    rows |= {"1.3.6.1.2.1.1.2.0": "1.3.6.1.4.1.6527.1.3.17", "1.3.6.1.4.1.6527.3.1.2.3.1.1.4.7": long}
    rows |= {"1.3.6.1.4.1.6527.3.1.2.14.4.7.1.59.7.1.4.192.0.2.9": 6}
    rows |= {f"1.3.6.1.4.1.6527.3.1.2.2.4.2.1.6.1.{n}": b"1/1/" + long for n in (1, 2)}
    _, snapshot = snapshot_of(rows)
    assert [line.reason for line in snapshot.omissions] == ["Its name is too long for that of a port."] * 2
    assert [len(each.remote_port) for each in snapshot.adjacencies or ()] == [255, 255]
    assert [len(each.vrf) for each in snapshot.bgp_peers or ()] == [100]


def test_a_peer_or_neighbour_whose_state_is_not_answered_is_there_in_an_unknown_state() -> None:
    rows = rows_of("bgp-history") | {"1.3.6.1.2.1.15.3.1.9.192.0.2.77": 65077}
    rows |= {"1.3.6.1.2.1.14.10.1.3.192.0.2.78.0": "192.0.2.1"}
    snapshot = snapshot_of(rows)[1]
    assert snapshot.omissions == ()
    (peer,) = (each for each in snapshot.bgp_peers or () if each.peer_address == "192.0.2.77")
    assert (peer.state, peer.remote_as) == ("UNKNOWN", 65077)
    assert [(each.protocol, each.remote_address, each.state) for each in snapshot.adjacencies or ()] == [
        ("OSPF", "192.0.2.78", "UNKNOWN")
    ]


def test_a_row_without_the_column_that_makes_it_one_is_listed() -> None:
    rows = rows_of("bgp-history") | {"1.3.6.1.2.1.15.3.1.14.192.0.2.77": b"\x06\x02"}
    (line,) = snapshot_of(rows)[1].omissions
    assert (line.table, line.index) == ("bgpPeerTable", "192.0.2.77")
    assert line.reason == "It is not whole: it has no column 2, 9, without which it is unusable."


def test_many_rows_that_are_left_out_for_one_reason_are_one_line() -> None:
    rows: dict[str, Any] = {f"1.3.6.1.2.1.15.3.1.2.{n}": 6 for n in range(5_000)}
    (line,) = snapshot_of(rows)[1].omissions
    assert (line.table, line.index) == ("bgpPeerTable", "")
    assert line.reason == "5000 rows, as 0: Its index has no IPv4 or IPv6 address."


def test_an_address_mask_that_is_none_costs_the_address() -> None:
    rows = rows_of("snmp-repeated-row") | {
        "1.3.6.1.2.1.4.20.1.2.192.0.2.9": 1,
        "1.3.6.1.2.1.4.20.1.3.192.0.2.9": "255.0.255.0",
        "1.3.6.1.2.1.4.20.1.2.192.0.2.17": 1,
        "1.3.6.1.2.1.4.20.1.3.192.0.2.17": "0.0.0.255",
    }
    _, snapshot = snapshot_of(rows)
    first, _ = snapshot.interfaces or ()
    assert first.addresses == ("192.0.2.1", "2001:db8::1")
    assert {(line.table, line.index, line.reason) for line in snapshot.omissions} == {
        ("ipAddrTable", "192.0.2.9", "255.0.255.0 is not an address mask."),
        ("ipAddrTable", "192.0.2.17", "0.0.0.255 is not an address mask."),
    }
    assert len(faults_of(snapshot)) == 1


@pytest.mark.parametrize(
    ("index", "address"),
    [
        ((1, 4, 192, 0, 2, 1), "192.0.2.1"),
        ((1, 192, 0, 2, 1), "192.0.2.1"),
        ((3, 8, 192, 0, 2, 1, 0, 0, 0, 3), "192.0.2.1"),
        ((1, 8, 192, 0, 2, 1, 0, 0, 0, 3), "192.0.2.1"),
        ((2, 16, *bytes.fromhex("fe80000000000000" + "0" * 15 + "1")), "fe80::1"),
        ((4, 20, *bytes.fromhex("fe80000000000000" + "0" * 15 + "1"), 0, 0, 0, 5), "fe80::1"),
        ((2, *bytes.fromhex("fe80000000000000" + "0" * 15 + "1")), "fe80::1"),
    ],
)
def test_forms_of_an_address_in_ip_address_table(index: tuple[int, ...], address: str) -> None:
    dotted = ".".join(map(str, index))
    _, snapshot = snapshot_of(rows_of("snmp-texts") | {f"1.3.6.1.2.1.4.34.1.3.{dotted}": 1})
    assert (snapshot.interfaces or ())[0].addresses == (address,)
    assert snapshot.omissions == ()


def test_link_local_peers_of_several_links_are_several() -> None:
    octets = ".".join(map(str, bytes.fromhex("fe80000000000000" + "0" * 15 + "1")))
    rows = {f"1.3.6.1.3.5.1.1.2.1.13.1.4.20.{octets}.0.0.0.{link}": 6 for link in (3, 7)}
    peers = snapshot_of({"1.3.6.1.2.1.1.2.0": "1.3.6.1.4.1.8072.3.2.10", **rows})[1].bgp_peers or ()
    assert [peer.peer_address for peer in peers] == ["fe80::1%3", "fe80::1%7"]


LLDP, OSPF = "1.0.8802.1.1.2.1.4.1.1", "1.3.6.1.2.1.14.10.1"


@pytest.mark.parametrize("index", ["0.1.1", "1.1", "0.1.1.1"], ids=["as the MIB has it", "no time mark", "destination"])
def test_forms_of_the_index_of_lldp(index: str) -> None:
    rows = rows_of("snmp-texts") | {f"{LLDP}.7.{index}": b"Gi0/1", f"{LLDP}.9.{index}": b"far"}
    (neighbour,) = snapshot_of(rows)[1].adjacencies or ()
    assert (neighbour.local_port, neighbour.remote_name, neighbour.remote_port) == ("1/1/1", "far", "Gi0/1")


def test_a_neighbour_that_is_listed_twice_is_one_and_half_an_index_is_left_out() -> None:
    rows = rows_of("snmp-texts")
    for index in ("0.1.1", "77.1.1"):
        rows |= {f"{LLDP}.7.{index}": b"Gi0/1", f"{LLDP}.9.{index}": b"far"}
    rows |= {f"{LLDP}.7.5": b"Gi0/9", f"{OSPF}.6.192.0.2": 8, f"{OSPF}.6.192.0.2.9": 8}
    _, snapshot = snapshot_of(rows)
    assert [(each.protocol, each.remote_name or each.remote_address) for each in snapshot.adjacencies or ()] == [
        ("LLDP", "far"),
        ("OSPF", "192.0.2.9"),
    ]
    assert {(line.table, line.index): line.reason for line in snapshot.omissions} == {
        ("lldpRemTable", ""): "far on 1/1/1 is listed more than once: the first counts.",
        ("lldpRemTable", "5"): "Its index has 1 numbers instead of 3.",
        ("ospfNbrTable", "192.0.2"): "Its index has 3 numbers instead of 5.",
    }


@pytest.mark.parametrize(
    ("descr", "chassis", "software"),
    [
        ("... Version 8.220 (NE05E-SQ V800R022C00SPC600) ... HUAWEI NE05E-SQ", "NE05E-SQ", "8.220 V800R022C00SPC600"),
        ("Huawei AR169F x software,Version 5.170 (AR160 V200R009C00SPC500) ...", "AR169F", "5.170 V200R009C00SPC500"),
        ("... Version 8.150 (CE12800 V200R002C50SPC800) HUAWEICE12804", "CE12804", "8.150 V200R002C50SPC800"),
        ("... Version 8.180 (NE40E V800R010C10SPC500)\r\nHUAWEI NE40E-M2K", "NE40E-M2K", "8.180 V800R010C10SPC500"),
        ("S5720-56C-PWR-EI-AC Huawei Versatile Routing Platform Software", "S5720-56C-PWR-EI-AC", ""),
        ("Huawei Versatile Routing Platform Software", "", ""),
    ],
)
def test_products_and_versions_of_the_families_of_vrp(descr: str, chassis: str, software: str) -> None:
    rows = {"1.3.6.1.2.1.1.1.0": descr.encode(), "1.3.6.1.2.1.1.2.0": "1.3.6.1.4.1.2011.2.1"}
    system, _ = snapshot_of(rows)
    assert (system.chassis_type, system.software_version) == (chassis, software)


@pytest.mark.parametrize(
    ("descr", "software"),
    [
        ("Cisco IOS XR Software (NCS-5500), Version 7.3.2 Copyright", "7.3.2"),
        ("Juniper Networks, Inc. mx480 internet router, kernel JUNOS 18.4R1.8, Build date", "18.4R1.8"),
        ("Arista Networks EOS version 4.21.1F running on an Arista Networks DCS-7280SR", "4.21.1F"),
        ("SRLinux-v23.3.1-343-gab924f2e64 7220 IXR-D2L", "v23.3.1-343-gab924f2e64"),
        ("Cumulus-Linux 4.3.0 (Linux Kernel 4.19.237-1)", "4.3.0"),
    ],
)
def test_versions_of_routers_of_the_generic_driver(descr: str, software: str) -> None:
    system, _ = snapshot_of({"1.3.6.1.2.1.1.1.0": descr.encode(), "1.3.6.1.2.1.1.2.0": "1.3.6.1.4.1.9.1.1"})
    assert system.software_version == software


def test_the_order_of_rows_does_not_matter() -> None:
    rows = rows_of("entity-same-position")
    (_, forwards), (_, backwards) = snapshot_of(rows), snapshot_of(dict(reversed(rows.items())))
    assert forwards.equipment == backwards.equipment


ROWS = 5_000
MANY = range(1, ROWS + 1)
HOSTILE: dict[str, dict[str, Any]] = {
    "a chain of modules": {
        **{f"{ENTITY}.5.{n}": 9 for n in MANY},
        **{f"{ENTITY}.4.{n}": n - 1 for n in MANY},
        **{f"{ENTITY}.7.{n}": b"1" * 1000 for n in MANY},
    },
    "parts with one place": {
        "1.3.6.1.2.1.1.2.0": "1.3.6.1.4.1.6527.1",
        **{f"{HW}.7.1.{n}": 99 for n in MANY},
        **{f"1.3.6.1.4.1.6527.3.1.2.2.4.2.1.6.1.{n}": b"1/1/1" for n in MANY},
    },
}


@pytest.mark.parametrize("rows", HOSTILE.values(), ids=HOSTILE)
def test_a_large_tree_costs_little(rows: dict[str, Any]) -> None:
    """All parts are kept, with FDNs that fit their column, in a time that grows with their number."""
    driver, reading = reading_of(rows)
    begin = process_time()
    snapshot = driver.snapshot(reading, ["EQUIPMENT"])
    assert process_time() - begin < 5
    fdns = [part.fdn for part in snapshot.equipment or ()]
    assert len(fdns) >= ROWS
    assert len(set(fdns)) == len(fdns)
    assert max(map(len, fdns)) <= 400

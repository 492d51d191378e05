"""Rows of recorded routers in tests/fixtures/walks: what a driver makes of them, and which alarms that raises."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.support.yaml_text import load_yaml
from vnfm.elements.domain.drivers import driver_for
from vnfm.elements.domain.drivers.base import SYS_OBJECT_ID, Driver, Reading, text
from vnfm.elements.domain.part_states import InterfaceState, entered_at
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import Snapshot, SystemGroup
from vnfm.faults.domain.evaluate_element import evaluate_element
from vnfm.faults.domain.evaluation_result import Fault
from vnfm.faults.domain.observed_element import ObservedElement, ObservedPart, ObservedPeer

WALKS = Path(__file__).parents[1] / "fixtures" / "walks"
ADDRESS = "192.0.2.100"
SHELF = f"network:{ADDRESS}:shelf-1"
NOW = datetime(2016, 2, 9, 14, 5, tzinfo=UTC)


def rows_of(name: str) -> dict[str, Any]:
    """The instances of a walk and their values, as the SNMP adapter has them."""
    listed = load_yaml((WALKS / f"{name}.yaml").read_text())["rows"]
    return {str(oid): _value(kind, value) for oid, kind, value in listed}


def _value(kind: str, value: Any) -> Any:
    if kind == "HEX":
        return bytes.fromhex(value)
    return value.encode() if kind == "STRING" else value


def reading_of(rows: dict[str, Any]) -> tuple[Driver, Reading]:
    driver = driver_for(text(rows.get(SYS_OBJECT_ID)))
    table: dict[str, dict[tuple[int, ...], Any]] = {column: {} for column in driver.columns(PARTS)}
    for oid, value in rows.items():
        column = next((column for column in table if oid.startswith(f"{column}.")), None)
        if column is not None:
            table[column][tuple(map(int, oid[len(column) + 1 :].split(".")))] = value
    return driver, Reading(ADDRESS, rows, table)


def snapshot_of(rows: dict[str, Any]) -> tuple[SystemGroup, Snapshot]:
    driver, reading = reading_of(rows)
    return driver.system(rows), driver.snapshot(reading, PARTS)


def faults_of(snapshot: Snapshot) -> dict[str, Fault]:
    """The alarms of an element that answers so, by fault type and the end of the FDN."""
    interfaces = entered_at(NOW, InterfaceState, snapshot.interfaces)
    down = {each.if_index for each in interfaces if each.oper != "UP"}
    element = ObservedElement(
        "ne",
        "ne",
        "MANAGED",
        "True",
        "",
        NOW,
        "DONE",
        parts=entered_at(NOW, ObservedPart, snapshot.equipment),
        interfaces=tuple(replace(each, port_down=each.port_if_index in down) for each in interfaces),
        peers=entered_at(NOW, ObservedPeer, snapshot.bgp_peers),
    )
    result = evaluate_element(element, NOW)
    return {f"{fault.key.fault_type} {fault.key.faulty_resource.removeprefix(SHELF)}": fault for fault in result.faults}

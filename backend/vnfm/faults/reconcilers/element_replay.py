"""Reads an agent once as the poller does, and compares everything that it answers with what is shown of it."""

import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from vnfm.devices.ports import DeviceProvider, Snmp
from vnfm.devices.types import Bounds, SnmpTarget
from vnfm.elements.domain.drivers import driver_named
from vnfm.elements.domain.drivers.base import SYSTEM_NAMES, Driver, Reading
from vnfm.elements.domain.mib_modules import group_of
from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.walk_comparison import TableCount, compare
from vnfm.elements.reconcilers.element_poll import PollRequest, PollResult, poll_element
from vnfm.faults.domain.replayed_element import alarms_of
from vnfm.kit import clock

ROOTS = ("1.0", "1.2", "1.3")
"""All that agents have: LLDP-MIB is below 1.0, IEEE8023-LAG-MIB below 1.2."""
WALK_BOUNDS = Bounds(seconds=1800.0, rows=2_000_000, octets=2**30)
COMPARE_SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """`objects`: instances in the walk. `unread`: groups that no driver's column is in, with their instances."""

    driver: str
    sys_name: str
    sys_descr: str
    objects: int
    shown: dict[str, int]
    """Parts of the element by kind."""
    tables: list[TableCount]
    unread: dict[str, int]
    omissions: list[str]
    alarms: list[str]

    @property
    def unexplained(self) -> int:
        return sum(len(table.unexplained) for table in self.tables)

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "unexplained": self.unexplained}


async def replay(devices: DeviceProvider, target: SnmpTarget) -> ReplayReport:
    """Raises DeviceError where the agent does not answer."""
    result = await poll_element(devices, PollRequest(target, "", frozenset(PARTS)))
    driver = driver_named(result.driver)
    async with devices.snmp(target) as snmp:
        scalars = await snmp.get([*SYSTEM_NAMES, *driver.scalars()])
        walked = await _walk(snmp)
    reading = Reading(target.address, scalars, result.columns)
    ends = time.monotonic() + COMPARE_SECONDS
    tables = compare(driver, reading, result.parts, result.unread, lambda: time.monotonic() < ends)
    return _report(driver, result, target, walked, tables)


async def _walk(snmp: Snmp) -> list[str]:
    """Names of all instances."""
    read = await snmp.columns(ROOTS, WALK_BOUNDS)
    return [f"{root}.{'.'.join(map(str, index))}" for root, rows in read.table.items() for index in rows]


def _report(
    driver: Driver, result: PollResult, target: SnmpTarget, walked: list[str], tables: list[TableCount]
) -> ReplayReport:
    snapshot = result.snapshot
    assert snapshot is not None, "all parts were requested"
    read = {column.rpartition(".")[0] for column in driver.columns(PARTS)}
    unread = Counter(group_of(name) for name in walked if not _is_of(name, read))
    faults = alarms_of(snapshot, result.system.sys_name, target.address, clock.now())
    equipment = Counter(part.equipment_class for part in snapshot.equipment or ())
    return ReplayReport(
        driver=driver.name,
        sys_name=result.system.sys_name,
        sys_descr=result.system.sys_descr,
        objects=len(walked),
        shown={
            **{kind.lower(): count for kind, count in sorted(equipment.items())},
            "interfaces": len(snapshot.interfaces or ()),
            "bgp peers": len(snapshot.bgp_peers or ()),
            "neighbours": len(snapshot.adjacencies or ()),
            "facts": len(snapshot.facts or ()),
        },
        tables=tables,
        unread=dict(sorted(unread.items(), key=lambda each: -each[1])),
        omissions=[
            each.reason if each in result.unread else f"{each.table}.{each.index}: {each.reason}".replace(".:", ":")
            for each in (*result.unread, *snapshot.omissions)
        ],
        alarms=[f"{f.severity} {f.key.fault_type} {f.resource_name} {' '.join(f.details)}".strip() for f in faults],
    )


def _is_of(name: str, entries: set[str]) -> bool:
    """Whether the instance is in one of these tables, whatever its column."""
    arcs = name.split(".")
    return any(".".join(arcs[:length]) in entries for length in range(7, len(arcs)))

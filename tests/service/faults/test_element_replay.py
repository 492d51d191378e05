"""Recorded walks through the real client: all rows of the tables that are read are shown, or left out by a line."""

import asyncio
import json
import os
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.support import snmpd_process
from tests.support.routersim_process import RoutersimProcess
from vnfm.devices.provider import Devices
from vnfm.devices.types import Community, SnmpTarget
from vnfm.faults.reconcilers.element_replay import ReplayReport, replay

WALKS = Path(__file__).parents[2] / "fixtures" / "walks"
RECORDED = sorted(path.stem for path in WALKS.glob("*.yaml") if "\nrows:" in path.read_text())
NET_SNMP = snmpd_process.program() is not None and shutil.which("snmpwalk") is not None
REQUIRED = os.environ.get("REQUIRE_ROUTER") == "1"


def replayed(sim: RoutersimProcess, file: Path, *faults: tuple[str, dict[str, Any]]) -> ReplayReport:
    name = f"replay-{file.stem}-{os.getpid()}"
    added = sim.add(name=name, address="127.79.0.1", rows=str(file))
    for fault, body in faults:
        sim.fault(name, fault, **body)
    try:
        target = SnmpTarget("127.79.0.1", added["snmpPort"], Community("public"), timeout=5.0)
        return asyncio.run(replay(Devices(), target))
    finally:
        sim.control("DELETE", f"/elements/{name}")


@pytest.mark.parametrize("name", RECORDED)
def test_no_row_of_a_walk_is_left_out_without_a_line(routersim: RoutersimProcess, name: str) -> None:
    report = replayed(routersim, WALKS / f"{name}.yaml")
    assert report.objects == (WALKS / f"{name}.yaml").read_text().count("\n  - [1.")
    assert report.tables
    for table in report.tables:
        assert table.unexplained == [], table.table
        assert (table.unchecked, table.shown + table.elsewhere + table.left_out) == (0, table.rows)
        assert sum(table.reasons.values()) == table.left_out


def test_a_row_that_no_driver_understands_is_found(routersim: RoutersimProcess, tmp_path: Path) -> None:
    """The comparison itself: it fails for a row that changes nothing and that no omission names."""
    text = (WALKS / "snmp-repeated-row.yaml").read_text()
    (file := tmp_path / "more.yaml").write_text(f"{text}\n  - [1.3.6.1.4.1.6527.3.1.2.3.4.1.5.1.99, INTEGER, 7]\n")
    report = replayed(routersim, file)
    assert {table.table: table.unexplained for table in report.tables if table.unexplained} == {"vRtrIfTable": ["1.99"]}


def test_a_repeated_row_is_a_line_of_the_report(routersim: RoutersimProcess) -> None:
    oid = "1.3.6.1.2.1.4.34.1.3.1.4.192.0.2.1"
    report = replayed(routersim, WALKS / "snmp-repeated-row.yaml", ("repeat-row", {"oid": oid}))
    assert "ipAddressTable could not be read: it repeats a row. It is not shown." in report.omissions
    assert [alarm.split()[1] for alarm in report.alarms] == ["PortDown"]
    assert report.shown["interfaces"] == 2


def test_the_command_reports_and_fails_on_what_is_no_walk(tmp_path: Path) -> None:
    output = StringIO()
    call_command("element_replay", str(WALKS / "sros-empty-slots.yaml"), "--json", stdout=output)
    report = json.loads(output.getvalue())
    assert (report["driver"], report["objects"], report["unexplained"]) == ("nokia-sros", 58, 0)
    output = StringIO()
    call_command("element_replay", str(WALKS / "sros-empty-slots.yaml"), stdout=output)
    assert "Alarms: 1" in output.getvalue()
    (file := tmp_path / "none.txt").write_text("hello")
    with pytest.raises(CommandError, match="no line is a row"):
        call_command("element_replay", str(file), stdout=output)


@pytest.mark.skipif(
    not REQUIRED and (snmpd_process.program() is None or not shutil.which("snmpwalk")), reason="Net-SNMP"
)
def test_the_walk_of_a_real_agent(routersim: RoutersimProcess, tmp_path: Path) -> None:
    """Net-SNMP's agent on this machine, walked with its own snmpwalk."""
    with snmpd_process.SnmpdProcess(tmp_path) as agent:
        walk = subprocess.run(
            ["snmpwalk", "-m", "", "-v2c", "-c", "public", "-On", f"127.0.0.1:{agent.port}", ".1"],
            capture_output=True,
            timeout=120,
            check=True,
            env={"SNMP_PERSISTENT_DIR": str(tmp_path)},
        ).stdout
    (file := tmp_path / "walk.txt").write_bytes(walk)
    report = replayed(routersim, file)
    assert report.driver == "frr"
    assert report.objects == walk.count(b"\n.1.") + 1 - walk.count(b"No more variables")
    assert report.shown["interfaces"] >= 1
    assert report.unexplained == 0

"""SNMPv3 of simulated elements with Net-SNMP's commands and the product's own client."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from routersim.model.kinds import mac
from tests.support.routersim_process import RoutersimProcess
from tests.support.snmptrapd_process import SnmptrapdProcess, program
from tests.support.waiting import until
from vnfm.devices.errors import DeviceError
from vnfm.devices.snmp.client import connect
from vnfm.devices.types import Bounds, SnmpTarget, SnmpUser

Make = Callable[..., dict[str, Any]]
SYS_NAME, CARD_REMOVED = "1.3.6.1.2.1.1.5.0", "1.3.6.1.4.1.6527.3.1.3.2.1.0.9"
IF_OPER = "1.3.6.1.2.1.2.2.1.8"
USER = SnmpUser("poller", "SHA", "auth-secret-1", "AES", "priv-secret-1")
SPEC = {
    "name": "poller",
    "auth": "SHA",
    "authPassword": "auth-secret-1",
    "priv": "AES",
    "privPassword": "priv-secret-1",
}


def snmpget(element: dict[str, Any], *more: str, password: str = "priv-secret-1") -> str:
    """Net-SNMP's answer, or its error."""
    user = ("-u", "poller", "-l", "authPriv", "-a", "SHA", "-A", "auth-secret-1", "-x", "AES", "-X", password)
    where = f"{element['address']}:{element['snmpPort']}"
    done = subprocess.run(
        ["snmpget", "-m", "", "-t", "2", "-r", "2", "-v3", *user, *more, where, SYS_NAME],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


async def polled(element: dict[str, Any], user: SnmpUser) -> tuple[Any, int]:
    """sysName, and the number of interfaces."""
    target = SnmpTarget(element["address"], element["snmpPort"], user)
    async with connect(target) as client:
        name = (await client.get([SYS_NAME]))[SYS_NAME]
        columns = (await client.columns([IF_OPER], Bounds(seconds=20))).table
        return name, len(columns[IF_OPER])


@pytest.mark.skipif(shutil.which("snmpget") is None, reason="Net-SNMP (Debian: snmp) is not installed")
def test_net_snmp_reads_an_element_with_its_user(make: Make, routersim: RoutersimProcess) -> None:
    element = make(cards=1, ports=1, snmpUser=SPEC)
    assert element["name"] in snmpget(element)
    assert "ecryption" in snmpget(element, password="another-secret")
    routersim.fault(element["name"], "reboot")
    until(lambda: element["name"] in snmpget(element), "it answers again", seconds=20)


def test_our_client_reads_tables_and_is_refused_with_another_password(make: Make) -> None:
    element = make(cards=4, ports=20, snmpUser=SPEC)
    assert asyncio.run(polled(element, USER)) == (element["name"].encode(), 80)
    with pytest.raises(DeviceError):
        asyncio.run(polled(element, SnmpUser("poller", "SHA", "another-secret", "AES", "priv-secret-1")))


@pytest.mark.skipif(program() is None, reason="Net-SNMP's snmptrapd (Debian: snmptrapd) is not installed")
def test_net_snmp_takes_the_traps_of_a_user(routersim: RoutersimProcess, tmp_path: Path) -> None:
    engine = f"0x0000197f0000{mac('v3-traps')}"  # a receiver knows the users of each sender's engine
    keys = f"createUser -e {engine} poller SHA auth-secret-1 AES priv-secret-1"
    with SnmptrapdProcess(tmp_path, (keys, "authUser log poller")) as receiver:
        target = f"127.0.0.1:{receiver.port}"
        element = routersim.add(
            name="v3-traps",
            kind="7750-SR-12",
            address="127.30.9.1",
            cards=1,
            ports=1,
            snmpUser=SPEC,
            trapTargets=[target],
        )
        routersim.fault(element["name"], "card-out", slot="1")
        until(lambda: f".{CARD_REMOVED}" in receiver.log(), "the trap is in its log", seconds=20)

"""SNMPv3 against Net-SNMP's agent; skipped where that is not installed."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.snmpd_process import SYS_NAME, SnmpdProcess, program
from vnfm.devices.errors import DeviceError, Refused
from vnfm.devices.provider import Devices
from vnfm.devices.types import Bounds, SnmpTarget, SnmpUser

AUTH, PRIV = "a good password", "another password"

pytestmark = pytest.mark.skipif(program() is None, reason="snmpd is not installed")


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SnmpdProcess]:
    users = (
        "createUser open",
        "rouser open noauth",
        f'createUser signed SHA-256 "{AUTH}"',
        "rouser signed auth",
        f'createUser sealed SHA "{AUTH}" AES "{PRIV}"',
        "rouser sealed priv",
    )
    with SnmpdProcess(tmp_path_factory.mktemp("snmpd"), users) as process:
        yield process


def ask(agent: SnmpdProcess, user: SnmpUser, timeout: float) -> tuple[Any, Any]:
    async def work() -> tuple[Any, Any]:
        async with Devices().snmp(SnmpTarget("127.0.0.1", agent.port, user, timeout)) as snmp:
            column = "1.3.6.1.2.1.2.2.1.2"
            return await snmp.get([SYS_NAME]), (await snmp.columns([column], Bounds())).table[column]

    return asyncio.run(work())


@pytest.mark.parametrize(
    "user",
    [SnmpUser("open"), SnmpUser("signed", "SHA-256", AUTH), SnmpUser("sealed", "SHA", AUTH, "AES", PRIV)],
    ids=lambda user: user.name,
)
def test_every_level_of_security(agent: SnmpdProcess, user: SnmpUser) -> None:
    name, interfaces = ask(agent, user, timeout=5.0)
    assert name == {SYS_NAME: b"linux"}
    assert b"lo" in interfaces.values()


@pytest.mark.parametrize(
    "user",
    [
        SnmpUser("signed", "SHA-256", "a wrong password"),
        SnmpUser("unknown", "SHA-256", AUTH),
        SnmpUser("signed", "SHA", AUTH),
    ],
    ids=["password", "name", "protocol"],
)
def test_wrong_credentials_are_refused(agent: SnmpdProcess, user: SnmpUser) -> None:
    with pytest.raises(Refused):
        ask(agent, user, timeout=0.5)


@pytest.mark.parametrize(
    "user",
    [SnmpUser("sealed", "SHA", AUTH, "AES", "a wrong password"), SnmpUser("sealed", "SHA", AUTH)],
    ids=["privacy", "level"],
)
def test_a_lower_security_level_is_refused(agent: SnmpdProcess, user: SnmpUser) -> None:
    with pytest.raises(DeviceError):
        ask(agent, user, timeout=0.5)

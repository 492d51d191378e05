"""The adapters as one provider."""

from contextlib import AbstractAsyncContextManager

from vnfm.devices.netconf.client import connect as netconf_connect
from vnfm.devices.ports import Cli, Netconf, Snmp
from vnfm.devices.snmp.client import connect as snmp_connect
from vnfm.devices.snmp.discovery import engine_id
from vnfm.devices.ssh.client import connect as ssh_connect
from vnfm.devices.types import SnmpTarget, SshTarget


class Devices:
    """SNMP by gufo_snmp, SSH and NETCONF by asyncssh (ADR-0019, ADR-0030)."""

    def snmp(self, target: SnmpTarget) -> AbstractAsyncContextManager[Snmp]:
        return snmp_connect(target)

    async def snmp_engine_id(self, target: SnmpTarget) -> bytes:
        return await engine_id(target)

    def cli(self, target: SshTarget) -> AbstractAsyncContextManager[Cli]:
        return ssh_connect(target)

    def netconf(self, target: SshTarget) -> AbstractAsyncContextManager[Netconf]:
        return netconf_connect(target)

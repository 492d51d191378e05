"""A router's octets are read from the counters ifHCInOctets and ifHCOutOctets of IF-MIB (RFC 2863)."""

import asyncio

from vnfm.devices.errors import Garbled
from vnfm.devices.registry import provider
from vnfm.devices.types import Bounds
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import snmp_target_of

_IN, _OUT = "1.3.6.1.2.1.31.1.1.1.6", "1.3.6.1.2.1.31.1.1.1.10"
_BOUNDS = Bounds(seconds=15.0)


def carried_octets(element: NetworkElement) -> int:
    """Octets in and out since its start, of all interfaces but loopbacks and the one that it is managed by.

    Blocks; for workers. Raises DeviceError.
    """
    assert element.snmp_policy is not None, "a managed element has one"
    target = snmp_target_of(element.snmp_policy, element.management_address)
    own = {row.if_index for row in element.interfaces.all() if _not_carrying(row.name, row.addresses, element)}

    async def read() -> int:
        async with provider().snmp(target) as snmp:
            read = await snmp.columns([_IN, _OUT], _BOUNDS)
        if read.unread:
            reason = next(iter(read.unread.values())).reason
            raise Garbled(f"Traffic of {element.name} could not be read: {reason}.", address=target.address)
        rows = (row for column in (_IN, _OUT) for row in read.table.get(column, {}).items())
        return sum(int(value) for index, value in rows if isinstance(value, int) and index[0] not in own)

    return asyncio.run(read())


def _not_carrying(name: str, addresses: list[str], element: NetworkElement) -> bool:
    return name == "lo" or any(each.partition("/")[0] == element.management_address for each in addresses)

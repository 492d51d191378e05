"""Having an element ping: the one question about its own reach that routers of all kinds answer."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from vnfm.configuration.contact import command_line
from vnfm.elements.models import NetworkElement

COMMANDS: Mapping[str, str] = MappingProxyType(
    {"nokia-sros": "ping {address} count 3", "huawei-vrp": "ping -c 3 {address}"}
)
"""By driver. FRR's pings for ever, and vtysh cannot stop it."""
_RECEIVED = re.compile(r"(\d+) packet(?:s|\(s\)) received")
SECONDS = 30.0


def can_ping(element: NetworkElement) -> bool:
    return element.driver in COMMANDS and element.ssh_policy is not None


def unreached(element: NetworkElement, addresses: Sequence[str]) -> list[str]:
    """Which of these answer none of three pings of the element. For workers, as it waits for it.

    Raises DeviceError; Busy at once while another is at the element: who asks comes again.
    """
    lost = []
    with command_line(element, patience=0) as open_session:
        for address in addresses:
            said = open_session.ask(COMMANDS[element.driver].format(address=address), seconds=SECONDS)
            found = _RECEIVED.search(said)
            if found is None or not int(found[1]):
                lost.append(address)
    return lost

"""Has an element ping addresses."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from vnfm.configuration.session.session import open_cli
from vnfm.elements.models import NetworkElement

COMMANDS: Mapping[str, str] = MappingProxyType(
    {"nokia-sros": "ping {address} count 3", "huawei-vrp": "ping -c 3 {address}"}
)
"""By driver. FRR's ping runs for ever, and vtysh cannot stop it."""
_RECEIVED = re.compile(r"(\d+) packet(?:s|\(s\)) received")
SECONDS = 30.0


def can_ping(element: NetworkElement) -> bool:
    return element.driver in COMMANDS and element.ssh_policy is not None


def unreachable_from(element: NetworkElement, addresses: Sequence[str]) -> list[str]:
    """Which of these addresses answer none of three pings of the element. Blocks; for workers.

    Raises DeviceError; Busy at once while another session with the element is open.
    """
    lost = []
    with open_cli(element, timeout=0) as session:
        for address in addresses:
            output = session.output_of(COMMANDS[element.driver].format(address=address), seconds=SECONDS)
            received = _RECEIVED.search(output)
            if received is None or not int(received[1]):
                lost.append(address)
    return lost
